import { copyFile, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';

import { watch as watchFiles } from 'gulp';
import ts from 'typescript';
import { z } from 'zod';

import { assetFiles, copyAssets } from '../../gulpfile';
import { repositoryDir } from '../n8n/paths';

/**
 * Compiles the package into the community packages of an n8n, now and whenever one of its files is
 * saved. A package that doesn't compile stays as it was, and its errors are printed.
 *
 * @param userFolder the user folder of that n8n
 * @param print receives the compiler's errors, and a line for each time that the package is ready
 * @returns a function that stops watching, once the package is there
 */
export async function watchPackage(
  userFolder: string,
  print: (text: string) => void,
): Promise<() => void> {
  const packageFile = join(repositoryDir, 'package.json');
  const { name } = z
    .object({ name: z.string() })
    .parse(JSON.parse(await readFile(packageFile, 'utf8')));
  const folder = join(userFolder, '.n8n', 'nodes', 'node_modules', name);
  const dist = join(folder, 'dist');
  await rm(folder, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });
  await copyFile(packageFile, join(folder, 'package.json'));
  const copy = () => finished(copyAssets(dist));
  await copy();
  const assets = watchFiles(assetFiles, copy);
  const compiler = await watchCompiler(dist, print);
  return () => {
    compiler.close();
    assets.close();
  };
}

/** Starts TypeScript's own watcher. Resolves when the source has compiled for the first time. */
function watchCompiler(
  outDir: string,
  print: (text: string) => void,
): Promise<ts.WatchOfConfigFile<ts.BuilderProgram>> {
  return new Promise((resolve) => {
    const format: ts.FormatDiagnosticsHost = {
      getCurrentDirectory: () => repositoryDir,
      getCanonicalFileName: (file) => file,
      getNewLine: () => '\n',
    };
    const host = ts.createWatchCompilerHost(
      join(repositoryDir, 'tsconfig.build.json'),
      { outDir },
      ts.sys,
      ts.createEmitAndSemanticDiagnosticsBuilderProgram,
      (diagnostic) => print(ts.formatDiagnostic(diagnostic, format).trimEnd()),
      (_status, _newLine, _options, errors) => {
        if (errors === undefined) return;
        if (errors > 0) return print('n8n keeps the nodes as they were, until this compiles.');
        print('The nodes have compiled.');
        // Its watchers exist only after this call.
        setImmediate(() => resolve(program));
      },
    );
    const program = ts.createWatchProgram(host);
  });
}
