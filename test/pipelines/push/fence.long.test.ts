import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claim } from '../../../pipelines/release/push/claim.ts';
import { connected } from '../../../pipelines/release/push/database.ts';
import { releaseRows } from '../../../pipelines/release/push/release-rows.ts';
import { openRelease } from '../../../query/release/open-release.ts';
import { S3Store } from '../../../query/release/store/s3-store.ts';
import { entryAt } from '../../../query/release/store/store-entry.ts';
import { PLAT } from '../../plat.ts';
import { useS3Double } from '../../query/release/store/s3-double.ts';
import { entries, idOf, SHA } from '../../query/release/store/store-suite.ts';
import { type Cluster, startPostgres } from '../../server/state/postgres.ts';
import { ended } from '../killing.ts';
import { publishedVillage } from './published-village.ts';

const work = mkdtempSync(join(tmpdir(), 'plat-fence-'));
const always = () => true;
const double = useS3Double();
let cluster: Cluster;
let url: string;
let made = 0;
const address = () => `s3://bucket/fence-${made++}`;

const push = (home: string, store: string): ChildProcess =>
  spawn(PLAT, ['release', 'push', '--store', store, '--queue', url], {
    env: { ...process.env, PLAT_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

const rowsOf = async (store: string) => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    'select n, release, parent from plat_ingest.release where store = $1 order by n',
    [store],
  );
  await client.end();
  return rows as { n: number; release: string; parent: number }[];
};

describe('numbers that are rows of a database first', { tags: ['PostgreSQL'] }, () => {
  beforeAll(async () => {
    cluster = await startPostgres();
    url = await cluster.database();
  });
  afterAll(async () => {
    await cluster.stop();
    rmSync(work, { recursive: true, force: true });
  });

  it('have no gap and no fork where eight publishers race', async () => {
    const store = new S3Store(address());
    const publisher = async (of: number) => {
      const client = await connected(url);
      const fence = await releaseRows(client, store.name);
      for (let i = 0; i < 4; i++)
        await claim(store, { release: idOf(of * 100 + i), manifestSha256: SHA }, always, fence);
      await client.end();
    };
    await Promise.all(Array.from({ length: 8 }, (_, of) => publisher(of)));
    const all = await entries(store);
    expect(all.map(({ parent }) => parent)).toEqual([null, ...all.slice(0, -1).map(({ release }) => release)]);
    const rows = await rowsOf(store.name);
    expect(rows.map(({ n, parent }) => [n, parent])).toEqual(Array.from({ length: 32 }, (_, i) => [i + 1, i]));
    expect(rows.map(({ release }) => release)).toEqual(all.map(({ release }) => release));
  }, 60_000);

  it('go on after those that a store has without rows', async () => {
    const store = new S3Store(address());
    await claim(store, { release: idOf(1), manifestSha256: SHA }, always);
    const client = await connected(url);
    const fence = await releaseRows(client, store.name);
    const second = await claim(store, { release: idOf(2), manifestSha256: SHA }, always, fence);
    expect(second).toMatchObject({ number: 2, parent: idOf(1) });
    await claim(store, { release: idOf(3), manifestSha256: SHA }, always);
    const theirs = claim(store, { release: idOf(4), manifestSha256: SHA }, id => id === idOf(2), fence);
    await expect(theirs).rejects.toThrow('is not of this home');
    await client.end();
  });

  it('that disagree with the store are an error', async () => {
    const store = new S3Store(address());
    const client = await connected(url);
    const fence = await releaseRows(client, store.name);
    await fence.take({ number: 1, release: idOf(1), manifestSha256: SHA, parent: null });
    await claim(store, { release: idOf(2), manifestSha256: SHA }, always);
    const theirs = claim(store, { release: idOf(3), manifestSha256: SHA }, always, fence);
    await expect(theirs).rejects.toThrow('somebody pushed without --queue');
    await client.end();
  });

  it('survive a publisher that is killed between manifest, row and object', async () => {
    const home = await publishedVillage(join(work, 'home'));
    const next = await publishedVillage(home, 50);
    const { manifest } = openRelease(next);
    const store = new S3Store(address());
    /** Kills a push (signal 9) when it asks for this, before the store does it. */
    const killedAt = async (what: RegExp) => {
      const child = push(home, store.name);
      double().before = request => {
        if (!what.test(request)) return;
        double().gone = true;
        child.kill('SIGKILL');
      };
      const { code, err } = await ended(child);
      [double().before, double().gone] = [() => {}, false];
      expect(code, err).toBeNull();
    };
    await killedAt(/^PUT .*\/manifests\//);
    expect(await rowsOf(store.name)).toEqual([]);
    await killedAt(/^LIST .*/);
    expect([await rowsOf(store.name), await store.list('releases/')]).toEqual([[], []]);
    await killedAt(/^PUT .*\/releases\//);
    expect(await rowsOf(store.name)).toMatchObject([{ n: 1, release: manifest.id }]);
    expect(await store.list('releases/')).toEqual([]);
    // Another publisher ends what that one began.
    const client = await connected(url);
    const fence = await releaseRows(client, store.name);
    const other = await claim(store, { release: idOf(9), manifestSha256: SHA }, id => id === manifest.id, fence);
    expect(other).toMatchObject({ number: 2, parent: manifest.id });
    expect(await entryAt(store, 1)).toMatchObject({ release: manifest.id });
    await client.end();
    const { code, err } = await ended(push(home, store.name));
    expect(code, err).toBe(1);
    expect(err).toContain(`its last release ${idOf(9)} is not of this home`);
  }, 60_000);
});
