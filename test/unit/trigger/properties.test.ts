import { parseParameters } from '../../../nodes/SocialPublishingTrigger/properties';

test('without any, they are the defaults', () => {
  expect(parseParameters({})).toEqual({
    events: [],
    outputPerEvent: false,
    options: {
      dropRepeats: false,
      otherEvents: false,
      maxAgeMinutes: 0,
      respond: 'immediately',
    },
  });
});

test('all are read', () => {
  const parameters = {
    events: ['post.failed'],
    outputPerEvent: true,
    options: { dropRepeats: true, otherEvents: true, maxAgeMinutes: 5, respond: 'whenFinished' },
  };
  expect(parseParameters(parameters)).toEqual(parameters);
});

test.each([
  ['0.5', 0.5],
  [0, 0],
  ['', Number.NaN],
  ['soon', Number.NaN],
  [true, Number.NaN],
])('a maximum age of %j means %p minutes', (maxAgeMinutes, expected) => {
  expect(parseParameters({ options: { maxAgeMinutes } }).options.maxAgeMinutes).toBe(expected);
});
