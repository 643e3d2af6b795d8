import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Place } from '../../../datasets/place/place.ts';
import { runPlaces } from '../../../pipelines/run.ts';
import { currentId, readManifest } from '../../../query/release/home/releases.ts';
import { SILENT } from '../silent.ts';
import { feature, folder, square, village, writeFiles } from '../village.ts';
import { bytesOf, stored } from '../workers/counties.ts';

/** Counties of one state, side by side. */
const COUNTIES = 8;
/** Wetlands, and zones, of each. */
const FEATURES = 900;

const home = folder();
const root = folder();
const releases = join(home, 'releases');
afterAll(() => {
  for (const path of [home, root]) rmSync(path, { recursive: true, force: true });
});

const nameOf = (i: number) => `county-${i}`;
const places = Array.from(
  { length: COUNTIES },
  (_, i): Place => ({
    ...village,
    name: nameOf(i),
    county: `230${String(2 * i + 1).padStart(2, '0')}`,
    layers: village.layers.map(({ expect: _, ...layer }) => layer),
  }),
);

/** Writes the files of a county. @param edition what its texts end with. */
function publish(i: number, edition: string): void {
  const west = -69.5 + i * 0.2;
  const at = (n: number) => square(west + 0.006 * (n % 30), 44 + 0.006 * Math.floor(n / 30), 0.005);
  const each = (properties: (n: number) => Record<string, unknown>) =>
    Array.from({ length: FEATURES }, (_, n) => feature('Polygon', [at(n)], properties(n)));
  writeFiles(join(root, nameOf(i)), {
    'boundary.geojson': [feature('Polygon', [square(west, 44, 0.2)])],
    'wetlands.geojson': each(n => ({ code: n % 2 ? 'PEM1' : `P${(n * 7919 + i) % 997}${edition}` })),
    'zoning.geojson': each(n => ({ zone: `r-${(n * 7919 + i) % 991}${edition}` })),
  });
}

const ingest = (some: readonly Place[]) =>
  runPlaces({
    ...{ home, what: 'test', threads: 0, progress: SILENT },
    places: some.map(place => ({ place, sources: join(root, place.name) })),
  });

describe('a refresh of one county of many', () => {
  it('writes little more than what the county holds', async () => {
    for (const i of places.keys()) publish(i, '');
    await ingest(places);
    const before = stored(releases);
    publish(3, 'x');
    const { changed, failures } = await ingest([places[3]!]);
    expect({ changed, failures }).toEqual({ changed: true, failures: [] });
    const written = [...stored(releases)].reduce((sum, [path, bytes]) => sum + (before.has(path) ? 0 : bytes), 0);
    const own = bytesOf(readManifest(releases, currentId(releases)!), places[3]!);
    expect(own).toBeGreaterThan(100_000);
    expect(written / own).toBeLessThanOrEqual(1.2);
  });
});
