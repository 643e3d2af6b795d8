import { readFileSync } from 'node:fs';
import { VectorTile } from '@mapbox/vector-tile';
import { deserialize } from 'flatgeobuf/lib/mjs/geojson.js';
import type { Feature, MultiPolygon, Polygon, Position } from 'geojson';
import { PbfReader } from 'pbf';
import { beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { parcelId } from '../../../query/format/parcel-id.ts';
import { createCache } from '../../../query/release/cache.ts';
import { currentId, openReleaseById, type Release } from '../../../query/release/open-release.ts';
import { areaTest, type Test } from '../../../query/search/request/filter.ts';
import { type MatchTile, matchTile } from '../../../query/sets/map/match-tile.ts';
import type { SetFilter } from '../../../query/sets/set-filter.ts';
import { syntheticHome } from '../../synthetic-home.ts';
import { rectangle } from '../release-fixture.ts';
import { BUDGET } from '../search/agreement.ts';

type Parcel = Feature<Polygon | MultiPolygon>;

const STATES: Test = { name: 'state', kind: 'state', op: 'in', operands: ['ME', 'NH'] };
const LARGE: Test = { name: 'acreage', kind: 'number', op: 'gt', operands: [2] };

const tileX = (lng: number, z: number) => (lng / 360 + 0.5) * 2 ** z;
const tileY = (lat: number, z: number) => (0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)) * 2 ** z;
const positionsOf = ({ geometry }: Parcel): Position[] =>
  (geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat()).flat();

/** West, south, east, north, by a plain loop. */
const boxOf = (parcel: Parcel) => {
  const all = positionsOf(parcel);
  const [lngs, lats] = [all.map(([lng]) => lng!), all.map(([, lat]) => lat!)];
  return [Math.min(...lngs), Math.min(...lats), Math.max(...lngs), Math.max(...lats)] as const;
};

const environment = (release: Release | null, cache = createCache(256)) => ({
  release,
  catalog,
  cache,
  deadline: Date.now() + 60_000,
  stopped: () => false,
});
const requestOf = (filters: readonly SetFilter[]) => ({
  filters,
  outputs: [],
  countyByFips: false,
  budget: BUDGET,
  key: JSON.stringify(filters.map(filter => ('geometry' in filter ? filter.key : filter))),
});

/** A tile as another reader decodes it. */
function decoded({ bytes }: MatchTile) {
  const { layers } = new VectorTile(new PbfReader(bytes ?? new Uint8Array()));
  const of = (name: string) =>
    Array.from({ length: layers[name]?.length ?? 0 }, (_, i) => layers[name]!.feature(i).properties);
  const points = of('match_points');
  return {
    ids: of('matches').map(({ parcel_id: id }) => String(id)),
    points,
    counted: points.reduce((sum, { count }) => sum + Number(count), 0),
  };
}

describe('tiles of a set of the synthetic area', () => {
  let release: Release;
  let parcels: Parcel[];
  const cache = createCache(256);
  beforeAll(async () => {
    const { home } = await syntheticHome();
    release = openReleaseById(home, currentId(home)!);
    parcels = [];
    for (const { files } of release.layer('parcel_store', 'main')!.partitions) {
      const file = files.find(({ role }) => role === 'features')!;
      for await (const feature of deserialize(new Uint8Array(readFileSync(release.pathOf(file)))))
        parcels.push(feature as Parcel);
    }
  }, 300_000);

  const draw = async (filters: readonly SetFilter[], z: number, x: number, y: number) =>
    (await matchTile({ ...requestOf(filters), tile: { z, x, y } }, environment(release, cache))) as MatchTile;
  const large = () => parcels.filter(({ properties }) => Number(properties!.acreage) > 2);

  it('show every match once, at each zoom that is too far for outlines', async () => {
    expect(large().length).toBeGreaterThan(100);
    expect(large().length).toBeLessThan(parcels.length - 100);
    for (const z of [0, 4, 7, 10, 12]) {
      const expected = new Map<string, { points: number; outlines: string[] }>();
      for (const parcel of large()) {
        const [west, south, east, north] = boxOf(parcel);
        const side = 4096 * Math.max(tileX(east, z) - tileX(west, z), tileY(south, z) - tileY(north, z));
        const [x, y] = [tileX((west + east) / 2, z), tileY((south + north) / 2, z)].map(Math.floor) as [number, number];
        const tile = expected.get(`${x} ${y}`) ?? { points: 0, outlines: [] };
        expected.set(`${x} ${y}`, tile);
        if (side < 24) tile.points++;
        else tile.outlines.push(parcelId(String(parcel.properties!.parcel_key)));
      }
      for (const [place, { points, outlines }] of expected) {
        const [x, y] = place.split(' ').map(Number) as [number, number];
        const { ids, counted } = decoded(await draw([STATES, LARGE], z, x, y));
        expect(counted, `${z} ${place}`).toBe(points);
        expect(ids, `${z} ${place}`).toEqual(expect.arrayContaining(outlines));
      }
    }
  });

  it('have the outline of every match at the deepest zoom, and of no other parcel', async () => {
    const passing = new Set(large().map(({ properties }) => parcelId(String(properties!.parcel_key))));
    let shown = 0;
    for (const parcel of parcels.filter((_, i) => i % 10 === 0)) {
      const [lng, lat] = positionsOf(parcel)[0] as [number, number];
      const { ids, points } = decoded(
        await draw([STATES, LARGE], 16, Math.floor(tileX(lng, 16)), Math.floor(tileY(lat, 16))),
      );
      const id = parcelId(String(parcel.properties!.parcel_key));
      expect(ids.includes(id), id).toBe(passing.has(id));
      for (const other of ids) expect(passing.has(other)).toBe(true);
      expect(points).toEqual([]);
      shown += ids.length;
    }
    expect(shown).toBeGreaterThan(100);
  });

  it('are of the parcels in an area where one is drawn', async () => {
    const [west, south, east, north] = boxOf(parcels[0]!);
    const area = rectangle([west - 0.04, south - 0.04, east + 0.04, north + 0.04]);
    const { counted } = decoded(await draw([STATES, areaTest('within', area, 'filters[1].value')], 0, 0, 0));
    const within = parcels.filter(parcel => {
      const [w, s, e, n] = boxOf(parcel);
      return w >= west - 0.04 && s >= south - 0.04 && e <= east + 0.04 && n <= north + 0.04;
    });
    expect(within.length).toBeGreaterThan(3);
    expect(counted).toBe(within.length);
  });

  it('have nothing where nothing passes, and say which column is empty when they are asked for', async () => {
    expect(await draw([STATES, { ...LARGE, operands: [1e9] }], 0, 0, 0)).toEqual({
      bytes: null,
      unknown: 0,
      unread: false,
      notices: [],
    });
    const elsewhere: Test = { ...STATES, operands: ['VT'] };
    const judged = (await matchTile({ ...requestOf([elsewhere]), tile: null }, environment(release))) as MatchTile;
    expect(judged).toMatchObject({ bytes: null, unread: true });
  });

  it('are none where a county cannot be read, and none is there without a release', async () => {
    const late = { ...environment(release), deadline: Date.now() - 1 };
    expect(await matchTile({ ...requestOf([STATES]), tile: { z: 0, x: 0, y: 0 } }, late)).toMatchObject({
      bytes: null,
      unread: true,
    });
    expect(await matchTile({ ...requestOf([STATES]), tile: { z: 0, x: 0, y: 0 } }, environment(null))).toMatchObject({
      bytes: null,
      unread: true,
    });
  });
});
