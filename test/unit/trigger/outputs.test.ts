import { eventKinds } from '../../../nodes/SocialPublishingTrigger/events';
import {
  configuredOutputs,
  describeSelection,
  isSelected,
  route,
} from '../../../nodes/SocialPublishingTrigger/outputs';

const events = ['post.published', 'inbox.new'];
const item = { json: { event: 'any' } };

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

describe('isSelected', () => {
  test.each([
    ['inbox.new', {}, true],
    ['post.failed', {}, false],
    ['post.failed', { otherEvents: false }, false],
    ['post.failed', { otherEvents: true }, true],
    ['never.heard.of', { otherEvents: true }, true],
  ])('of %s with %j is %s', (event, options, expected) => {
    expect(isSelected(event, { events, outputPerEvent: false, options })).toBe(expected);
  });

  test('of an event that is not selected is false without options', () => {
    expect(isSelected('post.failed', { events, outputPerEvent: false })).toBe(false);
  });
});

describe('route', () => {
  const options = { otherEvents: true };

  test.each([
    ['post.published', true, [[item], [], []]],
    ['inbox.new', true, [[], [item], []]],
    ['post.failed', true, [[], [], [item]]],
    ['Published', true, [[], [], [item]]],
    ['Other', true, [[], [], [item]]],
    ['inbox.new', false, [[item]]],
    ['post.failed', false, [[item]]],
  ])('puts %s on its output, with an output per event: %p', (event, outputPerEvent, expected) => {
    expect(route(event, item, { events, outputPerEvent, options })).toEqual(expected);
  });

  test('fills every output without other events', () => {
    expect(route('inbox.new', item, { events, outputPerEvent: true })).toEqual([[], [item]]);
  });
});
