import { documents, read } from './documents';
import { tableBelow } from './tables';

const DOCUMENT = 'docs/quota.md';

const numberIn = (text = ''): number => Number(text.replace(/\D/g, ''));

/** The requests per month of each plan that has API access, as a document has them: `1,000 (Pro)`. */
const plansIn = (document: string): Array<[plan: string, requests: number]> =>
  [...read(document).matchAll(/([\d,]+)\s\((Pro|Business|Agency)\)/g)].map(
    ([, requests, plan = '']) => [plan, numberIn(requests)],
  );

const plans = new Map(plansIn('docs/service.md'));

const MINUTES = { minute: 1, minutes: 1, hour: 60, hours: 60, day: 24 * 60 };

/** How often something happens in 30 days, for words such as `hour` or `15 minutes`. */
function timesInMonth(words: string): number {
  const [, count = '1', unit = ''] = /^(?:(\d+) )?(\w+)$/.exec(words) ?? [];
  return (30 * 24 * 60) / (Number(count) * MINUTES[unit as keyof typeof MINUTES]);
}

/** A part of a plan in whole percent, as the document writes it. */
function share(requests: number, plan: string): string {
  const percent = (100 * requests) / (plans.get(plan) ?? 0);
  return percent < 1 ? '< 1 %' : `${new Intl.NumberFormat('en').format(Math.round(percent))} %`;
}

test.each(tableBelow(DOCUMENT, 'Polling by plan'))(
  'polling every %s costs %s requests',
  (every, requests, ...shares) => {
    expect(numberIn(requests)).toBe(timesInMonth(every ?? ''));
    expect(shares).toEqual(
      ['Pro', 'Business', 'Agency'].map((plan) => share(numberIn(requests), plan)),
    );
  },
);

test('the plans in the text are those of the service', () => {
  expect(plans.size).toBe(3);
  expect(plansIn(DOCUMENT)).toEqual([...plans]);
});

const sentences = [...documents, 'examples/watch-for-missing-posts.json'].flatMap((file) =>
  [...read(file).matchAll(/([\d,]+) of (?:the|your) ([\d,]+)\b/g)].map(
    ([sentence, part, whole]): [string, string, number, number] => [
      file,
      sentence,
      numberIn(part),
      numberIn(whole),
    ],
  ),
);

test.each(sentences)('%s: %s', (_file, _sentence, part, whole) => {
  expect(part).toBe(timesInMonth('hour'));
  expect(whole).toBe(plans.get('Pro'));
});
