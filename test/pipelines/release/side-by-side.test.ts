import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { shareHome, takeLock, takePlace } from '../../../query/release/home/lock.ts';
import { folder } from '../village.ts';

const home = folder();
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe('two processes that ingest two places of one home', () => {
  it('are refused one place twice, and a home that somebody has alone', () => {
    const releases = join(home, 'releases');
    const [shared, place] = [shareHome(releases, 'one'), takePlace(releases, 'village', 'one')];
    expect(() => takePlace(releases, 'village', 'two')).toThrow(/village is being changed by process \d+ \(one/);
    takePlace(releases, 'beside', 'two').release();
    expect(() => takeLock(releases, 'prune')).toThrow('is being changed by process');
    shareHome(releases, 'two').release();
    place.release();
    shared.release();
    takeLock(releases, 'prune').release();
  });
});
