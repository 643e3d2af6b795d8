import { readFileSync } from 'node:fs';
import { VectorTile } from '@mapbox/vector-tile';
import { deserialize } from 'flatgeobuf/lib/mjs/geojson.js';
import type { Feature, MultiPolygon, Polygon, Position } from 'geojson';
import { PbfReader } from 'pbf';
import { beforeAll, describe, expect, it } from 'vitest';
import { MAP_LAYERS, type MapLayerId } from '../../../datasets/map-layers.ts';
import { createCache } from '../../../query/release/cache.ts';
import { Layers } from '../../../query/release/layers.ts';
import { openRelease, type Release } from '../../../query/release/open-release.ts';
import { mapLayersIn, tileOf } from '../../../query/tile/tile.ts';
import { syntheticHome } from '../../synthetic-home.ts';

/** Half a unit of a tile at zoom 16 in degrees of longitude, and a little. */
const HALF_UNIT = (360 / 2 ** 16 / 4096) * 0.51;

const tileX = (lng: number, z: number) => Math.floor((lng / 360 + 0.5) * 2 ** z);
const tileY = (lat: number, z: number) => {
  const radians = (lat * Math.PI) / 180;
  return Math.floor((0.5 - Math.asinh(Math.tan(radians)) / (2 * Math.PI)) * 2 ** z);
};
const ringsOf = ({ geometry }: Feature): Position[][] =>
  geometry.type === 'Polygon' ? geometry.coordinates : (geometry as MultiPolygon).coordinates.flat();

describe('tiles of the synthetic area', () => {
  let release: Release;
  let parcels: Feature<Polygon | MultiPolygon>[];
  const decoded = async (ids: readonly MapLayerId[], z: number, x: number, y: number) => {
    const layers = new Layers(release, createCache(64));
    const tiles: Uint8Array[] = [];
    for (const id of ids) if (z <= MAP_LAYERS[id].maxZoom) tiles.push(await tileOf(id, { z, x, y }, layers));
    return new VectorTile(new PbfReader(Buffer.concat(tiles)));
  };

  beforeAll(async () => {
    release = openRelease((await syntheticHome()).home);
    const files = release
      .layer('parcel_store', 'main')!
      .partitions.flatMap(({ files }) => files.filter(({ role }) => role === 'features'));
    parcels = [];
    for (const file of files)
      for await (const feature of deserialize(new Uint8Array(readFileSync(release.pathOf(file)))))
        parcels.push(feature as Feature<Polygon | MultiPolygon>);
  }, 300_000);

  it('are of every layer of the map but zoning, which the area has not', () => {
    expect(mapLayersIn(release)).toEqual([
      'boundaries',
      'water',
      'wetlands',
      'flood_zones',
      'buildings',
      'roads',
      'parcels',
    ]);
  });

  it('hold every parcel at its place with its number, as another reader finds them in the layer', async () => {
    let compared = 0;
    for (const parcel of parcels) {
      const all = ringsOf(parcel).flat();
      const [x, y] = [tileX(all[0]![0]!, 16), tileY(all[0]![1]!, 16)];
      const isInside = ([lng, lat]: Position) => tileX(lng!, 16) === x && tileY(lat!, 16) === y;
      const layer = (await decoded(['parcels'], 16, x, y)).layers.parcels!;
      const found = Array.from({ length: layer.length }, (_, i) => layer.feature(i))
        .filter(({ properties }) => properties.apn === (parcel.properties!.apn ?? undefined))
        .map(feature => feature.toGeoJSON(x, y, 16))
        .map(feature => ringsOf(feature as Feature).flat());
      const near = (a: Position, b: Position) =>
        Math.abs(a[0]! - b[0]!) <= HALF_UNIT && Math.abs(a[1]! - b[1]!) <= HALF_UNIT;
      // What lies beyond the tile is clipped: there other corners stand, on the edge of its buffer.
      const same = found.filter(
        positions =>
          all.filter(isInside).every(position => positions.some(other => near(position, other))) &&
          positions.filter(isInside).every(position => all.some(other => near(position, other))),
      );
      // Records are stacked on one boundary here and there.
      expect(same.length, String(parcel.properties!.apn)).toBeGreaterThanOrEqual(1);
      compared += all.filter(isInside).length;
    }
    expect(compared).toBeGreaterThan(500);
  }, 300_000);

  it('have a name for every road and a zone for every flood zone, and nothing where nothing lies', async () => {
    const [lng, lat] = ringsOf(parcels[0]!)[0]![0]!;
    const [x, y] = [tileX(lng!, 13), tileY(lat!, 13)];
    const { layers } = await decoded(['roads', 'flood_zones', 'parcels'], 13, x, y);
    expect(Object.keys(layers).sort()).toEqual(['flood_zones', 'roads']);
    const { flood_zones: zones, roads } = layers;
    for (let i = 0; i < zones!.length; i++) {
      const { zone, sfha } = zones!.feature(i).properties;
      expect(sfha).toBe(/^[AV]/.test(String(zone)) ? 'T' : 'F');
    }
    for (let i = 0; i < roads!.length; i++) expect(roads!.feature(i).properties.class).toMatch(/^S\d{4}$/);
    expect((await decoded(mapLayersIn(release), 16, 0, 0)).layers).toEqual({});
  });

  it('hold each name of an area once a zoom, at a point inside of it, however many tiles it lies in', async () => {
    const areas: Feature<Polygon | MultiPolygon>[] = [];
    for (const kind of ['county', 'place'])
      for (const { files } of release.layer('census_tiger', kind)!.partitions)
        for (const file of files.filter(({ role }) => role === 'features'))
          for await (const feature of deserialize(new Uint8Array(readFileSync(release.pathOf(file)))))
            areas.push(feature as Feature<Polygon | MultiPolygon>);
    const lies = ([x, y]: Position, area: Feature) =>
      ringsOf(area).reduce((is, ring) => {
        for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
          const [[ax, ay], [bx, by]] = [ring[i] as [number, number], ring[j] as [number, number]];
          if (ay > y! !== by > y! && x! < ((bx - ax) * (y! - ay)) / (by - ay) + ax) is = !is;
        }
        return is;
      }, false);
    const corners = areas.flatMap(area => ringsOf(area).flat());
    const names: string[] = [];
    for (const z of [8, 9]) {
      const [xs, ys] = [corners.map(([lng]) => tileX(lng!, z)), corners.map(([, lat]) => tileY(lat!, z))];
      for (let x = Math.min(...xs); x <= Math.max(...xs); x++)
        for (let y = Math.min(...ys); y <= Math.max(...ys); y++) {
          const layer = (await decoded(['boundaries'], z, x, y)).layers.boundaries;
          for (let i = 0; i < (layer?.length ?? 0); i++) {
            const { properties } = layer!.feature(i);
            const { geometry } = layer!.feature(i).toGeoJSON(x, y, z);
            if (geometry.type !== 'Point' || properties.kind === 'state') continue;
            names.push(`${z} ${properties.name}`);
            const own = areas.filter(area => area.properties!.NAMELSAD === properties.name);
            if (properties.kind === 'county')
              expect(own.map(area => area.properties!.GEOID)).toEqual([properties.geoid]);
            expect(
              own.some(area => lies(geometry.coordinates, area)),
              String(properties.name),
            ).toBe(true);
          }
        }
    }
    const counties = areas.filter(({ properties }) => / County$/.test(String(properties!.NAMELSAD)));
    const once = [
      ...counties.map(({ properties }) => `8 ${properties!.NAMELSAD}`),
      ...areas.map(({ properties }) => `9 ${properties!.NAMELSAD}`),
    ];
    expect(areas.length).toBeGreaterThan(counties.length);
    expect(names.sort()).toEqual(once.sort());
  });

  it('show in the overview only main roads, and no parcels', async () => {
    const [lng, lat] = ringsOf(parcels[0]!)[0]![0]!;
    const { layers } = await decoded(['roads', 'parcels'], 10, tileX(lng!, 10), tileY(lat!, 10));
    expect(layers.parcels).toBeUndefined();
    const classes = Array.from(
      { length: layers.roads?.length ?? 0 },
      (_, i) => layers.roads!.feature(i).properties.class,
    );
    expect(classes.filter(name => !['S1100', 'S1200'].includes(String(name)))).toEqual([]);
  });
});
