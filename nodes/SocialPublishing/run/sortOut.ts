import type { IDataObject } from 'n8n-workflow';

import type { WriteOperation } from '../operations/operation';
import { failed, type Outcome } from '../service/outcome';
import { fieldFailure } from './errors';
import type { Uncertain } from './openWrites';
import type { Outcomes } from './outcomes';
import type { Recall } from './recall';
import { heldFailure, stillOpenFailure } from './uncertainty';
import type { Wanted } from './wanted';

/** One item that is to be sent. */
export interface ToSend {
  readonly wanted: Wanted;
  /** What an earlier try left open, when it is to be sent once more. */
  readonly again?: Uncertain;
}

/** What becomes of the items of a run. */
export interface Sorted {
  /** What came of items already. What is looked for is held until then. */
  readonly settled: Outcomes;
  /** In the order of the items. */
  readonly toSend: readonly ToSend[];
  readonly toLook: readonly Uncertain[];
}

/** Whether an item is looked for in the service when it is uncertain. */
export const isLookedFor = ({ lookedFor }: WriteOperation, { uncertain }: Wanted): boolean =>
  uncertain === 'look' && lookedFor === 'moment';

/**
 * Does what the user chose for uncertain items, and sends what is new. That a time has passed counts
 * only now: it may have been sent before.
 */
export function sortOut(
  operation: WriteOperation,
  { done, refused, uncertain, fresh }: Recall,
): Sorted {
  const settled = new Map<number, Outcome<IDataObject>>([...done, ...refused]);
  const toSend: ToSend[] = [];
  for (const wanted of fresh) {
    const { refusal } = wanted.asked;
    if (refusal === undefined) toSend.push({ wanted });
    else settled.set(wanted.index, failed(fieldFailure(refusal)));
  }
  for (const one of uncertain) {
    const { wanted, doubt, open } = one;
    const { refusal } = wanted.asked;
    if (wanted.uncertain !== 'send') {
      settled.set(wanted.index, failed(heldFailure(doubt, operation, open)));
    } else if (refusal === undefined) toSend.push({ wanted, again: one });
    else settled.set(wanted.index, failed(stillOpenFailure(fieldFailure(refusal))));
  }
  toSend.sort((a, b) => a.wanted.index - b.wanted.index);
  return {
    settled,
    toSend,
    toLook: uncertain.filter(({ wanted }) => isLookedFor(operation, wanted)),
  };
}
