import { deserialize } from 'node:v8';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { PARCEL_ATTRIBUTES } from '../../../datasets/parcel/parcel-attributes.ts';
import { countParcels } from '../../../query/engine/count-task.ts';
import { createCache } from '../../../query/release/cache.ts';
import { openReleaseById, type Release } from '../../../query/release/open-release.ts';
import type { Test } from '../../../query/search/request/filter.ts';
import { PARCEL_AREA } from '../../../query/search/request/name.ts';
import type { MatchTable } from '../../../query/sets/part/match-columns.ts';
import { partOfSet, type SetPlace } from '../../../query/sets/part/set-part.ts';
import { rectangle } from '../release-fixture.ts';
import { BUDGET } from '../search/agreement.ts';
import { type ParcelRelease, writeParcelRelease } from '../search/parcel-release.ts';

/** Values of each type that parcels have in turn, as publishers have them. */
const VALUES = {
  string: ['Ōrono "A"', 'x'],
  number: [0.1, -0],
  integer: [3, 0],
  boolean: [true, false],
  date: ['2020-01-02', '1999-12-31'],
  timestamp: ['2020-01-02T03:04:05Z', '2021-06-07T08:09:10.5Z'],
} as const;
const NAMES = Object.keys(PARCEL_ATTRIBUTES).filter(name => !name.startsWith('centroid'));

const parcelsOf = (place: number) =>
  [0, 1, 2, 3].map(i => ({
    geometry: rectangle([-68 + place / 10 + i / 100, 45, -67.995 + place / 10 + i / 100, 45.005]),
    properties: Object.fromEntries([
      ...NAMES.map((name, at) => {
        const { type } = PARCEL_ATTRIBUTES[name as keyof typeof PARCEL_ATTRIBUTES];
        return [name, (at + i) % 3 === 0 ? null : VALUES[type as keyof typeof VALUES][i % 2]!] as const;
      }),
      ['apn', `${place}-${i}`] as const,
    ]),
  }));

let home: ParcelRelease;
let release: Release;
beforeAll(async () => {
  const county = { state: 'ME', fips: '23009' };
  // Two files of one county, each cited from another source.
  home = await writeParcelRelease([
    { ...county, place: 'p', parcels: parcelsOf(0) },
    { ...county, place: 'q', parcels: parcelsOf(1) },
  ]);
  release = openReleaseById(home.home, 'r1');
});
afterAll(() => home.remove());

const STATE: Test = { name: 'state', kind: 'state', op: 'eq', operands: ['ME'] };

it.each([false, true])('columns hold what matches show, county by its code %s', async countyByFips => {
  const environment = {
    release,
    catalog,
    cache: createCache(64),
    deadline: Date.now() + 60_000,
    stopped: () => false,
  };
  const outputs = [...NAMES, 'state', 'geoid', PARCEL_AREA, 'parcel_geometry_wkt', 'parcel_boundary_geojson'];
  const set = { outputs, countyByFips, budget: BUDGET, filters: [STATE] };
  const counted = await countParcels({ ...set, bound: 100 }, environment);
  if (!('preview' in counted)) throw new Error(JSON.stringify(counted));
  const matches = JSON.parse(counted.preview) as {
    readonly analysis_point: { readonly lat: number; readonly lng: number };
    readonly fields: Record<string, unknown>;
    readonly field_status: Record<string, string>;
    readonly [name: string]: unknown;
  }[];
  expect(matches).toHaveLength(8);
  const rows: Record<string, unknown>[] = [];
  const lacks: string[] = [];
  let after: SetPlace | null = null;
  do {
    const table = { resolution: 9, shapes: true };
    const part = await partOfSet({ ...set, after, limit: 3, located: false, table }, environment);
    if (!('table' in part)) throw new Error(JSON.stringify(part));
    const { count, columns, lacks: some } = deserialize(part.table!) as MatchTable;
    for (let row = 0; row < count; row++)
      rows.push(Object.fromEntries([...columns].map(([name, list]) => [name, list[row]])));
    lacks.push(...some);
    after = part.next;
  } while (after);
  expect(rows.map(({ parcel_id: _, h3: __, ...row }) => row)).toEqual(
    matches.map(({ analysis_point: { lat, lng }, fields, field_status: _, ...shown }) => ({
      ...shown,
      ...fields,
      lat,
      lng,
    })),
  );
  expect(lacks).toEqual(
    matches.map(({ field_status: statuses }) =>
      outputs.flatMap(name => (statuses[name] === 'ok' ? [] : [`${name}:${statuses[name]}`])).join(' '),
    ),
  );
  expect(lacks.some(lack => lack !== '')).toBe(true);
});
