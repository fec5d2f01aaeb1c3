import { ServiceClock } from '../../../nodes/SocialPublishing/service/clock';

const TEN = Date.UTC(2026, 10, 21, 10, 0, 0);

test('says nothing before a response named a time that can be read', () => {
  const clock = new ServiceClock();
  clock.observe(undefined, TEN, TEN);
  clock.observe('soon', TEN, TEN);

  expect(clock.earliest(TEN)).toBeUndefined();
  expect(clock.latest(TEN)).toBeUndefined();
});

test('is as far ahead as the response that says most', () => {
  const clock = new ServiceClock();
  // Made at 10:00:05, received when our clock showed 10:00:02: at least three seconds ahead.
  clock.observe('Sat, 21 Nov 2026 10:00:05 GMT', TEN + 1000, TEN + 2000);
  // Two seconds on its way, which tells less.
  clock.observe('Sat, 21 Nov 2026 10:00:07 GMT', TEN + 4000, TEN + 6000);
  clock.observe('soon', TEN + 9000, TEN + 9000);

  expect(clock.earliest(TEN + 60_000)).toBe(TEN + 63_000);
  // Made before 10:00:08, sent when ours showed 10:00:04.
  expect(clock.latest(TEN + 60_000)).toBe(TEN + 64_000);
});

test('may be behind ours', () => {
  const clock = new ServiceClock();
  clock.observe('Sat, 21 Nov 2026 09:59:00 GMT', TEN - 500, TEN);

  expect(clock.earliest(TEN)).toBe(TEN - 60_000);
  expect(clock.latest(TEN)).toBe(TEN - 58_500);
});
