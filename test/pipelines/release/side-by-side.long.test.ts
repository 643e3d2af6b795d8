import type { ChildProcess } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Place } from '../../../datasets/place/place.ts';
import { run } from '../../../pipelines/run.ts';
import { shareHome, takePlace, takeTurn } from '../../../query/release/home/lock.ts';
import { currentId, readManifest } from '../../../query/release/home/releases.ts';
import { publishedIn } from '../../../query/release/published.ts';
import { startIngest } from '../killing.ts';
import { SILENT } from '../silent.ts';
import { FILES, folder, village, writeFiles } from '../village.ts';

const folders: string[] = [];
const fresh = () => {
  folders.push(folder());
  return folders.at(-1)!;
};
afterAll(() => {
  for (const path of folders) rmSync(path, { recursive: true, force: true });
});

const beside: Place = { ...village, name: 'beside', title: 'Beside', county: '23009' };

function ended(child: ChildProcess): Promise<string> {
  let said = '';
  child.stderr!.on('data', chunk => {
    said += chunk;
  });
  return new Promise(resolve => child.once('exit', code => resolve(code === 0 ? 'done' : said)));
}

describe('two processes that ingest two places of one home', () => {
  it('run side by side, and the second publishes over what the first did', async () => {
    const [home, one, other] = [fresh(), fresh(), fresh()];
    const releases = join(home, 'releases');
    for (const [sources, place] of [
      [one, village],
      [other, beside],
    ] as const) {
      writeFiles(sources, FILES);
      writeFileSync(join(sources, 'place.json'), JSON.stringify(place));
    }
    // Both are made over no release at all: neither can publish before both have begun.
    shareHome(releases, 'a test').release();
    const publication = await takeTurn(releases, 'publish');
    const children = [one, other].map(sources => startIngest(home, sources, join(sources, 'place.json')));
    const ends = children.map(ended);
    const held = (place: string) => {
      try {
        takePlace(releases, place, 'a test').release();
        return false;
      } catch {
        return true;
      }
    };
    while (!(held('village') && held('beside'))) await new Promise(resolve => setTimeout(resolve, 50));
    publication.release();
    expect(await Promise.all(ends)).toEqual(['done', 'done']);
    const manifest = readManifest(releases, currentId(releases)!);
    const places = manifest.datasets.local_zoning!.main!.partitions.map(({ place }) => place);
    expect(places.sort()).toEqual(['beside', 'village']);
    expect(Object.keys(manifest.tiles!).sort()).toEqual([
      'wetlands/ME/beside',
      'wetlands/ME/village',
      'zoning/ME/23009',
      'zoning/ME/23019',
    ]);
    expect(manifest.previous).not.toBeNull();
    expect(publishedIn(releases)!.size).toBe(2);
    // The same as one after the other.
    const apart = fresh();
    for (const [sources, place] of [
      [one, village],
      [other, beside],
    ] as const)
      await run({ home: apart, sources, place, threads: 0, progress: SILENT });
    const after = readManifest(join(apart, 'releases'), currentId(join(apart, 'releases'))!);
    expect(manifest.tiles).toEqual(after.tiles);
    expect(Object.values(manifest.shards!).map(({ file }) => file.rows)).toEqual(
      Object.values(after.shards!).map(({ file }) => file.rows),
    );
  });
});
