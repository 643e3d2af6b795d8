import { cpSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { closedListOf } from '../../../datasets/closed-list.ts';
import { labelOf } from '../../../datasets/codes/maps.ts';
import place from '../../../datasets/places/synthetic.ts';
import type { Manifest } from '../../../datasets/release.ts';
import { toUtm19 } from '../../../pipelines/world/format/crs.ts';
import { polygonal } from '../../../pipelines/world/format/feature.ts';
import { toFrame } from '../../../pipelines/world/frame.ts';
import type { World } from '../../../pipelines/world/world.ts';
import { createEngine } from '../../../query/engine/engine.ts';
import type { Engine } from '../../../query/engine/engine-interface.ts';
import type { Answer } from '../../../query/evaluate/answer.ts';
import { layersRead } from '../../../query/evaluate/version.ts';
import { currentId, readManifest } from '../../../query/release/home/releases.ts';
import { nearest } from '../../oracle/features.ts';
import { metresBetween } from '../../oracle/geodesic.ts';
import { area, metresToEdge } from '../../oracle/geometry.ts';
import { syntheticHome, syntheticWorld } from '../../synthetic-home.ts';
import { agrees, inStepsOf } from './truth/agrees.ts';
import { FieldTruth } from './truth/field.ts';
import { TruthLayers } from './truth/layers.ts';
import { pointsOf } from './truth/points.ts';
import { RISK_COLUMNS } from './truth/risk.ts';
import { all, flat, folder, Layer, ringed } from './truth.ts';

const POINTS = 120;
const NAMES = [...catalog.fields.keys()];
let world: World;
let engine: Engine;
let home: string;
let counts: Manifest['ingests'];
let far: Record<string, Answer>;
let [today, release] = ['', ''];
let asked: { lng: number; lat: number; answers: Record<string, Answer> }[];

beforeAll(async () => {
  world = await syntheticWorld();
  ({ home } = await syntheticHome());
  const releases = join(home, 'releases');
  release = currentId(releases)!;
  const manifest = readManifest(releases, release);
  const filtered = new Set(
    place.layers.filter(layer => layer.where).map(({ dataset, layer }) => `${dataset}:${layer}`),
  );
  for (const count of manifest.ingests)
    expect(count).toMatchObject({
      rejected: 0,
      repaired: 0,
      ...(filtered.has(`${count.dataset}:${count.layer}`) ? {} : { skipped: 0 }),
    });
  engine = await createEngine({ home, workers: 1, queue: 100, memoryMb: 256 });
  counts = manifest.ingests;
  today = manifest.asOf;
  far = await engine.fetch(NAMES, FAR, { deadline: Date.now() + 60_000 });
  asked = [];
  for (const [lng, lat] of pointsOf(world, POINTS))
    asked.push({ lng, lat, answers: await engine.fetch(NAMES, { lng, lat }, { deadline: Date.now() + 60_000 }) });
});
afterAll(async () => {
  await engine?.close();
});

/** An engine over a home that is closed at the end of the block. */
async function openEngine(at: string) {
  const opened = await createEngine({ home: at, workers: 1, queue: 100, memoryMb: 256 });
  return { engine: opened, [Symbol.asyncDispose]: () => opened.close() };
}

const LONG = process.env.PLAT_TEST === 'long';
/** Answers of each kind that are compared a field; truth is brute force. */
const COMPARED = LONG ? { ok: 10, absent: 4 } : { ok: 4, absent: 2 };
const FAR = { lng: -80, lat: 40 }; // far from every layer of the area

/** What a number may be off by having been rounded to the step of its field. */
const halfStep = (name: string): number => (catalog.fields.get(name)!.precision ?? 0) / 2;

/** Value of a field, null when absent; never failed. */
function value(answers: Record<string, Answer>, name: string): unknown {
  expect(answers[name]!.status, `${name}: ${answers[name]!.error}`).not.toBe('failed');
  return answers[name]!.value;
}

describe('answers about the synthetic area', () => {
  it('fail nowhere, say that they are synthetic, and every field has a value somewhere', () => {
    const answered = new Set<string>();
    for (const { answers } of asked)
      for (const [name, answer] of Object.entries(answers)) {
        expect(answer.status, `${name}: ${answer.error}`).not.toBe('failed');
        if (answer.status !== 'ok') continue;
        answered.add(name);
        const list = closedListOf(catalog, catalog.fields.get(name)!);
        if (list) expect(list, name).toContain(answer.value);
        for (const source of answer.source.split(';')) expect(source, name).toMatch(/^synthetic:/);
        expect(answer.notes, name).toMatch(/synthetic/i);
      }
    expect([...catalog.fields.keys()].filter(name => !answered.has(name))).toEqual([]);
  });

  it('are nowhere without a reason: every field is absent somewhere and says why', () => {
    const reasons = new Map<string, string>();
    for (const answers of [...asked.map(one => one.answers), far])
      for (const [name, answer] of Object.entries(answers)) {
        expect(answer.status, `${name}: ${answer.error}`).not.toBe('failed');
        if (answer.status !== 'absent') continue;
        expect(answer.value, name).toBeNull();
        expect(answer.notes, name).toMatch(/\w/);
        reasons.set(name, answer.notes!);
      }
    expect([...catalog.fields.keys()].filter(name => !reasons.has(name))).toEqual([]);
  });

  it('are, in every field, what follows from what the generator made', () => {
    const truth = new FieldTruth(new TruthLayers(world, place, today));
    const wrong: string[] = [];
    const untold: string[] = [];
    for (const field of catalog.fields.values()) {
      const { name } = field;
      const told = { ok: 0, absent: 0 };
      for (const { lng, lat, answers } of asked) {
        const answer = answers[name]!;
        const { status, value } = answer;
        const acres = Number(answers.parcel_area_m2!.value) / 4046.8564224;
        if (told[status as 'ok'] >= COMPARED[status as 'ok']) continue;
        const expected = truth.at(name, lng, lat);
        if (expected === 'unsure') continue;
        told[status as 'ok']++;
        if (!agrees(expected, answer, field, acres))
          wrong.push(`${name} at ${lng},${lat}: ${status} ${value}, expected ${JSON.stringify(expected)}`);
      }
      if (told.ok === 0) untold.push(name);
    }
    expect(wrong).toEqual([]);
    expect(untold).toEqual([]);
  });

  it.runIf(LONG)('fail, in every field, when its file is damaged on disk, and the others do not', async () => {
    // Area keys and parcels are read for other datasets' fields too: their files are damaged in a second copy.
    const shared = ['census_tiger', 'hifld_archive', 'epa_egrid', 'usgs_wbd', 'parcel_store'];
    // A place outside the box of a layer's features is answered without its file, so several places are asked.
    const places = asked.filter(
      ({ answers }, i) =>
        i % 20 === 1 || [answers.intersects_nhd_area!, answers.within_tribal_land!].some(a => a.value === true),
    );
    for (const second of [false, true]) {
      const damaged = folder();
      try {
        cpSync(home, damaged, { recursive: true });
        const manifest = readManifest(join(damaged, 'releases'), release);
        for (const [dataset, layers] of Object.entries(manifest.datasets))
          if (shared.includes(dataset) === second)
            for (const { path, role } of Object.values(layers).flatMap(l => l.partitions.flatMap(p => p.files)))
              if (role !== 'coverage') truncateSync(join(damaged, 'releases', path), 100);
        await using hurt = await openEngine(damaged);
        const failed = new Set<string>();
        for (const { lng, lat, answers: before } of places) {
          const answers = await hurt.engine.fetch(NAMES, { lng, lat }, { deadline: Date.now() + 60_000 });
          for (const name of NAMES) {
            const answer = answers[name]!;
            if (answer.status !== 'failed') {
              expect(answer, name).toEqual({ ...before[name]!, fetchedAt: answer.fetchedAt });
              continue;
            }
            expect(answer, name).toMatchObject({ value: null, retryable: true, confidence: 'low' });
            expect(answer.error, name).toMatch(/\w/);
            failed.add(name);
          }
        }
        const isHurt = (id: string) => shared.includes(id.split(':')[0]!) === second;
        for (const { name, dataset } of catalog.fields.values())
          if (isHurt(dataset)) expect(failed, name).toContain(name);
          else if (!layersRead(catalog, name).some(isHurt)) expect(failed, name).not.toContain(name);
      } finally {
        rmSync(damaged, { recursive: true, force: true });
      }
    }
  });

  it('stand on broadband offers of which each is stored once, however many locations have it', () => {
    const offers = counts.filter(count => count.dataset === 'fcc_bdc' && count.read > 0);
    expect(offers).toHaveLength(5);
    for (const { written, dissolvedTo } of offers) expect(dissolvedTo).toBe(written / 2);
  });

  it('give the height of the terrain, bilinear between the centres of its cells', () => {
    const cell = 1 / 3600;
    for (const { lng, lat, answers } of asked) {
      const [x, y] = [lng / cell - 0.5, lat / cell - 0.5];
      const [i, j] = [Math.floor(x), Math.floor(y)];
      const height = (di: number, dj: number) =>
        Math.fround(world.terrain.elevation((i + di + 0.5) * cell, (j + dj + 0.5) * cell));
      const [u, v] = [x - i, y - j];
      const expected =
        (height(0, 0) * (1 - u) + height(1, 0) * u) * (1 - v) + (height(0, 1) * (1 - u) + height(1, 1) * u) * v;
      expect(Math.abs((value(answers, 'elevation') as number) - expected)).toBeLessThan(halfStep('elevation') + 5e-4);
    }
  });

  it('give land cover and impervious surface of the cell', () => {
    for (const { lng, lat, answers } of asked) {
      for (const [name, grid, label] of [
        ['land_cover_class', world.rasters.land_cover, (code: number) => labelOf('nlcd_classes', code)],
        ['impervious_percent', world.rasters.impervious, (code: number) => code],
        ['tree_canopy_percent', world.rasters.tree_canopy, (code: number) => code],
      ] as const) {
        const [x, y] = toUtm19([lng, lat]);
        const cell = grid.value(Math.floor((x - grid.left) / 30), Math.floor((grid.top - y) / 30));
        expect(value(answers, name)).toBe(label(cell));
      }
    }
  });

  it('name the census areas', () => {
    const layers = [
      ['tract_geoid', all(world, ({ census }) => census.tracts())],
      ['block_group_geoid', all(world, ({ census }) => census.blockGroups())],
      ['block_geoid', all(world, ({ census }) => census.blocks())],
    ] as const;
    for (const [name, areas] of layers) {
      const layer = new Layer(areas.map(a => [a.geoid, ringed(a.ring), a.geoid] as const));
      for (const { lng, lat, answers } of asked) expect(value(answers, name)).toBe(layer.at(lng, lat)[0]);
    }
    const seen = new Set<unknown>();
    for (const { lng, lat, answers } of asked) {
      const north = toFrame([lng, lat])[0] > 0;
      expect(value(answers, 'county_fips')).toBe(north ? '23999' : '33999');
      expect(value(answers, 'state_fips')).toBe(north ? '23' : '33');
      seen.add(north);
    }
    expect(seen.size).toBe(2);
  });

  it('give the flood zone, away from the hair lines between zones', () => {
    const layer = new Layer(world.floods.map((z, i) => [String(i), flat(polygonal(z.area)), z] as const));
    const seen = new Set<string>();
    for (const { lng, lat, answers } of asked) {
      const [zone, ...more] = layer.at(lng, lat);
      if (!zone || more.length) continue;
      seen.add(zone.zone);
      expect(value(answers, 'fema_flood_zone')).toBe(zone.zone);
      expect(value(answers, 'fema_flood_zone_subtype')).toBe(zone.subtype);
      expect(value(answers, 'within_floodplain_polygon')).toBe(zone.sfha === 'T');
      expect(value(answers, 'within_regulatory_floodway')).toBe(zone.subtype === 'FLOODWAY');
      const bfe = value(answers, 'base_flood_elevation_m') as number | null;
      if (zone.bfe === -9999) expect(bfe).toBeNull();
      else expect(Math.abs(bfe! - zone.bfe * 0.3048)).toBeLessThan(halfStep('base_flood_elevation_m') + 1e-6);
    }
    expect(seen.size).toBeGreaterThanOrEqual(4);
  });

  it('find the parcel and read its roll', () => {
    const layer = new Layer(
      all(world, county => county.parcels()).map(
        p => [String(p.roll.STATE_ID), flat(polygonal(p.polygons)), p] as const,
      ),
    );
    let found = 0;
    for (const { lng, lat, answers } of asked) {
      const parcels = layer.at(lng, lat);
      if (parcels.length !== 1) continue;
      const [{ roll, polygons }] = parcels as [(typeof parcels)[0]];
      found++;
      expect(value(answers, 'parcel_match_type')).toBe('contains');
      expect(value(answers, 'parcel_apn')).toBe(roll.MAP_BK_LOT);
      expect(value(answers, 'parcel_address')).toBe(roll.PROP_LOC);
      expect(value(answers, 'parcel_owner')).toBe(roll.OWNER1);
      expect(value(answers, 'parcel_zoning')).toBe(roll.ZONE);
      expect(value(answers, 'parcel_assessed_value_usd')).toBe(roll.TOT_VAL);
      expect(value(answers, 'parcel_last_sale_date')).toBe(roll.SALE_DATE);
      expect(value(answers, 'parcel_last_sale_price_usd')).toBe(roll.SALE_PRICE);
      const expected = area(flat(polygonal(polygons)));
      // The file holds ten-thousandths of a foot.
      expect(Math.abs((value(answers, 'parcel_area_m2') as number) - expected)).toBeLessThan(0.08 + expected * 2e-7);
    }
    expect(found).toBeGreaterThan(80);
  });

  it('say what soil, wetland and building is there', () => {
    const soil = new Layer(world.soils.map(({ tile, unit }, i) => [String(i), ringed(tile.ring), unit] as const));
    const wet = new Layer(world.wetlands.map((w, i) => [String(i), ringed(w.ring), w] as const));
    const built = new Layer(all(world, c => c.buildings()).map((b, i) => [String(i), ringed(b.ring), b] as const));
    let inside = 0;
    for (const { lng, lat, answers } of asked) {
      const [unit] = soil.at(lng, lat);
      expect(value(answers, 'soil_map_unit_name')).toBe(unit!.muname);
      expect(value(answers, 'soil_hydrologic_group')).toBe(unit!.hydgrpdcd);
      const extensibility = value(answers, 'soil_linear_extensibility_percent');
      if (unit!.lep_r === null) expect(extensibility).toBeNull();
      else expect(extensibility).toBe(inStepsOf('soil_linear_extensibility_percent', unit!.lep_r));
      const [wetland] = wet.at(lng, lat);
      expect(value(answers, 'nwi_wetland_code')).toBe(wetland?.code ?? null);
      expect(value(answers, 'within_nwi_wetland')).toBe(wetland !== undefined);
      const [building] = built.at(lng, lat);
      expect(value(answers, 'building_at_point')).toBe(building !== undefined);
      const footprint = 'building_footprint_area_m2';
      expect(value(answers, footprint)).toBe(inStepsOf(footprint, building?.feature.properties.SQMETERS));
      if (building) inside++;
    }
    expect(inside).toBeGreaterThan(10);
  });

  it('measure to the nearest hospital, road and stream', () => {
    const open = world.sites.hospitals().filter(f => f.properties.STATUS === 'OPEN');
    const roads = all(world, county => county.roads()).map(r => ({
      key: r.linearid,
      geometry: flat({ type: 'LineString', coordinates: r.line }),
      road: r,
    }));
    const streams = world.reaches.map(r => ({
      key: String(r.id),
      geometry: flat({ type: 'LineString', coordinates: r.line }),
    }));
    for (const { lng, lat, answers } of asked) {
      const metres = open.map(f => metresBetween(lng, lat, ...(f.geometry.coordinates as unknown as [number, number])));
      expect(value(answers, 'nearest_hospital_distance_m')).toBeCloseTo(Math.min(...metres), 0);
    }
    for (const { lng, lat, answers } of asked.filter((_, i) => i % 40 === 0)) {
      const road = nearest(roads, lng, lat, 50_000)!;
      const away = Math.abs((value(answers, 'nearest_road_distance_m') as number) - road.metres);
      expect(away).toBeLessThanOrEqual(halfStep('nearest_road_distance_m') + 0.05);
      const second = roads
        .filter(r => r !== road.feature)
        .some(r => metresToEdge(r.geometry, lng, lat, 4) < road.metres + 0.2);
      if (!second) expect(value(answers, 'nearest_road_name')).toBe(road.feature.road.name);
      const stream = nearest(streams, lng, lat, 50_000)!;
      const measured = value(answers, 'nearest_flowline_distance_m') as number;
      expect(Math.abs(measured - stream.metres)).toBeLessThanOrEqual(halfStep('nearest_flowline_distance_m') + 0.05);
    }
  });

  it('read the tables of county and tract', () => {
    const populations = new Map(world.statistics.population().rows.map(r => [`${r.STATE}${r.COUNTY}`, r]));
    const prices = new Map(world.statistics.housePrices().rows.map(r => [r['FIPS code'], r]));
    const risk = new Map(world.statistics.risk().rows.map(row => [row.TRACTFIPS, row]));
    for (const { answers } of asked) {
      const county = value(answers, 'county_fips') as string;
      expect(value(answers, 'county_population')).toBe(populations.get(county)!.POPESTIMATE2025);
      const change = Number(prices.get(county)!['Annual Change (%)']);
      expect(value(answers, 'county_hpi_yoy_pct')).toBe(inStepsOf('county_hpi_yoy_pct', change));
      const tract = risk.get(value(answers, 'tract_geoid') as string);
      for (const [name, column] of Object.entries(RISK_COLUMNS))
        expect(value(answers, name)).toBe(inStepsOf(name, tract?.[column]));
      // A hazard that is rated Not Applicable says so.
      if (tract?.AVLN_EALT === null)
        expect(answers.nri_avalanche_eal_usd!.notes).toMatch(/Not Applicable \(AVLN_RISKR\)/);
    }
  });
});
