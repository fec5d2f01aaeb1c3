import { eventKinds } from '../../../nodes/SocialPublishingTrigger/events';
import {
  configuredOutputs,
  describeSelection,
} from '../../../nodes/SocialPublishingTrigger/outputs';

const events = ['post.published', 'inbox.new'];

describe('configuredOutputs', () => {
  test.each([
    ['one without a name', { events, outputPerEvent: false }, [{ type: 'main' }]],
    [
      'one per event, in the order of selection',
      { events, outputPerEvent: true, options: {} },
      [
        { type: 'main', displayName: 'Published' },
        { type: 'main', displayName: 'Inbox' },
      ],
    ],
    [
      'a last one for other events',
      { events, outputPerEvent: true, options: { otherEvents: true } },
      [
        { type: 'main', displayName: 'Published' },
        { type: 'main', displayName: 'Inbox' },
        { type: 'main', displayName: 'Other' },
      ],
    ],
    [
      'an unknown event its own name',
      { events: ['post.liked'], outputPerEvent: true },
      [{ type: 'main', displayName: 'post.liked' }],
    ],
    ['one while nothing is selected', { events: [], outputPerEvent: true }, [{ type: 'main' }]],
    ['one while the editor knows no parameters', {}, [{ type: 'main' }]],
    ['one while the editor knows no events', { outputPerEvent: true }, [{ type: 'main' }]],
  ])('gives %s', (_, parameters, expected) => {
    expect(configuredOutputs(parameters, eventKinds)).toEqual(expected);
  });
});

describe('describeSelection', () => {
  test.each([
    [{ events: ['post.published'] }, 'Published'],
    [{ events }, 'Published, Inbox'],
    [{ events: ['post.liked'] }, 'post.liked'],
    [{ events: ['post.published', 'post.failed', 'inbox.new'] }, '3 events'],
    [{ events, options: { otherEvents: true } }, 'All events'],
    [{ events: [], options: { otherEvents: true } }, 'All events'],
    [{ events: [] }, ''],
    [{}, ''],
  ])('describes %j as "%s"', (parameters, expected) => {
    expect(describeSelection(parameters, eventKinds)).toBe(expected);
  });
});
