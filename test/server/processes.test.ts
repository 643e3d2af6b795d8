import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { plat } from '../contract/plat.ts';
import { freePort } from '../free-port.ts';
import { answered, begun, type Crew, eventually, runs, serveCrew } from './crew.ts';
import { begin, refused } from './http/running-request.ts';

const MORTAL = fileURLToPath(new URL('./keeper/mortal-process.ts', import.meta.url));

let home: string;
let token: string;
let keeper: Crew;
let metricsPort: number;

// One keeper for both tests: starting its processes takes longer than they do.
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'plat-processes-'));
  token = plat(home, 'token', 'create', '--account', 'a@b.org').stdout.trim();
  metricsPort = await freePort();
  keeper = await serveCrew(home, { PLAT_METRICS_PORT: String(metricsPort) });
  await answered(keeper, 2);
});
/** Metrics without labels, each of which is told once. */
async function metricsOf(): Promise<Record<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const told = [...text.matchAll(/^(plat_\w+) (\S+)$/gm)].map(([, name, value]) => [name!, Number(value)] as const);
  expect(new Set(told.map(([name]) => name)).size).toBe(told.length);
  return Object.fromEntries(told);
}
afterAll(() => {
  keeper.child.kill('SIGKILL');
  rmSync(home, { recursive: true });
});

it('connections of a process that is killed close at once, those too that it had not taken yet', async () => {
  const [victim, other] = keeper.pids('request');
  process.kill(victim!, 'SIGSTOP');
  // Connections go to the processes in turn: one of these is handed to the one that is stopped.
  const replies = Array.from({ length: 3 }, () => begun(keeper.port));
  await eventually(async () => (await Promise.all(replies.map(({ sent }) => sent))).length === 3);
  await eventually(() => replies.filter(({ text }) => text() !== '').length === 2);
  // Metrics are those of the other one.
  const metrics = await metricsOf();
  expect([metrics.plat_processes, metrics.plat_processes_ready]).toEqual([2, 1]);
  expect(metrics.plat_workers).toBeGreaterThan(0);
  process.kill(victim!, 'SIGKILL');
  // It hung until its client gave up.
  await Promise.all(replies.map(({ ended }) => ended));
  expect(replies.filter(({ text }) => text().startsWith('HTTP/1.1 200'))).toHaveLength(2);
  expect(runs(other!)).toBe(true);
});

it('several processes share one port and one signal, and finish what runs', async () => {
  // Another one has taken the place of the one that was killed.
  await answered(keeper, 3);
  expect(keeper.warnings()).toBe(1);
  expect(keeper.pids('request')).not.toContain(keeper.child.pid);
  expect(await metricsOf()).toMatchObject({
    plat_process_restarts_total: 1,
    plat_processes: 2,
    plat_processes_ready: 2,
  });
  // Connections go to them in turn, so each has one of these.
  const running = [await begin(keeper.port, token), await begin(keeper.port, token)];
  keeper.child.kill('SIGTERM');
  await eventually(() => refused(keeper.port));
  for (const { finish } of running) finish();
  for (const { reply } of running) expect(await reply).toMatch(/HTTP\/1\.1 200 OK/);
  const { code, stderr } = await keeper.ended;
  expect(code).toBe(0);
  expect(stderr.match(/SIGTERM: finishing running requests/g)).toHaveLength(1);
  expect(keeper.warnings()).toBe(1);
});

it('all that die, and those too that are killed before they listen, are replaced', async () => {
  const args = ['--experimental-strip-types', '--no-warnings', MORTAL, join(home, 'starts')];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const lines = stdout.trim().split('\n');
  expect(lines.filter(line => !line.startsWith('A serving process ended (SIGKILL)'))).toEqual(['first', 'again']);
  // The two that served, and the two that took their places.
  expect(lines.length - 2).toBeGreaterThanOrEqual(4);
});
