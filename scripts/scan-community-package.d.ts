declare module '@n8n/scan-community-package/scanner/scanner.mjs' {
  import type { Linter } from 'eslint';

  /** The files of a source checkout that n8n's scan looks at. */
  export const SOURCE_FILE_PATTERNS: string[];

  /** The rules of n8n's scan of community packages. */
  export function buildScanConfig(): Promise<Linter.Config[]>;
}
