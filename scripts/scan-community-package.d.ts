declare module '@n8n/scan-community-package/scanner/scanner.mjs' {
  import type { Linter } from 'eslint';

  /** The files of a source checkout that n8n's scan looks at. */
  export const SOURCE_FILE_PATTERNS: string[];

  /** The rules of n8n's scan of community packages. */
  export function buildScanConfig(): Promise<Linter.Config[]>;

  /** Scans a published version: its provenance, the source it was built from, and its tarball. */
  export function analyzePackageByName(
    packageName: string,
    version: string,
  ): Promise<{ passed: boolean; message?: string; details?: string }>;
}
