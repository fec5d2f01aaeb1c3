import type { INode, INodeParameters } from 'n8n-workflow';

import { withParameters, type WorkflowFixture } from '../harness';
import { CREATE, creatingPosts } from './creations';

const WEEKDAYS = [1, 2, 3, 4, 5];
export const EVERY_DAY = [...WEEKDAYS, 6, 7];

/** Weekly times, on weekdays unless told. */
export const slots = (times: string, days: number[] = WEEKDAYS): INodeParameters => ({
  slot: [{ days, times }],
});

/** Parameters that publish in the next free slot. */
export const IN_NEXT_SLOT: INodeParameters = {
  publish: 'slot',
  slots: slots('09:00, 17:30', EVERY_DAY),
  timeZone: 'Europe/Berlin',
};

/** A workflow that creates a post with the text of each item in the next free slot of a weekday. */
export const queueing = (
  parameters: INodeParameters = {},
  options: INodeParameters = {},
  settings: Partial<INode> = {},
): WorkflowFixture =>
  withParameters(creatingPosts(settings, { concurrency: 1, ...options }), CREATE, {
    ...IN_NEXT_SLOT,
    slots: slots('09:00, 17:30'),
    ...parameters,
  });

/** When posts are due, to the minute: those that a node put out, or all that the service has. */
export const minutes = (posts: ReadonlyArray<{ scheduledAt?: unknown }>): string[] =>
  posts.map(({ scheduledAt }) => String(scheduledAt).replace(':00.000Z', ''));

/** Lets it be another time for n8n until the test ends; its clock goes on. */
export function itIs(time: string): void {
  const real = Date.now.bind(Date);
  const ahead = Date.parse(time) - real();
  jest.spyOn(Date, 'now').mockImplementation(() => real() + ahead);
}
