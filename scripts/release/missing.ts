import { z } from 'zod';

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  author: z.object({ name: z.string(), email: z.string() }),
  repository: z.object({ url: z.string() }),
});

/** What a release is made from, as text. */
export interface ReleaseSources {
  /** The text of package.json. */
  manifest: string;
  /** The text of CHANGELOG.md. */
  changelog: string;
  /** The texts that users read, by the name of their file. */
  documents: Record<string, string>;
  /** What `git status --porcelain=v2 --branch` prints. */
  status: string;
  /** The tags of the repository. */
  tags: string[];
}

/** What must not be in a release: placeholders for an address that is still to be chosen. */
const PLACEHOLDER = /[\w.+-]+@[\w.-]+\.example\b/;

/** The name and the version of the next release, and the page of its repository. */
export function releaseOf({ manifest }: ReleaseSources) {
  const { name, version, repository } = manifestSchema.parse(JSON.parse(manifest));
  return { name, version, page: repository.url.replace(/^git\+/, '').replace(/\.git$/, '') };
}

/** What git lacks for a release: a clean work tree, on the branch main, as everybody has it. */
function missingInGit(status: string): string[] {
  const branch = /^# branch\.head (.*)$/m.exec(status)?.[1] ?? '';
  const isPushed = /^# branch\.ab \+0 -0$/m.test(status);
  return [
    ...(/^[^#\s]/m.test(status) ? ['git: commit or drop the changes in the work tree.'] : []),
    ...(branch === 'main' ? [] : [`git: release from the branch main instead of ${branch}.`]),
    ...(isPushed ? [] : ['git: push the branch, and pull what others pushed.']),
  ];
}

/** What the repository lacks for a release, each as one sentence that says what to do. */
export function missingIn(sources: ReleaseSources): string[] {
  const { author, version } = manifestSchema.parse(JSON.parse(sources.manifest));
  const [heading] = /^## .*$/m.exec(sources.changelog) ?? [];
  const dated = new RegExp(`^## ${version.replaceAll('.', '\\.')} \\(\\d{4}-\\d\\d-\\d\\d\\)$`);
  return [
    ...(PLACEHOLDER.test(author.email)
      ? [`package.json: replace the author's address ${author.email} by one that someone reads.`]
      : []),
    ...(/\bmaintainers$/i.test(author.name)
      ? [
          `package.json: replace the author "${author.name}" by the name of the npm account's owner.`,
        ]
      : []),
    ...Object.entries(sources.documents).flatMap(([file, text]) => [
      ...(PLACEHOLDER.test(text)
        ? [`${file}: replace the address ${PLACEHOLDER.exec(text)?.[0]}.`]
        : []),
      ...(/is not released yet/.test(text)
        ? [`${file}: remove the sentence that says "is not released yet".`]
        : []),
    ]),
    ...(heading !== undefined && dated.test(heading)
      ? []
      : [`CHANGELOG.md: begin with "## ${version} (<date>)" instead of "${heading ?? ''}".`]),
    ...(sources.tags.includes(`v${version}`)
      ? [`package.json: choose another version. The tag v${version} is there already.`]
      : []),
    ...missingInGit(sources.status),
  ];
}
