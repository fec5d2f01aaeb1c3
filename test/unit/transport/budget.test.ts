import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { inParallel } from '../../../nodes/SocialPublishing/transport/bounded';
import { RequestBudget } from '../../../nodes/SocialPublishing/transport/budget';
import type { Failure } from '../../../nodes/SocialPublishing/transport/outcome';
import { QuotaMemory } from '../../../nodes/SocialPublishing/transport/quotaMemory';
import { answer, broken, leaving, neverMade } from './answers';

const credential = {
  baseUrl: 'https://social.example.com/api/v1',
  apiKey: 'spk_4f1c9a',
  workspaceId: '1',
  data: {},
};

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Asks for admission and notes how it went, without waiting for it. */
function asking(budget: RequestBudget) {
  const state: { admitted?: boolean; message?: string } = {};
  void budget.admit().then((refused) => {
    state.admitted = refused === undefined;
    if (refused !== undefined) state.message = refused.failure.message;
  });
  return state;
}

const messageOf = async (budget: RequestBudget) => (await budget.admit())?.failure.message;

test('without a bound every request may go out, whatever the service says is left', async () => {
  const budget = new RequestBudget(undefined);

  for (let request = 0; request < 20; request++) {
    expect(await budget.admit()).toBeUndefined();
    budget.spent(leaving('0'));
  }
});

describe('with a number to keep', () => {
  test('the first request goes alone', async () => {
    const budget = new RequestBudget(5);
    const first = asking(budget);
    const second = asking(budget);
    const third = asking(budget);
    await settled();

    expect([first.admitted, second.admitted, third.admitted]).toEqual([true, undefined, undefined]);

    budget.spent(leaving('7'));
    await settled();

    expect([second.admitted, third.admitted]).toEqual([true, true]);
  });

  test('what is under way counts as spent', async () => {
    const budget = new RequestBudget(5);
    await budget.admit();
    budget.spent(leaving('7'));
    await budget.admit();
    await budget.admit();
    const third = asking(budget);
    await settled();

    expect(third.admitted).toBeUndefined();

    budget.spent(leaving('6'));
    budget.spent(leaving('5'));
    await settled();

    expect(third.message).toBe('Stopped to keep 5 requests: 5 are left');
  });

  test('what is under way may turn out to be counted already', async () => {
    const budget = new RequestBudget(5);
    await budget.admit();
    budget.spent(leaving('9'));
    await budget.admit();
    await budget.admit();
    budget.spent(leaving('7'));
    await budget.admit();
    const fourth = asking(budget);
    await settled();

    expect(fourth.admitted).toBeUndefined();

    budget.spent(leaving('8'));
    await settled();

    expect(fourth.admitted).toBe(true);
  });

  test('once it has stopped it stays so', async () => {
    const budget = new RequestBudget(5);
    await budget.admit();
    budget.spent(leaving('5'));

    expect(await messageOf(budget)).toBe('Stopped to keep 5 requests: 5 are left');
    expect(await messageOf(budget)).toBe('Stopped to keep 5 requests: 5 are left');
  });

  test('the least that was said to be left counts, as answers overtake each other', async () => {
    const budget = new RequestBudget(5);
    await budget.admit();
    budget.spent(leaving('7'));
    await budget.admit();
    await budget.admit();
    budget.spent(leaving('5'));
    budget.spent(leaving('6'));

    expect(await messageOf(budget)).toBe('Stopped to keep 5 requests: 5 are left');
  });

  test('0 keeps none, but sends none in vain', async () => {
    const budget = new RequestBudget(0);
    await budget.admit();
    budget.spent(leaving('1'));

    expect(await budget.admit()).toBeUndefined();
    budget.spent(leaving('0'));
    expect(await messageOf(budget)).toBe('Stopped to keep 0 requests: 0 are left');
  });

  test.each([undefined, '', 'many', '-1', '12.5'])(
    'an answer that says %j is left ends it',
    async (remaining) => {
      const budget = new RequestBudget(5);
      await budget.admit();
      budget.spent(leaving(remaining));

      expect((await budget.admit())?.failure).toMatchObject({
        message: 'It is not known how many requests are left, so no more were sent',
        certainty: 'notSent',
        description: expect.stringContaining('Remove the option Keep Requests') as string,
      });
    },
  );

  test.each([
    ['broke', broken],
    ['was never made', neverMade],
  ])('after a first connection that %s the next request goes alone', async (_, result) => {
    const budget = new RequestBudget(5);
    await budget.admit();
    const second = asking(budget);
    const third = asking(budget);
    budget.spent(result);
    await settled();

    expect([second.admitted, third.admitted]).toEqual([true, undefined]);

    budget.spent(leaving('7'));
    await settled();
    expect(third.admitted).toBe(true);
  });

  test('a request that broke off counts as spent', async () => {
    const budget = new RequestBudget(5);
    await budget.admit();
    budget.spent(leaving('7'));
    await budget.admit();
    budget.spent(broken);
    await budget.admit();
    budget.spent(broken);

    expect(await messageOf(budget)).toBe('Stopped to keep 5 requests: 7 are left');
  });

  test('a request that never went out does not', async () => {
    const budget = new RequestBudget(5);
    await budget.admit();
    budget.spent(leaving('6'));
    await budget.admit();
    budget.spent(neverMade);

    expect(await budget.admit()).toBeUndefined();
  });
});

test.each([undefined, 5])(
  'after it was closed no request goes out, with %p to keep',
  async (keep) => {
    const failure: Failure = {
      message: 'The API key was not accepted (401)',
      description: 'Check the key.',
      certainty: 'refused',
      httpCode: 401,
    };
    const budget = new RequestBudget(keep);
    await budget.admit();
    const waiting = asking(budget);
    budget.close(failure);
    budget.spent(leaving('900', 401));
    await settled();

    expect((await budget.admit())?.failure).toEqual({ ...failure, certainty: 'notSent' });
    expect(waiting.admitted).toBe(keep === undefined);
  },
);

test('never lets the quota fall below what is to be kept, and uses all above it', async () => {
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
          budget.spent(arrives ? leaving(remaining) : broken);
        };

        await inParallel(Array.from({ length: wanted }), lanes, async () => {
          await send();
          return true;
        });

        // Only what is sent before the first answer can fall below: nothing is known until then.
        const unanswered = journeys.findIndex(([, , arrives]) => arrives);
        const blind = unanswered === -1 ? wanted : unanswered + 1;
        expect(left).toBeGreaterThanOrEqual(Math.min(keep, quota - blind));
        // What broke off may be counted twice, so only unbroken answers use all there is.
        if (journeys.every(([, , arrives]) => arrives)) {
          expect(sent).toBe(Math.min(wanted, Math.max(1, quota - keep)));
        }
      },
    ),
    { numRuns: 300 },
  );
});

describe('a budget with a memory', () => {
  const saying = (remaining: number, status = 200) =>
    answer(status, '', {
      'x-ratelimit-remaining': String(remaining),
      'x-ratelimit-reset': '3600',
    });

  const budgetWith = (store: IDataObject, keep = 5) =>
    new RequestBudget(keep, new QuotaMemory(store, credential));

  test('sends nothing where an earlier one used up what may be used', async () => {
    const store: IDataObject = {};
    const earlier = budgetWith(store);
    await earlier.admit();
    earlier.spent(saying(5));

    expect((await budgetWith(store).admit())?.failure.message).toBe(
      'Stopped to keep 5 requests: 5 are left',
    );
    expect(await budgetWith(store, 4).admit()).toBeUndefined();
  });

  test('counts what got no answer as spent', async () => {
    const store: IDataObject = {};
    const earlier = budgetWith(store);
    await earlier.admit();
    earlier.spent(saying(6));
    await earlier.admit();
    earlier.spent(broken);

    expect(await budgetWith(store).admit()).toBeDefined();
  });

  test('sends one alone where requests were left, as others may have spent them', async () => {
    const store: IDataObject = {};
    const earlier = budgetWith(store);
    await earlier.admit();
    earlier.spent(saying(900));
    const budget = budgetWith(store);
    let second: boolean | undefined;

    expect(await budget.admit()).toBeUndefined();
    void budget.admit().then((refused) => {
      second = refused === undefined;
    });
    await settled();
    expect(second).toBeUndefined();

    budget.spent(saying(6));
    await settled();
    expect(second).toBe(true);
  });

  test.each([
    ['a 401, which is about no quota', saying(0, 401)],
    ['an answer without a time', answer(200, '', { 'x-ratelimit-remaining': '0' })],
    ['an answer without a number', answer(200, '', { 'x-ratelimit-reset': '3600' })],
    ['no answer', broken],
  ])('remembers nothing of %s', async (_, result) => {
    const store: IDataObject = {};
    const earlier = budgetWith(store);
    await earlier.admit();
    earlier.spent(result);

    expect(store).toEqual({});
    expect(await budgetWith(store).admit()).toBeUndefined();
  });
});
