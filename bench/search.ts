// Compares parcel search over HTTP with the same server over PostGIS and over SQLite with SpatiaLite, class by class. Plat
// serves as it comes, without a setting. First every answer of all is compared: matches, order, the next page. Then wrk sends
// requests to each for a second in turn, or longer if a side answers few; each request asks about another place.
// `--parcels N` (200,000) searches generated parcels; `--bangor` the published ones; `--fresh` builds them anew.
// `--without-calculated` leaves out the class that needs PostgreSQL to load the calculated columns, 4 GB a million parcels.
// `--only TEXT` times the classes that have it in their name, `--rounds N` (7) so many blocks of each side.
// `--against FOLDER` compares with Plat of another checkout instead of databases: what a change gains or costs.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { openRelease } from '../query/release/open-release.ts';
import { requirePostgis, startPostgis } from './postgis/cluster.ts';
import { loadParcels } from './postgis/load.ts';
import { type BenchRow, report } from './report.ts';
import { type Agreed, agreed, Disagreement } from './search/agreement.ts';
import { addCalculated } from './search/calculated.ts';
import { casesOf } from './search/case.ts';
import { growth, SMALL } from './search/growth.ts';
import { CACHE, homeOf, nameOf, type Subject } from './search/home.ts';
import { requireWrk } from './search/load.ts';
import { profileOf } from './search/profile.ts';
import { bar, geometricMean, ratioOf, rowsOf } from './search/result.ts';
import { Side } from './search/side.ts';
import { timed } from './search/timing.ts';
import { loadSqlite, openSpatial } from './sqlite/load.ts';

const { values: options } = parseArgs({
  options: {
    parcels: { type: 'string', default: '200000' },
    bangor: { type: 'boolean', default: false },
    fresh: { type: 'boolean', default: false },
    'without-calculated': { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '7' },
    against: { type: 'string' },
  },
});
const subject: Subject = options.bangor ? 'bangor' : Number(options.parcels);
if (subject !== 'bangor' && !(Number.isInteger(subject) && subject >= 200 && subject <= 5_000_000)) {
  process.stderr.write(`bench-search --parcels ${options.parcels}: expected a whole number from 200 to 5000000\n`);
  process.exit(1);
}
const RESULT = subject === 'bangor' ? 'search-bangor' : subject === SMALL ? 'search' : `search-${subject / 1e6}m`;
const rounds = Number(options.rounds);
const say = (line: string) => process.stderr.write(`${line}\n`);
requireWrk('bench-search');
if (options.against === undefined) requirePostgis('bench-search');

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
  const db = openSpatial(':memory:', false);
  const found = db.prepare('SELECT sqlite_version() AS sqlite, spatialite_version() AS spatialite').get();
  db.close();
  return { plat: 'this checkout', postgresql: rows[0].postgresql.split(' ')[1], postgis: rows[0].postgis, ...found };
}

/** What was measured against what is asked for; of Bangor nothing is. @param means by what they are of. */
function bars(least: ReadonlyMap<string, number>, means: ReadonlyMap<string, number>, memory: number): BenchRow[] {
  if (subject === 'bangor') return [];
  const mean = subject >= 2_000_000 ? 7 : 5;
  return [
    ...[...least].map(([of, ratio]) => bar(`least ratio, ${of}`, '×', ratio, 1)),
    ...[...means].map(([of, ratio]) => bar(`geometric mean, ${of}`, '×', ratio, of.startsWith('PostGIS') ? mean : 1)),
    bar('memory of the server after the run', 'MB', memory, 600 + (500 * subject) / 1e6, true),
  ];
}

const home = await homeOf(subject, options.fresh);
const calculated = !options['without-calculated'];
if (calculated && subject !== 'bangor') await addCalculated(home, openRelease(home));
const release = openRelease(home);
const profile = await profileOf(home, release, calculated);
const sides: Side[] = [];
let cluster: Awaited<ReturnType<typeof startPostgis>> | null = null;
// A cluster that is killed loses its tables, and they take minutes to fill.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    void Promise.resolve(cluster?.stop()).then(() => process.exit(1));
  });
try {
  const ours = await Side.start({ name: 'Plat' }, home);
  sides.push(ours);
  let known: Record<string, string> = {};
  if (options.against !== undefined)
    sides.push(await Side.start({ name: 'Plat', tree: resolve(options.against) }, home));
  else {
    const folder = join(CACHE, 'postgres');
    mkdirSync(folder, { recursive: true });
    cluster = await startPostgis(folder);
    const url = await databaseOf(cluster.url, nameOf(subject));
    const columns = [profile.code, profile.text, profile.number] as const;
    say(`${profile.parcels} parcels of release ${release.id}: loading PostGIS and SQLite`);
    await loadParcels({ url, folder, home, release, columns, calculated: profile.calculated?.number ?? null });
    const file = join(CACHE, nameOf(subject), `${release.id}.sqlite`);
    await loadSqlite(file, home, release, columns);
    sides.push(await Side.start({ name: 'PostGIS', url, pid: cluster.pid }, home));
    sides.push(await Side.start({ name: 'SQLite', file }, home));
    known = await versions(url);
  }

  const cases = casesOf(profile).filter(({ name }) => name.includes(options.only));
  /** Those that answer a class: calculations stand in PostGIS alone. */
  const answering = (kind: Agreed['kind']) => sides.filter(({ name }) => kind !== 'calculated' || name !== 'SQLite');
  const classes: Agreed[] = [];
  for (const each of cases) {
    const result = await agreed(each, answering(each.kind));
    classes.push(result);
    say(`same answers: ${each.name}: ${each.compared} requests, ${result.matches} matches`);
  }
  const mixed = classes.filter(({ kind }) => kind === 'area' || kind === 'attributes');
  if (mixed.length > 1)
    classes.push({
      name: 'mix',
      kind: 'attributes',
      body: (i, side) => mixed[i % mixed.length]!.body(Math.floor(i / mixed.length), side),
      full: false,
      matches: 0,
    });

  const rows: BenchRow[] = [];
  const ratios = new Map<string, number[]>();
  const least = new Map<string, number>();
  for (const each of classes)
    for (const [clients, [mine, ...theirs]] of await timed(each, answering(each.kind), rounds))
      for (const [k, blocks] of theirs.entries()) {
        const peer = sides[k + 1]!.name;
        const ratio = ratioOf(mine!, blocks);
        const many = `${clients} client${clients > 1 ? 's' : ''}`;
        rows.push(...rowsOf(`${each.name}, ${many}, ${peer}`, mine!, blocks));
        say(`${each.name}, ${many}: ${ratio.toFixed(2)} × ${peer}`);
        if (each.kind === 'apart') continue;
        const key = `${peer}, ${many}`;
        ratios.set(key, [...(ratios.get(key) ?? []), ratio]);
        if (peer !== 'SQLite' || each.kind === 'area') least.set(key, Math.min(ratio, least.get(key) ?? ratio));
      }
  for (const side of sides)
    rows.push({
      case: `memory after the run, ${side.name}`,
      unit: 'MB',
      ours: ours.megabytes,
      peer: side.megabytes,
      ratio: side.megabytes / ours.megabytes,
    });
  const memory = ours.megabytes;
  const means = new Map([...ratios].map(([of, list]) => [of, geometricMean(list)]));
  for (const side of sides.splice(0)) await side.stop();
  if (options.against === undefined) {
    if (typeof subject === 'number' && subject > SMALL) {
      const full = cases.filter((_, i) => classes[i]!.full);
      rows.push(...(await growth(home, full, calculated, rounds)));
    }
    rows.push(...bars(least, means, memory));
  } else
    for (const [of, mean] of means)
      rows.push({ case: `geometric mean, ${of}`, unit: '×', ours: mean, peer: null, ratio: null });
  // A part of the classes is not the result.
  report(options.only || options.against !== undefined ? null : RESULT, known, rows);
} catch (error) {
  if (!(error instanceof Disagreement)) throw error;
  say(error.message);
  process.exitCode = 1;
} finally {
  for (const side of sides) await side.stop();
  await cluster?.stop();
}
