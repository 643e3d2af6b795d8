import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Manifest } from '../../../datasets/release.ts';
import { pushRelease } from '../../../pipelines/release/push/push-release.ts';
import { filesOf } from '../../../query/release/home/store.ts';
import { openRelease } from '../../../query/release/open-release.ts';
import { FolderStore } from '../../../query/release/store/folder-store.ts';
import type { ObjectStore } from '../../../query/release/store/object-store.ts';
import { S3Store } from '../../../query/release/store/s3-store.ts';
import { manifestKey } from '../../../query/release/store/store-entry.ts';
import { type Fault, useS3Double } from '../../query/release/store/s3-double.ts';
import { entries } from '../../query/release/store/store-suite.ts';
import { publishedVillage } from './published-village.ts';

const work = mkdtempSync(join(tmpdir(), 'plat-push-'));
const LONG = process.env.PLAT_TEST === 'long';
/** Pushes that break off at most. */
const ROUNDS = LONG ? 12 : 4;
const always = () => true;
const double = useS3Double();
let made = 0;
let releases: string;
let manifest: Manifest;

const s3 = () => new S3Store(`s3://bucket/prefix-${made++}`);

beforeAll(async () => {
  const home = await publishedVillage(join(work, 'home'));
  releases = join(home, 'releases');
  ({ manifest } = openRelease(home));
});
afterAll(async () => {
  rmSync(work, { recursive: true, force: true });
});

const sha256Of = (bytes: Buffer | null) => bytes && createHash('sha256').update(bytes).digest('hex');

/** Everything of the release is in the store, as it was made. */
async function expectWhole(store: ObjectStore): Promise<void> {
  for (const { path, sha256 } of filesOf(manifest)) expect(sha256Of(await store.read(path)), path).toBe(sha256);
  const [entry] = await entries(store);
  expect(entry).toMatchObject({ number: 1, release: manifest.id, parent: null });
  expect(sha256Of(await store.read(manifestKey(entry!.manifestSha256)))).toBe(entry!.manifestSha256);
}

describe('a release', () => {
  it('is pushed whole once, and broken off anywhere goes on', async () => {
    const store = s3();
    double().faults.PUT.push(...Array.from({ length: 60 }, (_, i): Fault => (i < 20 ? 'late-reset' : 503)));
    await pushRelease(store, releases, manifest, always).catch(() => {});
    double().faults.PUT.length = 0;
    expect(await pushRelease(store, releases, manifest, always)).toMatchObject({ number: 1 });
    expect(await pushRelease(store, releases, manifest, always)).toEqual({ number: 1, files: 0, bytes: 0 });
    await expectWhole(store);
  });

  it('whose uploads fail at every byte of a list is never published before it is whole', async () => {
    const store = s3();
    let state = 33;
    const cut = () => {
      state = (state * 48_271) % 2_147_483_647;
      return { cut: state % 3000 } as const;
    };
    let failures = 0;
    for (let round = 0; round < ROUNDS; round++) {
      double().faults.PUT.push(...Array.from({ length: 40 }, cut));
      try {
        await pushRelease(store, releases, manifest, always);
        break;
      } catch {
        failures++;
        expect(await store.list('releases/')).toEqual([]);
      }
    }
    double().faults.PUT.length = 0;
    expect(failures).toBeGreaterThan(0);
    await pushRelease(store, releases, manifest, always);
    await expectWhole(store);
  }, 120_000);

  it('with a damaged file is not published', async () => {
    const file = filesOf(manifest).find(({ bytes }) => bytes > 0)!;
    const damaged = join(work, 'damaged');
    cpSync(releases, damaged, { recursive: true });
    const bytes = readFileSync(join(damaged, file.path));
    bytes[0]! ^= 1;
    writeFileSync(join(damaged, file.path), bytes);
    const store = new FolderStore(join(work, `store-${made++}`));
    await expect(pushRelease(store, damaged, manifest, always)).rejects.toThrow('is damaged');
    expect(await store.list('releases/')).toEqual([]);
  });

  it('is not published to a store that cannot keep publishers apart', async () => {
    double().conditional = false;
    const store = s3();
    await expect(pushRelease(store, releases, manifest, always)).rejects.toThrow('cannot keep publishers apart');
    expect([...double().objects.keys()].filter(key => key.startsWith(`prefix-${made - 1}/releases`))).toEqual([]);
  });

  it('has one key for its manifest however many homes made it at different times', async () => {
    const store = s3();
    await pushRelease(store, releases, manifest, always);
    const later = { ...manifest, createdAt: '2027-01-01T00:00:00.000Z' };
    expect(await pushRelease(store, releases, later, always)).toEqual({ number: 1, files: 0, bytes: 0 });
    await expectWhole(store);
  });
});
