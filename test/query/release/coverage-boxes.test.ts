import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Box } from '../../../datasets/geometry.ts';
import type { LayerVersion, Manifest, Partition, ReleaseFile } from '../../../datasets/release.ts';
import { createFlatGeobuf } from '../../../ingest/writers/flatgeobuf.ts';
import { layerOf, listsFrom } from '../../../pipelines/release/lists.ts';
import { distance } from '../../../query/geometry/geodesic.ts';
import { createCache } from '../../../query/release/cache.ts';
import { Coverage } from '../../../query/release/coverage.ts';
import { Layers } from '../../../query/release/layers.ts';
import { PartitionSet } from '../../../query/release/lists/partition-set.ts';
import { type Release, releaseOf } from '../../../query/release/open-release.ts';
import { partitionsHolding, partitionsMeeting, partitionsNear } from '../../../query/release/partitions-about.ts';

const home = mkdtempSync(join(tmpdir(), 'plat-coverage-boxes-'));
const folder = join(home, 'releases', 'files', '00');
afterAll(() => rmSync(home, { recursive: true, force: true }));

type Ring = readonly number[];

const square = ([west, south, east, north]: Box): Ring => [
  west,
  south,
  east,
  south,
  east,
  north,
  west,
  north,
  west,
  south,
];

/** One file of polygons, each an outer ring and its holes; its box is left out where a release of an earlier build has none. */
async function coverageFile(polygons: readonly (readonly Ring[])[], boxed: boolean): Promise<ReleaseFile> {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'coverage.part');
  const writer = await createFlatGeobuf(path, {
    name: 'coverage',
    columns: {},
    geometryType: 'polygon',
    order: 'input',
    durable: false,
  });
  for (const rings of polygons) {
    let end = 0;
    const ends = Uint32Array.from(rings, ring => {
      end += ring.length / 2;
      return end;
    });
    const xy = Float64Array.from(rings.flat());
    writer.write({ geometry: { type: 'Polygon', xy, ends, parts: Uint32Array.of(rings.length) }, properties: {} });
  }
  const { box } = await writer.finish();
  const bytes = readFileSync(path);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  renameSync(path, join(folder, `${sha256}.fgb`));
  const file = { role: 'coverage', path: `files/00/${sha256}.fgb`, sha256, bytes: bytes.length, rows: 1 } as const;
  return boxed ? { ...file, box: box! } : file;
}

const partitionOf = (
  place: string,
  i: number,
  box: Box | null,
  coverage: Partition['coverage'],
  files: readonly ReleaseFile[] = [],
): Partition => ({
  key: `XX/${String(i).padStart(5, '0')}`,
  place,
  rows: 1,
  box,
  files,
  coverage,
  provenance: {
    source: 'test',
    title: 'Test',
    publisher: 'Test',
    url: null,
    licence: 'CC0-1.0',
    vintage: '2026',
    note: null,
    retrievedAt: '2026-01-01T00:00:00Z',
    synthetic: true,
  },
  unpublished: [],
});

/** Grounds about the meridian of 180, the poles and each other: side by side, one in the other's hole, overlapping, far away. */
const GROUNDS: readonly (readonly (readonly Ring[])[])[] = [
  [[square([-70, 40, -68, 42]), square([-69.5, 40.5, -68.5, 41.5])]],
  [[square([-69.5, 40.5, -68.5, 41.5])]],
  [[square([-68, 40, -66, 42])]],
  [[square([-69, 41, -67, 43])]],
  [[[-72, 44, -70, 44, -70, 46, -71, 45, -72, 44]]],
  [[square([178, 50, 180, 52])], [square([-180, 50, -178, 52])]],
  [[square([-180, 51, -179, 53])]],
  [[square([179, -10, 180, 10])]],
  [[square([-180, 80, 180, 90])]],
  [[square([-180, -90, 180, -85])]],
  [[square([-180, -5, 180, 5])]],
  [[square([-10, 60, 10, 70])], [square([30, 60, 50, 70])]],
];

/** A layer of the same partitions in lists, each place's in one. */
const listed = (partitions: readonly Partition[]): LayerVersion =>
  layerOf(
    [],
    listsFrom({
      version: '',
      columns: [],
      partitions: partitions.map(p => ({ ...p, key: `${p.place.at(-1)}${p.key}` })),
    }),
  );

let release: Release;
/** A release whose manifest says every box, none, or those of every other file. */
beforeAll(async () => {
  const datasets: Record<string, Record<string, LayerVersion>> = { d: {} };
  for (const [name, says] of [
    ['boxed', () => true],
    ['unboxed', () => false],
    ['mixed', (i: number) => i % 2 === 0],
  ] as const) {
    const partitions: Partition[] = [];
    for (const [i, polygons] of GROUNDS.entries()) {
      const file = await coverageFile(polygons, says(i));
      // Some places have several partitions; some of these share their coverage.
      partitions.push(partitionOf(`place ${i % 9}`, i, null, 'polygon', [file]));
      if (i % 4 === 0) partitions.push(partitionOf(`place ${i % 9}`, 100 + i, null, 'polygon', [file]));
    }
    datasets.d![name] = { version: name, columns: [], partitions };
    const others: Partition[] = [
      partitionOf('national', 200, [-180, -90, 180, 90], 'everywhere'),
      partitionOf('boxed', 201, [-71, 39, -69, 41], 'extent'),
      partitionOf('boxed at 180', 202, [170, 49, 180, 51], 'extent'),
      partitionOf('without rows', 203, null, 'extent'),
    ];
    datasets.d![`${name}, and others`] = { version: `${name}+`, columns: [], partitions: [...partitions, ...others] };
    datasets.d![`${name}, in lists`] = listed(partitions);
    datasets.d![`${name}, and others, in lists`] = listed([...partitions, ...others]);
  }
  const everywhere = [partitionOf('national', 0, [-180, -90, 180, 90], 'everywhere')];
  datasets.d!.everywhere = { version: 'everywhere', columns: [], partitions: everywhere };
  const manifest: Manifest = {
    format: 1,
    id: 'r1',
    createdAt: '',
    asOf: '2026-01-01',
    previous: null,
    datasets,
    ingests: [],
  };
  release = releaseOf(home, manifest);
});

const layers = () => Object.keys(release.manifest.datasets.d!);

/** Coordinates where something happens, and any others. */
const degrees = (most: number, ...telling: readonly number[]) =>
  fc.oneof(
    fc.constantFrom(-most, most, 0, ...telling),
    fc.double({ min: -most, max: most, noNaN: true }),
    fc.tuple(fc.constantFrom(...telling), fc.double({ min: -1, max: 1, noNaN: true })).map(([at, by]) => at + by),
  );
const LNGS = [-179, -178, 178, 179, -72, -71, -70, -69.5, -69, -68.5, -68, -67, -66, -10, 10, 30, 50];
const LATS = [-85, -10, -5, 5, 10, 40, 40.5, 41, 41.5, 42, 43, 44, 45, 46, 50, 51, 52, 53, 60, 70, 80];
const point = fc
  .tuple(degrees(180, ...LNGS), degrees(90, ...LATS))
  .map(([x, y]): [number, number] => [Math.max(-180, Math.min(180, x)), Math.max(-90, Math.min(90, y))]);
const box = fc
  .tuple(point, point)
  .map(([[a, b], [c, d]]): Box => [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)]);

const meets = (a: Box, b: Box) => a[0] <= b[2] && a[2] >= b[0] && a[1] <= b[3] && a[3] >= b[1];

describe('the partitions of a layer', () => {
  /** What going through all coverages finds. */
  async function plain(layer: string, lng: number, lat: number) {
    const cache = createCache(16);
    const opened = new Layers(release, cache);
    const { partitions } = release.layer('d', layer)!;
    const bounded = partitions.filter(p => p.coverage !== 'everywhere');
    const places = new Set<string>();
    for (const partition of bounded)
      if (partition.coverage === 'polygon') {
        const features = await opened.features(partition, 'coverage');
        if (features.containing(lng, lat).length) places.add(partition.place);
      } else if (partition.box && meets(partition.box, [lng, lat, lng, lat])) places.add(partition.place);
    // Its files too: other tests run in this process.
    cache.clear();
    const counting = places.size ? bounded : partitions.filter(p => p.coverage === 'everywhere');
    return { covering: counting.filter(p => places.size === 0 || places.has(p.place)), searched: counting };
  }

  it('at a point are those that going through all coverages finds', async () => {
    const cache = createCache(64);
    await fc.assert(
      fc.asyncProperty(fc.array(point, { minLength: 1, maxLength: 4 }), async points => {
        for (const layer of layers())
          for (const at of points) {
            const expected = await plain(layer, ...at);
            const { covering, searched } = await new Layers(release, cache).at('d', layer, ...at);
            expect(covering, `${layer} at ${at}`).toEqual(expected.covering);
            expect(searched.all, `${layer} at ${at}`).toEqual(expected.searched);
          }
      }),
      { seed: 34, numRuns: 60 },
    );
    cache.clear();
  });

  it('about a box are those whose coverage has a box that meets it, on either side of 180', async () => {
    const cache = createCache(64);
    const opened = new Layers(release, cache);
    const boxOf = new Map<Partition, Box | null>();
    for (const layer of layers())
      for (const partition of release.layer('d', layer)!.partitions)
        if (partition.coverage === 'polygon') {
          const { index } = (await opened.features(partition, 'coverage')).file;
          boxOf.set(partition, Array.from(index.boxes.subarray(0, 4)) as unknown as Box);
        } else boxOf.set(partition, partition.box);
    // What a release does not say is known once its coverages were asked.
    for (const layer of layers()) await opened.at('d', layer, 0, 0);
    fc.assert(
      fc.property(box, one => {
        const boxes: Box[] = [one];
        if (one[0] === -180) boxes.push([180, one[1], 180, one[3]]);
        if (one[2] === 180) boxes.push([-180, one[1], -180, one[3]]);
        for (const layer of layers()) {
          const coverage = Coverage.of(release.layer('d', layer)!);
          const expected = release.layer('d', layer)!.partitions.filter(p => {
            const own = boxOf.get(p);
            return own && p.coverage !== 'everywhere' && boxes.some(b => meets(own, b));
          });
          expect(opened.coveringAbout(coverage, one), layer).toEqual(expected);
        }
      }),
      { seed: 34, numRuns: 300 },
    );
    cache.clear();
  });
});

describe('partitions by their boxes', () => {
  const partitions = fc
    .array(fc.option(box, { freq: 8 }), { minLength: 0, maxLength: 60 })
    .map(boxes => boxes.map((one, i) => partitionOf(`place ${i}`, i, one, 'everywhere')));

  it('are those that a plain comparison of boxes finds, in order', () => {
    fc.assert(
      fc.property(partitions, box, point, (list, one, [lng, lat]) => {
        const set = PartitionSet.from(list);
        expect(partitionsMeeting(set, one)).toEqual(list.filter(p => p.box && meets(p.box, one)));
        const sides = Math.abs(lng) === 180 ? [lng, -lng] : [lng];
        expect(partitionsHolding(set, lng, lat)).toEqual(
          list.filter(p => p.box && sides.some(x => meets(p.box!, [x, lat, x, lat]))),
        );
        expect(partitionsMeeting(set, one, [lng, lat, lng, lat])).toEqual(
          list.filter(p => p.box && (meets(p.box, one) || meets(p.box, [lng, lat, lng, lat]))),
        );
      }),
      { seed: 34, numRuns: 500 },
    );
  });

  it('near a place leave none out that has ground so near, also across 180 and the poles', () => {
    const metres = fc.constantFrom(1, 1_000, 50_000, 2_000_000);
    fc.assert(
      fc.property(partitions, point, point, metres, (list, from, to, most) => {
        const away = distance(...from, ...to);
        const found = partitionsNear(PartitionSet.from(list), ...from, Math.max(most, away));
        for (const p of list) if (p.box && meets(p.box, [...to, ...to])) expect(found).toContain(p);
      }),
      { seed: 34, numRuns: 500 },
    );
  });
});
