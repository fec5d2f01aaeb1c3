import * as fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { preview } from '../../../nodes/SocialPublishing/operations/post/preview.operation';
import { addAccount } from '../../support/records';
import { readWorkflow, records, useSandbox, withNode, withParameters } from '../harness';

/** The options that decide on the run, and not on what a post is. */
const OF_THE_RUN = [
  'checkMediaUrls',
  'concurrency',
  'includeInputFields',
  'includeQuota',
  'keepRequests',
  'onePerAccount',
  'uncertain',
];

/** `PREVIEWED_RUNS=100` compares more than 1,000 items. */
const RUNS = Number(process.env.PREVIEWED_RUNS ?? 15);

const service = useSandbox();

const MOMENTS = [
  '2035-01-15T09:00:00.000Z',
  '2035-01-15T10:00:00.000Z',
  '2035-02-01T00:00:00.000Z',
];

const rarely = <T>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 20, arbitrary: usual }, { weight: 1, arbitrary: rare });

const option = (...values: unknown[]) => fc.constantFrom<unknown>('', ...values);

const text = rarely<unknown>(
  fc.constantFrom('Fresh bread', '  Hello  ', 'x'.repeat(281), '#a '.repeat(40), 'Grüße 🍞', ''),
  fc.constantFrom('x'.repeat(3001), 7, null),
);

const media = rarely<unknown>(
  fc.constantFrom('', 'https://example.com/a.jpg', [
    'https://example.com/a.jpg',
    'https://example.com/b.mp4',
  ]),
  fc.constantFrom('a.jpg', 'https://drive.google.com/file/d/a/view'),
);

const accounts = rarely<unknown>(
  fc.constantFrom([1], [1, 2], '1, 3', 'x', 'instagram, @bakery', [3, 4]),
  fc.constantFrom('nobody', [], [99], 'tiktok'),
);

const variant = fc.record({
  socialAccountId: rarely<unknown>(fc.constantFrom(1, 2, 3), fc.constantFrom(99, '1', null)),
  content: text,
  mediaUrls: media,
});

const customBody = fc.oneof<[fc.Arbitrary<IDataObject | ''>, fc.Arbitrary<IDataObject | ''>]>(
  fc.constant(''),
  fc.record(
    {
      workspaceId: rarely<unknown>(fc.constantFrom(1, 2), fc.constantFrom('1', 0, null)),
      scheduledAt: rarely<unknown>(
        fc.constantFrom(...MOMENTS),
        fc.constantFrom('tomorrow', '2035-01-15', null, 7),
      ),
      status: fc.constantFrom('draft', 'scheduled', '', null),
      variants: fc.array(variant, { maxLength: 2 }),
      campaign: fc.constant('spring'),
    },
    { requiredKeys: [] },
  ) as fc.Arbitrary<IDataObject>,
);

const item = fc.record({
  content: text,
  mediaUrls: media,
  accounts,
  publish: rarely(fc.constantFrom('at', 'at', 'slot'), fc.constantFrom('now', 'after')),
  scheduledAt: rarely<unknown>(
    fc.constantFrom(...MOMENTS, '2035-03-01', '15.01.2035 10:00', '2035-10-28T02:30'),
    fc.constantFrom('', 'never', '2020-01-01T09:00', '05/06/2035'),
  ),
  delayAmount: rarely<unknown>(fc.constantFrom(1, 30), fc.constantFrom(-1, '')),
  times: rarely(fc.constantFrom('09:00', '09:00, 17:30'), fc.constantFrom('', '25:00')),
  days: fc.constantFrom([3, 4], [4]),
  override: fc.record({ account: fc.constantFrom(1, 2), content: text, mediaUrls: media }),
  variants: rarely<unknown>(
    fc.array(variant, { minLength: 1, maxLength: 3 }),
    fc.constantFrom([], '{'),
  ),
  ifScheduled: option('create', 'skip', 'skip', 'fail'),
  ifWrong: option('warn', 'fail', 'ignore'),
  ifPast: option('fail', 'publish'),
  dateOrder: option('ask', 'dayFirst', 'monthFirst'),
  keepShareLinks: fc.boolean(),
  status: option('draft'),
  workspaceId: rarely<unknown>(option('1'), fc.constantFrom('2', 'x')),
  timeZone: fc.constantFrom('', 'Europe/Berlin', 'Asia/Tokyo'),
  custom: customBody,
});

/** The options that items have values for. */
const OPTIONS = [
  'ifScheduled',
  'ifWrong',
  'ifPast',
  'dateOrder',
  'keepShareLinks',
  'status',
  'workspaceId',
] as const;

/** Which fields of the node are used at all. */
const form = fc.record({
  hasVariants: rarely(fc.constant(false), fc.constant(true)),
  hasOverrides: fc.boolean(),
  options: fc.subarray([...OPTIONS], { minLength: 3 }),
});

type Form = typeof form extends fc.Arbitrary<infer T> ? T : never;

const ofItem = (name: string): string => `={{ $json.${name} }}`;

const parametersOf = ({ hasVariants, hasOverrides, options }: Form): INodeParameters => ({
  ...Object.fromEntries(
    ['content', 'mediaUrls', 'accounts', 'publish', 'scheduledAt', 'delayAmount', 'timeZone'].map(
      (name) => [name, ofItem(name)],
    ),
  ),
  delayUnit: 'hours',
  slots: { slot: [{ days: ofItem('days'), times: ofItem('times') }] },
  overrides: hasOverrides
    ? {
        override: [
          {
            socialAccountId: { __rl: true, mode: 'id', value: ofItem('override.account') },
            content: ofItem('override.content'),
            mediaUrls: ofItem('override.mediaUrls'),
          },
        ],
      }
    : {},
  options: {
    ...Object.fromEntries(options.map((name) => [name, ofItem(name)])),
    ...(hasVariants && { variantsJson: '={{ JSON.stringify($json.variants) }}' }),
    customBodyFields: '={{ $json.custom }}',
    concurrency: 1,
  },
});

async function run(name: string, parameters: INodeParameters, input: IDataObject[]) {
  const workflow = readWorkflow(name);
  const node = String(workflow.nodes.at(-1)?.name);
  const options = { ...(parameters.options as INodeParameters) };
  if (name === 'post.preview') options.checkMediaUrls = false;
  const going = withNode(withParameters(workflow, node, { ...parameters, options }), node, {
    onError: 'continueRegularOutput',
  });
  service.sandbox.requests.length = 0;
  return records(await service.run(going, input), node);
}

const isFailed = ({ error }: IDataObject): boolean => error !== null;

const failureOf = ({ details }: IDataObject) => {
  const { code, field, certainty, forWriter, forBuilder } = details as IDataObject;
  return { code, field, certainty, forWriter, forBuilder };
};

const warningsOf = ({ warnings, variants }: IDataObject): unknown[] => [
  ...(warnings as unknown[]),
  ...(variants as IDataObject[]).flatMap((one) => one.warnings as unknown[]),
];

/** The post of which Preview can't know whether Create has made it for another item. */
const doubted = ({ warnings }: IDataObject): number | undefined => {
  const said = (warnings as string[]).find((text) => text.includes('unless it has created'));
  return said === undefined ? undefined : Number(/\(ID (\d+)\)/.exec(said)?.[1]);
};

/** What is sent of a variant that a field gives, as Preview shows it. */
const shownVariant = ({ socialAccountId, content, mediaUrls }: IDataObject) => ({
  socialAccountId,
  content: content ?? '',
  mediaUrls: mediaUrls ?? [],
});

/** What Preview doesn't show: values that a field of the interface can't have. */
const isShown = ({ variants }: IDataObject): boolean =>
  Array.isArray(variants) &&
  variants.every(
    (one: IDataObject) =>
      typeof one.socialAccountId === 'number' &&
      typeof (one.content ?? '') === 'string' &&
      Array.isArray(one.mediaUrls ?? []),
  );

beforeEach(() => {
  const { store } = service.sandbox;
  // Many runs need more requests than a quota has.
  for (const { usage } of store.keys) usage.used = -1e9;
  store.addWorkspace('Second');
  for (const [workspaceId, platform, isActive] of [
    [1, 'x', true],
    [1, 'instagram', true],
    [1, 'linkedin', false],
    [2, 'x', true],
  ] as const) {
    addAccount(service.sandbox, { workspaceId, platform, displayName: 'Bakery', isActive });
  }
  service.sandbox.addPosts(110, { scheduledAt: '2034-01-01T00:00:00.000Z' });
  service.sandbox.addPosts(1, { scheduledAt: MOMENTS[0]! });
});

test('all options that decide on a post are compared', () => {
  const fields = preview.fields.find(({ name }) => name === 'options')?.options ?? [];
  const others = ['variantsJson', 'customBodyFields', ...OF_THE_RUN];

  expect([...OPTIONS, ...others].sort()).toEqual(fields.map(({ name }) => name).sort());
});

test(
  'what Preview says is what the service gets',
  async () => {
    const made = new Set<unknown>();
    await fc.assert(
      fc.asyncProperty(
        form,
        fc.array(item, { minLength: 1, maxLength: 20, size: 'max' }),
        async (used, given) => {
          const input = given as unknown as IDataObject[];
          const parameters = parametersOf(used);
          const previewed = await run('post.preview', parameters, input);
          const previewedReads = service.sandbox.requests.length;
          const created = await run('post.create', parameters, input);
          const { requests } = service.sandbox;
          const sent = requests.filter(({ method }) => method === 'POST');
          const asked = previewed.filter((one) => !isFailed(one));
          const wasSent = (came: IDataObject): boolean =>
            came.alreadyScheduled !== true &&
            !(isFailed(came) && (came.details as IDataObject).certainty === 'notSent');
          const excused = previewed.filter(
            (one, index) => !isFailed(one) && made.has(doubted(one)) && wasSent(created[index]!),
          );
          const promised =
            asked.reduce((sum, one) => sum + Number(one.requests), 0) + excused.length;
          // What is read for items that fail all the same is nobody's.
          const unclaimed = previewed.some(isFailed) ? 2 : 0;

          expect(previewedReads).toBeLessThanOrEqual(10);
          expect(requests.length - promised).toBeGreaterThanOrEqual(0);
          expect(requests.length - promised).toBeLessThanOrEqual(unclaimed);
          for (const [index, preview] of previewed.entries()) {
            const came = created[index]!;
            if (isFailed(preview)) {
              expect(failureOf(came)).toEqual(failureOf(preview));
              continue;
            }
            if (!wasSent(came)) {
              expect(preview.warnings).not.toEqual([]);
              continue;
            }
            expect([undefined, ...made]).toContain(doubted(preview));
            if (isFailed(came)) expect(warningsOf(preview)).not.toEqual([]);
            const body = JSON.parse(String(sent.shift()?.body)) as IDataObject;
            expect(preview.workspaceId).toEqual(body.workspaceId);
            const isRelative = ['now', 'after'].includes(String(given[index]?.publish));
            if (!isRelative) expect(preview.scheduledAt).toEqual(body.scheduledAt ?? null);
            if (isShown(body)) {
              expect((preview.variants as IDataObject[]).map(shownVariant)).toEqual(
                (body.variants as IDataObject[]).map(shownVariant),
              );
            }
          }
          expect(sent).toEqual([]);
          for (const one of created) if (wasSent(one) && !isFailed(one)) made.add(one.id);
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    );
  },
  30 * 60_000,
);
