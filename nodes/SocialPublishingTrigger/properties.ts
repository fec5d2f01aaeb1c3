import type { INodeProperties, IWebhookFunctions } from 'n8n-workflow';

import { linkTo } from '../shared/documentation';
import { isObject } from '../shared/json';
import { eventKinds } from './events';

/** The parameters of the trigger. Those that are absent have their defaults. */
export type TriggerParameters = {
  /** The event kinds that start the workflow, in the order in which the user selected them. */
  events: string[];
  outputPerEvent?: boolean;
  options?: {
    dropRepeats?: boolean;
    otherEvents?: boolean;
    /** How many minutes an event's timestamp may differ from now; 0 for no limit. */
    maxAgeMinutes?: number;
    respond?: 'immediately' | 'whenFinished';
  };
};

/** Reads a number, or a text that holds one. Anything else is `NaN`, as it must not mean "no limit". */
function toMinutes(value: unknown = 0): number {
  if (typeof value === 'string' && value.trim() !== '') return Number(value);
  return typeof value === 'number' ? value : Number.NaN;
}

/** Gives the raw parameters their types, and fills in the defaults. */
export function parseParameters({
  events,
  outputPerEvent,
  options,
}: Partial<Record<keyof TriggerParameters, unknown>>): Required<TriggerParameters> {
  const { dropRepeats, otherEvents, maxAgeMinutes, respond } = isObject(options) ? options : {};
  return {
    events: Array.isArray(events) ? events.map(String) : [],
    outputPerEvent: outputPerEvent === true,
    options: {
      dropRepeats: dropRepeats === true,
      otherEvents: otherEvents === true,
      maxAgeMinutes: toMinutes(maxAgeMinutes),
      respond: respond === 'whenFinished' ? 'whenFinished' : 'immediately',
    },
  };
}

/** Reads the parameters. @throws ExpressionError when an expression in one of them fails */
export const readParameters = (context: IWebhookFunctions): Required<TriggerParameters> =>
  parseParameters({
    events: context.getNodeParameter('events', []),
    outputPerEvent: context.getNodeParameter('outputPerEvent', false),
    options: context.getNodeParameter('options', {}),
  });

/** Of HTML, a notice shows only links and unnumbered lists: so the numbers are part of the text. */
const setupSteps = [
  'Open Webhook URLs above and copy the Test URL.',
  "In the service's dashboard, under Settings, Webhooks, add an endpoint with this address.",
  "Copy the endpoint's secret into the credential.",
  'Test this trigger, and make an event happen in the service.',
  "When you publish, change the endpoint's address to the Production URL. A second endpoint has its own secret: enter it in the credential under Other Secrets.",
];

const furtherHelp = [
  linkTo('docs/trigger.md#samples', 'samples of events'),
  linkTo('docs/trigger.md#when-no-event-arrives', 'when no event arrives'),
  linkTo('examples/README.md', 'examples'),
  linkTo('docs/self-hosting.md', 'hosting n8n yourself'),
].join(', ');

export const properties: INodeProperties[] = [
  {
    displayName: `To set up:${setupSteps.map((step, index) => `<ul>${index + 1}. ${step}</ul>`).join('')}More: ${furtherHelp}.`,
    name: 'setupNotice',
    type: 'notice',
    default: '',
  },
  {
    displayName: 'Events',
    name: 'events',
    type: 'multiOptions',
    noDataExpression: true,
    required: true,
    options: eventKinds.map(({ name, value, description }) => ({ name, value, description })),
    default: [],
    description:
      'The events that start the workflow. n8n acknowledges other events, and starts nothing.',
  },
  {
    displayName: 'Output per Event',
    name: 'outputPerEvent',
    type: 'boolean',
    noDataExpression: true,
    default: false,
    description: 'Whether to give each selected event its own output, named after it',
  },
  {
    displayName: 'Options',
    name: 'options',
    type: 'collection',
    placeholder: 'Add Option',
    default: {},
    options: [
      {
        displayName: 'Drop Repeats',
        name: 'dropRepeats',
        type: 'boolean',
        noDataExpression: true,
        default: true,
        description:
          'Whether to ignore an event that the service sends again after n8n accepted it. n8n remembers accepted events for 24 hours, at most 50,000, in one process and until it restarts. Test runs never drop events.',
      },
      {
        displayName: 'Maximum Age (Minutes)',
        name: 'maxAgeMinutes',
        type: 'number',
        typeOptions: { minValue: 0 },
        default: 5,
        description:
          "How far an event's timestamp may be from the current time, in the past or in the future. The trigger refuses other events with status 400, so that nobody can replay a recorded delivery. Use 0 for no limit.",
      },
      {
        displayName: 'Other Events',
        name: 'otherEvents',
        type: 'boolean',
        noDataExpression: true,
        default: true,
        description:
          'Whether all other events start the workflow too, including kinds that are not listed above. With Output per Event, they use the last output, Other.',
      },
      {
        displayName: 'Respond',
        name: 'respond',
        type: 'options',
        noDataExpression: true,
        options: [
          {
            name: 'Immediately',
            value: 'immediately',
            description:
              'As soon as n8n has saved the execution. Events in progress when n8n is killed are not resent.',
          },
          {
            name: 'When Workflow Finishes',
            value: 'whenFinished',
            description:
              'With status 500 if the run fails. A service that retries then resends the event, and also any event in progress when n8n is killed.',
          },
        ],
        default: 'immediately',
        description:
          'When to respond to the service. The response never contains workflow data. A run that pauses to wait counts as finished.',
      },
    ],
  },
];
