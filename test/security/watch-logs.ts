// Runs before every test file: whatever its servers and commands log is searched, at its end, for every secret that it made.
import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll } from 'vitest';
import { forgetSecrets, heard, secret, secretsIn, takeHeard } from './logged.ts';

/** Milliseconds of a process that is waited for: no timeout of a test ends it, for the thread that would notice waits. */
const CHILD_MS = process.env.PLAT_TEST === 'long' ? 3_600_000 : 170_000;

type Options = { env?: NodeJS.ProcessEnv; stdio?: unknown };

/** Secrets that a process is given by its environment, and those that it keeps in its home. */
function secretsOf({ env = {} }: Options = {}): void {
  for (const [name, value = ''] of Object.entries(env)) {
    if (!name.startsWith('PLAT_')) continue;
    if (/SECRET$|_KEY$/.test(name)) secret(value);
    const { password = '' } = URL.parse(value) ?? {};
    secret(decodeURIComponent(password));
  }
  const folder = join(env.PLAT_HOME ?? '', 'secrets');
  if (!env.PLAT_HOME) return;
  try {
    for (const name of readdirSync(folder)) secret(readFileSync(join(folder, name), 'utf8').trim());
  } catch {
    // There are none, or they are gone with their home.
  }
}

/** Hears what a process writes to stderr; where that is this one's, it goes on to there. */
function follow(child: ChildProcess, options: Options | undefined, forward: boolean): ChildProcess {
  child.stderr?.on('data', (chunk: Buffer) => {
    heard(String(chunk));
    if (forward) process.stderr.write(chunk);
    // By then a server has made what it keeps.
    secretsOf(options);
  });
  child.once('exit', () => secretsOf(options));
  return child;
}

const builtin = createRequire(import.meta.url)('node:child_process') as typeof import('node:child_process');
const { spawn, spawnSync, execFile } = builtin;
const optionsOf = (args: readonly unknown[]) =>
  args.find(arg => typeof arg === 'object' && arg !== null && !Array.isArray(arg)) as Options | undefined;

/** Files that share a process share what follows its children. */
const FOLLOWED = Symbol.for('plat.followed');
const followed = builtin as { [FOLLOWED]?: true };
const following = {
  spawn(...args: unknown[]) {
    const options = optionsOf(args);
    const forward = Array.isArray(options?.stdio) && options.stdio[2] === 'inherit';
    const terms = forward ? { ...options, stdio: (options!.stdio as unknown[]).with(2, 'pipe') } : options;
    const changed = args.map(arg => (arg === options && terms ? terms : arg));
    return follow(Reflect.apply(spawn, builtin, changed), options, forward);
  },
  spawnSync(...args: unknown[]) {
    const options = optionsOf(args);
    const bounded = { timeout: CHILD_MS, killSignal: 'SIGKILL', ...options };
    const ended = Reflect.apply(spawnSync, builtin, [...args.filter(arg => arg !== options), bounded]);
    if (ended.stderr) heard(String(ended.stderr));
    secretsOf(options);
    return ended;
  },
  execFile: Object.assign(
    (...args: unknown[]) => follow(Reflect.apply(execFile, builtin, args), optionsOf(args), false),
    {
      [promisify.custom](...args: unknown[]) {
        const running = Reflect.apply(promisify(execFile), builtin, args);
        follow(running.child, optionsOf(args), false);
        return running;
      },
    },
  ),
};
if (!followed[FOLLOWED]) {
  followed[FOLLOWED] = true;
  Object.assign(builtin, following);
  syncBuiltinESMExports();
}

afterAll(() => {
  const text = takeHeard();
  const found = secretsIn(text);
  const line = found.length === 0 ? '' : (text.split('\n').find(one => secretsIn(one).length > 0) ?? '');
  // The next file in this process may well use a word that is a password here.
  forgetSecrets();
  if (found.length === 0) return;
  throw new Error(`What was logged holds ${found.join(', ')}, in a line that begins with ${line.slice(0, 120)}`);
});
