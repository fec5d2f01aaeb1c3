import { importX } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

/** The walls between the rooms of this repository: docs/architecture.md, "Rooms". */

const PUBLISHED = ['credentials', 'nodes'];
const ACTION_NODE = 'nodes/SocialPublishing';
const TRIGGER_NODE = 'nodes/SocialPublishingTrigger';
const SERVICE = `${ACTION_NODE}/service`;

const rooms = (...names) => names.map((name) => `${ACTION_NODE}/${name}`);

/** Which folder (`target`) must not import from which other (`from`). */
const zones = [
  {
    target: 'sandbox',
    from: PUBLISHED,
    message: 'The sandbox shares no code with the nodes, so that each checks the other.',
  },
  {
    target: PUBLISHED,
    from: ['sandbox', 'scripts', 'test'],
    message: 'Published code imports only published code.',
  },
  {
    target: ACTION_NODE,
    from: TRIGGER_NODE,
    message: 'The two nodes never import each other. What both need belongs in nodes/shared.',
  },
  {
    target: TRIGGER_NODE,
    from: ACTION_NODE,
    message: 'The two nodes never import each other. What both need belongs in nodes/shared.',
  },
  {
    target: 'nodes/shared',
    from: [ACTION_NODE, TRIGGER_NODE],
    message: 'nodes/shared imports neither node.',
  },
  {
    target: SERVICE,
    from: rooms('idempotency', 'methods', 'operations', 'parameters', 'run'),
    message: 'service knows nothing of the other rooms. Pass it what it needs.',
  },
  {
    target: rooms('idempotency'),
    from: rooms('methods', 'operations', 'parameters', 'run'),
    message: 'idempotency knows nothing of fields and items. Pass it what it needs.',
  },
  {
    target: rooms('operations', 'parameters'),
    from: rooms('methods', 'run'),
    message: 'What a field means and what an operation asks for know nothing of a run.',
  },
  {
    target: rooms('parameters'),
    from: rooms('operations'),
    message: 'parameters knows nothing of operations: an operation reads its fields.',
  },
  {
    target: rooms('platforms'),
    from: rooms('idempotency', 'methods', 'operations', 'parameters', 'run'),
    message: 'What platforms take is a function of text, media and platform: no fields, no items.',
  },
  {
    target: rooms('run'),
    from: rooms('methods'),
    message: 'run knows nothing of methods.',
  },
  {
    target: `${SERVICE}/http`,
    from: SERVICE,
    except: ['./http'],
    message: 'service/http is one exchange. It imports nothing else of service.',
  },
];

const HTTP_HELPER = '/^(httpRequest|request)/';
const httpHelpers = {
  message: 'Only service/http calls the HTTP helpers of n8n.',
  selectors: [
    // context.helpers.httpRequest and helpers['httpRequest']
    `MemberExpression[property.name=${HTTP_HELPER}]:matches([object.name='helpers'], [object.property.name='helpers'])`,
    `MemberExpression[property.value=${HTTP_HELPER}]:matches([object.name='helpers'], [object.property.name='helpers'])`,
    // const { httpRequest } = context.helpers
    `VariableDeclarator:matches([init.name='helpers'], [init.property.name='helpers']) > ObjectPattern > Property[key.name=${HTTP_HELPER}]`,
  ],
};

const hmac = {
  message: 'Only signature.ts makes an HMAC.',
  selectors: [
    "ImportSpecifier[imported.name='createHmac']",
    "ExportSpecifier[local.name='createHmac']",
    "MemberExpression[property.name='createHmac']",
  ],
};

const forbid = (...walls) => [
  'error',
  ...walls.flatMap(({ selectors, message }) =>
    selectors.map((selector) => ({ selector, message })),
  ),
];

export default tseslint.config(
  {
    files: ['{credentials,nodes,sandbox}/**/*.ts'],
    plugins: { 'import-x': importX },
    settings: {
      'import-x/extensions': ['.ts', '.js', '.mjs'],
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts'] },
      'import-x/resolver': { node: { extensions: ['.ts', '.js', '.mjs', '.json'] } },
    },
    rules: {
      'import-x/no-restricted-paths': ['error', { basePath: import.meta.dirname, zones }],
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
    },
  },
  {
    files: [`${ACTION_NODE}/operations/**/*.operation.ts`],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '/service(?!/requests$)(/|$)',
              allowTypeImports: true,
              message:
                'An operation imports only types and endpoints of service: it describes its request.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['{credentials,nodes}/**/*.ts'],
    rules: { 'no-restricted-syntax': forbid(httpHelpers, hmac) },
  },
  {
    files: [`${SERVICE}/http/**/*.ts`, 'sandbox/**/*.ts', 'scripts/**/*.ts'],
    rules: { 'no-restricted-syntax': forbid(hmac) },
  },
  {
    files: [`${TRIGGER_NODE}/signature.ts`],
    rules: { 'no-restricted-syntax': forbid(httpHelpers) },
  },
  {
    files: ['sandbox/webhooks/signature.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
);
