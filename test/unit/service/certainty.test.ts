import { certaintyOf } from '../../../nodes/SocialPublishing/service/certainty';
import { broken, neverMade, response } from './responses';

test('a connection that was never made: nothing was sent', () => {
  expect(certaintyOf(neverMade, true)).toBe('notSent');
  expect(certaintyOf(neverMade, false)).toBe('notSent');
});

test('a proxy that asks for a password: nothing was sent', () => {
  expect(certaintyOf(response(407), true)).toBe('notSent');
  expect(certaintyOf(response(407), false)).toBe('notSent');
});

test('a connection that broke: a write is uncertain, a read failed', () => {
  expect(certaintyOf(broken, true)).toBe('uncertain');
  expect(certaintyOf(broken, false)).toBe('failed');
});

test.each([307, 308, 400, 401, 402, 403, 404, 405, 409, 410, 413, 422, 429, 451, 499])(
  'status %i: a write is refused, a read failed',
  (status) => {
    expect(certaintyOf(response(status), true)).toBe('refused');
    expect(certaintyOf(response(status), false)).toBe('failed');
  },
);

test.each([100, 200, 201, 204, 300, 301, 302, 303, 304, 408, 500, 502, 503, 504, 520])(
  'status %i: the service may have carried out a write',
  (status) => {
    expect(certaintyOf(response(status), true)).toBe('uncertain');
    expect(certaintyOf(response(status), false)).toBe('failed');
  },
);
