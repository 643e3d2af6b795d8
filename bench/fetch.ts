// Measures latency and throughput of POST /v1/fetch over HTTP: 1, 10 and 40 fields, one client and sixteen, response cache
// off, each request at another point. The server runs as users run it, on the embedded synthetic area.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openRelease } from '../query/release/open-release.ts';
import { freePort } from '../test/free-port.ts';
import { areaOf, mixedFields, operatorsOf, pointsOf } from './fetch/mix.ts';
import { type BenchRow, percentile, report } from './report.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 4000);
const PORT = await freePort();

function post(agent: Agent, token: string, body: string): Promise<number> {
  const start = process.hrtime.bigint();
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        agent,
        host: '127.0.0.1',
        port: PORT,
        path: '/v1/fetch',
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'content-length': body.length,
        },
      },
      response => {
        response.resume();
        response.on('end', () =>
          response.statusCode === 200
            ? resolve(Number(process.hrtime.bigint() - start) / 1e6)
            : reject(new Error(`HTTP ${response.statusCode}`)),
        );
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

async function measure(
  token: string,
  fields: readonly string[],
  clients: number,
  point: () => { lng: number; lat: number },
) {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const times: number[] = [];
  let left = REQUESTS;
  const started = process.hrtime.bigint();
  const client = async () => {
    while (left-- > 0) times.push(await post(agent, token, JSON.stringify({ ...point(), fields })));
  };
  await Promise.all(Array.from({ length: clients }, client));
  agent.destroy();
  return { times, seconds: Number(process.hrtime.bigint() - started) / 1e9 };
}

const home = process.env.BENCH_HOME ?? mkdtempSync(join(tmpdir(), 'plat-bench-'));
const env = {
  ...process.env,
  PLAT_HOME: home,
  PLAT_FETCH_CACHE: 'off',
  PLAT_RATE_LIMIT: 'off',
  PLAT_LOG: 'error',
  PORT: String(PORT),
};
const plat = (...args: string[]) =>
  execFileSync(join(ROOT, 'plat'), args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
if (!existsSync(join(home, 'releases/current'))) {
  plat('world', 'generate', '--out', join(home, 'world'));
  plat('ingest', 'run', '--sources', join(home, 'world'), '--place', 'synthetic', '--no-overlay');
}
const token = plat('token', 'create', '--account', `bench-${Date.now()}@plat.invalid`, '--plan', 'market').trim();
const point = pointsOf(areaOf(openRelease(home)), 42);

const server = spawn(join(ROOT, 'plat'), ['serve'], {
  env: { ...env, PLAT_RATE_LIMIT: 'off' },
  stdio: ['ignore', 'ignore', 'inherit'],
});
try {
  for (let attempt = 0; ; attempt++) {
    const ready = await fetch(`http://127.0.0.1:${PORT}/readyz`)
      .then(r => r.ok)
      .catch(() => false);
    if (ready) break;
    if (attempt > 200) throw new Error('The server did not become ready');
    await new Promise(done => setTimeout(done, 100));
  }
  const rows: BenchRow[] = [];
  for (const count of [1, 10, 40]) {
    const fields = mixedFields(count);
    process.stderr.write(`${count} fields: ${operatorsOf(fields)}\n`);
    await measure(token, fields, 4, point);
    for (const clients of [1, 16]) {
      const { times, seconds } = await measure(token, fields, clients, point);
      const label = `${count} field${count > 1 ? 's' : ''}, ${clients} client${clients > 1 ? 's' : ''}`;
      rows.push({ case: `${label}, p50`, unit: 'ms', ours: percentile(times, 50), peer: null, ratio: null });
      rows.push({ case: `${label}, p99`, unit: 'ms', ours: percentile(times, 99), peer: null, ratio: null });
      rows.push({
        case: `${label}, throughput`,
        unit: 'requests/s',
        ours: times.length / seconds,
        peer: null,
        ratio: null,
      });
    }
  }
  report('fetch', { plat: 'this checkout' }, rows);
} finally {
  server.kill('SIGTERM');
  if (!process.env.BENCH_HOME) rmSync(home, { recursive: true, force: true });
}
