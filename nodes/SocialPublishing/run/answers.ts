import type { IDataObject } from 'n8n-workflow';

import { folded, isEmpty, quote, textOf, tidy } from '../parameters/values';
import { failed, type Outcome } from '../service/outcome';

/** What was asked for. */
export interface Asked {
  /** `post`, `agent` */
  readonly noun: string;
  readonly body: IDataObject;
  /** The item that it was asked for. */
  readonly item: number;
}

/** The fields of a body that come back in the record. */
const COMPARED = [
  ...['workspaceId', 'id', 'name', 'type'],
  ...['scheduledAt', 'status', 'isActive', 'schedule'],
];

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

/**
 * Compares the record that a service returned for a write with what was asked for (docs/service.md,
 * "Success"). What differs is a warning; a record that is another one leaves the write uncertain.
 * @param itemWith the item of this run that has the ID already, by ID
 * @param now Unix milliseconds
 */
export function compared(
  asked: Asked,
  outcome: Outcome<IDataObject>,
  itemWith: ReadonlyMap<unknown, number>,
  now: number,
): Outcome<IDataObject> {
  if (!outcome.ok) return outcome;
  const { noun, body } = asked;
  const record = outcome.value;
  const different = COMPARED.filter((field) => !isSame(field, body[field], record[field]));
  const naming = different.filter((field) => names(field, body, record, now));
  const first = body.id === undefined ? itemWith.get(record.id) : undefined;
  const said = (field: string): string =>
    `${field} ${inQuotes(record[field])} instead of ${inQuotes(body[field])}`;
  if (naming.length === 0 && (first === undefined || first === asked.item)) {
    const warnings = different.map((field) => differs(said(field)));
    return warnings.length === 0 ? outcome : { ...outcome, warnings };
  }
  const why = naming.length === 0 ? `item ${first} has it already` : naming.map(said).join(', ');
  return failed({
    code: 'otherRecord',
    message: `The service answered with another ${noun} (ID ${textOf(record.id)}: ${why}), so the request may or may not have been carried out`,
    description:
      'Look in the service before you run this again. If it happens again, tell the operator of the service, or of the proxy in front of it.',
    forModel: 'Do not call this again for it. Tell the user to look in the service.',
    certainty: 'uncertain',
  });
}

const differs = (how: string): string => `The service answered with ${how}`;

const inQuotes = (value: unknown): string =>
  typeof value === 'string' ? quote(value) : JSON.stringify(value);

/** Whether a field says the same; what is not asked for, or not answered, says nothing else. */
function isSame(field: string, asked: unknown, came: unknown): boolean {
  if (isEmpty(asked) || came === undefined) return true;
  if (field === 'scheduledAt') {
    return Math.abs(Date.parse(textOf(asked)) - Date.parse(textOf(came))) < SECOND_MS;
  }
  const plain = (value: unknown): string =>
    folded(tidy(typeof value === 'string' ? value : JSON.stringify(value)));
  return plain(asked) === plain(came);
}

/** Whether a record in which a field differs is another one. */
function names(field: string, asked: IDataObject, came: IDataObject, now: number): boolean {
  if (field === 'name') return asked.id === undefined;
  if (field !== 'scheduledAt') return field === 'workspaceId' || field === 'id';
  const wanted = Date.parse(textOf(asked.scheduledAt));
  const due = Date.parse(textOf(came.scheduledAt));
  // What is past may be published now.
  return due < wanted - MINUTE_MS || due > Math.max(wanted, now) + MINUTE_MS;
}
