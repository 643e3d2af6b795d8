import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import type { Box } from '../../../../datasets/geometry.ts';
import type { Manifest, Partition, ReleaseFile } from '../../../../datasets/release.ts';
import { layerOf, listOf } from '../../../../pipelines/release/lists.ts';
import { searchAt } from '../../../../query/evaluate/vector/vector-search.ts';
import { createCache } from '../../../../query/release/cache.ts';
import { publish } from '../../../../query/release/home/publish.ts';
import { readManifest } from '../../../../query/release/home/releases.ts';
import { withShards } from '../../../../query/release/home/shards.ts';
import { Store } from '../../../../query/release/home/store.ts';
import { Layers } from '../../../../query/release/layers.ts';
import { LayerLists } from '../../../../query/release/lists/layer-lists.ts';
import { outlineOf } from '../../../../query/release/lists/outline.ts';
import { type Release, releaseOf } from '../../../../query/release/open-release.ts';
import { nearestPartitions, partitionsNear, rastersAbout } from '../../../../query/release/partitions-about.ts';

const home = mkdtempSync(join(tmpdir(), 'plat-list-reach-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const fileOf = (role: ReleaseFile['role'], more: Partial<ReleaseFile> = {}): ReleaseFile => {
  const sha256 = Buffer.from(`${role} ${more.box}`).toString('hex').padEnd(64, '0').slice(0, 64);
  return { role, path: `files/00/${sha256}.fgb`, sha256, bytes: 5, rows: 1, ...more };
};

const partitionOf = (key: string, more: Partial<Partition>): Partition => ({
  key,
  place: `place of ${key}`,
  rows: 1,
  box: null,
  files: [],
  coverage: 'extent',
  provenance: {
    ...{ source: `source of ${key}`, title: '', publisher: '', url: null, licence: 'CC0-1.0', vintage: '2026' },
    ...{ note: null, retrievedAt: '2026-01-01T00:00:00.000Z', synthetic: true },
  },
  unpublished: [],
  ...more,
});

const extent = (key: string, box: Box, more: Partial<Partition> = {}) => partitionOf(key, { box, ...more });

/** Layer → its partitions. */
const LAYERS: Readonly<Record<string, readonly Partition[]>> = {
  counties: [
    extent('ME/23019', [-69, 44, -68, 46]),
    extent('ME/23021', [-70, 45, -69, 46]),
    extent('NH/33001', [-72, 43, -71, 44], { unpublished: ['colour'] }),
    // Aleutians on both sides of 180.
    extent('AK/02016', [172, 51, 180, 53]),
    extent('AK/02017', [-180, 51, -170, 54]),
    extent('VT/50001', [-74, 42, -73, 45]),
  ],
  'with a nation': [
    extent('ME/23019', [-69, 44, -68, 46]),
    extent('NH/33001', [-72, 43, -71, 44]),
    partitionOf('US', { coverage: 'everywhere', box: [-180, 15, 180, 72] }),
  ],
};

/** A release whose layers stand in the shards of a home. @param outlined whether the head says what it may. */
async function published(outlined: boolean): Promise<string> {
  const datasets = Object.entries(LAYERS).map(([name, partitions]) => {
    const lists = [...Map.groupBy(partitions, ({ key }) => key.split('/')[0]!)]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([shard, own]) => listOf(shard, own)!);
    // Also a text is known by the line: that of an earlier build is the same object with less.
    if (!outlined) for (const list of lists) delete (list as { outline?: unknown }).outline;
    return [name, layerOf(['colour'], lists)] as const;
  });
  const id = `20260101-0000000${Number(outlined)}`;
  const manifest: Manifest = {
    ...{ format: 2, id, createdAt: '2026-01-01T00:00:00.000Z', asOf: '2026-01-01', previous: null },
    ...{ datasets: { d: Object.fromEntries(datasets) }, counts: [], ingests: [] },
  };
  await publish(join(home, 'releases'), await withShards(new Store(home), manifest));
  return id;
}
const [outlinedId, bareId] = [await published(true), await published(false)];

/** One of them, nothing of which is read yet. */
const opened = (outlined = true): Release =>
  releaseOf(home, readManifest(join(home, 'releases'), outlined ? outlinedId : bareId));

/** Shards of the lists of a layer that were read. */
const readOf = (release: Release, layer: string) =>
  LayerLists.of(release.layer('d', layer)!).all.flatMap(({ head, inMemory }) => (inMemory ? [head!.shard] : []));

const at = async (release: Release, layer: string, lng: number, lat: number) =>
  await new Layers(release, createCache(16)).at('d', layer, lng, lat);

/** The same in one file, where nothing is read later. */
const plain: Release = releaseOf(home, {
  ...{ format: 1, id: 'plain', createdAt: '', asOf: '2026-01-01', previous: null, ingests: [] },
  datasets: {
    d: Object.fromEntries(
      Object.entries(LAYERS).map(([name, partitions]) => {
        const sorted = partitions.toSorted((a, b) => (a.key < b.key ? -1 : 1));
        return [name, { version: name, columns: ['colour'], partitions: sorted }];
      }),
    ),
  },
});

const keysOf = (partitions: readonly Partition[]) => partitions.map(({ key }) => key);

it('a point reads the lists that reach it, and its search those within its radius', async () => {
  for (const [lng, lat, read, covering, near] of [
    [-68.5, 45, ['ME'], ['ME/23019'], ['ME']],
    [-71.5, 43.5, ['NH'], ['NH/33001'], ['NH']],
    [-70.5, 44.5, [], [], []],
    [-73.2, 43.5, ['VT'], ['VT/50001'], ['NH', 'VT']],
    [-100, 40, [], [], []],
    [180, 52, ['AK'], ['AK/02016'], ['AK']],
    [-180, 52, ['AK'], ['AK/02017'], ['AK']],
    [0, 52, ['AK'], [], ['AK']],
  ] as const) {
    const release = opened();
    const found = await at(release, 'counties', lng, lat);
    expect([lng, lat, readOf(release, 'counties'), keysOf(found.covering)]).toEqual([lng, lat, read, covering]);
    if (covering.length) partitionsNear(found.searched, lng, lat, 100_000);
    expect([lng, lat, readOf(release, 'counties')]).toEqual([lng, lat, near]);
  }
});

it('what covers everywhere is read wherever one asks', async () => {
  const release = opened();
  expect(keysOf((await at(release, 'with a nation', -100, 40)).covering)).toEqual(['US']);
  expect(readOf(release, 'with a nation')).toEqual(['US']);
  expect(keysOf((await at(release, 'with a nation', -68.5, 45)).covering)).toEqual(['ME/23019']);
  expect(readOf(release, 'with a nation')).toEqual(['ME', 'US']);
});

it('finds what all lists together hold', async () => {
  const lng = fc.oneof(fc.constantFrom(-180, 180, -72, -70, -69), fc.double({ min: -180, max: 180, noNaN: true }));
  const lat = fc.oneof(fc.constantFrom(43, 45, 46, 52), fc.double({ min: 35, max: 60, noNaN: true }));
  await fc.assert(
    fc.asyncProperty(lng, lat, fc.constantFrom(0, 1_000, 200_000, 3_000_000), async (x, y, metres) => {
      for (const outlined of [true, false]) {
        const release = opened(outlined);
        for (const name of Object.keys(LAYERS)) {
          const [found, wanted] = [await at(release, name, x, y), await at(plain, name, x, y)];
          expect(keysOf(found.covering)).toEqual(keysOf(wanted.covering));
          const of = ({ searched }: typeof found) => [
            keysOf(partitionsNear(searched, x, y, metres)),
            keysOf(rastersAbout(searched, [x, y, x + 1, y + 1])),
          ];
          expect(of(found)).toEqual(of(wanted));
          expect(keysOf(found.searched.all)).toEqual(keysOf(wanted.searched.all));
        }
      }
    }),
    { seed: 34, numRuns: 25 },
  );
});

it('the nearest are told first, and lists read when nothing nearer is left', async () => {
  const release = opened();
  const { searched } = await at(release, 'counties', -68.5, 45);
  let limit = Infinity;
  const told: string[] = [];
  for (const { partition, least } of nearestPartitions(searched, -68.5, 45, 500_000, () => limit)) {
    if (least > limit) break;
    told.push(partition.key);
    // What is in it is nearer than the next county.
    if (told.length === 1) limit = 1_000;
  }
  expect([told, readOf(release, 'counties')]).toEqual([['ME/23019'], ['ME']]);
  limit = Infinity;
  const all = [...nearestPartitions(searched, -68.5, 45, 500_000, () => limit)];
  expect(keysOf(all.map(({ partition }) => partition))).toEqual(['ME/23019', 'ME/23021', 'NH/33001', 'VT/50001']);
  expect(all.map(({ least }) => least)).toEqual(all.map(({ least }) => least).toSorted((a, b) => a - b));
  expect(readOf(release, 'counties')).toEqual(['ME', 'NH', 'VT']);
});

it('says what sources of far states do not publish, and searches the rest', async () => {
  const release = opened();
  const where = { kind: 'compare', column: 'colour', op: '=', value: 'red' } as never;
  const search = searchAt(await at(release, 'counties', -68.5, 45), { dataset: 'd', layer: 'counties', where }, where);
  expect(search.notes).toEqual(['this copy (source of NH/33001) lacks it (colour)']);
  expect(readOf(release, 'counties')).toEqual(['ME', 'NH']);
  expect(keysOf(search.partitions.all)).toEqual(
    keysOf(plain.layer('d', 'counties')!.partitions).filter(k => !k.startsWith('NH')),
  );
});

it('a damaged list fails what it is within reach of, and nothing else', async () => {
  const before = opened();
  const path = before.pathOf(before.manifest.shards!.NH!.file);
  const good = readFileSync(path);
  const damaged = /^lists file [0-9a-f]{12} is damaged/;
  writeFileSync(path, Buffer.from(good).fill(0x39, 60, 62));
  try {
    const release = opened();
    const here = await at(release, 'counties', -68.5, 45);
    expect(keysOf(here.covering)).toEqual(['ME/23019']);
    expect(keysOf(partitionsNear(here.searched, -68.5, 45, 50_000))).toEqual(['ME/23019', 'ME/23021']);
    expect(() => partitionsNear(here.searched, -68.5, 45, 400_000)).toThrow(damaged);
    await expect(at(release, 'counties', -71.5, 43.5)).rejects.toThrow(damaged);
    expect(() => here.searched.all).toThrow(damaged);
    expect(() => release.layer('d', 'counties')!.partitions).toThrow(damaged);
    // Without a box the list may be about any point.
    await expect(at(opened(false), 'counties', -68.5, 45)).rejects.toThrow(damaged);
  } finally {
    writeFileSync(path, good);
  }
});

it('an outline holds what partitions, their coverages and rejected rows reach', () => {
  const coverage = fileOf('coverage', { box: [-70, 44, -69, 45] });
  const county = partitionOf('ME/23019', { box: [-69.5, 44, -68, 44.5], coverage: 'polygon', files: [coverage] });
  const reachOf = (...partitions: Partition[]) => outlineOf(partitions).reach;
  const rejected = (box?: Box | null) => ({
    ...county,
    files: [coverage, fileOf('rejected', box === undefined ? {} : { box })],
  });
  expect(reachOf(county)).toEqual([-70, 44, -68, 45]);
  expect(reachOf(county, rejected([-71, 43, -70, 44]))).toEqual([-71, 43, -68, 45]);
  expect(reachOf(rejected(null))).toEqual([-70, 44, -68, 45]);
  const raster = partitionOf('ME', { box: [-70, 44, -69, 45], files: [fileOf('raster')] });
  const [west, south, east, north] = reachOf(raster)!;
  expect([west < -70.1, south < 43.9, east > -68.9, north > 45.1]).toEqual([true, true, true, true]);
  const parts = [county, { ...county, box: [-72, 44, -71, 45] as const }].map(({ key: _, ...part }) => part);
  expect(reachOf({ ...county, parts })).toEqual([-70, 44, -68, 45]);
  // Of a table only the coverage has a place.
  expect(reachOf({ ...county, box: null })).toEqual([-70, 44, -69, 45]);
  for (const anywhere of [
    { ...county, coverage: 'everywhere' as const },
    { ...county, parts: [...parts, { ...parts[0]!, coverage: 'everywhere' as const }] },
    { ...county, files: [fileOf('coverage')] },
    { ...raster, box: null },
    rejected(),
  ])
    expect(reachOf(county, anywhere)).toBeNull();
  expect(outlineOf([county, rejected(null), { ...county, unpublished: ['b', 'a'] }])).toMatchObject({
    unpublished: ['a', 'b'],
    rejected: true,
  });
  expect(outlineOf([county]).coverages).toBe(outlineOf([{ ...county, box: null }]).coverages);
  expect(outlineOf([county]).coverages).not.toBe(outlineOf([county, county]).coverages);
  expect(outlineOf([county, raster]).coverages).toBeNull();
});
