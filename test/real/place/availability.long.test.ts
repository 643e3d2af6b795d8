import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Place } from '../../../datasets/place/place.ts';
import { places } from '../../../datasets/places.ts';
import { isParcelLayer } from '../../../pipelines/release/parcel-layer.ts';
import { run } from '../../../pipelines/run.ts';
import { currentId, openReleaseById, type Release } from '../../../query/release/open-release.ts';
import { differences, parcelPoints } from '../../agreement/availability.ts';
import { SILENT } from '../../pipelines/silent.ts';
import { MISSING, present, SOURCES } from '../bangor.ts';

if (!present) console.warn(MISSING);

const REAL = [...places.values()].filter(({ synthetic }) => !synthetic);
const POINTS = 200;

/** Points all over the boxes of what a place has of its own county: some lie beside it. */
function latticeOf(release: Release, { name, county }: Place) {
  const boxes = Object.values(release.manifest.datasets)
    .flatMap(layers => Object.values(layers))
    .flatMap(({ partitions }) => partitions)
    .filter(({ place, key, box }) => place === name && box && key.endsWith(county ?? ''))
    .map(({ box }) => box!);
  const [w, s] = [Math.min(...boxes.map(b => b[0])), Math.min(...boxes.map(b => b[1]))];
  const [e, n] = [Math.max(...boxes.map(b => b[2])), Math.max(...boxes.map(b => b[3]))];
  const [columns, rows] = [20, POINTS / 20];
  return Array.from({ length: POINTS }, (_, i) => ({
    lng: w + (((i % columns) + 0.5) / columns) * (e - w),
    lat: s + ((Math.floor(i / columns) + 0.5) / rows) * (n - s),
  }));
}

describe('every real place, in one release', { tags: ['published-files'] }, () => {
  const home = mkdtempSync(join(tmpdir(), 'plat-available-'));
  let release: Release;
  beforeAll(async () => {
    for (const place of REAL) await run({ home, sources: SOURCES, place, threads: 2, progress: SILENT });
    release = openReleaseById(home, currentId(home)!);
  }, 3_600_000);
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it.each(REAL)(
    'is answered what the release is said to answer, at 200 points of $name',
    { timeout: 3_600_000 },
    async place => {
      const points = place.layers.some(isParcelLayer)
        ? await parcelPoints(release, POINTS, place.state)
        : latticeOf(release, place);
      for (const county of [null, place.county ?? null]) {
        const { found, lacking } = await differences(release, points, county);
        expect(found).toEqual([]);
        expect(lacking).toBeGreaterThan(0);
      }
    },
  );
});
