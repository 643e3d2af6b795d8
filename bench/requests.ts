// Screens 120 field requests with known verdicts against the synthetic area, and prints a confusion table. A wrong match is the
// worst error, a question to the requester the smallest. `BENCH_HOME` names a home to use again.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { catalog } from '../datasets/catalog.ts';
import { createEngine } from '../query/engine/engine.ts';
import type { Ctx } from '../server/context.ts';
import type { KeptBody } from '../server/field-requests/schema.ts';
import { screen } from '../server/field-requests/screening/screening.ts';
import { startLanguage } from '../server/language/threads.ts';
import { ReleaseChoice } from '../server/release/choice.ts';
import { DISPOSITIONS } from '../server/state/field-requests/disposition.ts';
import { Bill } from '../server/state/usage/bill.ts';
import { report } from './report.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const PLACE = { lat: 43.0657528, lng: -70.7113598 };
const RANK = ['clarify', 'near_miss', 'accepted_new', 'matched', 'refused'] as const;

const home = process.env.BENCH_HOME ?? mkdtempSync(join(tmpdir(), 'plat-bench-requests-'));
const plat = (...args: string[]) =>
  execFileSync(join(ROOT, 'plat'), args, {
    env: { ...process.env, PLAT_HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
if (!existsSync(join(home, 'releases/current'))) {
  plat('world', 'generate', '--parcels', '240', '--seed', '11', '--out', join(home, 'world'));
  plat('ingest', 'run', '--sources', join(home, 'world'), '--place', 'synthetic', '--no-overlay');
}
const engine = await createEngine({
  home,
  workers: 2,
  queue: 64,
  memoryMb: 1024,
  cores: 2,
  warn: line => process.stderr.write(`${line}\n`),
});
const threads = startLanguage(null, line => process.stderr.write(`${line}\n`));
const ctx = {
  engine,
  catalog,
  cache: null,
  clock: Date,
  account: null,
  credential: null,
  outliving: new Set(),
  language: threads.language,
  signal: new AbortController().signal,
  requestId: 'bench',
  bill: new Bill(),
  release: new ReleaseChoice(engine),
  log: { error: () => {} },
} as unknown as Ctx;

const table = new Map<string, number>();
let right = 0;
let wrongMatches = 0;
const [, ...lines] = readFileSync(new URL('./requests/requests.tsv', import.meta.url), 'utf8')
  .trim()
  .split('\n');
for (const line of lines) {
  const [description, gold, named, more] = line.split('\t') as [string, string, string, string];
  const body = { description, example_locations: [PLACE], ...(more ? JSON.parse(more) : {}) } as KeptBody;
  const locations = [{ index: 0, resolved_location: { ...PLACE, source: 'coordinate' as const } }];
  const found = await screen({ ...ctx, deadline: Date.now() + 20_000 }, body, locations);
  const entry = RANK.map(kind => found.find(({ disposition }) => disposition === kind)).find(one => one !== undefined)!;
  const said = entry.disposition;
  const wrong = said === 'matched' && (gold !== 'matched' || entry.field_id !== named);
  if (wrong) wrongMatches++;
  if (said === gold && !wrong && (said !== 'refused' || entry.code === named)) right++;
  else process.stdout.write(`${gold} → ${said}: ${description}: ${entry.explanation}\n`);
  table.set(`${gold} ${said}`, (table.get(`${gold} ${said}`) ?? 0) + 1);
}
process.stdout.write(`\n${'known \\ said'.padEnd(14)}${DISPOSITIONS.map(kind => kind.padStart(14)).join('')}\n`);
for (const gold of DISPOSITIONS)
  process.stdout.write(
    `${gold.padEnd(14)}${DISPOSITIONS.map(said => String(table.get(`${gold} ${said}`) ?? 0).padStart(14)).join('')}\n`,
  );
report('requests', {}, [
  { case: 'requests judged as known', unit: 'count', ours: right, peer: lines.length, ratio: right / lines.length },
  { case: 'wrong matches', unit: 'count', ours: wrongMatches, peer: 0, ratio: wrongMatches === 0 ? 1 : 0 },
]);
await threads.close();
await engine.close();
if (process.env.BENCH_HOME === undefined) rmSync(home, { recursive: true, force: true });
if (wrongMatches > 0) process.exitCode = 1;
