import { spawnSync } from 'node:child_process';

/** Runs scripts of package.json one after the other. All are tried; one that fails fails the whole. */
const failed = process.argv
  .slice(2)
  .filter(
    (name) =>
      spawnSync('npm', ['run', name], { stdio: 'inherit', shell: process.platform === 'win32' })
        .status !== 0,
  );

for (const name of failed) console.error(`Failed: npm run ${name}`);
if (failed.length > 0) process.exitCode = 1;
