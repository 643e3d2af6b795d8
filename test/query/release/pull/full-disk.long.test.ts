import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { currentId } from '../../../../query/release/home/releases.ts';
import { filesOf } from '../../../../query/release/home/store.ts';
import { openRelease } from '../../../../query/release/open-release.ts';
import { Puller } from '../../../../query/release/pull/puller.ts';
import { storageProblem } from '../../../../query/release/storage.ts';
import { FolderStore } from '../../../../query/release/store/folder-store.ts';
import { publishedVillage } from '../../../pipelines/push/published-village.ts';
import { expectPulled, partials, pushed } from './pulled-home.ts';
import { SmallDisk } from './small-disk.ts';

const work = mkdtempSync(join(tmpdir(), 'plat-full-disk-'));
const { signal } = new AbortController();
/** A pull begins only where 256 MiB stay free after it. */
const DISK_BYTES = 320 << 20;
/** From no room at all to room for all files, and a little more, in which the manifest may not fit. */
const STEPS = 16;

describe('a disk', { tags: ['tmpfs'] }, () => {
  let disk: SmallDisk;
  let publisher: string;
  beforeAll(async () => {
    publisher = await publishedVillage(join(work, 'publisher'));
    disk = new SmallDisk(join(work, 'disk'), DISK_BYTES);
  });
  afterAll(() => {
    disk?.remove();
    rmSync(work, { recursive: true, force: true });
  });

  it('that gets full in a pull, after however many bytes, keeps the release before, and takes the next one when it has room', async () => {
    const store = new FolderStore(join(work, 'store'));
    const first = await pushed(store, publisher);
    const had = new Set(filesOf(openRelease(publisher).manifest).map(({ path }) => path));
    const homes = Array.from({ length: STEPS + 1 }, (_, step) => join(work, 'disk', `home-${step}`));
    for (const home of homes) await new Puller(store, home, { rate: 0, keep: 1 }).poll(signal);
    await publishedVillage(publisher, 3_000);
    const second = await pushed(store, publisher);
    const lacked = filesOf(openRelease(publisher).manifest).filter(({ path }) => !had.has(path));
    const bytes = lacked.reduce((sum, file) => sum + file.bytes, 0);
    let full = 0;
    for (const [step, home] of homes.entries()) {
      const late = new FolderStore(store.name);
      const open = late.open.bind(late);
      late.open = (key, from, signal) => {
        // When it was found that all fits, and the first file comes.
        if (lacked.some(({ path, role }) => path === key && role !== 'shard')) {
          disk.leave((bytes * 1.25 * step) / STEPS);
          late.open = open;
        }
        return open(key, from, signal);
      };
      const replica = new Puller(late, home, { rate: 0, keep: 1 });
      const failure = await replica.poll(signal).then(
        () => null,
        error => error as Error,
      );
      if (failure) {
        full++;
        expect(storageProblem(failure, home), failure.message).toContain('the disk is full');
        expect(currentId(join(home, 'releases'))).toBe(first);
        expectPulled(home, first);
        expect(openRelease(home).id).toBe(first);
      } else expectPulled(home, second);
      disk.free();
      await replica.poll(signal);
      expectPulled(home, second);
      expect(partials(home)).toEqual([]);
      rmSync(home, { recursive: true });
    }
    console.log(`${full} of ${homes.length} pulls of ${bytes} bytes found the disk full`);
    expect(full).toBeGreaterThan(STEPS / 2);
    expect(full).toBeLessThanOrEqual(STEPS);
  }, 120_000);
});
