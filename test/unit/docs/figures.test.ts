import { AHEAD, LARGEST, SMALLEST } from '../../../nodes/SocialPublishing/idempotency/groups';
import { KEYS_PER_POST } from '../../../nodes/SocialPublishing/idempotency/log';
import { MAX_KEYS } from '../../../nodes/SocialPublishing/idempotency/store';
import { MAX_CONCURRENCY } from '../../../nodes/SocialPublishing/operations/options';
import { SLOT_KEPT_MS } from '../../../nodes/SocialPublishing/run/slotsInUse';
import { LIST_LAG_MS, REQUEST_LIFETIME_MS } from '../../../nodes/SocialPublishing/run/tolerances';
import { RESPONSE_TIMEOUT } from '../../../nodes/SocialPublishing/service/http/timeouts';
import { START } from '../../../nodes/SocialPublishing/service/limiter';
import { LONGEST_WAIT } from '../../../nodes/SocialPublishing/service/retry';
import { CAPACITY, DURATION_MS } from '../../../nodes/SocialPublishingTrigger/repeats';
import { MAX_OTHER_SECRETS } from '../../../nodes/SocialPublishingTrigger/secrets';
import { read } from './documents';

const inThousands = (figure: number): string => new Intl.NumberFormat('en').format(figure);

const hours = DURATION_MS / 60 / 60 / 1000;

test.each([
  ['docs/quota.md', `begins with ${START} requests at once`],
  ['docs/quota.md', `never has more than ${MAX_CONCURRENCY}`],
  ['nodes/SocialPublishing/operations/options.ts', `begins with ${START} and finds out`],
  ['docs/node.md', `at most ${(REQUEST_LIFETIME_MS + LIST_LAG_MS) / 1000} seconds. **Send Again**`],
  ['docs/node.md', `keeps its slot for ${SLOT_KEPT_MS / 60_000} minutes`],
  [
    'docs/node.md',
    `keeps ${inThousands(MAX_KEYS)} entries for each node, about ${inThousands(Math.floor(MAX_KEYS / KEYS_PER_POST / 100) * 100)} posts`,
  ],
  ['docs/node.md', `up to ${SMALLEST + AHEAD} held posts may never have gone out`],
  ['docs/node.md', `and up to ${LARGEST + AHEAD} in a large run`],
  ['docs/node.md', `up to ${LONGEST_WAIT / 1000} seconds`],
  ['docs/self-hosting.md', `${inThousands(MAX_KEYS)} entries, ${KEYS_PER_POST} for a post`],
  ['docs/service.md', `A response may take up to ${RESPONSE_TIMEOUT / 1000} seconds`],
  ['docs/service.md', `up to ${LONGEST_WAIT / 1000} seconds`],
  ['docs/service.md', `up to ${MAX_OTHER_SECRETS} others`],
  ['docs/trigger.md', `one per line, at most ${MAX_OTHER_SECRETS}`],
  ['docs/trigger.md', `for ${hours} hours, at most ${inThousands(CAPACITY)} of all workflows`],
  [
    'nodes/SocialPublishingTrigger/properties.ts',
    `for ${hours} hours, at most ${inThousands(CAPACITY)}, in one process`,
  ],
])('%s has the figure of the code: %s', (document, words) => {
  expect(read(document).replace(/\s+/g, ' ')).toContain(words);
});
