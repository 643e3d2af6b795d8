import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAP_LAYERS, type MapLayerId } from '../../../../datasets/map-layers.ts';
import type { Place } from '../../../../datasets/place/place.ts';
import type { Manifest } from '../../../../datasets/release.ts';
import { runOverlay } from '../../../../pipelines/overlay/run.ts';
import { identified } from '../../../../pipelines/release/manifest.ts';
import { run } from '../../../../pipelines/run.ts';
import { Tiles } from '../../../../query/engine/tiles.ts';
import { createCache } from '../../../../query/release/cache.ts';
import { publish } from '../../../../query/release/home/publish.ts';
import { currentId, readManifest } from '../../../../query/release/home/releases.ts';
import { Layers } from '../../../../query/release/layers.ts';
import { openRelease } from '../../../../query/release/open-release.ts';
import { archivedIn, archivesAt } from '../../../../query/tile/map-archives.ts';
import { tileOf } from '../../../../query/tile/tile.ts';
import { TileArchive } from '../../../../query/tile/tile-archive.ts';
import { EXTENT, type TileName, xIn, yIn } from '../../../../query/tile/tile-grid.ts';
import { SILENT } from '../../silent.ts';
import { FILES, feature, folder, square, village, writeFiles } from '../../village.ts';

let home: string;
let sources: string;
let other: string;
beforeEach(() => {
  [home, sources, other] = [folder(), folder(), folder()];
  writeFiles(sources, FILES);
});
afterEach(() => {
  for (const path of [home, sources, other]) rmSync(path, { recursive: true, force: true });
});

const ingest = (into = home, reuse = true) =>
  run({ home: into, sources, place: village, threads: 0, progress: SILENT, accept: ['village'], reuse });
const manifestOf = (of = home): Manifest => readManifest(join(of, 'releases'), currentId(join(of, 'releases'))!);
const GROUNDS: Record<string, string> = { zoning: 'zoning/ME/23019', wetlands: 'wetlands/ME/village' };
const fileOf = (map: MapLayerId, of = home) => manifestOf(of).tiles![GROUNDS[map]!]!.file!;
const pathOf = (map: MapLayerId) => join(home, 'releases', fileOf(map).path);
const sumOf = (map: MapLayerId, of = home) => fileOf(map, of).sha256;

/** The tiles about a place at every zoom of a layer, and some beyond it where nothing lies. */
function tilesAbout(map: MapLayerId, [lng, lat]: readonly [number, number]): TileName[] {
  const { minZoom, maxZoom } = MAP_LAYERS[map];
  const zooms = Array.from({ length: maxZoom - minZoom + 1 }, (_, i) => minZoom + i);
  return zooms.flatMap(z => {
    const origin = { z, x: 0, y: 0 };
    const [x, y] = [Math.floor(xIn(lng, origin) / EXTENT), Math.floor(yIn(lat, origin) / EXTENT)];
    return [-2, -1, 0, 1, 2].flatMap(dx => [-2, -1, 0, 1, 2].map(dy => ({ z, x: x + dx, y: y + dy })));
  });
}

/** The features of a tile of one layer as texts, in any order: a layer's places are not drawn in an order of their own. */
function sorted(tile: Buffer): string[] {
  const { zoning } = new VectorTile(new PbfReader(tile)).layers;
  return Array.from({ length: zoning?.length ?? 0 }, (_, i) => {
    const feature = zoning!.feature(i);
    return JSON.stringify([feature.properties, feature.type, feature.loadGeometry()]);
  }).sort();
}

async function expectAsDrawn(map: MapLayerId): Promise<number> {
  const release = openRelease(home);
  const archive = await TileArchive.open(pathOf(map));
  const layers = new Layers(release, createCache(32));
  const [west, south] = release.layer('local_zoning', 'main')!.partitions[0]!.box!;
  let there = 0;
  try {
    for (const tile of tilesAbout(map, [west, south])) {
      const drawn = await tileOf(map, tile, layers);
      const held = await archive.tile(tile);
      expect(held ? gunzipSync(held).toString('hex') : '', JSON.stringify(tile)).toBe(
        Buffer.from(drawn).toString('hex'),
      );
      if (held) there++;
    }
  } finally {
    archive.close();
  }
  return there;
}

describe('the tiles of a release', () => {
  it('are one archive for each map layer and ground, which holds every tile as it is drawn', async () => {
    const { tiles } = await ingest();
    expect(tiles).toMatchObject({ made: ['wetlands', 'zoning'], failed: [], kept: 0 });
    expect(await expectAsDrawn('zoning')).toBeGreaterThan(4);
    expect(await expectAsDrawn('wetlands')).toBeGreaterThan(4);
  });

  it('are kept where nothing changed, drawn anew only about what did, and as if all were drawn', async () => {
    await ingest();
    const before = sumOf('wetlands');
    const zoning = FILES['zoning.geojson'] as unknown[];
    const { geometry } = zoning[0] as { geometry: { coordinates: [number, number][][] } };
    const [x, y] = geometry.coordinates[0]![0]!;
    writeFiles(sources, {
      ...FILES,
      'zoning.geojson': [...zoning, feature('Polygon', [square(x, y, 0.002)], { zone: 'new' })] as never,
    });
    const { tiles } = await ingest();
    expect(tiles).toMatchObject({ made: ['zoning'], kept: 1 });
    expect(sumOf('wetlands')).toBe(before);
    await expectAsDrawn('zoning');
    await ingest(other);
    expect(sumOf('zoning')).toBe(sumOf('zoning', other));
    expect((await ingest()).tiles).toMatchObject({ made: [], kept: 2 });
  });

  it('are drawn anew where the earlier archive is damaged', async () => {
    await ingest();
    const good = sumOf('zoning');
    const bytes = readFileSync(pathOf('zoning'));
    bytes[16_400]! ^= 1;
    writeFileSync(pathOf('zoning'), bytes);
    await ingest(other);
    // Nothing of zoning changes; its archive is looked at only when it must be made anew.
    const { tiles: _, ...bare } = manifestOf();
    await publish(join(home, 'releases'), identified({ ...bare, previous: bare.id }));
    const report = await runOverlay({ home, threads: 0, memoryMb: 64, progress: SILENT });
    expect(report).toMatchObject({ changed: true, tiles: { made: ['wetlands', 'zoning'] } });
    expect(sumOf('zoning')).toBe(good);
    expect(await expectAsDrawn('zoning')).toBeGreaterThan(4);
  });

  it('are left out of a layer whose file is damaged, and drawn when it was repaired', async () => {
    await ingest();
    const { tiles: _, ...bare } = manifestOf();
    await publish(join(home, 'releases'), identified({ ...bare, previous: bare.id }));
    const file = bare.datasets.local_zoning!.main!.partitions[0]!.files.find(({ role }) => role === 'features')!;
    const path = join(home, 'releases', file.path);
    const good = readFileSync(path);
    writeFileSync(path, good.subarray(0, good.length - 9));
    const overlay = () => runOverlay({ home, threads: 0, memoryMb: 64, progress: SILENT });
    expect((await overlay()).tiles).toMatchObject({ made: ['wetlands'], failed: ['zoning'] });
    expect(manifestOf().tiles!['zoning/ME/23019']!.file).toBeNull();
    expect(archivedIn(manifestOf())).toEqual(['wetlands']);
    writeFileSync(path, good);
    expect((await overlay()).tiles).toMatchObject({ made: ['zoning'], failed: [], kept: 1 });
  });

  it('are those of each place on a border, as if they were drawn together, and of one place stay when the other changes', async () => {
    const beside: Place = { ...village, name: 'beside', title: 'Beside', county: '23009' };
    const east = [feature('Polygon', [square(-68.96, 44.05)], { zone: 'ldr' })];
    writeFiles(other, { ...FILES, 'zoning.geojson': east });
    const hamlet = () => run({ home, sources: other, place: beside, threads: 0, progress: SILENT, accept: ['beside'] });
    await ingest();
    await hamlet();
    const release = openRelease(home);
    const [tiles, layers] = [new Tiles(), new Layers(release, createCache(32))];
    let shared = 0;
    try {
      for (const tile of tilesAbout('zoning', [-68.96, 44.055])) {
        const read = await tiles.read(release, 'zoning', tile);
        const drawn = Buffer.from(await tileOf('zoning', tile, layers));
        expect(read ? sorted(gunzipSync(read)) : [], JSON.stringify(tile)).toEqual(sorted(drawn));
        if (archivesAt(release.manifest, 'zoning', tile).length > 1 && read) shared++;
      }
    } finally {
      tiles.close();
    }
    expect(shared).toBeGreaterThan(5);
    const before = manifestOf();
    writeFiles(other, {
      ...FILES,
      'zoning.geojson': [...east, feature('Polygon', [square(-68.9, 44.05)], { zone: 'new' })],
    });
    await hamlet();
    const after = manifestOf();
    const changed = Object.keys(after.tiles!).filter(
      key => after.tiles![key]!.file!.path !== before.tiles![key]!.file!.path,
    );
    expect(changed).toEqual(['zoning/ME/23009']);
  });

  it('of an earlier build, one archive of all places, are read and replaced', async () => {
    await ingest();
    const { tiles, ...bare } = manifestOf();
    const { box: _, ...whole } = tiles!['zoning/ME/23019']!;
    await publish(join(home, 'releases'), identified({ ...bare, previous: bare.id, tiles: { zoning: whole } }));
    const release = openRelease(home);
    const reader = new Tiles();
    const [tile] = tilesAbout('zoning', [-68.985, 44.055]).slice(12);
    try {
      expect(await reader.read(release, 'zoning', tile!)).not.toBeNull();
    } finally {
      reader.close();
    }
    await runOverlay({ home, threads: 0, memoryMb: 64, progress: SILENT });
    expect(Object.keys(manifestOf().tiles!)).toEqual(['wetlands/ME/village', 'zoning/ME/23019']);
  });
});
