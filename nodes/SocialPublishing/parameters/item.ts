import { DateTime, type Zone } from 'luxon';
import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { ServiceCredential } from '../service/http/credential';
import type { Outcome } from '../service/outcome';
import type { ScheduledPosts } from '../service/scheduledPosts';
import type { Service } from '../service/service';
import { readAccountList } from './accounts/accountList';
import { FieldReader } from './fieldReader';
import type { MediaFile } from './files/fileCopies';
import { fileWarnings, findFile, signFile } from './files/files';
import type { Parameters } from './parameters';
import { FieldError, isRefusal, LookupError, type Refusal } from './refusal';
import { DATE_ORDERS } from './times/days';
import { type Moment, readTime } from './times/times';
import { readZone } from './times/zones';
import { idNumber, isEmpty, listIn, located } from './values';

/** A time that was read from fields. */
export interface Time extends Moment {
  /** The name of the zone that it was read in. */
  readonly zone: string;
}

/** A file, and the path of the field that names it. */
export interface FileOfField extends MediaFile {
  readonly path: string;
}

/** @throws LookupError for what could not be read */
function valueOf<T>(outcome: Outcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw new LookupError(outcome.failure);
}

interface ItemsOfRun {
  readonly context: IExecuteFunctions;
  readonly parameters: Parameters;
  readonly fields: readonly INodeProperties[];
  /** Unix milliseconds. */
  readonly now: number;
}

const WORKSPACE_ID = 'options.workspaceId';

/** One input item: its fields, the service that its credential is for, and what n8n says of them. */
export class Item extends FieldReader {
  private accountsRead: readonly IDataObject[] | undefined;

  constructor(
    private readonly run: ItemsOfRun,
    index: number,
    private readonly credential: ServiceCredential,
    /** Items whose credentials have the same address and key share it. */
    readonly service: Service,
  ) {
    super(run.parameters, run.fields, index);
  }

  /** Whether the node works for an AI agent: a model fills in its fields and reads its errors. */
  get isTool(): boolean {
    return this.run.context.getNode().type.endsWith('Tool');
  }

  /** The present of the run, in Unix milliseconds: the same for all its items. */
  get now(): number {
    return this.run.now;
  }

  zone(): Zone {
    const reading = readZone(this.value('timeZone'), this.run.context.getTimezone());
    return this.accept('timeZone', reading);
  }

  time(path: string): Time | undefined {
    const value = this.value(path);
    if (isEmpty(value)) return undefined;
    const zone = this.zone();
    const order = this.oneOf('options.dateOrder', DATE_ORDERS) ?? 'ask';
    const time = readTime(value, { zone, order });
    return isRefusal(time)
      ? this.accept(path, this.timeRefusal(time))
      : { ...time, zone: zone.name };
  }

  /** A refusal of a time; a model can't add options or paste expressions: it is told the time instead. */
  timeRefusal(forPeople: Refusal): Refusal {
    if (!this.isTool) return forPeople;
    const now = DateTime.now().setZone(this.zone());
    const example = now.plus({ days: 1 }).toFormat("yyyy-MM-dd'T'09:00");
    const hint = `Give a time to come as ISO 8601, such as ${example}. It is now ${now.toFormat("yyyy-MM-dd'T'HH:mm")} in ${now.zoneName}.`;
    return { ...forPeople, hint, forBuilder: undefined };
  }

  /** Where the workspace of the request comes from, as the user sees it. */
  workspaceField(): string {
    return isEmpty(this.value(WORKSPACE_ID))
      ? 'Workspace ID (in the credential)'
      : this.label(WORKSPACE_ID);
  }

  /** The workspace of the request: the item's, else the credential's (docs/service.md, `workspaceId`). */
  workspaceId(): number {
    const own = this.positiveInteger(WORKSPACE_ID);
    if (own !== undefined) return own;
    const { workspaceId } = this.credential;
    if (workspaceId === '') {
      return this.refuse(
        WORKSPACE_ID,
        'is empty, and so is the one in the credential',
        'Enter the number of the workspace in the credential.',
      );
    }
    const fromCredential = idNumber(workspaceId);
    if (fromCredential !== undefined) return fromCredential;
    throw new FieldError('credential.workspaceId', 'Workspace ID (in the credential)', {
      problem: 'is not a workspace number',
      hint: 'Correct it in the credential.',
    });
  }

  /** The accounts that a field lists; those of the workspace are read unless all entries are IDs. */
  async accounts(path: string): Promise<readonly number[]> {
    const list = listIn(this.value(path));
    const entries = (Array.isArray(list) ? list : [list]).filter((entry) => !isEmpty(entry));
    const found = await readAccountList(entries, () => this.accountsOfWorkspace());
    return 'problem' in found ? this.accept(`${path}[${found.index}]`, found) : found;
  }

  async accountId(path: string, value = this.value(path)): Promise<number | undefined> {
    const given = located(value);
    if (isEmpty(given)) return undefined;
    const found = await readAccountList([given], () => this.accountsOfWorkspace());
    if ('problem' in found) return this.accept(path, found);
    const [id, ...others] = found;
    return others.length === 0
      ? id
      : this.refuse(path, `names ${found.length} accounts`, 'Name one account.');
  }

  /** The accounts of a workspace, read once for all items. */
  async accountsOfWorkspace(workspaceId = this.workspaceId()): Promise<readonly IDataObject[]> {
    this.accountsRead = valueOf(await this.service.accounts(workspaceId));
    return this.accountsRead;
  }

  /** The accounts of the workspace, if this item has asked for them already. */
  accountsIfRead(): readonly IDataObject[] | undefined {
    return this.accountsRead;
  }

  /** The posts of a workspace by their times, read once for all items. */
  async posts(workspaceId: number): Promise<ScheduledPosts> {
    return valueOf(await this.service.scheduledPosts(workspaceId));
  }

  /** @returns the files in the binary fields that a field lists, each once */
  async files(path: string): Promise<readonly FileOfField[]> {
    const files = new Map<string, FileOfField>();
    for (const field of this.list(path)) {
      const { baseUrl } = this.credential;
      const found = await findFile(this.run.context, this.index, field, baseUrl);
      const file = this.accept(path, found);
      files.set(file.key, { ...file, path });
    }
    return [...files.values()];
  }

  /** The URL of a copy of a file. @param due in Unix milliseconds */
  async signFile(file: FileOfField, due: number): Promise<string> {
    return this.accept(file.path, await signFile(this.run.context, file, due));
  }

  /** What may delete the files before the post is due, in Unix milliseconds. */
  fileWarnings(due: number): string[] {
    return fileWarnings(this.run.context, due);
  }
}
