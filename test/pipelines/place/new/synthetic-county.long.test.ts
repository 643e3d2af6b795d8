import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Geometry } from '../../../../datasets/geometry.ts';
import { Client } from '../../../../ingest/acquire/client.ts';
import { parseMirror } from '../../../../ingest/acquire/mirror.ts';
import { ingestPlace } from '../../../../pipelines/refresh/ingest-place.ts';
import { worldFiles } from '../../../../pipelines/world/layer.ts';
import { Publisher } from '../../../ingest/acquire/publisher.ts';
import { fromGeoJSON, type Shape } from '../../../oracle/geojson.ts';
import { contains } from '../../../oracle/geometry.ts';
import { syntheticHome, syntheticWorld } from '../../../synthetic-home.ts';
import { TODAY } from '../../acquire/area-publisher.ts';
import { SILENT } from '../../silent.ts';
import { newSyntheticCounty, publishCounty } from './county-publisher.ts';
import { ReleaseRows, type StoredRow } from './release-rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'plat-county-'));
const publisher = new Publisher();

beforeAll(async () => void (await publisher.start()));
afterAll(async () => {
  vi.useRealTimers();
  await publisher.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Layers that the place file of the area has and the county's own does not, with the reason. */
const NOT_PUBLISHED: Readonly<Record<string, string>> = {
  // Nobody publishes them as a file that a program may take.
  'bts_ntad:noise': 'put there by hand',
  'hifld_archive:independent_system_operators': 'put there by hand',
  'nrel_nsrdb:latilt': 'put there by hand',
  'usgs_earthquake:nshm_pga_2pct50': 'put there by hand',
  'usgs_earthquake:design_ss': 'put there by hand',
  'usgs_earthquake:design_s1': 'put there by hand',
  'usgs_landslides:inventory': 'put there by hand',
  'usgs_landslides:susceptibility_n10': 'put there by hand',
  'usfs_wrc:whp_cls': 'put there by hand',
  // Several files that are joined or lie one over another.
  'fcc_bdc:main': 'it is made of several files',
  'noaa_slr:main': 'it is made of several files',
  // Other columns, or a member whose name is not known.
  ...Object.fromEntries(
    [
      ...['epa_radon:main', 'nhc_surge:cat3', 'nhc_surge:cat5', 'osm_power:substation', 'peeringdb:fac'],
      ...['nrel_wtk:wind_speed_80m', 'nrel_wtk:wind_speed_100m', 'nrel_wtk:wind_speed_140m'],
      ...['usda_ssurgo:mapunit', 'usda_ssurgo:muaggatt', 'usda_ssurgo:component', 'usda_ssurgo:chorizon'],
    ].map(name => [name, 'what is published has another form than the mapping']),
  ),
};

/** Columns that the publishers of the county do not have. Of all others rows are equal. */
const WITHOUT_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  // OpenAddresses names neither the id, the parts of a street nor the placement of Maine's addresses.
  'usdot_nad:main': ['UUID', 'St_Name', 'Inc_Muni', 'Placement'],
  // A shapefile numbers its rows itself.
  'eia_atlas:natural_gas_pipelines': ['FID'],
  'eia_atlas:petroleum_product_pipelines': ['FID'],
};

/** Columns of parcels that the state publishes (datasets/templates/maine.ts) in the spelling of the county, whose own file has a whole roll. */
const STATE_PARCELS: readonly string[] = [
  'apn',
  'apn_no_formatting',
  'state_apn',
  'address',
  'original_address',
  'geoid',
  'state2',
];

/** The vertices of a geometry, in an order of their own. */
const ground = (geometry: StoredRow['geometry']): string => {
  const spots: string[] = [];
  const add = (at: unknown): void => {
    if (!Array.isArray(at)) return;
    if (typeof at[0] === 'number') spots.push(`${at[0].toFixed(7)} ${(at[1] as number).toFixed(7)}`);
    else at.forEach(add);
  };
  add(geometry?.coordinates);
  // Formats differ in the first vertex, in the direction of rings, and in parts of a polygon alone.
  return [...new Set(spots)].sort().join();
};

const keyOf = (name: string, { properties, geometry }: StoredRow) => {
  const isCompared = (column: string) =>
    name === 'parcel_store:main' ? STATE_PARCELS.includes(column) : !WITHOUT_COLUMNS[name]?.includes(column);
  return JSON.stringify([
    Object.entries(properties)
      .filter(([column]) => isCompared(column))
      .sort(),
    ground(geometry),
  ]);
};

/** Whether the middle of a row's vertices lies in the county. */
function isOfCounty({ geometry }: StoredRow, outline: Geometry): boolean {
  const spots = ground(geometry)
    .split(',')
    .map(spot => spot.split(' ').map(Number));
  const mean = (i: number) => spots.reduce((sum, spot) => sum + spot[i]!, 0) / spots.length;
  return contains(outline, mean(0), mean(1));
}

describe('the synthetic county by plat place new, from its publishers', () => {
  let expected: ReleaseRows;
  let made: ReleaseRows;
  let left: readonly { readonly what: string; readonly why: string }[];

  beforeAll(async () => {
    const { home, sources } = await syntheticHome();
    const county = newSyntheticCounty();
    left = county.left;
    const without = await publishCounty(publisher, county.place, worldFiles(await syntheticWorld()), sources);
    expect(without).toEqual([]);
    vi.useFakeTimers({ now: TODAY, toFake: ['Date'] });
    const client = new Client({ mirror: parseMirror(`*=${publisher.origin}`), perHost: 2, wait: async () => {} });
    const own = join(folder, 'home');
    const options = {
      home: own,
      sources: join(folder, 'sources'),
      place: county.place,
      client,
      datasets: [],
      threads: 0,
    };
    await ingestPlace({ ...options, progress: SILENT });
    await client.close();
    expected = new ReleaseRows(home);
    made = new ReleaseRows(own);
  });

  it('has every layer of the place file, but those that are named with the reason', () => {
    const missing = expected.layers().filter(name => !made.layers().includes(name));
    expect(missing.sort()).toEqual(Object.keys(NOT_PUBLISHED).sort());
    for (const [name, why] of Object.entries(NOT_PUBLISHED))
      expect(left.find(({ what }) => what === name)?.why, name).toContain(why);
    expect(made.layers().filter(name => !expected.layers().includes(name))).toEqual([]);
  });

  it('has in each layer the rows of the place file on its ground, and no others', async () => {
    const [county] = (await expected.rows('census_tiger:county')).filter(row => row.properties.GEOID === '23999');
    const outline = fromGeoJSON(county!.geometry as Shape);
    let compared = 0;
    for (const name of made.layers()) {
      const isCompared = ({ properties }: StoredRow) =>
        // Declarations of a whole state are rows of each of its counties.
        (name !== 'openfema:DisasterDeclarationsSummaries' || properties.county_fips === '23999') &&
        // The place file knows that this ground is no parcel; of the state's parcels nobody says so.
        (name !== 'parcel_store:main' || properties.apn !== 'ROAD');
      const [hand, own] = [await expected.rows(name), await made.rows(name)].map(rows => rows.filter(isCompared));
      const [handKeys, ownKeys] = [hand!, own!].map(rows => new Set(rows.map(row => keyOf(name, row))));
      const others = own!.filter(row => !handKeys!.has(keyOf(name, row)));
      expect(others, `${name}: rows that the place file has not`).toEqual([]);
      const lacking = hand!.filter(row => !ownKeys!.has(keyOf(name, row)));
      const isLost = (row: StoredRow) => row.geometry === null || isOfCounty(row, outline);
      expect(lacking.filter(isLost), `${name}: rows that are lost`).toEqual([]);
      compared += own!.length;
    }
    expect(compared).toBeGreaterThan(1500);
  });

  it('has in each raster the cells of the place file', async () => {
    let compared = 0;
    for (const name of made.layers()) {
      const [hand] = await expected.rasters(name);
      const [own] = await made.rasters(name);
      if (!own || !hand) continue;
      const [a, b] = [await hand.getImage(), await own.getImage()];
      expect(b.getResolution(), name).toEqual(a.getResolution());
      const [x, y] = [0, 1].map(i => Math.round((b.getOrigin()[i]! - a.getOrigin()[i]!) / a.getResolution()[i]!)) as [
        number,
        number,
      ];
      const [width, height] = [b.getWidth(), b.getHeight()];
      const [cells] = (await b.readRasters()) as unknown as [ArrayLike<number>];
      const window = [x, y, x + width, y + height];
      const [others] = (await a.readRasters({ window })) as unknown as [ArrayLike<number>];
      expect(
        Array.from(cells!).findIndex((value, i) => !Object.is(value, others![i])),
        name,
      ).toBe(-1);
      compared++;
      hand.close();
      own.close();
    }
    expect(compared).toBeGreaterThanOrEqual(13);
  });
});
