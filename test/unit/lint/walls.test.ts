import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

import { z } from 'zod';

import { repositoryDir } from '../../../scripts/n8n/paths';

/** A line that breaks a rule of the house, in a file that exists, and what the linter says to it. */
interface Violation {
  wall: string;
  file: string;
  code: string;
  message: string;
}

const ACTION = 'nodes/SocialPublishing';
const TRIGGER = 'nodes/SocialPublishingTrigger';

const httpOnly = 'Only service/http calls the HTTP helpers of n8n.';
const hmacOnly = 'Only signature.ts makes an HMAC.';
const notOfOperations =
  'An operation imports only types and endpoints of service: it describes its request.';
const apart = 'The sandbox shares no code with the nodes, so that each checks the other.';
const published = 'Published code imports only published code.';
const twoNodes = 'The two nodes never import each other. What both need belongs in nodes/shared.';
const oneExchange = 'service/http is one exchange. It imports nothing else of service.';
const serviceBelow = 'service knows nothing of the other rooms. Pass it what it needs.';

const violations: Violation[] = [
  {
    wall: 'HTTP belongs to service/http',
    file: `${ACTION}/service/client.ts`,
    code: 'export const call = (context) => context.helpers.httpRequest({ url: "" });',
    message: httpOnly,
  },
  {
    wall: 'HTTP belongs to service/http, with the credential too',
    file: `${ACTION}/methods/credentialTest.ts`,
    code: 'export const call = ({ helpers }) => helpers.httpRequestWithAuthentication.call(null);',
    message: httpOnly,
  },
  {
    wall: 'HTTP belongs to service/http, under another name too',
    file: `${ACTION}/run/run.ts`,
    code: 'export const call = (context) => { const { request: send } = context.helpers; send(); };',
    message: httpOnly,
  },
  {
    wall: 'operations import no service but types',
    file: `${ACTION}/operations/post/create.operation.ts`,
    code: "export { Client } from '../../service/client';",
    message: notOfOperations,
  },
  {
    wall: 'parameters stand below operations',
    file: `${ACTION}/parameters/item.ts`,
    code: "export { create } from '../operations/post/create.operation';",
    message: 'parameters knows nothing of operations: an operation reads its fields.',
  },
  {
    wall: 'an HMAC belongs to signature.ts',
    file: `${TRIGGER}/SocialPublishingTrigger.node.ts`,
    code: "export { createHmac } from 'crypto';",
    message: hmacOnly,
  },
  {
    wall: 'an HMAC belongs to signature.ts, in the sandbox too',
    file: 'sandbox/service.ts',
    code: "import crypto from 'node:crypto'; export const mac = crypto.createHmac('sha256', '');",
    message: hmacOnly,
  },
  {
    wall: 'the sandbox imports no node',
    file: 'sandbox/service.ts',
    code: `export { sign } from '../${TRIGGER}/signature';`,
    message: apart,
  },
  {
    wall: 'the nodes import no sandbox',
    file: `${TRIGGER}/SocialPublishingTrigger.node.ts`,
    code: "export { sign } from '../../sandbox/webhooks/signature';",
    message: published,
  },
  {
    wall: 'the two nodes do not import each other',
    file: `${TRIGGER}/SocialPublishingTrigger.node.ts`,
    code: "export { run } from '../SocialPublishing/run/run';",
    message: twoNodes,
  },
  {
    wall: 'service imports no run',
    file: `${ACTION}/service/client.ts`,
    code: "export { run } from '../run/run';",
    message: serviceBelow,
  },
  {
    wall: 'the limits of platforms know no fields',
    file: `${ACTION}/platforms/judge.ts`,
    code: "export { Item } from '../parameters/item';",
    message: 'What platforms take is a function of text, media and platform: no fields, no items.',
  },
  {
    wall: 'run imports no method',
    file: `${ACTION}/run/run.ts`,
    code: "export { searchAccounts } from '../methods/pickers';",
    message: 'run knows nothing of methods.',
  },
  {
    wall: 'service/http imports nothing else of service',
    file: `${ACTION}/service/http/request.ts`,
    code: "export { Client } from '../client';",
    message: oneExchange,
  },
  {
    wall: 'no imports go round in a circle',
    file: `${ACTION}/service/outcome.ts`,
    code: "export { Client } from './client';",
    message: 'Dependency cycle',
  },
];

const clean: Array<Omit<Violation, 'message'>> = [
  {
    wall: 'service/http calls the helpers',
    file: `${ACTION}/service/http/request.ts`,
    code: 'export const call = (context) => context.helpers.httpRequest({ url: "" });',
  },
  {
    wall: 'an operation imports types of service',
    file: `${ACTION}/operations/post/create.operation.ts`,
    code: "export type { Client } from '../../service/client';",
  },
  {
    wall: "the trigger's signature.ts makes an HMAC",
    file: `${TRIGGER}/signature.ts`,
    code: "export { createHmac } from 'crypto';",
  },
  {
    wall: "the sandbox's signature.ts makes an HMAC",
    file: 'sandbox/webhooks/signature.ts',
    code: "export { createHmac } from 'node:crypto';",
  },
  {
    wall: 'both nodes import nodes/shared',
    file: `${TRIGGER}/SocialPublishingTrigger.node.ts`,
    code: "export { isObject } from '../shared/json';",
  },
  {
    wall: 'actions import transport',
    file: `${ACTION}/run/run.ts`,
    code: "export { Client } from '../service/client';",
  },
];

const problemsSchema = z.array(z.array(z.object({ ruleId: z.string(), message: z.string() })));

const WALL_RULES = new Set([
  'import-x/no-cycle',
  'import-x/no-restricted-paths',
  'no-restricted-syntax',
  '@typescript-eslint/no-restricted-imports',
]);

let found: string[][];

/** Leaves what the linter says of a wall: the messages that these rules end with. */
beforeAll(() => {
  const texts = [...violations, ...clean].map(({ file, code }) => ({ file, code }));
  const output = execFileSync(process.execPath, [join(__dirname, 'lint-texts.mjs')], {
    cwd: repositoryDir,
    input: JSON.stringify(texts),
    encoding: 'utf8',
  });
  found = problemsSchema
    .parse(JSON.parse(output))
    .map((problems) =>
      problems.filter(({ ruleId }) => WALL_RULES.has(ruleId)).map(({ message }) => message),
    );
}, 300_000);

test.each(violations.map((violation, index) => ({ ...violation, index })))(
  '$wall',
  ({ index, message }) => {
    expect(found[index]).toContainEqual(expect.stringContaining(message));
  },
);

test.each(clean.map((line, index) => ({ ...line, index: violations.length + index })))(
  '$wall, and may',
  ({ index }) => {
    expect(found[index]).toEqual([]);
  },
);
