import { parseOptions } from '../../../scripts/demo/options';

test('without options', () => {
  expect(parseOptions([])).toEqual({ n8nPort: 5678, sandboxPort: 4010, once: false, help: false });
});

test('with all of them', () => {
  expect(parseOptions(['--n8n-port', '5001', '--sandbox-port=5002', '--once', '--help'])).toEqual({
    n8nPort: 5001,
    sandboxPort: 5002,
    once: true,
    help: true,
  });
});

test.each([
  ['--n8n-port', 'abc'],
  ['--n8n-port', '0'],
  ['--sandbox-port', '65536'],
  ['--sandbox-port', '1e3'],
])('%s %s is refused, naming the option', (option, value) => {
  expect(() => parseOptions([option, value])).toThrow(new RegExp(`^${option} .*"${value}"`));
});

test('one port for both is refused, naming the options', () => {
  expect(() => parseOptions(['--n8n-port', '4010'])).toThrow(/--n8n-port.*--sandbox-port.*4010/);
});

test('an unknown option is refused with the known ones', () => {
  expect(() => parseOptions(['--n8nport', '1'])).toThrow(/--n8nport[\s\S]*--n8n-port <port>/);
});
