import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { verify } from '../../pipelines/release/verify.ts';
import { currentId, readManifest, releaseIds } from '../../query/release/home/releases.ts';
import { beforeKill, ended, killAt, seededDelays, startIngest } from './killing.ts';

describe('an ingest in a process of its own', () => {
  it('killed at a few moments leaves the last release serving and the next run clean', async () => {
    expect(await killAt(seededDelays(20_261_120, 4))).toBeGreaterThan(0);
  });

  it('runs beside another one without collision: each ends well or says who holds the lock', async () => {
    const { home, sources, place } = await beforeKill();
    const releases = join(home, 'releases');
    try {
      const ends = await Promise.all([1, 2, 3].map(() => ended(startIngest(home, sources, place))));
      expect(ends.filter(e => e.code === 0).length).toBeGreaterThan(0);
      for (const { code, err } of ends)
        if (code !== 0) expect([code, err]).toEqual([1, expect.stringContaining('is being changed by process')]);
      expect(releaseIds(releases)).toHaveLength(2);
      expect((await verify(releases, readManifest(releases, currentId(releases)!))).damage).toEqual([]);
    } finally {
      for (const path of [home, sources]) rmSync(path, { recursive: true, force: true });
    }
  });
});
