import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { argv, env, execArgv, execPath } from 'node:process';
import type { Command, Terminal } from '../../query/engine/command.ts';
import { readSettings } from '../../query/engine/settings.ts';
import { serveCommand } from './serve.ts';

/** Starts a command of this very program. Its output is not shown, but for what it says when it fails. */
const start = (home: string, ...args: readonly string[]): ChildProcess =>
  spawn(execPath, [...execArgv, argv[1]!, ...args, '--quiet'], {
    env: { ...env, PLAT_HOME: home },
    stdio: ['ignore', 'ignore', 'inherit'],
  });

/** Runs a command to its end. @returns whether it did what it should. */
async function ran(terminal: Terminal, says: string, child: ChildProcess): Promise<boolean> {
  terminal.err(says);
  const [code] = await once(child, 'close');
  return code === 0;
}

/** Makes a release of the synthetic area where the home has none. @returns whether there is one. */
async function filled(home: string, terminal: Terminal): Promise<boolean> {
  if (existsSync(join(home, 'releases', 'current'))) return true;
  const world = join(home, 'world');
  return (
    (await ran(
      terminal,
      'Making a synthetic area of 3,000 parcels',
      start(home, 'world', 'generate', '--out', world),
    )) &&
    (await ran(
      terminal,
      'Reading it into a release',
      start(home, 'ingest', 'run', '--sources', world, '--place', 'synthetic', '--no-overlay'),
    ))
  );
}

/** `plat demo`: the whole of Plat on a machine that has nothing of it. */
export const demoCommand: Command = {
  name: 'demo',
  example: 'plat demo',
  summary:
    'Make a small synthetic area in PLAT_HOME, answer a question about it and serve it with the explorer; no network is needed',
  options: [],
  async run(_args, _options, terminal) {
    // Who only looks wants neither a token nor the log on the screen.
    env.PLAT_GUESTS ??= 'on';
    const { home } = readSettings(env);
    mkdirSync(join(home, 'logs'), { recursive: true, mode: 0o700 });
    env.PLAT_LOG_FILE ??= join(home, 'logs', 'serve.log');
    if (!(await filled(home, terminal))) return 1;
    const calculations = start(home, 'ingest', 'overlay', '--threads', '1');
    try {
      return await serveCommand.run([], { welcome: true, answer: true }, terminal);
    } finally {
      calculations.kill();
    }
  },
};
