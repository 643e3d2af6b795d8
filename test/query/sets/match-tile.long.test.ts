import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { createCache } from '../../../query/release/cache.ts';
import { openReleaseById } from '../../../query/release/open-release.ts';
import { type MatchTile, matchTile } from '../../../query/sets/map/match-tile.ts';
import { rectangle } from '../release-fixture.ts';
import { BUDGET } from '../search/agreement.ts';
import { writeParcelRelease } from '../search/parcel-release.ts';

it('a tower of parcels on one lot is outlines up to a limit, and a point that counts the others', async () => {
  const geometry = rectangle([-68, 45, -67.999, 45.001]);
  const parcels = Array.from({ length: 20_500 }, (_, i) => ({ geometry, properties: { apn: `${i}` } }));
  const home = await writeParcelRelease([{ state: 'ME', fips: '23009', place: 'p', parcels }]);
  try {
    const release = openReleaseById(home.home, 'r1');
    const tile = {
      z: 14,
      x: Math.floor((-67.9995 / 360 + 0.5) * 2 ** 14),
      y: Math.floor((0.5 - Math.asinh(Math.tan((45.0005 * Math.PI) / 180)) / (2 * Math.PI)) * 2 ** 14),
    };
    const filters = [{ name: 'state', kind: 'state', op: 'eq', operands: ['ME'] }] as const;
    const request = { filters, outputs: [], countyByFips: false, budget: BUDGET, key: 'tower', tile };
    const environment = {
      release,
      catalog,
      cache: createCache(64),
      deadline: Date.now() + 60_000,
      stopped: () => false,
    };
    const { bytes } = (await matchTile(request, environment)) as MatchTile;
    const { matches, match_points: points } = new VectorTile(new PbfReader(bytes!)).layers;
    expect([matches!.length, points!.length, points!.feature(0).properties.count]).toEqual([20_000, 1, 500]);
  } finally {
    home.remove();
  }
});
