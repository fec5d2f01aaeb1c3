import type { IBinaryData, IDataObject, IExecuteFunctions } from 'n8n-workflow';

/** A file of an input item that can become a URL. */
export interface MediaFile {
  /** The same for the same file, however often it is named. */
  readonly key: string;
  readonly data: IBinaryData;
}

/** The copies that were made in one execution, by the keys of their files. */
interface Copies extends IDataObject {
  execution: string;
  ids: Record<string, string>;
}

/** Where the node keeps its copies, for its next try in the same execution. */
const COPIES = 'files';

/** n8n's context of the node, which it keeps for the next try; a tool that an MCP server calls has none. */
function nodeContextOf(context: IExecuteFunctions): IDataObject {
  try {
    return context.getContext('node');
  } catch {
    return {};
  }
}

function copiesOf(context: IExecuteFunctions): Copies['ids'] {
  const stored = nodeContextOf(context);
  const execution = context.getExecutionId();
  const made = stored[COPIES] as Copies | undefined;
  if (made?.execution === execution) return made.ids;
  const ids = {};
  stored[COPIES] = { execution, ids };
  return ids;
}

/** Copies under way, by the record that their names go into. */
const underWay = new WeakMap<Copies['ids'], Map<string, Promise<string | undefined>>>();

/**
 * The ID of a copy of a file, made once in an execution: the file itself may be renamed at its end.
 * `undefined` when n8n keeps files in memory.
 */
export async function copyOf(
  context: IExecuteFunctions,
  file: MediaFile,
): Promise<string | undefined> {
  const ids = copiesOf(context);
  const running = underWay.get(ids) ?? new Map<string, Promise<string | undefined>>();
  underWay.set(ids, running);
  const copying = running.get(file.key) ?? copy(context, file, ids);
  running.set(file.key, copying);
  return await copying.finally(() => running.delete(file.key));
}

async function copy(
  { helpers }: IExecuteFunctions,
  { key, data }: MediaFile,
  ids: Copies['ids'],
): Promise<string | undefined> {
  if (ids[key] !== undefined) return ids[key];
  const content =
    data.id === undefined
      ? Buffer.from(data.data, 'base64')
      : await helpers.getBinaryStream(data.id);
  const { id } = await helpers.prepareBinaryData(content, data.fileName, data.mimeType);
  if (id !== undefined) ids[key] = id;
  return id;
}
