// Parcel search over HTTP against the same server over PostGIS, class by class. Every answer of both is compared first:
// matches, order, the next page. Then blocks of the same requests alternate between the two, with one client and with
// eight. `--parcels N` (200,000) searches generated parcels; `--bangor` the published ones; `--fresh` builds them anew.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { openRelease } from '../query/release.ts';
import { requirePostgis, startPostgis } from './postgis/cluster.ts';
import { loadParcels } from './postgis/load.ts';
import { type BenchRow, percentile, report } from './report.ts';
import { type Agreed, agreed, Disagreement } from './search/agreement.ts';
import { casesOf } from './search/case.ts';
import { CACHE, homeOf, nameOf, type Subject } from './search/home.ts';
import { residentMb, treeMb } from './search/memory.ts';
import { profileOf } from './search/profile.ts';
import { Side } from './search/side.ts';
import { type Timing, timed } from './search/timing.ts';

const { values: options } = parseArgs({
  options: {
    parcels: { type: 'string', default: '200000' },
    bangor: { type: 'boolean', default: false },
    fresh: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});
/** The size that growth is measured from. */
const SMALL = 200_000;
const subject: Subject = options.bangor ? 'bangor' : Number(options.parcels);
if (subject !== 'bangor' && !(Number.isInteger(subject) && subject >= 200 && subject <= 5_000_000)) {
  process.stderr.write(`bench-search --parcels ${options.parcels}: expected a whole number from 200 to 5000000\n`);
  process.exit(1);
}
const RESULT = subject === 'bangor' ? 'search-bangor' : subject === SMALL ? 'search' : `search-${subject / 1e6}m`;
requirePostgis('bench-search');
const say = (line: string) => process.stderr.write(`${line}\n`);

/** URL of a database of the cluster, made where there is none; text compares by code point, as Plat's does. */
async function databaseOf(url: (name: string) => string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: url('postgres') });
  await client.connect();
  const { rows } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
  if (rows.length === 0)
    await client.query(`CREATE DATABASE "${name}" TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C.UTF-8'`);
  await client.end();
  return url(name);
}

const perSecond = ({ times, seconds }: Timing[number]) => times.length / seconds;
const rate = (name: string, [ours, peer]: Timing): BenchRow => ({
  case: `${name}, throughput`,
  unit: 'requests/s',
  ours: perSecond(ours),
  peer: perSecond(peer),
  ratio: perSecond(ours) / perSecond(peer),
});
const latency = (name: string, p: number, [ours, peer]: Timing): BenchRow => {
  const [mine, theirs] = [percentile(ours.times, p), percentile(peer.times, p)];
  return { case: `${name}, p${p}`, unit: 'ms', ours: mine, peer: theirs, ratio: theirs / mine };
};
const alone = (name: string, unit: string, ours: number, peer: number | null = null): BenchRow => ({
  case: name,
  unit,
  ours,
  peer,
  ratio: null,
});
const geometricMean = (values: readonly number[]) =>
  Math.exp(values.reduce((total, value) => total + Math.log(value), 0) / values.length);

const home = homeOf(subject, options.fresh);
const release = openRelease(home);
const profile = await profileOf(home, release);
mkdirSync(CACHE, { recursive: true });
const folder = join(CACHE, 'postgres');
const cluster = await startPostgis(folder);
const sides: Side[] = [];
// A cluster that is killed loses its tables, and they take minutes to fill.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    void cluster.stop().then(() => process.exit(1));
  });
try {
  const url = await databaseOf(cluster.url, nameOf(subject));
  say(`${profile.parcels} parcels of release ${release.id}: loading PostGIS`);
  await loadParcels({
    url,
    folder,
    home,
    release,
    columns: [profile.code, profile.text, profile.number],
  });
  const ours = await Side.start(home);
  sides.push(ours);
  const peer = await Side.start(home, url);
  sides.push(peer);
  const pair = [ours, peer] as const;
  const ready = residentMb(ours.pid);

  const cases = casesOf(profile).filter(({ name }) => !options.only || name.includes(options.only));
  const compared: Agreed[] = [];
  for (const each of cases) {
    const result = await agreed(each, pair);
    compared.push(result);
    say(`same answers: ${each.name}: ${each.compared} requests, ${result.matches} matches, ${result.outcome}`);
  }
  const classes = [...compared];
  if (classes.length > 1)
    compared.push({
      name: 'mix',
      body: (i, side) => classes[i % classes.length]!.body(Math.floor(i / classes.length), side),
      outcome: 'mixed',
      matches: 0,
    });

  const rows: BenchRow[] = [];
  const ratios: Record<number, number[]> = { 1: [], 8: [] };
  for (const each of compared) {
    for (const clients of [1, 8]) {
      const timing = await timed(each, pair, clients);
      const name = `${each.name}, ${clients} client${clients > 1 ? 's' : ''}`;
      const throughput = rate(name, timing);
      ratios[clients]!.push(throughput.ratio!);
      rows.push(latency(name, 50, timing), latency(name, 99, timing), throughput);
      say(`${name}: ${throughput.ratio!.toFixed(2)}×`);
    }
  }
  for (const clients of [1, 8])
    rows.push({
      ...alone(`geometric mean of throughput ratios, ${clients} clients`, '×', geometricMean(ratios[clients]!)),
    });
  report(RESULT, {}, rows);
  say(`${ready} ${treeMb(cluster.pid)} ${existsSync(folder)}`);
} catch (error) {
  if (!(error instanceof Disagreement)) throw error;
  say(error.message);
  process.exitCode = 1;
} finally {
  for (const side of sides) await side.stop();
  await cluster.stop();
}
