import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Geometry } from '../../../datasets/geometry.ts';
import fema from '../../../datasets/products/fema-nfhl.ts';
import buildings from '../../../datasets/products/fema-usa-structures.ts';
import terrain from '../../../datasets/products/usgs-3dep.ts';
import { createCache } from '../../../query/release/cache.ts';
import { openRelease } from '../../../query/release/open-release.ts';
import type { Structure, Structures } from '../../../query/structures/request.ts';
import { floodOfStructures } from '../../../query/structures/structures.ts';
import { createFixture, type Fixture, type ReleaseSpec, rectangle } from '../release-fixture.ts';
import { BUDGET } from '../search/agreement.ts';

/** Metres of a degree of latitude and longitude at 44° on WGS84 (Bugayevskiy and Snyder, Map Projections, 1995). */
const [NORTH, EAST] = [111_114.5, 80_258.8];
const [LNG, LAT] = [-70, 44];
const place = (x: number, y: number): [number, number] => [LNG + x / EAST, LAT + y / NORTH];
/** A rectangle in metres east and north of a place. */
const box = (x0: number, y0: number, x1: number, y1: number): Geometry =>
  rectangle([...place(x0, y0), ...place(x1, y1)]);

/** Ground that slopes evenly: bilinear weighing is exact on it. Metres above NAVD 88. */
const height = (x: number, y: number) => 10 + 0.01 * x + 0.02 * y;
const CELL = 0.0001;
const [COLUMNS, ROWS] = [220, 140];
const [WEST, TOP] = [LNG - 0.01, LAT + 0.007];
const raster = {
  ...{ west: WEST, north: TOP, cell: CELL, width: COLUMNS, height: ROWS },
  values: Array.from({ length: COLUMNS * ROWS }, (_, i) => {
    const [lng, lat] = [WEST + ((i % COLUMNS) + 0.5) * CELL, TOP - (Math.floor(i / COLUMNS) + 0.5) * CELL];
    return height((lng - LNG) * EAST, (lat - LAT) * NORTH);
  }),
};

const zone = (x0: number, x1: number, FLD_ZONE: string, ZONE_SUBTY: string | null, more: object = {}) => ({
  geometry: box(x0, -500, x1, 500),
  ...{ DFIRM_ID: '23019C', FLD_AR_ID: `23019C_${x0}`, FLD_ZONE, ZONE_SUBTY },
  ...{ SFHA_TF: 'F', STATIC_BFE: -9999, V_DATUM: null, LEN_UNIT: null },
  ...more,
});
/** Zones from west to east: flooded to 30 feet, 0.2 percent, minimal, not studied. */
const ZONES = [
  zone(-600, 0, 'AE', null, { SFHA_TF: 'T', STATIC_BFE: 30, V_DATUM: 'NAVD88', LEN_UNIT: 'FEET' }),
  zone(0, 100, 'X', '0.2 PCT ANNUAL CHANCE FLOOD HAZARD'),
  zone(100, 500, 'X', 'AREA OF MINIMAL FLOOD HAZARD'),
  zone(500, 600, 'D', null),
];
const panel = { geometry: box(-600, -500, 600, 500), DFIRM_ID: '23019C', FIRM_PAN: '1', EFF_DATE: '2020-01-01' };

const building = (BUILD_ID: string, x0: number, x1: number, y0 = 0) => ({
  geometry: box(x0, y0, x1, y0 + 10),
  ...{ BUILD_ID, PROP_ADDR: null, OCC_CLS: 'Residential', PRIM_OCC: null, SQMETERS: null, HEIGHT: null },
  IMAGE_DATE: null,
});
const HOUSES = [
  building('deep', -100, -80),
  building('edge', -5, 15),
  building('across', -20, 40),
  building('shaded', 50, 60),
  building('dry', 300, 310),
  building('unstudied', 540, 550),
  building('unmapped', 590, 610),
  building('low', -400, -380, -400),
  building('half', 200, 210, 95),
  building('touching', 220, 230, 99.95),
];

const WHOLE: ReleaseSpec = {
  fema_nfhl: { S_FLD_HAZ_AR: [{ features: ZONES }], S_FIRM_PAN: [{ features: [panel] }] },
  fema_usa_structures: { main: [{ features: HOUSES, source: 'structures_me', vintage: '2024-05-01' }] },
  usgs_3dep: { main: [{ raster, source: 'dem_me', vintage: '2023' }] },
};
let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture([fema, buildings, terrain], WHOLE);
});
afterAll(() => fixture.remove());

/** The structures on the ground south of 100 m. */
async function ask({ catalog, home }: Fixture): Promise<Structures> {
  const ground = box(-500, -450, 650, 100);
  const deadline = Date.now() + 60_000;
  const environment = { release: openRelease(home), catalog, cache: createCache(64), deadline, stopped: () => false };
  const request = { ground: { geometry: ground, path: 'geometry' }, filters: [], outputs: [], countyByFips: false };
  const answer = await floodOfStructures({ ...request, budget: BUDGET }, environment);
  if (!('structures' in answer)) throw new Error(JSON.stringify(answer));
  return answer;
}

const byId = ({ structures }: Structures): Record<string, Structure> =>
  Object.fromEntries(structures.map(structure => [String(structure.id), structure]));

describe('the structures on some ground', () => {
  let all: Structures;
  let of: Record<string, Structure>;
  beforeAll(async () => {
    all = await ask(fixture);
    of = byId(all);
  });

  it('are those that share more than a sliver with it, the largest first', () => {
    expect(all.structures.map(({ id }) => id)[0]).toBe('across');
    expect(Object.keys(of).sort()).toEqual(
      HOUSES.map(house => house.BUILD_ID)
        .filter(id => id !== 'touching')
        .sort(),
    );
    expect(of.across!.squareMetres).toBeCloseTo(600, 0);
    expect(of.half!.onGround).toBeCloseTo(0.5, 3);
    expect(of.deep!.onGround).toBe(1);
    expect(all).toMatchObject({ count: 9, partly: false, rejected: 0, late: false });
    expect(of.deep!.footprint).toMatchObject({ source: 'structures_me', vintage: '2024-05-01' });
  });

  it.each([
    // id, share as drawn, least and most with lines off by 12 m, verdict
    ['deep', 1, 1, 1, 'inside'],
    ['edge', 5 / 20, 0, 17 / 20, 'not_decidable'],
    ['across', 20 / 60, 8 / 60, 32 / 60, 'inside'],
    ['shaded', 0, 0, 0, 'outside'],
    ['dry', 0, 0, 0, 'outside'],
    ['unstudied', 0, 0, 0, 'not_decidable'],
  ] as const)('%s lies in the hazard area as geometry says', (id, share, least, most, verdict) => {
    const { sfha } = of[id]!;
    expect(sfha).toMatchObject({ status: 'ok', verdict });
    expect(sfha.share).toBeCloseTo(share, 3);
    expect(sfha.least).toBeCloseTo(least, 3);
    expect(sfha.most).toBeCloseTo(most, 3);
  });

  it('have the zone that decides, and the shares of all', () => {
    expect(of.edge!.zones).toMatchObject({ zone: 'AE', status: 'ok' });
    expect(of.edge!.zones.shares.map(each => each.zone)).toEqual(['X', 'AE']);
    expect(of.dry!.zones.zone).toBe('X');
    expect(of.unstudied!.zones.zone).toBe('D');
  });

  it('tell the 0.2 percent zone apart', () => {
    expect(of.shaded!.moderate).toMatchObject({ status: 'ok', share: 1, verdict: 'inside' });
    expect(of.edge!.moderate).toMatchObject({ share: 0.75, most: 1, verdict: 'inside' });
    expect(of.edge!.moderate.least).toBeCloseTo(3 / 20, 2);
    expect(of.deep!.moderate).toMatchObject({ share: 0, verdict: 'outside' });
    expect(of.dry!.moderate).toMatchObject({ share: 0, verdict: 'outside' });
  });

  it('are unknown, not outside, where no panel maps all of a footprint', () => {
    expect(of.unmapped!.sfha).toMatchObject({ status: 'absent', share: null, verdict: null });
    expect(of.unmapped!.sfha.reason).toMatch(/do not map all/);
  });

  it('stand on the lowest ground of the terrain under them', () => {
    for (const { BUILD_ID, geometry } of HOUSES.filter(house => of[house.BUILD_ID])) {
      const corners = Array.from({ length: 5 }, (_, i) =>
        height((geometry.xy[2 * i]! - LNG) * EAST, (geometry.xy[2 * i + 1]! - LAT) * NORTH),
      );
      expect(of[BUILD_ID]!.lowest, BUILD_ID).toMatchObject({ status: 'ok', error: 0.82, source: 'dem_me' });
      expect(of[BUILD_ID]!.lowest.metres, BUILD_ID).toBeCloseTo(Math.min(...corners), 1);
    }
  });

  it('lie above or below the base flood only beyond twice the error of both', () => {
    const error = Math.round(Math.hypot(0.82, 0.3) * 100) / 100;
    expect(of.deep!.baseFlood).toMatchObject({ status: 'ok', metres: 9.14, error: 0.3 });
    expect(of.deep!.aboveBaseFlood).toMatchObject({ verdict: 'not_decidable', error, status: 'ok' });
    expect(of.deep!.aboveBaseFlood.metres).toBeCloseTo(height(-100, 0) - 9.144, 1);
    expect(of.low!.aboveBaseFlood.verdict).toBe('below');
    expect(of.low!.aboveBaseFlood.metres).toBeCloseTo(height(-400, -400) - 9.144, 1);
    expect(of.low!.aboveBaseFlood.source).toBe('dem_me;source_of_somewhere');
    expect(of.dry!.aboveBaseFlood).toMatchObject({ status: 'absent', metres: null, verdict: null });
    expect(of.dry!.aboveBaseFlood.reason).toMatch(/no base flood elevation/);
  });
});

describe('what is not known', () => {
  const others: Fixture[] = [];
  afterAll(() => {
    for (const other of others) other.remove();
  });
  /** The structures of another release. */
  const askOf = async (spec: ReleaseSpec): Promise<Structures> => {
    const other = await createFixture([fema, buildings, terrain], spec);
    others.push(other);
    return ask(other);
  };

  it('is said of buildings, with no count', async () => {
    const { fema_usa_structures: _, ...rest } = WHOLE;
    expect(await askOf(rest)).toMatchObject({ count: null, structures: [], footprints: { status: 'failed' } });
    expect(
      await askOf({ ...WHOLE, fema_usa_structures: { main: [{ features: HOUSES, coverage: [box(900, 0, 901, 1)] }] } }),
    ).toMatchObject({ count: null, structures: [], footprints: { status: 'absent' } });
  });

  it('is said where buildings are mapped on a part of the ground', async () => {
    const half = { features: HOUSES, coverage: [box(-500, -450, 0, 100)] };
    const some = await askOf({ ...WHOLE, fema_usa_structures: { main: [half] } });
    expect(some.partly).toBe(true);
    expect(some.structures.map(({ id }) => id).sort()).toEqual(['across', 'deep', 'edge', 'low']);
  });

  it('is said of the terrain, and the flood map still answers', async () => {
    const { usgs_3dep: _, ...rest } = WHOLE;
    const { deep } = byId(await askOf(rest));
    expect(deep!.sfha.verdict).toBe('inside');
    expect(deep!.lowest).toMatchObject({ status: 'failed', metres: null });
    expect(deep!.aboveBaseFlood).toMatchObject({ status: 'failed', metres: null, verdict: null });
    const holed = { ...raster, values: raster.values.map((value, i) => (i % 2 === 0 ? value : -999999)) };
    expect(byId(await askOf({ ...WHOLE, usgs_3dep: { main: [{ raster: holed }] } })).deep!.lowest).toMatchObject({
      status: 'absent',
      metres: null,
    });
  });

  it('is said of the flood map, and the terrain still answers', async () => {
    const { fema_nfhl: _, ...rest } = WHOLE;
    const { deep } = byId(await askOf(rest));
    expect(deep!.sfha).toMatchObject({ status: 'failed', share: null, verdict: null });
    expect(deep!.zones).toMatchObject({ status: 'failed', zone: null });
    expect(deep!.lowest.status).toBe('ok');
  });

  it('is said of a row whose ground is not known to count', async () => {
    const open = ZONES.map(each => (each.FLD_ZONE === 'AE' ? { ...each, SFHA_TF: 'U' } : each));
    expect(
      byId(await askOf({ ...WHOLE, fema_nfhl: { ...WHOLE.fema_nfhl!, S_FLD_HAZ_AR: [{ features: open }] } })).deep!
        .sfha,
    ).toMatchObject({ share: 0, least: 0, most: 1, verdict: 'not_decidable' });
  });
});
