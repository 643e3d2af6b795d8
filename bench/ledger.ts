// Measures the time that the credit ledger adds to a request: reserve and settle, and the count of requests a minute. It uses the
// SQLite store in a file, and PostgreSQL if PLAT_STATE_URL names one. Requests come one after the other, then 64 at once.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openState } from '../server/state/open.ts';
import type { StateStore } from '../server/state/store.ts';
import { periodOf } from '../server/state/usage/period.ts';
import { type BenchRow, percentile, report } from './report.ts';

const REQUESTS = Number(process.env.BENCH_REQUESTS ?? 10_000);
/** Milliseconds that credits may cost a request at the median, on SQLite. */
const BAR_MS = 0.2;

async function charge(state: StateStore, accountId: string): Promise<number> {
  const start = performance.now();
  const now = Date.now();
  const held = await state.ledger.reserve({
    id: randomUUID(),
    accountId,
    period: periodOf(now),
    endpoint: 'fetch',
    grantId: '',
    costs: [40],
    allowance: Number.MAX_SAFE_INTEGER,
    now,
    expiresAt: now + 80_000,
  });
  if ('refused' in held) throw new Error('The bench account has no credits left');
  await state.ledger.settle(held, 39, Date.now());
  return performance.now() - start;
}

async function count(state: StateStore, accountId: string): Promise<number> {
  const start = performance.now();
  await state.requests.count(accountId, Math.floor(Date.now() / 60_000));
  return performance.now() - start;
}

async function times(atOnce: number, one: () => Promise<number>): Promise<number[]> {
  const all: number[] = [];
  const lane = async () => {
    while (all.length < REQUESTS) all.push(await one());
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return all;
}

async function measure(kind: string, state: StateStore): Promise<BenchRow[]> {
  const { id } = await state.openAccount(`bench-${randomUUID()}@plat.invalid`, 'market');
  for (let i = 0; i < 500; i++) await charge(state, id);
  const row = (name: string, unit: string, ours: number): BenchRow => ({
    case: `${kind}: ${name}`,
    unit,
    ours,
    peer: null,
    ratio: null,
  });
  const alone = await times(1, () => charge(state, id));
  const counted = await times(1, () => count(state, id));
  const started = performance.now();
  const together = await times(64, () => charge(state, id));
  const seconds = (performance.now() - started) / 1000;
  return [
    row('reserve and settle, p50', 'ms', percentile(alone, 50)),
    row('reserve and settle, p99', 'ms', percentile(alone, 99)),
    row('count of requests a minute, p50', 'ms', percentile(counted, 50)),
    row('reserve and settle of one account, 64 at once', 'charges/s', together.length / seconds),
  ];
}

const home = mkdtempSync(join(tmpdir(), 'plat-ledger-'));
const rows: BenchRow[] = [];
try {
  for (const [kind, url] of [
    ['SQLite', ''],
    ['PostgreSQL', process.env.PLAT_STATE_URL ?? ''],
  ] as const) {
    if (kind === 'PostgreSQL' && url === '') continue;
    // Watched, as a server has it.
    const state = await openState(home, url, console);
    rows.push(...(await measure(kind, state)));
    await state.close();
  }
} finally {
  rmSync(home, { recursive: true, force: true });
}
report('ledger', { plat: 'this checkout' }, rows);
const p50 = rows[0]!.ours;
process.stdout.write(
  `Reserve and settle on SQLite: p50 ${p50.toFixed(3)} ms, bar ${BAR_MS} ms: ${p50 <= BAR_MS ? 'met' : 'MISSED'}\n`,
);
if (p50 > BAR_MS) process.exitCode = 1;
