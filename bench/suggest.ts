// Suggestions over HTTP at a county of 200,000 generated parcels: what an answer takes for texts as they are typed, letter by
// letter, right and with a typing error, by the clock and in processor time, of which another program on the machine takes nothing;
// what the index of names weighs; and what the first answers wait for.
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { catalog } from '../datasets/catalog.ts';
import type { Value } from '../datasets/dataset.ts';
import { readSettings } from '../query/engine/settings.ts';
import { FeatureFile } from '../query/format/flatgeobuf.ts';
import { currentId, openRelease } from '../query/release/open-release.ts';
import { startServer } from '../server/service.ts';
import { randomFrom } from './proximity/roads.ts';
import { type BenchRow, percentile, report } from './report.ts';
import { generateHome } from './search/home.ts';

const PARCELS = Number(process.env.BENCH_PARCELS ?? 200_000);
/** Texts of each kind; each is typed to its end, from the second letter on. */
const TEXTS = Number(process.env.BENCH_TEXTS ?? 150);
const DATASETS = new Set(['parcel_store', 'usdot_nad', 'census_tiger']);

const folder = join(process.env.BENCH_CACHE ?? join(tmpdir(), 'plat-bench-suggest'), `parcels-${PARCELS}`);
const home = join(folder, 'home');
if (currentId(home) === null) await generateHome(folder, home, PARCELS, DATASETS);

const rows: BenchRow[] = [];
const tell = (of: string, unit: string, ours: number) => rows.push({ case: of, unit, ours, peer: null, ratio: null });
const random = randomFrom(5);

const release = openRelease(home);
const counties = release.layer('parcel_store', 'main')!.partitions;
const bytes = counties
  .flatMap(({ files }) => files)
  .filter(({ role }) => role === 'names')
  .reduce((sum, file) => sum + file.bytes, 0);
tell('index of names, bytes a parcel', 'B', bytes / counties.reduce((sum, county) => sum + county.rows, 0));

/** Milliseconds of an answer: by the clock, and of processors in this process, the asking included. */
interface Took {
  readonly clock: number;
  readonly processor: number;
}

/** Rows of parcels drawn at random. */
function drawn(count: number): Record<string, Value>[] {
  const files = counties.map(
    ({ files }) => new FeatureFile(join(home, 'releases', files.find(({ role }) => role === 'features')!.path)),
  );
  const found = Array.from({ length: count }, () => {
    const file = files[Math.floor(random() * files.length)]!;
    return file.properties(Math.floor(random() * file.count));
  });
  for (const file of files) file.close();
  return found;
}

/** A letter in the middle of a text exchanged for another. */
const mistyped = (text: string): string => {
  const at = 1 + Math.floor(random() * Math.max(1, text.length - 2));
  return `${text.slice(0, at)}${'QXZ'[Math.floor(random() * 3)]}${text.slice(at + 1)}`;
};

const TYPED: Readonly<Record<string, (row: Readonly<Record<string, Value>>) => string>> = {
  'parcel numbers': ({ apn }) => String(apn),
  owners: ({ owner }) => String(owner).toLowerCase(),
  addresses: ({ address, city }) => `${address}, ${city}`.toLowerCase(),
  streets: ({ saddstr, saddsttyp }) => [saddstr, saddsttyp].filter(Boolean).join(' ').toLowerCase(),
};

const settings = readSettings({
  PLAT_HOME: home,
  PORT: '0',
  PLAT_RATE_LIMIT: 'off',
  PLAT_LOG: 'silent',
  PLAT_JOBS: 'off',
});
const service = await startServer(settings, catalog);
const token = await service.tokens.issue(await service.state.openAccount('bench@plat.invalid', 'scale'));
const headers = { authorization: `Bearer ${token}` };

async function ask(
  text: string,
  point: readonly [lng: Value | undefined, lat: Value | undefined] | null,
): Promise<Took> {
  const query = new URLSearchParams({ q: text, ...(point && { lng: String(point[0]), lat: String(point[1]) }) });
  const started = performance.now();
  const spent = process.cpuUsage();
  const response = await fetch(`${service.address}/v1/suggest?${query}`, { headers });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${response.status} for ${text}`);
  const { user, system } = process.cpuUsage(spent);
  return { clock: performance.now() - started, processor: (user + system) / 1000 };
}

tell('first answer of a server', 'ms', (await ask('001-001', null)).clock);
// Each worker reads the index when it is first asked; and V8 compiles.
const warming = drawn(40).flatMap(row =>
  Object.values(TYPED).map(of => [of(row), [row.centroid_lon, row.centroid_lat]] as const),
);
for (const [text, point] of warming) await ask(text, point);

function tellTimes(of: string, times: readonly Took[], p: number): void {
  for (const [how, pick] of [
    ['', ({ clock }: Took) => clock],
    [' of processor time', ({ processor }: Took) => processor],
  ] as const)
    tell(`${of}: p${p}${how}`, 'ms', percentile(times.map(pick), p));
}

const all: Took[] = [];
for (const [kind, of] of Object.entries(TYPED))
  for (const wrong of [false, true]) {
    const times: Took[] = [];
    for (const row of drawn(TEXTS)) {
      const whole = of(row);
      const text = wrong ? mistyped(whole) : whole;
      for (let length = 2; length <= Math.min(text.length, 24); length++)
        times.push(await ask(text.slice(0, length), random() < 0.8 ? [row.centroid_lon, row.centroid_lat] : null));
    }
    all.push(...times);
    const name = `${kind}${wrong ? ' with a typing error' : ''}`;
    for (const p of [50, 99]) tellTimes(`${name}, ${times.length} keys`, times, p);
  }
for (const p of [50, 95, 99, 99.9]) tellTimes(`all ${all.length} keys`, all, p);
await service.drain(5_000);
const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) / 1024;
tell('memory of the process, peak', 'MB', peak);
report('suggest', {}, rows);
process.exit(0);
