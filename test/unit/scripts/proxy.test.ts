import { keepLocalTrafficLocal } from '../../../scripts/n8n/proxy';
import { SetupError } from '../../../scripts/n8n/setup-error';

const before = { ...process.env };

beforeEach(() => {
  for (const name of Object.keys(process.env)) if (/_proxy$/i.test(name)) delete process.env[name];
});

afterEach(() => {
  process.env = { ...before };
});

test.each(['user:secret@proxy.example:3128', 'ht tp://proxy', 'word', 'ftp://secret.example'])(
  'HTTPS_PROXY=%s is refused, naming the variable, and not its value, which may have a password',
  (value) => {
    process.env['HTTPS_PROXY'] = value;
    expect(keepLocalTrafficLocal).toThrow(SetupError);
    expect(keepLocalTrafficLocal).toThrow(/HTTPS_PROXY/);
    expect(keepLocalTrafficLocal).not.toThrow(value);
  },
);

test('a proxy is kept for what goes out, and this machine is asked directly', () => {
  process.env['https_proxy'] = 'http://proxy.example:3128';
  process.env['NO_PROXY'] = 'intranet.example';
  keepLocalTrafficLocal();
  expect(process.env['https_proxy']).toBe('http://proxy.example:3128');
  expect(process.env['NO_PROXY']?.split(',')).toEqual([
    'intranet.example',
    '127.0.0.1',
    'localhost',
  ]);
});
