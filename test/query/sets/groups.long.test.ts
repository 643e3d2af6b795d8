import { expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { createCache } from '../../../query/release/cache.ts';
import { openReleaseById } from '../../../query/release/open-release.ts';
import type { Test } from '../../../query/search/request/filter.ts';
import { type AggregateRequest, writeAggregate } from '../../../query/sets/aggregate.ts';
import { fromGeoJSON, type Polygonal } from '../../oracle/geojson.ts';
import { BUDGET } from '../search/agreement.ts';
import { writeParcelRelease } from '../search/parcel-release.ts';

const STATE: Test = { name: 'state', kind: 'state', op: 'eq', operands: ['ME'] };

it('stops at more groups than are answered', async () => {
  const many = Array.from({ length: 10_001 }, (_, i) => ({
    geometry: fromGeoJSON({
      type: 'Polygon',
      coordinates: [
        [
          [-68 + i / 1e4, 45],
          [-68 + (i + 0.5) / 1e4, 45],
          [-68 + i / 1e4, 45.0001],
          [-68 + i / 1e4, 45],
        ],
      ],
    } as Polygonal),
    properties: { apn: `${i}` },
  }));
  const large = await writeParcelRelease([{ state: 'ME', fips: '23009', place: 'p', parcels: many }]);
  try {
    const groupBy = [{ by: 'field', field: { name: 'apn', kind: 'string' } }] as const;
    const request: AggregateRequest = {
      filters: [STATE],
      outputs: [],
      countyByFips: false,
      budget: BUDGET,
      groupBy,
      measures: [{ op: 'count', field: null, q: 0 }],
      minCount: 5,
      stacked: false,
      geometry: false,
    };
    const release = openReleaseById(large.home, 'r1');
    const deadline = Date.now() + 60_000;
    const environment = { release, catalog, cache: createCache(64), deadline, stopped: () => false };
    expect(await writeAggregate(request, environment)).toEqual({ tooMany: 10_000 });
  } finally {
    large.remove();
  }
});
