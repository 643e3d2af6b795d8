import { VectorTile } from '@mapbox/vector-tile';
import type { MultiPolygon } from 'geojson';
import { PbfReader } from 'pbf';
import { beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import type { Geometry } from '../../../datasets/geometry.ts';
import { matchParcel } from '../../../query/engine/match-task.ts';
import { search } from '../../../query/engine/search-task.ts';
import { areaOf } from '../../../query/evaluate/area/area.ts';
import { evaluate } from '../../../query/evaluate/evaluate.ts';
import { openArea } from '../../../query/evaluate/evaluate-area.ts';
import { parcelsOn } from '../../../query/parcel/parcels-on.ts';
import { createCache } from '../../../query/release/cache.ts';
import { installedIn } from '../../../query/release/installed.ts';
import { Layers } from '../../../query/release/layers.ts';
import { openRelease, type Release } from '../../../query/release/open-release.ts';
import type { WrittenPage } from '../../../query/search/page/written-page.ts';
import { tileOf } from '../../../query/tile/tile.ts';
import { fromGeoJSON } from '../../oracle/geojson.ts';
import { syntheticHome, syntheticWorld } from '../../synthetic-home.ts';
import { BUDGET } from '../search/agreement.ts';
import { textOf } from '../search/page-text.ts';

const REASON =
  /^the point lies on a road of the parcel file \(ROAD\); (no parcel lies within 30 m|the nearest parcel, [\d-]+, is [\d.]+ m away)$/;

describe('the street among the parcels of the synthetic area', () => {
  let release: Release;
  /** Of each county: the street as it was made, and its middle. */
  let streets: { readonly ground: Geometry; readonly lng: number; readonly lat: number }[];
  const cache = createCache(64);
  const evaluation = () => ({ release, catalog, cache, deadline: Date.now() + 60_000 });
  beforeAll(async () => {
    release = openRelease((await syntheticHome()).home);
    streets = (await syntheticWorld()).counties.map(({ street }) => {
      const ground = fromGeoJSON(JSON.parse(JSON.stringify(street.geometry)) as MultiPolygon);
      // Its corners run along one side and back along the other: the middle is between the middle ones.
      const { xy } = ground;
      const corners = xy.length / 2 - 1;
      const [one, other] = [Math.floor(corners / 4), corners - 1 - Math.floor(corners / 4)];
      const mean = (axis: 0 | 1) => (xy[2 * one + axis]! + xy[2 * other + axis]!) / 2;
      return { ground, lng: mean(0), lat: mean(1) };
    });
  }, 300_000);

  it('is no parcel at a point, with the reason', async () => {
    expect(streets).toHaveLength(2);
    for (const { lng, lat } of streets) {
      const matched = await matchParcel({ point: { lng, lat }, address: null, geometry: false }, evaluation());
      expect(matched).toEqual({ status: 'no_match', reason: expect.stringMatching(REASON) });
      const { parcel_apn, county_fips } = await evaluate(['parcel_apn', 'county_fips'], { lng, lat }, evaluation());
      expect(parcel_apn).toMatchObject({ status: 'absent', value: null });
      expect(county_fips).toMatchObject({ status: 'ok' });
    }
  });

  it('is in no search, tile or site, and each county counts it', async () => {
    for (const code of ['NH', 'ME']) {
      const tests = [
        { name: 'state', kind: 'state', op: 'eq', operands: [code] },
        { name: 'apn', kind: 'string', op: 'eq', operands: ['ROAD'] },
      ] as const;
      const page = (await search(
        { filters: { tests, areas: [] }, outputs: [], countyByFips: false, limit: 10, after: null, budget: BUDGET },
        { ...evaluation(), stopped: () => false },
      )) as WrittenPage;
      expect([Buffer.from(textOf(page.matches)).toString(), page.status]).toEqual(['[]', 'complete']);
    }
    for (const { ground, lng, lat } of streets) {
      const [x, y] = [Math.floor((lng / 360 + 0.5) * 2 ** 16), rowOf(lat)];
      const tile = new VectorTile(new PbfReader(await tileOf('parcels', { z: 16, x, y }, new Layers(release, cache))));
      const { parcels } = tile.layers;
      const numbers = Array.from({ length: parcels?.length ?? 0 }, (_, i) => parcels!.feature(i).properties.apn);
      expect(numbers).not.toContain('ROAD');
      const asking = openArea(await areaOf(ground), evaluation(), new Layers(release, cache));
      expect(await parcelsOn(asking.ctx)).toMatchObject({ status: 'ok', count: 0, acres_on_site: 0 });
    }
    const sources = installedIn(release, error => {
      throw error;
    });
    expect(sources.flatMap(({ dataset, ground }) => (dataset === 'parcel_store' ? [ground] : []))).toEqual([1, 1]);
  });
});

/** Row of the tile at zoom 16. */
function rowOf(lat: number): number {
  const radians = (lat * Math.PI) / 180;
  return Math.floor((0.5 - Math.asinh(Math.tan(radians)) / (2 * Math.PI)) * 2 ** 16);
}
