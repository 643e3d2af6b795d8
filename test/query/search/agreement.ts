import fc from 'fast-check';
import { expect } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { search } from '../../../query/engine/search-task.ts';
import { ServingThreadSearches } from '../../../query/engine/serving-thread-searches.ts';
import { createCache } from '../../../query/release/cache.ts';
import { openRelease, type Release } from '../../../query/release/open-release.ts';
import type { WrittenResult } from '../../../query/search/page/written-page.ts';
import type { Position } from '../../../query/search/request/position.ts';
import type { SearchRequest } from '../../../query/search/request/request.ts';
import { SearchReader } from '../../../server/search/read.ts';
import { fromGeoJSON, type Polygonal, toGeoJSON } from '../../oracle/geojson.ts';
import { isValid } from '../../oracle/geometry.ts';
import { mayPass, type RejectedParcel } from '../../oracle/rejected.ts';
import { type OracleFilter, type OracleParcel, searchAll } from '../../oracle/search.ts';
import { Lattice, latticeParcels } from './lattice.ts';
import { textOf } from './page-text.ts';
import { type ParcelRelease, type SourceCounty, writeParcelRelease } from './parcel-release.ts';

export const BUDGET = { batch: 1000, maxCandidates: null, maxEvaluated: null, maxSquareKm: 1_000_000 };

export interface Numbered extends OracleParcel {
  readonly apn: string;
}

/** A county on a lattice. */
interface LatticeCounty extends Omit<SourceCounty, 'parcels'> {
  readonly county: string | null;
  readonly seed: number;
  readonly west: number;
  readonly south: number;
}
export interface World {
  readonly release: ParcelRelease;
  readonly lattices: readonly Lattice[];
  readonly parcels: readonly Numbered[];
  readonly counties: readonly SourceCounty[];
}

/** Three counties in two states on neighbouring lattices. */
export const openWorld = (size: number): Promise<World> =>
  openCounties(size, [
    { state: 'ME', fips: '23019', place: 'a', county: 'Penobscot', seed: 1, west: -68.8, south: 44.7 },
    {
      state: 'ME',
      fips: '23027',
      place: 'b',
      county: 'Waldo County',
      seed: 2,
      west: -68.8 + size * 0.004,
      south: 44.7,
    },
    { state: 'NH', fips: '33015', place: 'c', county: null, seed: 3, west: -70.9, south: 43 },
  ]);

/** An Aleutian county of two places, one on each side of the antimeridian, without a parcel beyond it. */
export const openAleutians = (size: number): Promise<World> => {
  const common = { state: 'AK', fips: '02016', county: 'Aleutians West' };
  return openCounties(size, [
    { ...common, place: 'east', seed: 1, west: -180 + 0.004, south: 51.8 },
    { ...common, place: 'west', seed: 2, west: 180 - (size + 1) * 0.004, south: 51.8 },
  ]);
};

/** Three counties: one of three files of two places that overlap one another all over, a neighbour, and one far off. */
export const openOverlapping = (size: number): Promise<World> => {
  const common = { state: 'ME', fips: '23019', county: 'Penobscot', south: 44.7 };
  return openCounties(size, [
    { ...common, place: 'a', seed: 1, west: -68.8 },
    { ...common, place: 'a', seed: 4, west: -68.799 },
    { ...common, place: 'b', seed: 5, west: -68.8 + size * 0.002, south: 44.701 },
    { ...common, fips: '23027', place: 'b', seed: 2, west: -68.8 + size * 0.004 },
    { state: 'NH', fips: '33015', place: 'c', county: null, seed: 3, west: -70.9, south: 43 },
  ]);
};

/** Parcels of the counties in stored order, as the oracle wants them. */
async function openCounties(size: number, specs: readonly LatticeCounty[]): Promise<World> {
  const lattices = specs.map(({ west, south, seed }) => new Lattice(size, west, south, 0.004, seed));
  const counties = specs.map(({ state, fips, place, county, seed }, k) => ({
    state,
    fips,
    place,
    parcels: latticeParcels(lattices[k]!, seed, county),
  }));
  const release = await writeParcelRelease(counties);
  // Numbers begin with the seed of their file.
  const byNumber = new Map(
    counties.flatMap(({ state, fips, parcels: source }) =>
      source.map(parcel => [String(parcel.properties.apn), { ...parcel, state, fips }] as const),
    ),
  );
  const parcels = release.order.flat().map(apn => {
    const { geometry, properties, state, fips } = byNumber.get(apn)!;
    return { state, fips, apn, geometry, values: properties };
  });
  return { release, lattices, parcels, counties };
}

const NUMBER = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte'];
const pair = <T>(values: fc.Arbitrary<T>, less: (a: T, b: T) => boolean) =>
  fc.tuple(values, values).map(([a, b]) => (less(a, b) ? [a, b] : [b, a]));

function ordered<T>(fields: readonly string[], values: fc.Arbitrary<T>, less: (a: T, b: T) => boolean) {
  const field = fc.constantFrom(...fields);
  return fc.oneof(
    fc.record({ field, op: fc.constantFrom(...NUMBER), value: values }),
    fc.record({ field, op: fc.constant('in'), value: fc.array(values, { minLength: 1, maxLength: 4 }) }),
    fc.record({ field, op: fc.constant('between'), value: pair(values, less) }),
  );
}

function equal<T>(fields: readonly string[], values: fc.Arbitrary<T>) {
  const field = fc.constantFrom(...fields);
  return fc.oneof(
    fc.record({ field, op: fc.constantFrom('eq', 'ne'), value: values }),
    fc.record({ field, op: fc.constant('in'), value: fc.array(values, { minLength: 1, maxLength: 4 }) }),
  );
}

const numbers = fc.oneof(
  fc.constantFrom(0, -0, 1, 1.5, -3, 1e12, 99_999.99, 0.1, 2, 2_147_483_647, -1, 0.5, 1e300, -1e-300),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const instants = fc.constantFrom(
  '2024-02-29',
  '1999-12-31',
  '1970-01-01',
  '1900-01-01',
  '2024-02-29T23:59:59.999Z',
  '2024-02-29T00:00:00Z',
  '1969-12-31T23:59:59.001Z',
  '1969-12-31T23:59:59Z',
);
const time = (text: string) => Date.parse(text);

export const attributeFilter: fc.Arbitrary<OracleFilter> = fc.oneof(
  ordered(['landval', 'numunits'], numbers, (a, b) => a <= b),
  ordered(['saledate', 'updated_at'], instants, (a, b) => time(a) <= time(b)),
  equal(
    ['usecode'],
    fc.constantFrom('0101', '101', 'R-1', 'O\'Brien "x"', 'Größe', 'größe', '%_', '', ' 101', '\u0000'),
  ),
  equal(['qoz'], fc.constantFrom('Yes', 'No', 'yes')),
  equal(['struct'], fc.boolean()),
  equal(['city'], fc.constantFrom('bangor', ' BANGOR ', 'Orono', 'old town', 'ñANDÚ', 'x')),
  equal(
    ['county'],
    fc.constantFrom('penobscot', 'Penobscot County', ' WALDO', 'waldo parish', '23019', '33015', '99999'),
  ),
  equal(['geoid'], fc.constantFrom('23019', '33015', '23027')),
  equal(['state', 'state2'], fc.constantFrom('ME', 'nh', 'VT')),
);

type Ring = [number, number][];

/** Areas that share boundaries, cross them or avoid them; some are not valid. */
export function areaFilter({ lattices, parcels }: World): fc.Arbitrary<OracleFilter> {
  const lattice = fc.constantFrom(...lattices);
  const { size } = lattices[0]!;
  const cell = fc.nat({ max: size - 1 });
  const own = fc.constantFrom(...parcels).map(p => toGeoJSON(p.geometry) as Polygonal);
  const blockRing = (l: Lattice, i0: number, j0: number, i1: number, j1: number): Ring => {
    const ring: Ring = [];
    for (let i = i0; i < i1; i++) ring.push(l.vertex(i, j0));
    for (let j = j0; j < j1; j++) ring.push(l.vertex(i1, j));
    for (let i = i1; i > i0; i--) ring.push(l.vertex(i, j1));
    for (let j = j1; j > j0; j--) ring.push(l.vertex(i0, j));
    ring.push(ring[0]!);
    return ring;
  };
  const block = fc
    .tuple(lattice, cell, cell, fc.nat({ max: 6 }), fc.nat({ max: 6 }), fc.boolean())
    .map(([l, i, j, w, h, hole]) => {
      const [i1, j1] = [Math.min(size, i + w + 1), Math.min(size, j + h + 1)];
      const coordinates = [blockRing(l, i, j, i1, j1)];
      if (hole && i1 - i > 2 && j1 - j > 2) coordinates.push(l.ring(i + 1, j + 1));
      return { type: 'Polygon', coordinates } as Polygonal;
    });
  const spot = fc.tuple(
    lattice,
    fc.double({ min: -1, max: size + 1, noNaN: true }),
    fc.double({ min: -1, max: size + 1, noNaN: true }),
  );
  const at = ([l, i, j]: [Lattice, number, number]): [number, number] => {
    const [x, y] = l.vertex(0, 0);
    return [x + i * 0.004, y + j * 0.004];
  };
  const star = fc
    .tuple(spot, fc.integer({ min: 3, max: 60 }), fc.double({ min: 1e-5, max: 0.05, noNaN: true }))
    .map(([s, n, r]) => {
      const [x, y] = at(s);
      const ring = Array.from({ length: n }, (_, k): [number, number] => {
        const [angle, radius] = [(2 * Math.PI * k) / n, r * (k % 2 ? 0.4 : 1)];
        return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
      });
      return { type: 'Polygon', coordinates: [[...ring, ring[0]!]] } as Polygonal;
    });
  const loose = fc.tuple(lattice, fc.array(fc.tuple(cell, cell), { minLength: 3, maxLength: 6 })).map(([l, cells]) => {
    const ring = cells.map(([i, j]) => l.vertex(i, j));
    return { type: 'Polygon', coordinates: [[...ring, ring[0]!]] } as Polygonal;
  });
  const two = fc.tuple(own, own).map(([a, b]) => {
    const parts = (p: Polygonal) => (p.type === 'Polygon' ? [p.coordinates] : p.coordinates);
    return { type: 'MultiPolygon', coordinates: [...parts(a), ...parts(b)] } as Polygonal;
  });
  return fc.record({
    field: fc.constant('geometry'),
    op: fc.constantFrom('intersects', 'within'),
    value: fc.oneof({ weight: 3, arbitrary: own }, { weight: 3, arbitrary: block }, star, loose, two),
  });
}

/** A request's filters: a state selection, attributes, areas. */
export const request = (world: World) =>
  fc
    .tuple(
      fc.constantFrom<OracleFilter[]>(
        [{ field: 'state', op: 'in', value: ['ME', 'NH'] }],
        [{ field: 'state', op: 'eq', value: 'ME' }],
        [{ field: 'state2', op: 'eq', value: ' nh' }],
      ),
      fc.array(attributeFilter, { maxLength: 3 }),
      fc.array(areaFilter(world), { maxLength: 2 }),
    )
    .map(parts => parts.flat());

/**
 * Asks the engine's search page by page and compares the whole walk with the oracle.
 * @returns how many matches both found; 0 where both refused the area.
 */
export async function compare(
  world: {
    readonly release: { readonly home: string };
    readonly parcels: readonly Numbered[];
    readonly rejected?: readonly RejectedParcel[];
  },
  filters: readonly OracleFilter[],
  limit: number,
  index = true,
): Promise<number> {
  const valid = filters.every(f => f.field !== 'geometry' || isValid(fromGeoJSON(f.value as Polygonal)));
  const columns = new Set(openRelease(world.release.home).layer('parcel_store', 'main')!.columns);
  const availability = () => ({ lack: () => null, lackOf: () => null, sourcesOf: () => [] });
  const engine = { parcelColumns: () => columns, availability, overlayProgress: () => null };
  const { body, issues } = new SearchReader(catalog, engine, 100_000).read({ filters, fields: ['apn'] });
  expect(issues).toEqual([]);
  const found: string[] = [];
  let after: Position | null = null;
  for (;;) {
    const asked: SearchRequest = { ...body!, limit, after, budget: BUDGET, index, handOver: true };
    const release = openRelease(world.release.home);
    const deadline = Date.now() + 60_000;
    const result = await search(asked, { release, catalog, cache, deadline, stopped: () => false });
    await compareHere(asked, release, result);
    if ('issues' in result) {
      expect(valid).toBe(false);
      return 0;
    }
    expect(valid).toBe(true);
    const matches: { apn: string | null }[] = JSON.parse(Buffer.from(textOf(result.matches)).toString());
    found.push(...matches.map(match => String(match.apn)));
    expect(matches.length).toBeLessThanOrEqual(limit);
    // What `limit_reached` said of the page before.
    if (after !== null) expect(matches.length).toBeGreaterThan(0);
    if (result.next === null) {
      const missing = world.rejected?.some(row => mayPass(row, filters));
      expect([result.status, result.reason]).toEqual(
        missing ? ['partial', 'source_unavailable'] : ['complete', 'exhausted'],
      );
      break;
    }
    expect([result.status, result.reason, matches.length]).toEqual(['limited', 'limit_reached', limit]);
    after = result.next;
  }
  expect(found).toEqual(searchAll(world.parcels, filters).map(parcel => parcel.apn));
  return found.length;
}

const cache = createCache(256);
/** Some pages are given up at once: which ones depends on the machine, what is answered does not. */
const [patient, hurried] = [60_000, 0].map(
  mostMs => new ServingThreadSearches(catalog, 256, async () => true, mostMs),
) as [ServingThreadSearches, ServingThreadSearches];
/** Pages that the thread that serves everybody answered too, those that it gave up, and those that it left. */
export const pages = { here: 0, givenUp: 0, left: 0 };

/** Compares what the thread that serves everybody answers, where it does, once it was handed what a worker used. */
async function compareHere(asked: SearchRequest, release: Release, result: WrittenResult): Promise<void> {
  const here = (pages.here + pages.givenUp) % 3 === 2 ? hurried : patient;
  if ('columnsRead' in result && result.columnsRead) here.take(result.columnsRead);
  const page = await here.page(asked, release, { deadline: Date.now() + 60_000 });
  if (typeof page === 'string') {
    pages[here === hurried ? 'givenUp' : 'left']++;
    return;
  }
  pages.here++;
  const read = (it: WrittenResult) =>
    'issues' in it
      ? it
      : { ...it, columnsRead: undefined, matches: JSON.parse(Buffer.from(textOf(it.matches)).toString()) as unknown };
  expect(read(page)).toEqual(read(result));
}
