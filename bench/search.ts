// Compares parcel search over HTTP with the same server over PostGIS, class by class. First it compares every answer of both:
// matches, order, the next page. Then wrk sends requests to each for a second in turn, or longer if a side answers few.
// `--parcels N` (200,000) searches generated parcels; `--bangor` the published ones; `--fresh` builds them anew.
// `--without-calculated` leaves out the class that needs PostgreSQL to load the calculated columns, 4 GB a million parcels.
// Both sides serve by `--processes N`, as many as there are cores unless told otherwise, several with one worker each.
import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { openRelease } from '../query/release/open-release.ts';
import { calculatedFields } from './postgis/calculation.ts';
import { requirePostgis, startPostgis } from './postgis/cluster.ts';
import { loadParcels } from './postgis/load.ts';
import { type BenchRow, report } from './report.ts';
import { type Agreed, agreed, Disagreement } from './search/agreement.ts';
import { addCalculated } from './search/calculated.ts';
import { casesOf } from './search/case.ts';
import { growth, SMALL } from './search/growth.ts';
import { CACHE, homeOf, nameOf, type Subject } from './search/home.ts';
import { requireWrk } from './search/load.ts';
import { treeMb } from './search/process.ts';
import { profileOf } from './search/profile.ts';
import { alone, earlierRatios, economyOf, exhaustive, geometricMean, ratioOf, rowsOf } from './search/result.ts';
import { Side } from './search/side.ts';
import { timed, WARM, WARMING } from './search/timing.ts';

const { values: options } = parseArgs({
  options: {
    parcels: { type: 'string', default: '200000' },
    bangor: { type: 'boolean', default: false },
    fresh: { type: 'boolean', default: false },
    'without-calculated': { type: 'boolean', default: false },
    processes: { type: 'string', default: String(availableParallelism()) },
    only: { type: 'string' },
  },
});
const subject: Subject = options.bangor ? 'bangor' : Number(options.parcels);
if (subject !== 'bangor' && !(Number.isInteger(subject) && subject >= 200 && subject <= 5_000_000)) {
  process.stderr.write(`bench-search --parcels ${options.parcels}: expected a whole number from 200 to 5000000\n`);
  process.exit(1);
}
const RESULT = subject === 'bangor' ? 'search-bangor' : subject === SMALL ? 'search' : `search-${subject / 1e6}m`;
requirePostgis('bench-search');
requireWrk('bench-search');
process.env.PLAT_PROCESSES = options.processes;
if (options.processes !== '1') process.env.PLAT_WORKERS ??= '1';
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

async function versions(url: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('SELECT version() AS postgresql, PostGIS_Lib_Version() AS postgis');
  await client.end();
  return { plat: 'this checkout', postgresql: rows[0].postgresql.split(' ')[1], postgis: rows[0].postgis };
}

const home = await homeOf(subject, options.fresh);
const calculated = !options['without-calculated'];
if (calculated && subject !== 'bangor') await addCalculated(home, openRelease(home));
const release = openRelease(home);
const profile = await profileOf(home, release, calculated);
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
    calculated: profile.calculated?.number ?? null,
  });
  const columns = calculatedFields(release).size;
  say(`${columns} calculated columns; those looked up by an area's key need tables and are absent`);
  const empty = await Side.start(join(CACHE, 'empty'));
  const bare = treeMb(empty.pid);
  await empty.stop();
  const ours = await Side.start(home);
  sides.push(ours);
  const peer = await Side.start(home, url, cluster.pid);
  sides.push(peer);
  const barePeer = treeMb(peer.pid) + treeMb(cluster.pid);
  const pair = [ours, peer] as const;

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
      parcels: profile.parcels,
    });

  const rows: BenchRow[] = [];
  const ratios = new Map<string, number[]>();
  const earlier =
    RESULT === 'search' ? new Map<string, number>() : earlierRatios(new URL('./results/search.json', import.meta.url));
  for (const each of compared)
    for (const clients of [1, 8]) {
      const timing = await timed(each, pair, clients, clients > 1 ? WARM : WARMING);
      const name = `${each.name}, ${clients} client${clients > 1 ? 's' : ''}`;
      for (const [what, ratio] of [
        ['throughput', ratioOf(timing)],
        ['processor time', economyOf(timing)],
      ] as const) {
        const key = `ratios of ${what}, ${clients} client${clients > 1 ? 's' : ''}`;
        ratios.set(key, [...(ratios.get(key) ?? []), ratio]);
      }
      rows.push(...rowsOf(name, timing));
      if (clients === 1 && each.outcome === 'exhausted') {
        const row = exhaustive(each, timing);
        const before = earlier.get(row.case);
        rows.push(row, ...(before === undefined ? [] : [alone(`${row.case}, ratio at ${SMALL / 1e6} M`, '×', before)]));
      }
      say(`${name}: ${ratioOf(timing).toFixed(2)}×`);
    }
  const millions = profile.parcels / 1e6;
  const [mine, theirs] = [treeMb(ours.pid), treeMb(peer.pid) + treeMb(cluster.pid)];
  rows.push({ case: 'memory of the server after the run', unit: 'MB', ours: mine, peer: theirs, ratio: theirs / mine });
  // Of few parcels it would tell nothing but what a server takes anyway.
  if (millions >= 0.1)
    rows.push({
      case: 'memory above a server without parcels, per million',
      unit: 'MB',
      ours: (mine - bare) / millions,
      peer: (theirs - barePeer) / millions,
      ratio: (theirs - barePeer) / (mine - bare),
    });
  for (const side of sides.splice(0)) await side.stop();
  if (typeof subject === 'number' && subject > SMALL) {
    const full = cases.filter((_, i) => classes[i]!.outcome === 'full');
    rows.push(...(await growth(home, full, calculated)));
  }
  for (const [name, list] of ratios) {
    rows.push(alone(`least of the ${name}`, '×', Math.min(...list)));
    rows.push(alone(`geometric mean of the ${name}`, '×', geometricMean(list)));
  }
  // A part of the classes is not the result.
  report(options.only ? null : RESULT, await versions(url), rows);
} catch (error) {
  if (!(error instanceof Disagreement)) throw error;
  say(error.message);
  process.exitCode = 1;
} finally {
  for (const side of sides) await side.stop();
  await cluster.stop();
}
