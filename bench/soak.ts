// A soak: mixed traffic of twenty accounts within their limits over two servers of one PostgreSQL, while releases are
// published, serving processes are killed and the database is restarted. Every answer is compared with what a quiet server
// answered by one of the two releases; credits with what was answered; memory of the server that is never killed is watched.
// `--minutes N` says how long (110 otherwise, of which the last 73 are judged). The published releases are made before: publishing is a rename.
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openRelease } from '../query/release/open-release.ts';
import { type Cluster, POSTGRES_INSTALLED, startPostgres } from '../test/server/state/postgres.ts';
import { randomFrom } from './proximity/roads.ts';
import { type BenchRow, report } from './report.ts';
import { anonymousMb, residentMb } from './search/process.ts';
import { type Expected, SoakClient, type Tally } from './soak/client.ts';
import { type Box, comparable, isIncomplete, type Question, questionsOf } from './soak/questions.ts';
import { type SoakServer, startServer } from './soak/server.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const PROGRAM = join(ROOT, 'plat');
const minutes = Number(parseArgs({ options: { minutes: { type: 'string', default: '110' } } }).values.minutes);
if (!(minutes >= 1)) throw new RangeError('--minutes must be a number from 1 on');
if (!POSTGRES_INSTALLED)
  throw new Error('The soak restarts a PostgreSQL of its own: install it first (Debian: apt-get install postgresql).');
const [ACCOUNTS, PARCELS] = [20, 600];
/** Between two requests of an account; all plans but `free` let it ask more often. */
const EVERY_MS = 1_500;
/** Milliseconds between publishing a release, between kills, and between restarts of the database; shorter in short soaks. */
const [PUBLISH_MS, KILL_MS, RESTART_MS] = [5, 1, 7].map(each =>
  Math.max(15_000, Math.min(each, (each * minutes) / 25) * 60_000),
) as [number, number, number];
/**
 * Memory is judged from this share of the soak on, and only of one that is long enough to tell a slope from noise: V8 takes half
 * an hour to come to the height at which it stays, and gives much back on the way.
 */
const [WARM, JUDGED_MINUTES, SLOPE] = [1 / 3, 110, 1];

const folder = mkdtempSync(join(tmpdir(), 'plat-soak-'));
const home = join(folder, 'home');
// PostgreSQL runs as another user, who must get through to its own folder.
chmodSync(folder, 0o711);
const say = (line: string) => process.stderr.write(`${line}\n`);

/** A release of the area with a seed. @returns its id. */
function makeRelease(seed: number): string {
  const [world, env] = [join(folder, `world-${seed}`), { ...process.env, PLAT_HOME: home, PLAT_LOG: 'error' }];
  const plat = (...args: string[]) => execFileSync(PROGRAM, args, { env, stdio: 'ignore' });
  plat('world', 'generate', '--parcels', String(PARCELS), '--seed', String(seed), '--out', world);
  const ingest = ['ingest', 'run', '--sources', world, '--place', 'synthetic', '--no-overlay'];
  try {
    plat(...ingest);
  } catch {
    // Another area is not what the ingest expects of the same one a year later: its log says what to accept.
    const logs = join(home, 'logs');
    const newest = readdirSync(logs).sort().at(-1)!;
    const keys = [...readFileSync(join(logs, newest), 'utf8').matchAll(/with --accept (\S+)/g)].map(match => match[1]!);
    plat(...ingest, '--accept', ...new Set(keys));
  }
  return openRelease(home).id;
}

function boxOf(): Box {
  const boxes = (openRelease(home).layer('parcel_store', 'main')?.partitions ?? []).flatMap(p =>
    p.box ? [p.box] : [],
  );
  const at = (i: number, pick: (...values: number[]) => number) => pick(...boxes.map(box => box[i]!));
  return [at(0, Math.min), at(1, Math.min), at(2, Math.max), at(3, Math.max)];
}

const tally: Tally = { counts: new Map(), faults: [] };
const rows: BenchRow[] = [];
const missed: string[] = [];
function add(name: string, unit: string, ours: number, most: number | null = null): void {
  rows.push({ case: name, unit, ours, peer: most, ratio: null });
  if (most !== null && ours > most) missed.push(name);
}

/** Per cent of the mean by which values grow in an hour, by least squares. @param values by minutes. */
function slopeOf(values: readonly (readonly [number, number])[]): number {
  const mean = (of: (value: readonly [number, number]) => number) =>
    values.reduce((sum, value) => sum + of(value), 0) / values.length;
  const [x, y] = [mean(value => value[0]), mean(value => value[1])];
  const square = values.reduce((sum, [at]) => sum + (at - x) ** 2, 0);
  const along = values.reduce((sum, [at, value]) => sum + (at - x) * (value - y), 0);
  return square === 0 ? 0 : (100 * 60 * along) / square / y;
}

let cluster: Cluster | undefined;
const servers: SoakServer[] = [];
try {
  const releases = [makeRelease(1), makeRelease(2)];
  const postgres = join(folder, 'postgres');
  cluster = await startPostgres({ folder: postgres });
  const env = {
    ...process.env,
    PLAT_HOME: home,
    PLAT_STATE_URL: await cluster.database(),
    PLAT_TOKEN_SECRET: 'w8Zq3nB1xT6rLm0YfKc5VdJh2sGu9PaE',
    PLAT_CURSOR_SECRET: 'Hk4oNd7RbX2vQy9MzTj6WcLs1GfPe8Ua',
    PLAT_LOG: 'error',
    PLAT_WORKERS: '1',
    PLAT_MEMORY_MB: '512',
  };
  const plat = (...args: string[]) =>
    execFileSync(PROGRAM, args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
  const tokenOf = (name: string, plan: string) => plat('token', 'create', '--account', name, '--plan', plan);
  const publish = (release: string) => plat('release', 'rollback', release);

  servers.push(await startServer(PROGRAM, env, 1));
  const [steady] = servers as [SoakServer];
  const follows = async (release: string) => {
    for (;;) {
      const ready = (await (await fetch(`${steady.base}/readyz`)).json()) as { release?: string };
      if (ready.release === release) return;
      await sleep(100);
    }
  };
  const { fields } = (await (await fetch(`${steady.base}/v1/meta/fields`)).json()) as {
    fields: { name: string; billing: { group: string }; installed: boolean }[];
  };
  const names = fields.flatMap(({ name, billing, installed }) =>
    installed && billing.group === 'default' ? [name] : [],
  );
  const questions = questionsOf(boxOf(), names);
  const quietToken = tokenOf('quiet@plat.invalid', 'market');
  const authorization = `Bearer ${quietToken}`;
  const used = async () => {
    const reply = await fetch(`${steady.base}/v1/users/me/usage`, { headers: { authorization } });
    return ((await reply.json()) as { credits_used: number }).credits_used;
  };
  const answerOf = async ({ name, path, body }: Question): Promise<Expected> => {
    for (let attempt = 0; ; attempt++) {
      const before = await used();
      const headers = { authorization, 'content-type': 'application/json' };
      const reply = await fetch(`${steady.base}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      const text = comparable(await reply.json());
      if (reply.status !== 200) throw new Error(`${name} on a quiet server: ${reply.status} ${text}`);
      if (!isIncomplete(text) || attempt === 2) return { text, credits: (await used()) - before };
    }
  };
  const expected = new Map<Question, Expected[]>(questions.map(question => [question, []]));
  for (const release of [...releases, ...releases]) {
    publish(release);
    await follows(release);
    for (const question of questions) expected.get(question)!.push(await answerOf(question));
  }
  let differing = 0;
  for (const [{ name }, [a, b, again]] of expected) {
    if (a!.text !== again!.text) throw new Error(`${name} is answered differently each time by one release`);
    if (a!.text !== b!.text) differing++;
  }
  if (differing === 0) throw new Error('The two releases differ in no answer: publishing them would show nothing');
  say(`${questions.length} questions, ${differing} of them answered differently by the two releases`);

  servers.push(await startServer(PROGRAM, env, 2));
  const bases = servers.map(({ base }) => base);
  const clients = Array.from(
    { length: ACCOUNTS },
    (_, i) => new SoakClient(tokenOf(`account-${i}@plat.invalid`, 'growth'), bases, tally, i),
  );
  const idle = residentMb(steady.pid);
  const began = performance.now();
  const end = began + minutes * 60_000;
  const isOver = () => performance.now() >= end;
  /** Until a time has passed, or the soak is over. */
  const pass = async (ms: number) => {
    const until = Math.min(end, performance.now() + ms);
    while (performance.now() < until) await sleep(Math.min(1_000, Math.max(1, until - performance.now())));
    return !isOver();
  };
  const did = { published: 0, killed: 0, restarted: 0 };
  const every = async (ms: number, disturb: () => unknown) => {
    while (await pass(ms)) await disturb();
  };
  const memory: (readonly [at: number, resident: number, anonymous: number])[] = [];
  const random = randomFrom(7);
  const traffic = clients.map(async client => {
    await sleep(random() * EVERY_MS);
    while (!isOver()) {
      const started = performance.now();
      const question = questions[Math.floor(random() * questions.length)]!;
      await client.ask(question, expected.get(question)!);
      await sleep(Math.max(0, EVERY_MS * (0.5 + random()) - (performance.now() - started)));
    }
  });
  await Promise.all([
    ...traffic,
    every(PUBLISH_MS, () => publish(releases[did.published++ % 2]!)),
    every(KILL_MS, () => {
      const children = servers[1]!.processes();
      const victim = children[did.killed++ % children.length];
      if (victim !== undefined) process.kill(victim, 'SIGKILL');
    }),
    every(RESTART_MS, async () => {
      did.restarted++;
      await cluster!.stop();
      cluster = undefined;
      await sleep(3_000);
      cluster = await startPostgres({ folder: postgres });
    }),
    every(5_000, () => {
      memory.push([(performance.now() - began) / 60_000, residentMb(steady.pid), anonymousMb(steady.pid)]);
    }),
  ]);

  let [lost, over] = [0, 0];
  for (const client of clients) {
    let credits = await client.used();
    while (credits === null) {
      await sleep(500);
      credits = await client.used();
    }
    lost += Math.max(0, client.least - credits);
    over += Math.max(0, credits - client.most);
  }
  const late = memory.filter(([at]) => at >= minutes * WARM);
  const isJudged = minutes >= JUDGED_MINUTES;
  add('minutes', 'min', minutes);
  for (const [what, count] of [...Object.entries(did), ...tally.counts].sort()) add(what, 'times', count);
  add('wrong answers, refusals that must not be', 'times', tally.faults.length, 0);
  add('credits of answers that were not charged', 'credits', lost, 0);
  add('credits charged beyond all that was asked', 'credits', over, 0);
  add('memory before', 'MB', idle);
  add('memory, most', 'MB', Math.max(...memory.map(([, mb]) => mb)), 1.5 * idle + 512);
  const resident = late.map(([at, mb]) => [at, mb] as const);
  const anonymous = late.map(([at, , mb]) => [at, mb] as const);
  add('memory, growth an hour', '%', slopeOf(resident), isJudged ? SLOPE : null);
  add('memory that no file backs, growth an hour', '%', slopeOf(anonymous));
  const each = Math.max(1, Math.ceil(memory.length / 60));
  const shown = memory.filter((_, i) => i % each === 0).map(([, mb, own]) => `${Math.round(mb)}/${Math.round(own)}`);
  say(`Resident and anonymous MB over the time: ${shown.join(' ')}`);
} finally {
  for (const server of servers) await server.stop();
  await cluster?.stop();
  if (existsSync(folder)) rmSync(folder, { recursive: true, force: true });
}
report('soak', { node: process.version }, rows);
if (missed.length > 0) {
  say(`Not as it must be: ${missed.join('; ')}`);
  process.exitCode = 1;
}
