import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../../datasets/catalog.ts';
import { CDL_CLASSES } from '../../../../datasets/codes/cdl-classes.ts';
import { labelOf } from '../../../../datasets/codes/maps.ts';
import { toUtm19 } from '../../../../pipelines/world/format/crs.ts';
import type { Grid } from '../../../../pipelines/world/format/geotiff.ts';
import { EXTENT, fromFrame } from '../../../../pipelines/world/frame.ts';
import { cropGrid, surgeGrid } from '../../../../pipelines/world/layers/exposure-grids.ts';
import { criticalHabitat } from '../../../../pipelines/world/nature/habitat.ts';
import { inundated } from '../../../../pipelines/world/nature/inundation.ts';
import { mosaic } from '../../../../pipelines/world/nature/mosaic.ts';
import { fireGrids, interfaceAreas } from '../../../../pipelines/world/nature/wildfire.ts';
import { Random } from '../../../../pipelines/world/random.ts';
import { airAreas, drought, facilities, karst } from '../../../../pipelines/world/settlement/regulation.ts';
import { rainfallGrid, tiltGrid, windGrid } from '../../../../pipelines/world/settlement/resource.ts';
import type { World } from '../../../../pipelines/world/world.ts';
import { createEngine } from '../../../../query/engine/engine.ts';
import type { Engine } from '../../../../query/engine/engine-interface.ts';
import type { Answer } from '../../../../query/evaluate/answer.ts';
import { metresBetween } from '../../../oracle/geodesic.ts';
import { SHARED_AREA, syntheticHome, syntheticWorld } from '../../../synthetic-home.ts';
import { flat, Layer } from '../truth.ts';

let world: World;
let engine: Engine;
let asked: { lng: number; lat: number; answers: Record<string, Answer> }[];

beforeAll(async () => {
  world = await syntheticWorld();
  const { home } = await syntheticHome();
  engine = await createEngine({ home, workers: 1, queue: 100, memoryMb: 256 });
  const names = FIELDS;
  const random = new Random(88, 2);
  asked = [];
  for (let i = 0; i < 160; i++) {
    // Half of them close to the shore, where surge and sea level tell places apart.
    const along = random.between(EXTENT.west + 50, EXTENT.east - 50);
    const coast = world.terrain.coast(along);
    const inland = i % 2 ? coast + random.between(-200, 450) : random.between(EXTENT.sea + 50, EXTENT.inland - 50);
    const [lng, lat] = fromFrame([along, inland]);
    asked.push({ lng, lat, answers: await engine.fetch(names, { lng, lat }, { deadline: Date.now() + 60_000 }) });
  }
});
afterAll(async () => {
  await engine?.close();
});

const FIELDS = [
  'crop_type',
  'fuel_model_fbfm40',
  'critical_habitat_species',
  'within_critical_habitat',
  'public_water_system_id',
  'public_water_system_population_served',
  'nearest_wastewater_plant_distance_m',
  'nearest_brownfield_distance_m',
  'nearest_tri_facility_distance_m',
  'nearest_groundwater_well_distance_m',
  'nearest_groundwater_well_depth_to_water_m',
  'huc12_public_supply_withdrawal_m3_per_day',
  'surface_water_supply_use_index_huc12',
  'wind_speed_80m_m_per_s',
  'wind_speed_140m_m_per_s',
  'wind_shear_exponent',
  'solar_latitude_tilt_kwh_per_m2_day',
  'rainfall_2yr_24hr_mm',
  'rainfall_100yr_1hr_mm',
  'nfip_claim_count_tract',
  'disaster_declaration_count_county_10yr',
  'sea_level_rise_lowest_inundating_ft',
  'storm_surge_cat3_depth_m',
  'storm_surge_cat5_depth_m',
  'wildfire_hazard_potential_class',
  'wildfire_burn_probability',
  'wildfire_conditional_flame_length_m',
  'wildfire_exposure_type',
  'wui_class',
  'within_karst_area',
  'drought_category',
  'within_ozone_nonattainment_area',
  'within_pm25_nonattainment_area',
  'county_fips',
  'tract_geoid',
];

/** Expects a number, rounded to the step of its field. */
function expectNumber(answers: Record<string, Answer>, name: string, expected: number): void {
  const off = Math.abs((value(answers, name) as number) - expected);
  expect(off, `${name}: ${answers[name]!.value} for ${expected}`).toBeLessThanOrEqual(
    (catalog.fields.get(name)!.precision ?? 0) / 2 + 1e-6,
  );
}

/** Value of a field, null when absent; never failed. */
function value(answers: Record<string, Answer>, name: string): unknown {
  expect(answers[name]!.status, `${name}: ${answers[name]!.error}`).not.toBe('failed');
  return answers[name]!.value;
}

/** The cell of a grid of the generator at a point, null for no data; undefined on its edge, where rounding decides. */
function cell(grid: Grid, lng: number, lat: number): number | null | undefined {
  const [x, y] = grid.epsg === 26919 ? toUtm19([lng, lat]) : [lng, lat];
  const at = [(x - grid.left) / grid.cellX, (grid.top - y) / grid.cellY] as const;
  if (at.some(v => Math.abs(v - Math.round(v)) < 1e-3)) return undefined;
  const found = grid.value(Math.floor(at[0]), Math.floor(at[1]));
  return found === grid.nodata ? null : found;
}

describe('answers about what the synthetic area is exposed to', () => {
  it.each<[string, () => Grid, (raw: number) => unknown]>([
    ['crop_type', () => cropGrid(world), code => CDL_CLASSES[code]],
    [
      'fuel_model_fbfm40',
      () => fireGrids(world.rasters.land_cover, SHARED_AREA.seed).fbfm40,
      code => labelOf('fbfm40_codes', code),
    ],
    [
      'wildfire_hazard_potential_class',
      () => fireGrids(world.rasters.land_cover, SHARED_AREA.seed).whp_cls,
      code => labelOf('whp_classes', code),
    ],
    ['wildfire_burn_probability', () => fireGrids(world.rasters.land_cover, SHARED_AREA.seed).BP, raw => raw],
    [
      'wildfire_conditional_flame_length_m',
      () => fireGrids(world.rasters.land_cover, SHARED_AREA.seed).CFL,
      feet => feet * 0.3048,
    ],
    [
      'wildfire_exposure_type',
      () => fireGrids(world.rasters.land_cover, SHARED_AREA.seed).Exposure,
      share => (share === 0 ? 'Not exposed' : share === 1 ? 'Direct' : 'Indirect'),
    ],
    ['storm_surge_cat3_depth_m', () => surgeGrid(world, 'cat3'), feet => (feet === 99 ? null : feet * 0.3048)],
    ['storm_surge_cat5_depth_m', () => surgeGrid(world, 'cat5'), feet => (feet === 99 ? null : feet * 0.3048)],
    ['wind_speed_80m_m_per_s', () => windGrid(world.terrain, 80), raw => raw],
    ['wind_speed_140m_m_per_s', () => windGrid(world.terrain, 140), raw => raw],
    ['solar_latitude_tilt_kwh_per_m2_day', tiltGrid, raw => raw],
    ['rainfall_2yr_24hr_mm', () => rainfallGrid(world.terrain, '2yr24ha'), raw => raw * 0.0254],
    ['rainfall_100yr_1hr_mm', () => rainfallGrid(world.terrain, '100yr60ma'), raw => raw * 0.0254],
  ])('%s is that of the cell', (name, make, converted) => {
    const grid = make();
    const seen = new Set<unknown>();
    for (const { lng, lat, answers } of asked) {
      const raw = cell(grid, lng, lat);
      if (raw === undefined) continue;
      const expected = raw === null ? null : converted(raw);
      if (typeof expected === 'number') expectNumber(answers, name, expected);
      else expect(value(answers, name), name).toBe(expected);
      seen.add(expected);
    }
    expect(seen.size).toBeGreaterThan(1);
  });

  it('wind shear is the exponent between two heights', () => {
    for (const { answers } of asked) {
      // Made of the speeds before they are rounded, so that it is off by what both roundings may make of it.
      const speeds = [80, 140].map(h => value(answers, `wind_speed_${h}m_m_per_s`) as number);
      const [low, high] = speeds as [number, number];
      const off = (0.005 / low + 0.005 / high) / Math.log(140 / 80) + 0.005 + 1e-9;
      const exponent = Math.log(high / low) / Math.log(140 / 80);
      expect(Math.abs((value(answers, 'wind_shear_exponent') as number) - exponent)).toBeLessThanOrEqual(off);
    }
  });

  it('names the smallest of overlapping habitats and water systems', () => {
    const habitats = new Layer(
      criticalHabitat(world.lattice, SHARED_AREA.seed).map(
        (f, i) => [String(i), flat(f.geometry), f.properties.comname] as const,
      ),
    );
    const systems = new Layer(
      world.exposure.water.systems().map(f => [String(f.properties.PWSID), flat(f.geometry), f.properties] as const),
    );
    const seen = new Set<unknown>();
    for (const { lng, lat, answers } of asked) {
      const [species = null] = habitats.at(lng, lat);
      expect(value(answers, 'critical_habitat_species')).toBe(species);
      expect(value(answers, 'within_critical_habitat')).toBe(species !== null);
      const [system] = systems.at(lng, lat);
      expect(value(answers, 'public_water_system_id')).toBe(system?.PWSID ?? null);
      expect(value(answers, 'public_water_system_population_served')).toBe(system?.Population_Served_Count ?? null);
      seen.add(species).add(system?.PWSID);
    }
    expect(seen.size).toBeGreaterThanOrEqual(4);
  });

  it('finds the nearest facility of each program, and the nearest well read in the last ten years', () => {
    const all = facilities(world.lattice, SHARED_AREA.seed);
    const nearest = (rows: readonly { at: readonly [number, number] }[], lng: number, lat: number) =>
      Math.min(...rows.map(({ at }) => metresBetween(lng, lat, at[0], at[1])));
    const of = (test: (row: (typeof all)[number]) => boolean) =>
      all.filter(test).map(r => ({ at: [Number(r.LONGITUDE83), Number(r.LATITUDE83)] as const }));
    const kinds = [
      [
        'nearest_wastewater_plant_distance_m',
        of(r => /NPDES/.test(String(r.PGM_SYS_ACRNMS)) && /221320/.test(String(r.NAICS_CODES))),
      ],
      ['nearest_brownfield_distance_m', of(r => /ACRES/.test(String(r.PGM_SYS_ACRNMS)))],
      ['nearest_tri_facility_distance_m', of(r => /TRIS/.test(String(r.PGM_SYS_ACRNMS)))],
      ['nearest_groundwater_well_distance_m', world.exposure.water.wells()],
    ] as const;
    for (const { lng, lat, answers } of asked) {
      for (const [name, rows] of kinds)
        expect(Math.abs((value(answers, name) as number) - nearest(rows, lng, lat)), name).toBeLessThanOrEqual(0.11);
      const wells = world.exposure.water.wells();
      const [best] = [...wells].sort((a, b) => metresBetween(lng, lat, ...a.at) - metresBetween(lng, lat, ...b.at));
      // The latest of its readings, not the first or the mean.
      expectNumber(answers, 'nearest_groundwater_well_depth_to_water_m', best!.feet * 0.3048);
    }
    expect(world.exposure.water.wells()).toHaveLength(8);
  });

  it('averages the last year of water use by subwatershed, in cubic metres a day; one has none', () => {
    const tiles = mosaic(SHARED_AREA.seed * 31 + 2, 3, 2, 0.3);
    const basins = new Layer(
      tiles.map(({ ring, column, row }) => {
        const code = `0106999901${String(1 + column + 3 * row).padStart(2, '0')}`;
        return [code, flat({ type: 'Polygon', coordinates: [ring] }), code] as const;
      }),
    );
    const mean = (column: 'pswdtot_mgd' | 'sui_frac', code: string) => {
      const rows = world.exposure.water
        .use(column)
        .rows.filter(r => r.huc12_id === code && String(r.year_month).startsWith('2020'));
      return rows.length ? rows.reduce((sum, r) => sum + Number(r[column]), 0) / rows.length : null;
    };
    const without = new Set<string>();
    for (const { lng, lat, answers } of asked) {
      const [code] = basins.at(lng, lat);
      if (!code) continue;
      const [supply, index] = [mean('pswdtot_mgd', code), mean('sui_frac', code)];
      if (supply === null) {
        without.add(code);
        expect(answers.huc12_public_supply_withdrawal_m3_per_day).toMatchObject({ status: 'absent', value: null });
        continue;
      }
      expectNumber(answers, 'huc12_public_supply_withdrawal_m3_per_day', supply * 3785.411784);
      expectNumber(answers, 'surface_water_supply_use_index_huc12', index!);
    }
    expect([...without]).toEqual(['010699990106']);
  });

  it('counts claims of the tract and declarations of the county, those for its whole state among them', () => {
    const claims = world.exposure.disasters.claims();
    const counts = new Set<number>();
    for (const { answers } of asked) {
      const tract = value(answers, 'tract_geoid');
      const expected = claims.filter(c => c.censusTract === tract).length;
      expect(value(answers, 'nfip_claim_count_tract')).toBe(expected);
      counts.add(expected);
      // Maine: 9002 twice and 9003 statewide; New Hampshire: 9002, 9005 statewide and 9007. 9001 is too old, 9004 tribal.
      const declared = { 23999: 2, 33999: 3 }[String(value(answers, 'county_fips'))];
      expect(value(answers, 'disaster_declaration_count_county_10yr')).toBe(declared);
    }
    expect(counts.size).toBeGreaterThan(2);
  });

  it('gives the lowest level of the sea that reaches a place', () => {
    const levels = new Layer(
      Array.from({ length: 11 }, (_, feet) => [String(feet), flat(inundated(world.terrain, feet).geometry), feet]),
    );
    const seen = new Set<unknown>();
    for (const { lng, lat, answers } of asked) {
      const reached = levels.at(lng, lat);
      const lowest = reached.length ? Math.min(...reached) : null;
      expect(value(answers, 'sea_level_rise_lowest_inundating_ft')).toBe(lowest);
      seen.add(lowest);
    }
    expect(seen.size).toBeGreaterThan(4);
  });

  it('says what fire, ground, drought and air areas hold a place', () => {
    const polygons = <T>(rows: readonly { geometry: Parameters<typeof flat>[0] }[], of: (i: number) => T) =>
      new Layer(rows.map((row, i) => [String(i), flat(row.geometry), of(i)] as const));
    const wui = interfaceAreas(world.lattice, SHARED_AREA.seed);
    const dry = drought();
    const air = { ozone: airAreas('o', 'south'), pm25: [...airAreas('p', 'north')] };
    const at = {
      wui: polygons(wui, i => wui[i]!.properties.WUICLASS2020),
      karst: polygons(karst(world.lattice, SHARED_AREA.seed), () => true),
      dry: polygons(dry, i => Number(dry[i]!.properties.DM)),
      ozone: polygons(air.ozone, i => air.ozone[i]!.properties.current_st === 'Nonattainment'),
      pm25: polygons(air.pm25, i => air.pm25[i]!.properties.current_st === 'Nonattainment'),
    };
    const seen = new Set<string>();
    for (const { lng, lat, answers } of asked) {
      expect(value(answers, 'wui_class')).toBe(at.wui.at(lng, lat)[0] ?? null);
      expect(value(answers, 'within_karst_area')).toBe(at.karst.at(lng, lat).length > 0);
      const worst = Math.max(-1, ...at.dry.at(lng, lat));
      expect(value(answers, 'drought_category')).toBe(worst < 0 ? null : `D${worst}`);
      expect(value(answers, 'within_ozone_nonattainment_area')).toBe(at.ozone.at(lng, lat).includes(true));
      expect(value(answers, 'within_pm25_nonattainment_area')).toBe(at.pm25.at(lng, lat).includes(true));
      seen.add(`${at.ozone.at(lng, lat)} ${worst}`);
    }
    expect(seen.size).toBeGreaterThan(3);
  });
});
