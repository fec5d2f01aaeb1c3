import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { RequestBudget } from '../../../nodes/SocialPublishing/service/budget';
import type { ExchangeResult } from '../../../nodes/SocialPublishing/service/http/response';
import { inParallel } from '../../../nodes/SocialPublishing/service/inParallel';
import { failed, type Failure } from '../../../nodes/SocialPublishing/service/outcome';
import { broken, leaving, neverMade, response } from './responses';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** The requests of a budget, which end when the test says so. */
class Requests {
  constructor(private readonly budget: RequestBudget) {}

  /** Asks for a request. Resolves when it may go out, or to the failure when it may not. */
  async admit(): Promise<Failure | undefined> {
    return await this.budget.admit();
  }

  async end(result: ExchangeResult, closing?: Failure): Promise<void> {
    this.budget.learn(result, closing === undefined ? undefined : failed(closing));
    await settled();
  }
}

const requestsWith = (keep: number | undefined) => new Requests(new RequestBudget(keep));

/** Asks for a request and notes how it went, without waiting for it. */
function asking(requests: Requests) {
  const state: { admitted?: boolean; facts?: string[] } = {};
  void requests.admit().then((refused) => {
    state.admitted = refused === undefined;
    const found = facts(refused);
    if (found !== undefined) state.facts = found;
  });
  return state;
}

/** What a request was not sent for: a code, and how many are left. */
const refusalOf = async (requests: Requests) => facts(await requests.admit());

const facts = (refused: Pick<Failure, 'code' | 'message'> | undefined) =>
  refused && [refused.code, ...(refused.message.match(/\d+/g) ?? [])];

test('without a number to keep, every request may go out, whatever is left', async () => {
  const requests = requestsWith(undefined);

  for (let request = 0; request < 20; request++) {
    expect(await requests.admit()).toBeUndefined();
    await requests.end(leaving('0'));
  }
});

describe('with a number to keep', () => {
  test('a closed budget stays closed', async () => {
    const requests = requestsWith(5);
    await requests.admit();
    await requests.end(leaving('5'));

    const stopped = {
      code: 'keepRequests',
      description: expect.stringContaining('Keep Requests') as string,
      certainty: 'notSent',
    };
    expect(await requests.admit()).toMatchObject(stopped);
    expect(await requests.admit()).toMatchObject(stopped);
  });

  test.each([undefined, '', 'many', '-1', '12.5'])(
    'an answer that says %j is left ends it',
    async (remaining) => {
      const requests = requestsWith(5);
      await requests.admit();
      await requests.end(leaving(remaining));

      expect(await requests.admit()).toMatchObject({
        code: 'quotaUnknown',
        certainty: 'notSent',
        description: expect.stringContaining('Keep Requests') as string,
      });
    },
  );

  test.each([
    ['broke', broken],
    ['was never made', neverMade],
  ])('after a first connection that %s the next request goes alone', async (_, result) => {
    const requests = requestsWith(5);
    await requests.admit();
    const second = asking(requests);
    const third = asking(requests);
    await requests.end(result);
    await settled();

    expect([second.admitted, third.admitted]).toEqual([true, undefined]);

    await requests.end(leaving('7'));
    await settled();
    expect(third.admitted).toBe(true);
  });

  test('a request whose answer is lost counts as spent, whatever later answers say', async () => {
    const requests = requestsWith(5);
    await requests.admit();
    await requests.end(leaving('9'));
    await requests.admit();
    await requests.end(broken);
    await requests.admit();
    await requests.end(leaving('8'));
    await requests.admit();
    await requests.end(broken);

    expect(await requests.admit()).toBeUndefined();
    await requests.end(leaving('7'));
    expect(await requests.admit()).toMatchObject({
      code: 'keepRequests',
      message: expect.stringMatching(/\b5\b.*\b5\b/) as string,
      description: expect.stringMatching(/^2 /) as string,
    });
  });

  test('a request that never went out does not count', async () => {
    const requests = requestsWith(5);
    await requests.admit();
    await requests.end(leaving('6'));
    await requests.admit();
    await requests.end(neverMade);

    expect(await requests.admit()).toBeUndefined();
  });
});

test.each([undefined, 5])(
  'after it was closed no request goes out, with %p to keep',
  async (keep) => {
    const failure: Failure = {
      code: 'keyNotAccepted',
      message: 'The API key was not accepted (401)',
      description: 'Check the key.',
      certainty: 'refused',
      httpCode: 401,
      closesCredential: true,
    };
    const requests = requestsWith(keep);
    await requests.admit();
    const waiting = asking(requests);
    await settled();
    await requests.end(leaving('900', 401), failure);
    await settled();

    expect(await requests.admit()).toEqual({ ...failure, certainty: 'notSent' });
    expect(waiting.admitted).toBe(keep === undefined);
  },
);

test('uses all requests above the number to keep, and none below', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        quota: fc.nat(40),
        keep: fc.nat(20),
        wanted: fc.integer({ min: 1, max: 40 }),
        lanes: fc.integer({ min: 1, max: 10 }),
        // How long an answer takes to be made, and then to arrive; whether it arrives.
        journeys: fc.array(fc.tuple(fc.nat(3), fc.nat(3), fc.boolean()), {
          minLength: 1,
          maxLength: 9,
        }),
      }),
      async ({ quota, keep, wanted, lanes, journeys }) => {
        const budget = new RequestBudget(keep);
        let left = quota;
        let sent = 0;
        const pass = async (turns: number) => {
          for (let count = 0; count < turns; count++) await settled();
        };
        const send = async () => {
          if ((await budget.admit()) !== undefined) return;
          const [there, back, arrives] = journeys[sent++ % journeys.length]!;
          await pass(there);
          left--;
          const remaining = String(Math.max(0, left));
          await pass(back);
          budget.learn(arrives ? leaving(remaining) : broken);
        };

        await inParallel(Array.from({ length: wanted }), lanes, async () => {
          await send();
          return true;
        });

        // Only what is sent before the first answer can fall below: nothing is known until then.
        const unanswered = journeys.findIndex(([, , arrives]) => arrives);
        const blind = unanswered === -1 ? wanted : unanswered + 1;
        expect(left).toBeGreaterThanOrEqual(Math.min(keep, quota - blind));
        if (journeys.every(([, , arrives]) => arrives)) {
          expect(sent).toBe(Math.min(wanted, Math.max(blind, quota - keep)));
        }
      },
    ),
    { numRuns: 300 },
  );
});

describe('a budget with what an earlier round has kept', () => {
  const saying = (remaining: number, status = 200) =>
    response(status, '', {
      'x-ratelimit-remaining': String(remaining),
      'x-ratelimit-reset': '3600',
    });

  const requestsFrom = (store: IDataObject, keep = 5) =>
    new Requests(new RequestBudget(keep, store));

  test('sends nothing if an earlier run used up the requests', async () => {
    const store: IDataObject = {};
    const earlier = requestsFrom(store);
    await earlier.admit();
    await earlier.end(saying(5));

    expect(await refusalOf(requestsFrom(store))).toEqual(['keepRequests', '5', '5']);
    expect(await requestsFrom(store, 4).admit()).toBeUndefined();
  });

  test('counts requests without a response as spent', async () => {
    const store: IDataObject = {};
    const earlier = requestsFrom(store);
    await earlier.admit();
    await earlier.end(saying(6));
    await earlier.admit();
    await earlier.end(broken);

    expect(await requestsFrom(store).admit()).toBeDefined();
  });

  test('if requests were left, sends the first one alone, as others may have spent the rest', async () => {
    const store: IDataObject = {};
    const earlier = requestsFrom(store);
    await earlier.admit();
    await earlier.end(saying(900));
    const requests = requestsFrom(store);
    let second: boolean | undefined;

    expect(await requests.admit()).toBeUndefined();
    void requests.admit().then((refused) => {
      second = refused === undefined;
    });
    await settled();
    expect(second).toBeUndefined();

    await requests.end(saying(6));
    await settled();
    expect(second).toBe(true);
  });

  test.each([
    ['a 401, which is about no quota', saying(0, 401)],
    ['an answer without a time', response(200, '', { 'x-ratelimit-remaining': '0' })],
    ['an answer without a number', response(200, '', { 'x-ratelimit-reset': '3600' })],
    ['no answer', broken],
  ])('stores nothing of %s', async (_, result) => {
    const store: IDataObject = {};
    const earlier = requestsFrom(store);
    await earlier.admit();
    await earlier.end(result);

    expect(store).toEqual({});
    expect(await requestsFrom(store).admit()).toBeUndefined();
  });
});
