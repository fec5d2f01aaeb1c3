import {
  configuredOutputs,
  isSelected,
  route,
} from '../../../nodes/SocialPublishingTrigger/outputs';

const events = ['post.published', 'inbox.new'];
const item = { json: { event: 'any' } };

describe('configuredOutputs', () => {
  test.each([
    ['one without a name', { events, outputPerEvent: false }, [{ type: 'main' }]],
    [
      'one per event, in the order in which they were chosen',
      { events, outputPerEvent: true, options: {} },
      [
        { type: 'main', displayName: 'post.published' },
        { type: 'main', displayName: 'inbox.new' },
      ],
    ],
    [
      'a last one for other events',
      { events, outputPerEvent: true, options: { otherEvents: true } },
      [
        { type: 'main', displayName: 'post.published' },
        { type: 'main', displayName: 'inbox.new' },
        { type: 'main', displayName: 'other' },
      ],
    ],
    ['one as long as nothing is chosen', { events: [], outputPerEvent: true }, [{ type: 'main' }]],
    ['one as long as the editor knows no parameters', {}, [{ type: 'main' }]],
  ])('gives %s', (_, parameters, expected) => {
    expect(configuredOutputs(parameters)).toEqual(expected);
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
});

describe('route', () => {
  const options = { otherEvents: true };

  test.each([
    ['post.published', true, [[item], [], []]],
    ['inbox.new', true, [[], [item], []]],
    ['post.failed', true, [[], [], [item]]],
    ['other', true, [[], [], [item]]],
    ['inbox.new', false, [[item]]],
    ['post.failed', false, [[item]]],
  ])('puts %s on its output', (event, outputPerEvent, expected) => {
    expect(route(event, item, { events, outputPerEvent, options })).toEqual(expected);
  });
});
