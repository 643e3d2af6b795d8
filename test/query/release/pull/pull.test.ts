import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claim } from '../../../../pipelines/release/push/claim.ts';
import { pushPlaces } from '../../../../pipelines/release/push/push-places.ts';
import { LockedError, takeLock } from '../../../../query/release/home/lock.ts';
import { placeStates, placeStatesPath } from '../../../../query/release/home/place-states.ts';
import { currentId, readManifest } from '../../../../query/release/home/releases.ts';
import { filesOf } from '../../../../query/release/home/store.ts';
import { inlined } from '../../../../query/release/lists/sharded-manifest.ts';
import { manifestText } from '../../../../query/release/manifest.ts';
import { openRelease } from '../../../../query/release/open-release.ts';
import { Bandwidth } from '../../../../query/release/pull/bandwidth.ts';
import { Puller, requireReplicaHome } from '../../../../query/release/pull/puller.ts';
import { FolderStore } from '../../../../query/release/store/folder-store.ts';
import type { ObjectStore } from '../../../../query/release/store/object-store.ts';
import { S3Store } from '../../../../query/release/store/s3-store.ts';
import { manifestKey } from '../../../../query/release/store/store-entry.ts';
import { StoreProblem } from '../../../../query/release/store/store-problem.ts';
import { publishedVillage } from '../../../pipelines/push/published-village.ts';
import { type Fault, useS3Double } from '../store/s3-double.ts';
import { expectPulled, partials, pushed } from './pulled-home.ts';

const work = mkdtempSync(join(tmpdir(), 'plat-pull-'));
const double = useS3Double();
const { signal } = new AbortController();
let count = 0;
/** Homes with the first release, and with the next one after it. */
let first: string;
let second: string;

beforeAll(async () => {
  first = await publishedVillage(join(work, 'first'));
  second = join(work, 'second');
  cpSync(first, second, { recursive: true });
  await publishedVillage(second, 50);
});
afterAll(() => rmSync(work, { recursive: true, force: true }));

const newHome = () => join(work, `home-${count++}`);
const s3 = () => new S3Store(`s3://bucket/pull-${count++}`);
const folder = () => new FolderStore(join(work, `store-${count++}`));
const puller = (store: ObjectStore, home: string, keep = 0) => new Puller(store, home, { rate: 0, keep });
const idOf = (home: string) => openRelease(home).id;

describe.each([
  ['a bucket', s3],
  ['a folder', folder],
] as const)('a replica of %s', (_, open) => {
  it('shows operators how the places of the publisher stood at the last push', async () => {
    const [store, home] = [open(), newHome()];
    const state = { askedAt: '2026-11-28T06:00:00Z', newAt: null, failedSince: '2026-11-28T06:00:00Z', why: 'gone' };
    await puller(store, home).poll(signal);
    expect(placeStates(home)).toEqual({});
    for (const places of [{}, { village: { ...state, files: { 'zoning.geojson': state } } }]) {
      writeFileSync(placeStatesPath(first), JSON.stringify(places));
      await pushPlaces(store, first, join(first, 'releases'));
      await puller(store, home).poll(signal);
      expect(placeStates(home)).toEqual(places);
    }
    writeFileSync(placeStatesPath(first), 'no states');
    await pushPlaces(store, first, join(first, 'releases'));
    rmSync(placeStatesPath(first));
    await puller(store, home).poll(signal);
    expect(placeStates(home).village).toMatchObject(state);
  });

  it('has the last release whole, and of the next one takes what it lacks', async () => {
    const [store, home] = [open(), newHome()];
    const replica = puller(store, home);
    await replica.poll(signal);
    expect(replica.number).toBe(0);
    await pushed(store, first);
    await replica.poll(signal);
    expectPulled(home, idOf(first));
    expect([replica.number, partials(home)]).toEqual([1, []]);
    const { bytes } = replica;
    await replica.poll(signal);
    expect(replica.bytes).toBe(bytes);
    await pushed(store, second);
    const again = puller(store, home);
    await again.poll(signal);
    expectPulled(home, idOf(second));
    const before = new Set(filesOf(openRelease(first).manifest).map(({ path }) => path));
    const lacked = filesOf(openRelease(second).manifest).filter(({ path }) => !before.has(path));
    expect(again.bytes).toBe(lacked.reduce((sum, file) => sum + file.bytes, 0));
    // A release that is pushed again, after a rollback, is taken as the next.
    await claim(store, { release: idOf(first), manifestSha256: shaOf(first) }, () => true);
    await again.poll(signal);
    expectPulled(home, idOf(first));
    expect([again.number, again.bytes]).toEqual([3, again.bytes]);
  });
});

const shaOf = (home: string) =>
  createHash('sha256')
    .update(manifestText(openRelease(home).manifest))
    .digest('hex');

describe('a pull', () => {
  it('that is cut at every step of a seeded list goes on, and publishes nothing before it is whole', async () => {
    const [store, home] = [s3(), newHome()];
    let state = 33;
    const next = (most: number) => {
      state = (state * 48_271) % 2_147_483_647;
      return state % most;
    };
    const kinds: readonly Fault[] = ['short', 'reset', 'wrong', 503, 'short', 'reset'];
    let failures = 0;
    let before: string | null = null;
    for (const from of [first, second]) {
      await pushed(store, from);
      for (let round = 0; round < 10; round++) {
        // Nearly every answer about a file, and now and then one about a number, a manifest or a list.
        double().before = request => {
          if (/^GET \S+\/files\//.test(request) ? next(10) > 0 : next(4) === 0)
            double().faults.GET.push(kinds[next(kinds.length)]!);
          if (request.startsWith('LIST') && next(2) === 0) double().faults.LIST.push('stale');
        };
        // Each is another process: nothing is remembered but what is on the disk.
        await puller(store, home)
          .poll(signal)
          .catch(() => failures++);
        double().before = () => {};
        for (const faults of Object.values(double().faults)) faults.length = 0;
        const current = currentId(join(home, 'releases'));
        if (current !== before) break;
        if (before !== null) expectPulled(home, before);
      }
      await puller(store, home).poll(signal);
      expectPulled(home, idOf(from));
      before = idOf(from);
    }
    expect(failures).toBeGreaterThan(0);
    const ranges = double().requests.filter(
      request => request.includes(store.name.slice(12)) && request.includes(' bytes='),
    );
    expect(ranges.length).toBeGreaterThan(0);
  }, 60_000);

  it('of a damaged file or manifest publishes nothing, and goes through when it is mended', async () => {
    for (const key of [
      filesOf(openRelease(first).manifest).find(({ bytes }) => bytes > 0)!.path,
      manifestKey(shaOf(first)),
    ]) {
      const [store, home] = [folder(), newHome()];
      await pushed(store, first);
      const path = join(store.name, key);
      const bytes = readFileSync(path);
      writeFileSync(path, Buffer.concat([Buffer.from([bytes[0]! ^ 1]), bytes.subarray(1)]));
      const replica = puller(store, home);
      await expect(replica.poll(signal)).rejects.toThrow(/is damaged in the store/);
      expect([currentId(join(home, 'releases')), replica.number]).toEqual([null, 0]);
      // Longer, and gone.
      writeFileSync(path, Buffer.concat([bytes, bytes]));
      await expect(replica.poll(signal)).rejects.toThrow(StoreProblem);
      rmSync(path);
      await expect(puller(store, home).poll(signal)).rejects.toThrow('the store lacks');
      writeFileSync(path, bytes);
      // What failed is not tried at every poll.
      await expect(replica.poll(signal)).rejects.toThrow(StoreProblem);
      await puller(store, home).poll(signal);
      expectPulled(home, idOf(first));
    }
  });

  it('of a release that does not fit on the disk leaves the one before, until one fits', async () => {
    const [store, home] = [folder(), newHome()];
    await pushed(store, first);
    const replica = puller(store, home);
    await replica.poll(signal);
    // All in one text, so that the size of one file can be changed there.
    const manifest = inlined(openRelease(second).manifest);
    const text = manifestText(manifest);
    const file = filesOf(manifest).find(
      ({ path }) => !filesOf(openRelease(first).manifest).some(f => f.path === path),
    )!;
    const huge = JSON.parse(
      text.slice(0, text.lastIndexOf(',"sha256"')).replaceAll(`"bytes":${file.bytes},`, '"bytes":900719925474099,') +
        '}',
    ) as typeof manifest;
    const bytes = Buffer.from(manifestText(huge));
    const manifestSha256 = createHash('sha256').update(bytes).digest('hex');
    await store.create(manifestKey(manifestSha256), bytes);
    await claim(store, { release: manifest.id, manifestSha256 }, () => true);
    await expect(replica.poll(signal)).rejects.toThrow(/^release \S+ does not fit on the disk: it takes \d+ MiB more/);
    expectPulled(home, idOf(first));
    expect(replica.number).toBe(1);
    await claim(store, { release: idOf(first), manifestSha256: shaOf(first) }, () => true);
    await replica.poll(signal);
    expect(replica.number).toBe(3);
  });

  it('leaves a home alone that has releases of its own', async () => {
    const [store, home] = [folder(), newHome()];
    await pushed(store, first);
    cpSync(second, home, { recursive: true });
    const releases = join(home, 'releases');
    await expect(puller(store, home).poll(signal)).rejects.toThrow(/has releases that the store never had/);
    await expect(requireReplicaHome(releases, async () => store)).rejects.toThrow(idOf(second));
    expect(currentId(releases)).toBe(idOf(second));
    // When they are pushed they are the store's.
    await pushed(store, second);
    await puller(store, home).poll(signal);
    await requireReplicaHome(releases, () => Promise.reject(new Error('nothing is left to be asked')));
    expectPulled(home, idOf(second));
  });

  it('waits for who changes the home, and says when a store was emptied', async () => {
    const [store, home] = [folder(), newHome()];
    await pushed(store, first);
    const replica = puller(store, home);
    const lock = takeLock(join(home, 'releases'), 'a test');
    await expect(replica.poll(signal)).rejects.toThrow(LockedError);
    lock.release();
    await replica.poll(signal);
    rmSync(join(store.name, 'releases'), { recursive: true });
    await expect(replica.poll(signal)).rejects.toThrow('has no number 1 any more');
    expectPulled(home, idOf(first));
  });

  it('mends what it finds damaged in its home, and takes no file of a foreign kind', async () => {
    const [store, home] = [folder(), newHome()];
    await pushed(store, first);
    await puller(store, home).poll(signal);
    const releases = join(home, 'releases');
    const file = filesOf(readManifest(releases, idOf(first))).find(({ bytes }) => bytes > 0)!;
    writeFileSync(join(releases, file.path), Buffer.alloc(file.bytes, 'x'));
    writeFileSync(join(releases, `${idOf(first)}.json`), '{');
    rmSync(join(releases, 'pulled.json'));
    await puller(store, home).poll(signal);
    expectPulled(home, idOf(first));
    const strange = { ...openRelease(first).manifest, tiles: { parcels: { file: { ...file, path: '../../x' } } } };
    const bytes = Buffer.from(manifestText(strange as never));
    const manifestSha256 = createHash('sha256').update(bytes).digest('hex');
    await store.create(manifestKey(manifestSha256), bytes);
    await claim(store, { release: idOf(second), manifestSha256 }, () => true);
    await expect(puller(store, home).poll(signal)).rejects.toThrow('cannot be served by this build');
  });
});

describe('earlier releases of a replica', () => {
  it('stay for an hour, and longer as many as are wanted', async () => {
    const [store, home] = [folder(), newHome()];
    const releases = join(home, 'releases');
    for (const from of [first, second]) {
      await pushed(store, from);
      await puller(store, home).poll(signal);
    }
    const ids = () =>
      readdirSync(releases)
        .filter(name => /^\d{8}-/.test(name))
        .sort();
    expect(ids()).toHaveLength(2);
    const anHourAgo = readFileSync(join(releases, 'published'), 'utf8').replaceAll(
      / \S+$/gm,
      ' 2026-01-01T00:00:00.000Z',
    );
    writeFileSync(join(releases, 'published'), anHourAgo);
    await puller(store, home, 1).poll(signal);
    expect(ids()).toHaveLength(2);
    // A server that answers from it.
    mkdirSync(join(releases, 'serving'), { recursive: true });
    const lease = join(releases, 'serving', 'a.json');
    writeFileSync(lease, JSON.stringify({ host: 'another', pid: 1, releases: [idOf(first)] }));
    await puller(store, home).poll(signal);
    expect(ids()).toHaveLength(2);
    rmSync(lease);
    await puller(store, home).poll(signal);
    expect(ids()).toEqual([`${idOf(second)}.json`]);
    expectPulled(home, idOf(second));
  });
});

it('downloads together take the time that their limit gives them', async () => {
  const bandwidth = new Bandwidth(1);
  const at = performance.now();
  await Promise.all(Array.from({ length: 4 }, () => bandwidth.take(10_000, signal)));
  // A lower bound: four times 10 ms, the last wait begun at once.
  expect(performance.now() - at).toBeGreaterThanOrEqual(38);
});
