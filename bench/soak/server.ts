import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../test/free-port.ts';

/** A `plat serve` of a soak. */
export interface SoakServer {
  readonly pid: number;
  readonly base: string;
  /** Ids of the processes that serve: those it started, or itself. */
  processes(): number[];
  stop(): Promise<void>;
}

const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(name => {
      try {
        return new RegExp(`^PPid:\\s+${pid}$`, 'm').test(readFileSync(`/proc/${name}/status`, 'utf8'));
      } catch {
        return false;
      }
    })
    .map(Number);

/** Starts one and waits until it is ready. @throws Error when it ends before. */
export async function startServer(
  program: string,
  env: Readonly<Record<string, string | undefined>>,
  processes: number,
): Promise<SoakServer> {
  const port = await freePort();
  const child: ChildProcess = spawn(program, ['serve'], {
    env: { ...env, PORT: String(port), PLAT_PROCESSES: String(processes) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise<void>(resolve => child.once('exit', () => resolve()));
  const base = `http://127.0.0.1:${port}`;
  while (!(await fetch(`${base}/readyz`).catch(() => null))?.ok) {
    if (child.exitCode !== null) throw new Error(`plat serve ended with ${child.exitCode} before it was ready`);
    await sleep(100);
  }
  const pid = child.pid!;
  return {
    pid,
    base,
    processes: () => (processes > 1 ? childrenOf(pid) : [pid]),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
