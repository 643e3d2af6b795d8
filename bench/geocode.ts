// Measures match rate, wrong places, metres of error and speed of the local geocoder on variants of known addresses: the real
// Bangor, Forest City and Washington, and the synthetic area. BENCH_HOME names a home that holds all of them.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Random } from '../pipelines/world/random.ts';
import { streetOf } from '../query/geocode/address/street.ts';
import { geocode } from '../query/geocode/geocode.ts';
import { createCache } from '../query/release/cache.ts';
import { Layers } from '../query/release/layers.ts';
import { openRelease } from '../query/release/open-release.ts';
import { CONTRADICTIONS } from './geocode/contradiction-form.ts';
import { FORMS } from './geocode/form.ts';
import { tallyForms } from './geocode/form-tally.ts';
import { type Judged, judge, metresTo, Tally } from './geocode/judge.ts';
import { baseOf, PLACES, streetsOf, type TruePlace, type Truth, truthsOf } from './geocode/truth.ts';
import { variantsOf } from './geocode/variant.ts';
import { type BenchRow, percentile, report } from './report.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const SOURCES = join(ROOT, '../shared/data');
const ADDRESSES = Number(process.env.BENCH_ADDRESSES ?? 400);

const home = process.env.BENCH_HOME ?? mkdtempSync(join(tmpdir(), 'plat-bench-'));
const plat = (...args: string[]) =>
  execFileSync(join(ROOT, 'plat'), args, {
    env: { ...process.env, PLAT_HOME: home },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
if (!existsSync(join(home, 'releases/current'))) {
  plat('world', 'generate', '--out', join(home, 'world'));
  plat('ingest', 'run', '--no-overlay', '--sources', join(home, 'world'), '--place', 'synthetic');
  if (existsSync(SOURCES))
    for (const { place } of PLACES) plat('ingest', 'run', '--no-overlay', '--sources', SOURCES, '--place', place);
  else process.stderr.write('../shared/data is absent: the synthetic area alone\n');
}

const release = openRelease(home);
const cache = createCache(512);
const layers = new Layers(release, cache);
const ask = (address: string) =>
  geocode(address, { release, cache, deadline: Date.now() + 60_000, stopped: () => false });

/** Towns of the synthetic area as the parcels of its counties name them. */
async function syntheticPlaces(): Promise<TruePlace[]> {
  const found = new Map<string, TruePlace>();
  for (const partition of release.layer('parcel_store', 'main')?.partitions ?? []) {
    if (partition.place !== 'synthetic') continue;
    const { file } = await layers.features(partition);
    const code = partition.key.slice(0, 2);
    const city = String(file.properties(0).city);
    found.set(code, {
      name: `Synthetic ${code}`,
      city,
      state: [code, code],
      zip: null,
      otherCity: 'Nowhereville',
      place: 'synthetic',
    });
  }
  return [...found.values()];
}

/** Metres between the estimate that street ranges alone give for known addresses of Bangor and where they are. */
async function rangeErrors(): Promise<number[]> {
  const roads = { ...release, manifest: { ...release.manifest, datasets: {} }, layer: rangesOnly };
  const metres: number[] = [];
  const all = await truthsOf(layers, PLACES[0]!);
  for (const truth of all.filter((_, i) => i % 10 === 0)) {
    const text = `${truth.number} ${truth.street}, Bangor, ME`;
    const { matches } = await geocode(text, {
      release: roads,
      cache,
      deadline: Date.now() + 60_000,
      stopped: () => false,
    });
    if (matches[0]?.accuracyType === 'range_interpolation') metres.push(metresTo(matches[0], [truth]));
  }
  return metres;
}
const rangesOnly: typeof release.layer = (dataset, layer) =>
  dataset === 'census_tiger' ? release.layer(dataset, layer) : null;

/** A street's name with its directionals and without its type. */
function calledAs(text: string): string {
  const { pre, key, post } = streetOf(text.split(' '));
  return [pre, key, post].filter(Boolean).join(' ');
}

const judged: Judged[] = [];
const times: number[] = [];
/** Milliseconds of processor time of each: others' work on the machine does not count. */
const processor: number[] = [];
const started = performance.now();
const cold = performance.now();
await ask('73 Harlow St, Bangor, ME 04401');
const coldMs = performance.now() - cold;

const places = [...PLACES, ...(await syntheticPlaces()).slice(0, 1)];
const truths = new Map<TruePlace, Truth[]>();
for (const place of places) truths.set(place, await truthsOf(layers, place));
for (const place of places) {
  const all = truths.get(place)!;
  // 13TH ST of Washington is THIRTEENTH ST of Bangor: streets that are called alike are left out. So are those that only
  // their type tells apart, which are a kind of their own, and those that may lack a directional of a street of the place.
  const own = new Set(all.flatMap(t => [calledAs(t.street), streetOf(t.street.split(' ')).key]));
  const others = places.filter(p => p !== place).flatMap(p => truths.get(p)!.map(t => t.street));
  const foreign = [...new Set(others)].filter(street => !own.has(calledAs(street)));
  if (!all.length) continue;
  const random = new Random(8, 1);
  const streets = await streetsOf(layers, place);
  const numbersOf = Map.groupBy(all, t => baseOf(t.street));
  const sample = all.filter(() => random.chance(Math.min(1, ADDRESSES / all.length)));
  for (const truth of sample) {
    const ofStreet = numbersOf.get(baseOf(truth.street))!;
    const numbers = new Set(ofStreet.map(t => t.number.replace(/[A-Z]$/, '')));
    for (const variant of variantsOf(truth, place, streets, numbers, foreign, random)) {
      const before = performance.now();
      const cpu = process.cpuUsage();
      const { matches } = await ask(variant.text);
      const { user, system } = process.cpuUsage(cpu);
      times.push(performance.now() - before);
      processor.push((user + system) / 1000);
      judged.push(judge(place.name, variant, truth, ofStreet, matches));
    }
  }
}
const seconds = times.reduce((sum, ms) => sum + ms, 0) / 1000;
process.stderr.write(`${times.length} variants in ${((performance.now() - started) / 1000).toFixed(0)} s\n`);

if (process.env.BENCH_SHOW) {
  const shown = judged.filter(
    j =>
      j.verdict === 'wrong' ||
      (j.verdict !== 'right' && (j.variant.group === process.env.BENCH_SHOW || process.env.BENCH_SHOW === 'all')),
  );
  for (const { place, variant, truth, verdict, best } of shown.slice(0, 200))
    process.stderr.write(
      `${verdict}: ${place}, ${variant.kind}: ${variant.text} [${truth.number} ${truth.street}] -> ${best ? `${best.similarity} ${best.accuracyType} ${best.normalizedAddress}` : 'nothing'}\n`,
    );
}

const row = (name: string, unit: string, ours: number): BenchRow => ({
  case: name,
  unit,
  ours,
  peer: null,
  ratio: null,
});
const tally = new Tally(judged);
const ranges = await rangeErrors();
report('geocode', { plat: 'this checkout' }, [
  ...tally.rows().map(r => row(r.name, r.unit, r.value)),
  ...(ranges.length
    ? [
        row(`Bangor, street ranges alone: error p50 of ${ranges.length}`, 'm', percentile(ranges, 50)),
        row('Bangor, street ranges alone: error p95', 'm', percentile(ranges, 95)),
      ]
    : []),
  row('first address of a worker', 'ms', coldMs),
  row('p50', 'ms', percentile(times, 50)),
  row('p99', 'ms', percentile(times, 99)),
  row('p99 of processor time', 'ms', percentile(processor, 99)),
  row('throughput, one core', 'addresses/s', times.length / seconds),
]);

/** The forms in which people write addresses, with what becomes of each: docs/geocoding.md. */
const formRows: BenchRow[] = [];
for (const place of existsSync(SOURCES) ? PLACES : []) {
  for (const { form, count, of, wrong, times: ms } of await tallyForms(
    layers,
    place,
    async a => (await ask(a)).matches,
    300,
    [...FORMS, ...CONTRADICTIONS],
  )) {
    const name = `${place.name}, ${form.group}, ${form.kind}`;
    formRows.push(
      row(`${name}: right of ${count}`, '%', (100 * of.right) / count),
      row(`${name}: several places, the right one among them`, '%', (100 * of.several) / count),
      row(`${name}: wrong place`, '%', (100 * of.wrong) / count),
      row(`${name}: p99 of processor time`, 'ms', percentile(ms, 99)),
    );
    for (const line of wrong) process.stderr.write(`wrong: ${name}: ${line}\n`);
  }
}
/** Clean addresses one after another, as a batch asks them. */
const clean = PLACES.flatMap(place =>
  (truths.get(place) ?? [])
    .filter((_, i) => i % 3 === 0)
    .map(
      ({ number, street, zip }) => `${number} ${street}, ${place.city}, ${place.state[0]} ${zip ?? place.zip ?? ''}`,
    ),
);
const bulk: number[] = [];
const cpu = process.cpuUsage();
for (const address of clean) {
  const before = performance.now();
  await ask(address);
  bulk.push(performance.now() - before);
}
const { user, system } = process.cpuUsage(cpu);
if (bulk.length)
  report('geocode-forms', { plat: 'this checkout' }, [
    ...formRows,
    row('clean addresses in bulk: p50', 'ms', percentile(bulk, 50)),
    row('clean addresses in bulk: p99', 'ms', percentile(bulk, 99)),
    row('clean addresses in bulk, a second of processor time', 'addresses/s', (bulk.length / (user + system)) * 1e6),
  ]);
if (!process.env.BENCH_HOME) rmSync(home, { recursive: true, force: true });
