import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { PLAT } from '../plat.ts';

/** What a finished `plat` said. */
export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const environment = (home: string) => ({ ...process.env, PLAT_HOME: home, PORT: '0', PLAT_WORKERS: '1' });

/** Runs the command line to its end, from a folder that is not the project's. */
export function plat(home: string, ...args: string[]): Ended {
  const { status, stdout, stderr } = spawnSync(PLAT, args, {
    cwd: tmpdir(),
    env: environment(home),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return { status, stdout, stderr };
}

/** Starts `plat` as a process that goes on. */
export const start = (
  home: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcess =>
  spawn(PLAT, [...args], {
    cwd: tmpdir(),
    env: { ...environment(home), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** Runs the command line to its end while this process goes on, and so notices connections that are closed meanwhile. */
export async function platBeside(home: string, ...args: string[]): Promise<Ended> {
  const child = start(home, args);
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  return { status, stdout, stderr };
}

/** A server process. */
export interface Served {
  readonly child: ChildProcess;
  readonly address: string;
  readonly ended: Promise<{ code: number | null; stderr: string }>;
}

/** `plat serve` on a free port. @throws Error with what it wrote when it ends before it listens. */
export async function serve(home: string, env: Readonly<Record<string, string>> = {}): Promise<Served> {
  const child = start(home, ['serve', '--json'], { PLAT_LOG: 'error', ...env });
  let stderr = '';
  child.stderr!.on('data', chunk => {
    stderr += chunk;
  });
  const ended = new Promise<{ code: number | null; stderr: string }>(resolve =>
    child.once('close', code => resolve({ code, stderr })),
  );
  for await (const line of createInterface({ input: child.stdout! }))
    return { child, address: (JSON.parse(line) as { address: string }).address, ended };
  throw new Error(`plat serve ended: ${(await ended).stderr}`);
}

/** Asks until the answer is as wanted: a second passes before a running server notices a changed file. */
export async function until<T>(ask: () => Promise<T>, wanted: (answer: T) => boolean): Promise<T> {
  for (let i = 0; ; i++) {
    const answer = await ask();
    if (wanted(answer) || i === 150) return answer;
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}
