import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../../pipelines/run.ts';
import { createEngine } from '../../../query/engine/engine.ts';
import { readManifest } from '../../../query/release/home/releases.ts';
import { keptSecret } from '../../../server/auth/secret.ts';
import { createTokenService } from '../../../server/auth/token.ts';
import { type Installation, makeBackup, restoreBackup } from '../../../server/backup/backup.ts';
import { countsOf } from '../../../server/backup/tables.ts';
import { openState } from '../../../server/state/open.ts';
import type { StateStore } from '../../../server/state/store.ts';
import { SILENT } from '../../pipelines/silent.ts';
import { FILES, village, writeFiles } from '../../pipelines/village.ts';
import { POSTGRES_INSTALLED } from '../state/postgres.ts';
import { type SharedPostgres, sharedPostgres } from '../state/shared-postgres.ts';

const folders: string[] = [];
const folder = () => {
  folders.push(mkdtempSync(join(tmpdir(), 'plat-backup-')));
  return folders.at(-1)!;
};
let cluster: SharedPostgres | undefined;
beforeAll(async () => {
  if (POSTGRES_INSTALLED) cluster = await sharedPostgres();
});
afterAll(async () => {
  await cluster?.drop();
  for (const path of folders) rmSync(path, { recursive: true, force: true });
});

const PERIOD = '2026-01';
const KEYED = { endpoint: 'fetch/batch', key: 'a-key-of-mine', bodyHash: 'h', now: 1, leaseUntil: 2, expiresAt: 9e14 };
const ANSWER = '{"results": "ö"}';

/** An installation in use: a release, accounts, a token, a stored answer. */
async function inUse(url: string): Promise<Installation & { token: string; accountId: string; state: StateStore }> {
  const [home, sources] = [folder(), folder()];
  writeFiles(sources, FILES);
  await run({ home, sources, place: village, threads: 0, progress: SILENT });
  const state = await openState(home, url);
  const account = await state.openAccount('someone@example.org', 'growth');
  const token = await createTokenService(keptSecret(home, 'token'), state, Date).issue(account);
  const found = await state.idempotency.begin({ ...KEYED, accountId: account.id });
  if (found.kind !== 'execute') throw new Error(found.kind);
  await state.idempotency.complete(found.claim, ANSWER, { reservation: null, cost: 0, now: 1 });
  await state.jobs.enqueue(job('ended'));
  await state.jobs.finish((await state.jobs.claim('count'))!);
  await state.jobs.enqueue(job('runs'));
  await state.jobs.claim('count');
  await state.jobs.enqueue(job('waits'));
  return { home, url, token, accountId: account.id, state };
}

const job = (key: string, account: string | null = null) => ({
  ...{ kind: 'count', key, account, data: { key } },
  ...{ attempts: 1, retryMs: 1_000, mostMs: 1_000 },
});

/** Charges one after the other until told to stop, as a server does. @returns how many. */
function charging(state: StateStore, accountId: string): () => Promise<number> {
  let stopped = false;
  let count = 0;
  const work = (async () => {
    while (!stopped) {
      const id = `charge ${count++}`;
      const held = await state.ledger.reserve({
        id,
        accountId,
        period: PERIOD,
        endpoint: 'fetch',
        grantId: '',
        costs: [2],
        allowance: 1e12,
        now: 1,
        expiresAt: 9e14,
      });
      if ('refused' in held) throw new Error('refused');
      await state.ledger.settle(held, 1, 1);
      // SQLite answers at once: others get a turn only here.
      await setImmediate();
    }
  })();
  return async () => {
    stopped = true;
    await work;
    return count;
  };
}

const zoneIn = async (home: string) => {
  const engine = await createEngine({ home, workers: 1, queue: 9, memoryMb: 64 });
  const point = { lat: 44.015, lng: -68.985 };
  const answers = await engine.fetch(['nwi_wetland_code'], point, { deadline: Date.now() + 20_000 });
  await engine.close();
  return answers.nwi_wetland_code!.value;
};

const LONG = process.env.PLAT_TEST === 'long';
const stores = ['SQLite', 'PostgreSQL'] as const;
const urlFor = async (store: (typeof stores)[number]) => (store === 'SQLite' ? '' : cluster!.database());
const pairs = stores.flatMap(from => stores.map(to => [from, to] as const));

describe('a backup of a server that goes on', () => {
  // From one kind of store into the other is the harder way; backup.long.test.ts goes all four.
  const able = pairs.filter(([from, to]) =>
    POSTGRES_INSTALLED ? LONG || from !== to : from === to && to === 'SQLite',
  );
  it.each(able)('in %s is whole, and restored into %s everything is there', async (from, to) => {
    const { state, token, accountId, ...at } = await inUse(await urlFor(from));
    const stop = charging(state, accountId);
    const saved = join(folder(), 'saved');
    const before = (await state.ledger.usage(accountId, PERIOD, 2)).spent;
    const contents = await makeBackup(at, saved);
    const after = (await state.ledger.usage(accountId, PERIOD, 2)).spent;
    expect(await stop()).toBeGreaterThanOrEqual(after);
    await state.close();
    for (const path of [saved, join(saved, 'secrets')]) expect(statSync(path).mode & 0o777).toBe(0o700);
    for (const name of ['state.sqlite', 'backup.json', 'secrets/token'])
      expect(statSync(join(saved, name)).mode & 0o077, name).toBe(0);

    const into = { home: join(folder(), 'new'), url: await urlFor(to) };
    expect(await restoreBackup(into, saved)).toEqual(contents);
    const restored = await openState(into.home, into.url);
    expect(await restored.account('someone@example.org')).toMatchObject({ id: accountId, plan: 'growth' });
    const tokens = createTokenService(keptSecret(into.home, 'token'), restored, Date);
    expect((await tokens.verify(token)).account.id).toBe(accountId);
    expect(await restored.idempotency.begin({ ...KEYED, accountId })).toEqual({ kind: 'replay', response: ANSWER });
    expect((await restored.audit.entries({ limit: 99 })).map(entry => entry.action)).toContain('token_issued');
    // Of one moment: the sums are those of the charges, between what was spent before and after.
    const usage = await restored.ledger.usage(accountId, PERIOD, 2);
    expect(usage.spent).toBeGreaterThanOrEqual(before);
    expect(usage.spent).toBeLessThanOrEqual(after);
    const file = new DatabaseSync(join(saved, 'state.sqlite'));
    const sums = file
      .prepare(`select sum(spent) spent, sum(case state when 'open' then reserved else 0 end) held from charges`)
      .get();
    file.close();
    expect({ spent: sums!.spent ?? 0, held: sums!.held ?? 0 }).toEqual({ spent: usage.spent, held: usage.held });
    // What waited waits; what ran has died with the server that it ran on.
    const live = await restored.jobs.jobs({ kind: 'count', limit: 9 });
    const open = live.filter(({ status }) => status === 'waiting' || status === 'running');
    expect(open.map(({ key, data }) => [key, data]).sort()).toEqual([
      ['runs', { key: 'runs' }],
      ['waits', { key: 'waits' }],
    ]);
    if (to === 'PostgreSQL' || from === 'PostgreSQL') {
      const claims = [(await restored.jobs.claim('count'))!, (await restored.jobs.claim('count'))!];
      const died = claims.filter(({ attempt, lastAttempt }) => attempt > lastAttempt);
      expect(died.map(({ key }) => key)).toEqual(['runs']);
    }
    expect((await restored.jobs.enqueue(job('waits'))).fresh).toBe(false);
    // It goes on being used, and its release answers.
    await charging(restored, accountId)();
    await restored.close();
    expect(await zoneIn(into.home)).toBe('PEM1');
  });
});

describe('a backup that must not be trusted', () => {
  it('is refused, and nothing is written over', async () => {
    const { state, accountId: _, token: __, ...at } = await inUse('');
    await state.close();
    const saved = join(folder(), 'saved');
    const { release } = await makeBackup(at, saved);
    await expect(makeBackup(at, saved)).rejects.toThrow(/is not empty/);
    await expect(makeBackup({ home: folder(), url: '' }, join(folder(), 'x'))).rejects.toThrow(
      /there is nothing to save/,
    );
    await expect(restoreBackup(at, saved)).rejects.toThrow(/state\.sqlite is there already/);
    const target = () => ({ home: join(folder(), 'new'), url: '' });

    const path = join(saved, 'state.sqlite');
    const good = readFileSync(path);
    const bad = Buffer.from(good);
    bad[5_000]! ^= 1;
    writeFileSync(path, bad);
    const empty = target();
    await expect(restoreBackup(empty, saved)).rejects.toThrow(/do not have the checksum/);
    expect(existsSync(empty.home)).toBe(false);
    writeFileSync(path, good);

    const manifest = readManifest(join(saved, 'releases'), release!);
    const [file] = manifest.datasets.usfws_nwi!.main!.partitions[0]!.files;
    const content = readFileSync(join(saved, 'releases', file!.path));
    writeFileSync(join(saved, 'releases', file!.path), content.subarray(1));
    const half = target();
    await expect(restoreBackup(half, saved)).rejects.toThrow(/is damaged/);
    // Nothing serves, and after the repair it goes on where it was.
    expect(existsSync(join(half.home, 'state.sqlite'))).toBe(false);
    expect(existsSync(join(half.home, 'releases', 'current'))).toBe(false);
    writeFileSync(join(saved, 'releases', file!.path), content);
    await restoreBackup(half, saved);
    expect(await zoneIn(half.home)).toBe('PEM1');
    rmSync(join(saved, 'backup.json'));
    await expect(restoreBackup(target(), saved)).rejects.toThrow(/there is no whole backup/);
  });

  it('of a release with a damaged file is not made', async () => {
    const { state, accountId: _, token: __, ...at } = await inUse('');
    await state.close();
    const current = readFileSync(join(at.home, 'releases', 'current'), 'utf8').trim();
    const manifest = readManifest(join(at.home, 'releases'), current);
    const [file] = manifest.datasets.usfws_nwi!.main!.partitions[0]!.files;
    writeFileSync(join(at.home, 'releases', file!.path), 'x');
    const saved = join(folder(), 'saved');
    await expect(makeBackup(at, saved)).rejects.toThrow(/is damaged: its bytes do not have the checksum of release/);
    expect(existsSync(join(saved, 'backup.json'))).toBe(false);
  });
});

it('what a state file holds is counted by table, those that others refer to first', async () => {
  const home = folder();
  await (await openState(home, '')).close();
  const file = new DatabaseSync(join(home, 'state.sqlite'));
  const names = Object.keys(countsOf(file));
  file.close();
  expect(names.indexOf('accounts')).toBeLessThan(names.indexOf('tokens'));
  expect(names).toEqual(expect.arrayContaining(['audit', 'charges', 'credit_usage', 'geocodes', 'idempotency']));
  expect(names.some(name => name.startsWith('kysely'))).toBe(false);
});
