import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RasterLayer, VectorLayer } from '../../../datasets/dataset.ts';
import { runOverlay } from '../../../pipelines/overlay/run.ts';
import type { Progress } from '../../../pipelines/progress.ts';
import { matchParcel } from '../../../query/engine/match-task.ts';
import { evaluate } from '../../../query/evaluate/evaluate.ts';
import { geodesicArea } from '../../../query/geometry/area/geodesic-area.ts';
import { Calculated } from '../../../query/parcel/calculated-values.ts';
import { createCache } from '../../../query/release/cache.ts';
import { Layers } from '../../../query/release/layers.ts';
import { openRelease } from '../../../query/release/open-release.ts';
import { type OverlayProgress, overlayProgress } from '../../../query/release/overlay-progress.ts';
import { createFixture, dataset, type Fixture, field, point, rectangle } from '../../query/release-fixture.ts';
import { SILENT } from '../silent.ts';

const vector = (geometry: VectorLayer['geometry'], ...columns: string[]): VectorLayer => ({
  kind: 'vector',
  geometry,
  joinKey: null,
  partition: 'county',
  columns: Object.fromEntries(columns.map(name => [name, { type: 'string' as const }])),
});
const parcelLayer: VectorLayer = {
  ...vector('polygon', 'apn', 'owner', 'zoning', 'bldg_count', 'parcel_key'),
  joinKey: 'parcel_key',
};
const raster: RasterLayer = { kind: 'raster', bands: 1, sampling: 'bilinear', partition: 'national' };
const datasets = [
  dataset(
    'parcel_store',
    {
      main: {
        ...parcelLayer,
        columns: { ...parcelLayer.columns, centroid_lon: { type: 'number' }, centroid_lat: { type: 'number' } },
      },
    },
    {
      parcel_apn: field('parcel_attr(apn)', { type: 'string', confidence: 'parcel_match' }),
      parcel_area: field('parcel_attr(@area_m2)', { confidence: 'parcel_match' }),
      parcel_zoning: field('parcel_attr(zoning)', { type: 'string', confidence: 'parcel_match' }),
    },
  ),
  dataset('fema_nfhl', { S_FLD_HAZ_AR: vector('polygon', 'FLD_ZONE'), S_FIRM_PAN: vector('polygon', 'EFF_DATE') }),
  dataset('fema_usa_structures', { main: vector('polygon', 'BUILD_ID') }),
  dataset('local_zoning', { main: vector('polygon', 'ZONE') }),
  dataset('usdot_nad', { main: vector('point', 'UUID') }),
  dataset('cdfi_opportunity_zones', { main: vector('polygon', 'GEOID10') }),
  dataset('census_tiger', {
    unsd: vector('polygon', 'GEOID'),
    elsd: vector('polygon', 'GEOID'),
    scsd: vector('polygon', 'GEOID'),
  }),
  dataset('usda_cdl', { main: { ...raster, sampling: 'nearest' } }),
  dataset('usgs_3dep', { main: raster }, { height: field('raster_sample(usgs_3dep, 1)') }),
];

const A = rectangle([0, 0, 0.001, 0.001]);
const B = rectangle([0.001, 0, 0.002, 0.001]);
const at = (lng: number, lat: number) => ({ centroid_lon: lng, centroid_lat: lat });
/** Cells of a tenth of a parcel's side; each holds its column, counted from the west edge of A. */
const cells = Array.from({ length: 40 * 20 }, (_, i) => (i % 40) - 10);

let fixture: Fixture;
let stored: Calculated;
/** What servers were told of the run before it published, and behind it. */
const told: (OverlayProgress | null)[] = [];
beforeAll(async () => {
  fixture = await createFixture(datasets, {});
  await fixture.publish(
    {
      parcel_store: {
        main: [
          {
            key: 'ME/23019',
            features: [
              {
                geometry: A,
                apn: 'a',
                parcel_key: 'a',
                owner: null,
                zoning: null,
                bldg_count: null,
                ...at(0.0005, 0.0005),
              },
              // Two units of one lot, which shares its west edge with the first.
              {
                geometry: B,
                apn: 'b1',
                parcel_key: 'b1',
                owner: null,
                zoning: null,
                bldg_count: null,
                ...at(0.0015, 0.0005),
              },
              {
                geometry: B,
                apn: 'b2',
                parcel_key: 'b2',
                owner: null,
                zoning: null,
                bldg_count: null,
                ...at(0.0015, 0.0005),
              },
            ],
            unpublished: ['owner', 'zoning'],
          },
        ],
      },
      fema_nfhl: {
        S_FLD_HAZ_AR: [
          {
            features: [
              // Two polygons of one zone overlap: together a quarter of A.
              { geometry: rectangle([-0.001, -0.001, 0.0002, 0.002]), FLD_ZONE: 'AE' },
              { geometry: rectangle([0.0001, -0.001, 0.00025, 0.002]), FLD_ZONE: 'AE' },
              { geometry: rectangle([0.00025, -0.001, 0.001, 0.002]), FLD_ZONE: 'X' },
            ],
          },
        ],
        S_FIRM_PAN: [{ features: [{ geometry: rectangle([-1, -1, 1, 1]), EFF_DATE: '2020-01-02' }] }],
      },
      fema_usa_structures: {
        main: [
          {
            features: [
              { geometry: rectangle([0.0003, 0.0003, 0.0004, 0.0004]), BUILD_ID: '1' },
              // Six tenths on A, the rest on B.
              { geometry: rectangle([0.00094, 0.0003, 0.00104, 0.0004]), BUILD_ID: '2' },
              { geometry: rectangle([0.01, 0.01, 0.0101, 0.0101]), BUILD_ID: '3' },
            ],
          },
        ],
      },
      local_zoning: {
        main: [
          {
            vintage: '2013-05-10',
            features: [
              { geometry: rectangle([-0.001, -0.001, 0.0004, 0.002]), ZONE: 'LDR' },
              { geometry: rectangle([0.0004, -0.001, 0.0016, 0.002]), ZONE: 'URD-1' },
            ],
          },
        ],
      },
      usdot_nad: {
        main: [
          {
            features: [
              { geometry: point(0.0002, 0.0002), UUID: '1' },
              { geometry: point(0.0008, 0.0008), UUID: '2' },
              { geometry: point(0.0018, 0.0008), UUID: '3' },
            ],
          },
        ],
      },
      cdfi_opportunity_zones: { main: [{ features: [{ geometry: A, GEOID10: '23019000100' }] }] },
      census_tiger: {
        unsd: [{ features: [{ geometry: B, GEOID: '2300001' }] }],
        elsd: [{ features: [{ geometry: A, GEOID: '2300002' }] }],
        scsd: [{ features: [{ geometry: A, GEOID: '2300003' }] }],
      },
      usda_cdl: {
        main: [
          {
            vintage: 'CDL of the season 2023',
            // Corn on A, soybeans on B and beyond.
            raster: {
              ...{ width: 40, height: 20, west: -0.001, north: 0.0015, cell: 0.0001 },
              values: cells.map(column => (column < 10 ? 1 : 5)),
            },
          },
        ],
      },
      usgs_3dep: {
        main: [{ raster: { width: 40, height: 20, west: -0.001, north: 0.0015, cell: 0.0001, values: cells } }],
      },
    },
    '20260101-00000001',
  );
  const { home, catalog } = fixture;
  const progress: Progress = {
    ...SILENT,
    start(what, total) {
      if (what.startsWith('quantiles')) told.push(overlayProgress(home));
      return SILENT.start(what, total);
    },
  };
  await runOverlay({ home, catalog, threads: 0, memoryMb: 64, progress });
  told.push(overlayProgress(home));
  const release = openRelease(home);
  stored = new Calculated(
    new Layers(release, createCache(64)),
    catalog,
    release.layer('parcel_store', 'main')!.partitions[0]!,
  );
});
afterAll(() => fixture?.remove());

it('is told to servers until it is published, not only until all is calculated', () => {
  const [before, after] = [told.at(0), told.at(-1)];
  expect(before).toMatchObject({ total: 3 });
  expect(after).toBeNull();
});

/** Status and value of names for one parcel. */
async function of(ord: number, ...names: string[]) {
  const findings = await stored.findings(ord, names);
  return names.map(name => findings.get(name)?.value ?? findings.get(name)?.status ?? 'not built');
}

describe('attributes computed for parcels', () => {
  it('flood zones by the share of the parcel that each covers, a place once', async () => {
    const names = ['parcel_fema_flood_zone', 'parcel_fema_flood_zone_raw', 'parcel_fema_flood_zone_date'];
    expect(await of(0, ...names)).toEqual(['X', 'X:0.75;AE:0.25', '2020-01-02']);
    // X only touches the edge of B.
    expect(await of(1, ...names)).toEqual(['absent', 'absent', '2020-01-02']);
  });

  it('heights of the cells that lie on it', async () => {
    const names = ['lowest_parcel_elevation', 'highest_parcel_elevation', 'height'];
    expect(await of(0, ...names.slice(0, 2))).toEqual([0, 9]);
    expect(await of(1, ...names.slice(0, 2))).toEqual([10, 19]);
    const [slope] = await of(0, 'mean_parcel_slope_percent');
    // One metre a cell of 0.0001 degrees of longitude at the equator.
    expect(slope).toBe(Math.round((100 * 100) / ((6_378_137 * Math.PI) / 180 / 10_000)) / 100);
  });

  it('addresses that stand on it, and the opportunity zone by its name', async () => {
    expect(await of(0, 'address_count', 'qoz', 'qoz_tract')).toEqual([2, 'Yes', '23019000100']);
    expect(await of(2, 'address_count', 'qoz', 'qoz_tract')).toEqual([1, 'No', 'absent']);
  });

  it('footprints by the area that lies on it; a column that the source publishes is left to it', async () => {
    const whole = geodesicArea(rectangle([0.0003, 0.0003, 0.0004, 0.0004]));
    const [feet] = await of(0, 'bldg_footprint_sqft');
    expect(feet).toBe(Math.round(whole * 1.6 * 10.763910416709722));
    const [rest] = await of(1, 'bldg_footprint_sqft');
    expect(rest).toBe(Math.round(whole * 0.4 * 10.763910416709722));
    expect(stored.locate('bldg_count')).toBe(null);
    // No layer of census blocks is in the release.
    expect(stored.locate('census_block')).toBe(null);
  });

  it('the zoning district that covers most of it, and as of when, where the source has none; a field of the column too', async () => {
    const names = ['zoning', 'zoning_source_date', 'parcel_zoning'];
    expect(await of(0, ...names)).toEqual(['URD-1', '2013-05-10', 'URD-1']);
    expect(await of(2, ...names)).toEqual(['URD-1', '2013-05-10', 'URD-1']);
    const release = openRelease(fixture.home);
    const asked = { release, catalog: fixture.catalog, cache: createCache(64), deadline: Date.now() + 60_000 };
    const { parcel_zoning } = await evaluate(['parcel_zoning'], { lng: 0.0005, lat: 0.0005 }, asked);
    const [finding] = (await stored.findings(0, ['parcel_zoning'])).values();
    expect(parcel_zoning).toMatchObject({ value: 'URD-1', status: 'ok', confidence: finding!.confidence });
    const found = await matchParcel({ point: { lng: 0.0005, lat: 0.0005 }, address: null, geometry: false }, asked);
    expect(found).toMatchObject({ status: 'matched', parcel: { apn: 'a', properties: { apn: 'a', zoning: 'URD-1' } } });
  });

  it('the crop that covers most of it, and the year in which the raster saw it', async () => {
    const names = ['cdl_majority_category', 'cdl_majority_percent', 'cdl_date'];
    expect(await of(0, ...names)).toEqual(['Corn', 100, '2023']);
    expect(await of(1, ...names)).toEqual(['Soybeans', 100, '2023']);
  });

  it('its school districts: of all grades, or of each half of them', async () => {
    const names = ['unified', 'elementary', 'secondary'].map(grades => `census_${grades}_school_district`);
    expect(await of(0, ...names)).toEqual(['absent', '2300002', '2300003']);
    expect(await of(1, ...names)).toEqual(['2300001', 'absent', 'absent']);
  });

  it('stacked parcels share what lies at their point and keep what is their own', async () => {
    expect(await of(1, 'parcel_apn', 'height')).toEqual(['b1', (await of(2, 'height'))[0]]);
    expect(await of(2, 'parcel_apn')).toEqual(['b2']);
    expect(await of(2, 'parcel_area')).toEqual(await of(1, 'parcel_area'));
    expect((await of(2, 'parcel_area'))[0]).toBeCloseTo(geodesicArea(B), 6);
  });
});
