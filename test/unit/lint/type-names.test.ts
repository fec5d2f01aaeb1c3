import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '../../..');

const TYPE =
  /^\s*(?:export )?(?:declare )?(?:abstract )?(?:interface|class|enum|type(?=[^=\n]*=)) (\w+)/gm;

/** Where each type is declared, by its name. */
function declarations(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const room of ['credentials', 'nodes', 'sandbox', 'scripts']) {
    const files = readdirSync(join(root, room), { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((name) => name.endsWith('.ts'))) {
      const path = join(room, file);
      for (const [, name = ''] of readFileSync(join(root, path), 'utf8').matchAll(TYPE)) {
        found.set(name, [...(found.get(name) ?? []), path]);
      }
    }
  }
  return found;
}

test('no two types share a name, so that a search for a type finds one', () => {
  const all = declarations();
  expect(all.get('SocialPublishing')).toEqual([
    join('nodes', 'SocialPublishing', 'SocialPublishing.node.ts'),
  ]);
  expect([...all].filter(([, places]) => places.length > 1)).toEqual([]);
});
