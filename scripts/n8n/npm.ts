import { existsSync } from 'node:fs';

import { Child, type ChildOptions } from './child';

/**
 * The environment for an npm that works in another folder. It leaves out the variables that
 * `npm run` sets for the package whose script is running.
 */
function npmEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) =>
        !/^npm_(package|lifecycle|command$|execpath$|node_execpath$)/.test(name) &&
        !/^npm_config_(local_|global_)?prefix$/.test(name) &&
        !['INIT_CWD', 'NODE_ENV'].includes(name),
    ),
  );
}

/** Starts npm: the one that runs the current script, or else the one on the PATH. */
export function npm(args: string[], options: Omit<ChildOptions, 'env' | 'channel'>): Child {
  const cli = process.env['npm_execpath'];
  const all = { ...options, env: npmEnvironment() };
  return cli?.endsWith('npm-cli.js') && existsSync(cli)
    ? new Child(process.execPath, [cli, ...args], all)
    : new Child('npm', args, all);
}
