import { createHash } from 'crypto';
import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { isObject } from '../../../shared/json';
import { isLocalHost, parseUrl } from '../../../shared/url';
import { type Reading, type Refusal, wrong } from '../refusal';
import { quote } from '../values';
import { copyOf, type MediaFile } from './fileCopies';

/** How long a signed URL holds after the post is due, in seconds: the service may try again. */
const GRACE_SECONDS = 7 * 24 * 60 * 60;

const IN_URLS = 'Or upload the file somewhere public and enter its address in Media URLs.';

const IN_MEMORY: Refusal = wrong(
  'cannot be used, because this n8n keeps files in memory',
  `Set N8N_DEFAULT_BINARY_DATA_MODE to filesystem for n8n and restart it. ${IN_URLS}`,
);

/** Why the service can't fetch files from the address of this n8n. */
function ownAddressProblem(signed: string, serviceUrl: string): string | undefined {
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

const isFile = (value: unknown): value is IBinaryData =>
  isObject(value) && typeof value.mimeType === 'string';

/** Where n8n puts files when the workflow keeps them with the JSON. */
const FILES = '_files';

function filesOf(context: IExecuteFunctions, itemIndex: number): Record<string, IBinaryData> {
  const { binary = {}, json = {} } = context.getInputData()[itemIndex] ?? {};
  const inJson = isObject(json[FILES]) ? json[FILES] : {};
  return Object.fromEntries(
    Object.entries({ ...inJson, ...binary }).filter((entry): entry is [string, IBinaryData] =>
      isFile(entry[1]),
    ),
  );
}

/** Whether n8n still has the file, and whether there is anything in it. */
async function contentProblem(
  helpers: IExecuteFunctions['helpers'],
  { id, data, bytes }: IBinaryData,
  field: string,
): Promise<Refusal | undefined> {
  const empty = wrong(
    `holds ${quote(field)}, and that file is empty`,
    'Check the node that the file comes from.',
  );
  if (id === undefined) return data === '' ? empty : undefined;
  if (bytes === 0) return empty;
  try {
    const { fileSize } = await helpers.getBinaryMetadata(id);
    return fileSize === 0 ? empty : undefined;
  } catch {
    return wrong(
      `holds ${quote(field)}, and n8n no longer has that file`,
      'It was deleted together with the execution that it came from. Run the workflow again from the node that gives the file.',
    );
  }
}

/**
 * Finds a file and checks that the service can fetch it. One that travels inside the item is
 * copied, as only this shows whether n8n can serve it.
 * @param serviceUrl a service that runs locally reaches a local n8n
 */
export async function findFile(
  context: IExecuteFunctions,
  itemIndex: number,
  field: string,
  serviceUrl: string,
): Promise<Reading<MediaFile>> {
  const files = filesOf(context, itemIndex);
  const name = field.replace(new RegExp(String.raw`^(?:\$json\.)?${FILES}\.`), '');
  const data = Object.hasOwn(files, name) ? files[name] : undefined;
  if (data === undefined) {
    const fields = Object.keys(files);
    return {
      problem: `holds ${quote(field)}, and the input item has no such file`,
      hint:
        fields.length === 0
          ? 'The item has no files at all: check the node before this one.'
          : `Enter a field of the item that has a file: ${fields.join(', ')}.`,
    };
  }
  const helpers: Partial<IExecuteFunctions['helpers']> = context.helpers;
  if (helpers.createBinarySignedUrl === undefined) {
    return wrong(
      'cannot be used, because this n8n is too old to give files an address',
      `Update n8n. ${IN_URLS}`,
    );
  }
  const content = await contentProblem(context.helpers, data, field);
  if (content !== undefined) return content;
  const key = data.id ?? createHash('sha256').update(data.data).digest('hex');
  const file = { key, data };
  const stored = data.id ?? (await copyOf(context, file));
  if (stored === undefined) return IN_MEMORY;
  const problem = ownAddressProblem(
    helpers.createBinarySignedUrl({ ...data, id: stored }),
    serviceUrl,
  );
  return problem === undefined
    ? { value: file }
    : wrong(
        `cannot be used, because ${problem}`,
        `Set WEBHOOK_URL to the public https address of n8n and restart it. ${IN_URLS}`,
      );
}

/** Signs a URL for a copy of a file. @param due when the post is due, in Unix milliseconds */
export async function signFile(
  context: IExecuteFunctions,
  file: MediaFile,
  due: number,
): Promise<Reading<string>> {
  const id = await copyOf(context, file);
  if (id === undefined) return IN_MEMORY;
  const seconds = Math.max(0, Math.ceil((due - Date.now()) / 1000)) + GRACE_SECONDS;
  const { data } = file;
  return { value: context.helpers.createBinarySignedUrl({ ...data, id }, `${seconds}s`) };
}

/** n8n deletes executions after this many days, unless its administrator sets another number. */
const KEPT_DAYS = 14;

const DAY_MS = 24 * 60 * 60 * 1000;

/** What may delete the files of a post before it is due, in Unix milliseconds. */
export function fileWarnings(context: IExecuteFunctions, due: number): string[] {
  const { saveDataSuccessExecution, saveDataErrorExecution, saveManualExecutions } =
    context.getWorkflowSettings();
  const isManual = context.getMode() === 'manual';
  const days = (due - Date.now()) / DAY_MS;
  const possible: ReadonlyArray<readonly [isSo: boolean, words: string]> = [
    [
      isManual && saveManualExecutions === false,
      'This workflow does not save manual runs, so n8n deletes the files of the post soon after this one. Turn on Save manual executions in the settings of the workflow',
    ],
    [
      !isManual && saveDataSuccessExecution === 'none',
      'This workflow does not save successful production executions, so n8n deletes the files of the post soon after the run. Turn on Save successful production executions in the settings of the workflow',
    ],
    [
      !isManual && saveDataErrorExecution === 'none',
      'This workflow does not save failed production executions, so n8n deletes the files of the post if a later node fails. Turn on Save failed production executions in the settings of the workflow',
    ],
    [
      days > KEPT_DAYS,
      `The post is due more than ${KEPT_DAYS} days after this run. By then, n8n deletes executions with their files, and sooner when there are more than 10,000, unless it is configured otherwise (EXECUTIONS_DATA_MAX_AGE, EXECUTIONS_DATA_PRUNE_MAX_COUNT)`,
    ],
  ];
  return possible.flatMap(([isSo, words]) => (isSo ? [words] : []));
}
