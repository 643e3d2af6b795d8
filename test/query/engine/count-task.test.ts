import { beforeAll, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { type CountRequest, countParcels, type ParcelCount } from '../../../query/engine/count-task.ts';
import { createCache } from '../../../query/release/cache.ts';
import { currentId, openReleaseById, type Release } from '../../../query/release/open-release.ts';
import { areaTest, type Filter, passes, type Test } from '../../../query/search/request/filter.ts';
import { storedParcels } from '../../agreement/parcels.ts';
import { fromGeoJSON, type Polygonal, toGeoJSON } from '../../oracle/geojson.ts';
import { syntheticHome } from '../../synthetic-home.ts';
import { BUDGET } from '../search/agreement.ts';
import { writeParcelRelease } from '../search/parcel-release.ts';

let release: Release;
let parcels: Awaited<ReturnType<typeof storedParcels>>;
beforeAll(async () => {
  const { home } = await syntheticHome();
  release = openReleaseById(home, currentId(home)!);
  parcels = await storedParcels(home);
}, 120_000);

const cache = createCache(256);
const STATE: Test = { name: 'state', kind: 'state', op: 'eq', operands: ['ME'] };
const LARGE: Test = { name: 'acreage', kind: 'number', op: 'gt', operands: [2] };

async function count(
  filters: readonly Filter[],
  more: Partial<CountRequest> = {},
  deadline = Date.now() + 60_000,
  of = release,
) {
  const request = { filters, outputs: ['acreage'], countyByFips: false, bound: 100_000, budget: BUDGET, ...more };
  return countParcels(request, { release: of, catalog, cache, deadline, stopped: () => false });
}
const told = async (...args: Parameters<typeof count>) => (await count(...args)) as ParcelCount;

/** The parcels that pass, one by one. */
const passing = (...tests: readonly Test[]) =>
  parcels.filter(({ state, properties }) =>
    tests.every(test => passes(test, test.name === 'state' ? state : properties[test.name])),
  );
const outlinesOf = (some: typeof parcels) =>
  new Set(some.map(({ geometry }) => JSON.stringify(toGeoJSON(geometry)))).size;

it('counts what passes, each filter alone and all but one, and the ground once', async () => {
  const found = passing(STATE, LARGE);
  expect(found.length).toBeGreaterThan(10);
  const { preview, ...counted } = await told([STATE, LARGE]);
  expect(counted).toEqual({
    count: found.length,
    outlines: outlinesOf(found),
    atLeast: false,
    unread: false,
    unknown: 0,
    perFilter: [
      { alone: passing(STATE).length, without: passing(LARGE).length },
      { alone: passing(LARGE).length, without: passing(STATE).length },
    ],
    notices: [],
  });
  const first = JSON.parse(preview) as { apn: string | null }[];
  expect(first.map(({ apn }) => apn)).toEqual(found.slice(0, 10).map(({ properties }) => properties.apn ?? null));
});

it('counts the ground of apartments once, and that of lots with the same box each', async () => {
  const box = [
    [-68, 45],
    [-67.99, 45],
    [-67.99, 45.01],
    [-68, 45.01],
    [-68, 45],
  ];
  const halves = [box.toSpliced(2, 1), box.toSpliced(1, 1)];
  const outlines = [box, box, box, ...halves, ...halves];
  const source = outlines.map((ring, i) => ({
    geometry: fromGeoJSON({ type: 'Polygon', coordinates: [ring] } as Polygonal),
    properties: { apn: `${i}` },
  }));
  const stacked = await writeParcelRelease([{ state: 'ME', fips: '23009', place: 'p', parcels: source }]);
  try {
    const of = openReleaseById(stacked.home, 'r1');
    expect(await told([STATE], {}, undefined, of)).toMatchObject({ count: 7, outlines: 3, atLeast: false });
  } finally {
    stacked.remove();
  }
});

it('counts in areas too, beside other filters', async () => {
  const acres = passing(STATE).map(({ properties }) => Number(properties.acreage));
  const median = acres.sort((a, b) => a - b)[Math.floor(acres.length / 2)]!;
  const HALF: Test = { ...LARGE, operands: [median] };
  // The smallest of them has smaller ones around it.
  const [one] = passing(STATE, HALF).toSorted((a, b) => Number(a.properties.acreage) - Number(b.properties.acreage));
  const [lng, lat] = [Number(one!.properties.centroid_lon), Number(one!.properties.centroid_lat)];
  const ring = [
    [lng - 0.04, lat - 0.04],
    [lng + 0.04, lat - 0.04],
    [lng + 0.04, lat + 0.04],
    [lng - 0.04, lat + 0.04],
    [lng - 0.04, lat - 0.04],
  ];
  const geometry = fromGeoJSON({ type: 'Polygon', coordinates: [ring] } as Polygonal);
  const area = areaTest('intersects', geometry, 'filters[0].value');
  const both = await told([area, STATE, HALF]);
  const alone = await told([area, STATE]);
  expect(both.count).toBeGreaterThan(0);
  expect(both.count).toBeLessThan(alone.count);
  expect(both.perFilter[2]).toEqual({ alone: passing(HALF).length, without: alone.count });
  expect(both.perFilter[0]!.without).toBe(passing(STATE, HALF).length);
});

it('counts to its bound and says that there may be more', async () => {
  const { length } = passing(STATE, LARGE);
  expect(await told([STATE, LARGE], { bound: 3 })).toMatchObject({ count: 3, atLeast: true, unread: false });
  expect(await told([STATE, LARGE], { bound: length })).toMatchObject({ count: length, atLeast: false });
  expect(await told([STATE, LARGE], { bound: length - 1 })).toMatchObject({ count: length - 1, atLeast: true });
});

it('says what it could not count', async () => {
  const elsewhere = { ...STATE, operands: ['TX'] };
  expect(await told([elsewhere])).toMatchObject({ count: 0, atLeast: true, unread: true });
  expect(await told([STATE, LARGE], {}, Date.now() - 1)).toMatchObject({
    count: 0,
    atLeast: true,
    unread: true,
    perFilter: [
      { alone: null, without: null },
      { alone: null, without: null },
    ],
  });
  const empty: Test = { name: 'alt_apn1', kind: 'string', op: 'ne', operands: ['X'] };
  expect(await told([STATE, empty])).toMatchObject({
    count: 0,
    atLeast: false,
    notices: [{ kind: 'no_value', name: 'alt_apn1' }],
  });
});

it('refuses an area that is not valid before anything is counted', async () => {
  const bow = fromGeoJSON({
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [1, 1],
        [1, 0],
        [0, 1],
        [0, 0],
      ],
    ],
  } as Polygonal);
  expect(await count([STATE, areaTest('within', bow, 'filters[1].value')])).toMatchObject({
    issues: [{ path: 'filters[1].value' }],
  });
});
