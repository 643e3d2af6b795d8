// Measures the memory that a thousand open event streams (GET /v1/runs/{run_id}/events) of a waiting run add to a server, which
// runs as users run it. The server works on no jobs (PLAT_JOBS=off), so that the streams stay open. `BENCH_STREAMS` sets another
// number of streams.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../test/free-port.ts';
import { type BenchRow, report } from './report.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const STREAMS = Number(process.env.BENCH_STREAMS ?? 1_000);
const PORT = await freePort();
const MOST_MB = 100;
const home = mkdtempSync(join(tmpdir(), 'plat-bench-streams-'));
const env = {
  ...process.env,
  ...{ PLAT_HOME: home, PLAT_RATE_LIMIT: 'off', PLAT_LOG: 'error', PLAT_JOBS: 'off', PLAT_PROCESSES: '1' },
  PORT: String(PORT),
  // Of one address, and idle for longer than a browser would be.
  ...{
    PLAT_MAX_CONNECTIONS: '5000',
    PLAT_ADDRESS_CONNECTIONS: '0',
    PLAT_ACCOUNT_REQUESTS: '0',
    PLAT_ADDRESS_REQUESTS: '0',
  },
};
const plat = (...args: string[]) =>
  execFileSync(join(ROOT, 'plat'), args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
const token = plat('token', 'create', '--account', 'bench@plat.invalid', '--plan', 'market').trim();
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
const server = spawn(join(ROOT, 'plat'), ['serve'], { env, stdio: ['ignore', 'ignore', 'inherit'] });

/** Bytes of the server in memory: of the process that `./plat` became, or started. */
function memoryMb(): number {
  const children = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8').trim().split(' ');
  const pids = [String(server.pid), ...children].filter(pid => pid !== '');
  const sizes = pids.map(pid => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0));
  return sizes.reduce((sum, kb) => sum + kb, 0) / 1024;
}

const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });

/** Opens a stream; through with its first event. */
const openStream = (path: string) =>
  new Promise<void>((resolve, reject) => {
    get({ host: '127.0.0.1', port: PORT, path, headers, agent }, response => {
      if (response.statusCode !== 200) reject(new Error(`HTTP ${response.statusCode} for a stream`));
      response.once('data', () => resolve());
      response.on('error', () => {});
    }).on('error', reject);
  });

const rows: BenchRow[] = [];
try {
  for (;;) {
    const up = await fetch(`http://127.0.0.1:${PORT}/healthz`).catch(() => null);
    if (up?.ok) break;
    await sleep(50);
  }
  const accepted = await fetch(`http://127.0.0.1:${PORT}/v1/runs`, {
    method: 'POST',
    headers,
    body: JSON.stringify({
      kind: 'fetch_batch',
      request: { locations: [{ lat: 44.8, lng: -68.77 }], fields: ['fema_flood_zone'] },
    }),
  });
  const { events } = (await accepted.json()) as { events: string };
  // One, so that the code is there.
  await openStream(events);
  await sleep(3_000);
  const before = memoryMb();
  for (let opened = 0; opened < STREAMS; opened += 50)
    await Promise.all(Array.from({ length: Math.min(50, STREAMS - opened) }, () => openStream(events)));
  await sleep(5_000);
  const added = memoryMb() - before;
  const row = (name: string, unit: string, ours: number) =>
    rows.push({ case: name, unit, ours, peer: null, ratio: null });
  row('a server with one event stream', 'MB', before);
  row(`${STREAMS} event streams more`, 'MB', added);
  if (added > MOST_MB) {
    process.stderr.write(`${STREAMS} streams cost ${added.toFixed(0)} MB, more than ${MOST_MB}\n`);
    process.exitCode = 1;
  }
} finally {
  server.kill('SIGKILL');
  await new Promise(resolve => server.once('exit', resolve));
  agent.destroy();
  rmSync(home, { recursive: true, force: true });
}
report('streams', { node: process.version }, rows);
process.exit();
