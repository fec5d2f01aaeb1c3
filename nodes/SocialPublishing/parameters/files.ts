import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { isLocalHost, parseUrl } from '../../shared/url';
import { quote } from './values';

/** A file of an input item that can become a URL. */
export interface MediaFile {
  readonly id: string;
  readonly data: IBinaryData;
}

export type FoundFile = MediaFile | { readonly problem: string; readonly hint: string };

/** How long a signed URL holds after the post is due, in seconds: the service may try again. */
const GRACE_SECONDS = 7 * 24 * 60 * 60;

const IN_URLS = 'Or upload the file somewhere public and enter its address in Media URLs.';

/** Why the address of this n8n, from which the service would fetch files, cannot work. */
function addressProblem(signed: string, serviceUrl: string): string | undefined {
  const url = parseUrl(signed);
  const service = parseUrl(serviceUrl);
  if (url === undefined) return 'this n8n does not know its own address';
  const reachesLocal = service !== undefined && isLocalHost(service.hostname);
  if (reachesLocal) return undefined;
  if (isLocalHost(url.hostname)) return `the service cannot reach this n8n at ${url.origin}`;
  return url.protocol === 'https:'
    ? undefined
    : `the address of this n8n, ${url.origin}, is not https`;
}

/**
 * Finds the file in a binary field and checks that the service will be able to fetch it; copies
 * nothing.
 *
 * @param serviceUrl the Base URL of the service: one that runs locally reaches a local n8n
 */
export function findFile(
  context: IExecuteFunctions,
  itemIndex: number,
  field: string,
  serviceUrl: string,
): FoundFile {
  const binary = context.getInputData()[itemIndex]?.binary ?? {};
  const data = Object.hasOwn(binary, field) ? binary[field] : undefined;
  if (data === undefined) {
    const fields = Object.keys(binary);
    return {
      problem: `holds ${quote(field)}, and the input item has no such file`,
      hint:
        fields.length === 0
          ? 'The item has no files at all: check the node before this one.'
          : `The item has files in: ${fields.join(', ')}.`,
    };
  }
  const helpers: Partial<IExecuteFunctions['helpers']> = context.helpers;
  if (helpers.createBinarySignedUrl === undefined) {
    return {
      problem: 'cannot be used, because this n8n is too old to give files an address',
      hint: `Update n8n. ${IN_URLS}`,
    };
  }
  if (data.id === undefined) {
    return {
      problem: 'cannot be used, because this n8n keeps files in memory',
      hint: `Set N8N_DEFAULT_BINARY_DATA_MODE to filesystem for n8n and restart it. ${IN_URLS}`,
    };
  }
  const problem = addressProblem(helpers.createBinarySignedUrl(data), serviceUrl);
  return problem === undefined
    ? { id: data.id, data }
    : {
        problem: `cannot be used, because ${problem}`,
        hint: `Set WEBHOOK_URL to the public https address of n8n and restart it. ${IN_URLS}`,
      };
}

/**
 * Copies a file into the storage of this execution and signs a URL for the copy: the file itself may
 * be renamed when the execution ends.
 *
 * @param due when the post is due, in Unix milliseconds
 */
export async function signFile(
  { helpers }: IExecuteFunctions,
  { id, data }: MediaFile,
  due: number,
): Promise<string> {
  const copy = await helpers.prepareBinaryData(
    await helpers.getBinaryStream(id),
    data.fileName,
    data.mimeType,
  );
  const seconds = Math.max(0, Math.ceil((due - Date.now()) / 1000)) + GRACE_SECONDS;
  return helpers.createBinarySignedUrl(copy, `${seconds}s`);
}
