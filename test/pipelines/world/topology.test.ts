import { beforeAll, describe, expect, it } from 'vitest';
import { polygonal } from '../../../pipelines/world/format/feature.ts';
import { EXTENT, fromFrame, MOUTH, toFrame } from '../../../pipelines/world/frame.ts';
import { Random } from '../../../pipelines/world/random.ts';
import { stateRings } from '../../../pipelines/world/settlement/census.ts';
import { makeWorld, type World } from '../../../pipelines/world/world.ts';
import { area, isValid, metresToEdge, overlapArea } from '../../oracle/geometry.ts';
import { all, flat, Layer, ringed } from './truth.ts';

const sum = (numbers: Iterable<number>) => [...numbers].reduce((a, b) => a + b, 0);

let world: World;
let counties: number;
beforeAll(async () => {
  world = await makeWorld({ parcels: 600, seed: 3 });
  counties = sum(world.counties.map(({ county }) => area(ringed(world.lattice.county(county)))));
});

describe('the census areas', () => {
  it.each([0, 1])(
    'of county %i nest: blocks in groups, those in tracts, those in it, without gap or overlap',
    which => {
      const { census, county: own } = world.counties[which]!;
      const county = area(ringed(world.lattice.county(own)));
      const levels = [[...census.tracts()], [...census.blockGroups()], [...census.blocks()]];
      for (const { geoid } of levels.flat()) expect(geoid.startsWith(own.fips)).toBe(true);
      // GeoJSON-straight edges and shared vertices: areas agree to rounding of the geodesic sums.
      for (const level of levels) expect(sum(level.map(a => area(ringed(a.ring)))) / county).toBeCloseTo(1, 9);
      for (const [parents, children] of [levels.slice(0, 2), levels.slice(1, 3)] as [
        (typeof levels)[0],
        (typeof levels)[0],
      ][])
        for (const parent of parents!) {
          const own = children!.filter(child => child.geoid.startsWith(parent.geoid));
          expect(own.length).toBeGreaterThan(0);
          expect(sum(own.map(child => area(ringed(child.ring)))) / area(ringed(parent.ring))).toBeCloseTo(1, 9);
          expect(sum(own.map(child => child.population))).toBe(parent.population);
          for (const child of own) {
            const ring = ringed(child.ring);
            expect(overlapArea(ring, ringed(parent.ring)) / area(ring)).toBeCloseTo(1, 9);
          }
        }
    },
  );

  it('share vertices with their neighbours: every vertex of a tract is one of its blocks', () => {
    for (const { census } of world.counties) {
      const vertices = new Set([...census.blocks()].flatMap(block => block.ring.map(String)));
      for (const tract of census.tracts()) expect(tract.ring.filter(p => !vertices.has(String(p)))).toEqual([]);
    }
  });
});

describe('the counties', () => {
  it('nest in their states and meet, as the states do, in the state line alone', () => {
    const states = stateRings(world.lattice).map(({ ring }) => ringed(ring));
    const own = world.counties.map(({ county }) => world.lattice.county(county));
    const grounds = own.map(ringed);
    for (const ground of [...states, ...grounds]) expect(isValid(ground)).toBe(true);
    for (const i of [0, 1]) {
      expect(overlapArea(grounds[i]!, states[i]!) / area(grounds[i]!)).toBeCloseTo(1, 9);
      expect(overlapArea(grounds[i]!, states[1 - i]!)).toBeLessThan(1);
    }
    expect(overlapArea(states[0]!, states[1]!)).toBeLessThan(1);
    const shared = own[0]!.filter(p => own[1]!.some(q => String(q) === String(p)));
    expect(shared.length).toBeGreaterThanOrEqual(2 * world.lattice.rows + 1);
    for (const p of shared) expect(Math.abs(toFrame(p)[0])).toBeLessThan(0.02);
  });

  it('lie where the line between Maine and New Hampshire meets the sea', () => {
    // The mouth of the Piscataqua and the next vertex of the real line upriver (Census cartographic boundaries).
    expect(toFrame(MOUTH).map(Math.abs)).toEqual([0, 0]);
    expect(toFrame([-70.8189, 43.123])[0]).toBeCloseTo(0, 6);
    for (const [lng, lat] of [
      [-70.9, 42.95],
      [-70.6, 43.2],
    ] as const) {
      const [x, y] = fromFrame(toFrame([lng, lat]));
      expect(x).toBeCloseTo(lng, 9);
      expect(y).toBeCloseTo(lat, 9);
    }
    expect(Math.abs(world.terrain.coast(0))).toBeLessThan(200);
  });

  it('have addresses on their own built parcels, numbered as the roll has it', () => {
    for (const { county, parcels, addresses } of world.counties) {
      const rolls = new Map([...parcels()].map(p => [p.objectId, p]));
      const rows = [...addresses()];
      expect(rows.length).toBeGreaterThan(100);
      expect(new Set(rows.map(r => r.UUID)).size).toBe(rows.length);
      for (const row of rows) {
        const parcel = rolls.get(Number(row.OID_))!;
        expect(row).toMatchObject({ State: county.code, Zip_Code: parcel.roll.LOC_ZIP });
        expect(String(parcel.roll.PROP_LOC)).toContain(`${row.AddNo_Full} ${row.StNam_Full}`);
        const ground = new Layer([['', flat(polygonal(parcel.polygons)), true]]);
        expect(ground.at(Number(row.Longitude), Number(row.Latitude))).toEqual([true]);
      }
    }
  });
});

describe('parcels and buildings', () => {
  it('lie in one block each, are valid, and do not overlap', () => {
    const blocks = new Map(
      all(world, ({ census }) => census.blocks()).map(b => [b.span ? `${b.span.column},${b.span.row}` : '', b.ring]),
    );
    const parcels = all(world, county => county.parcels());
    const grounds = new Map<string, number>();
    const sums = new Map<string, number>();
    for (const parcel of parcels) {
      const key = `${parcel.column},${parcel.row}`;
      const geometry = flat(polygonal(parcel.polygons));
      const size = area(geometry);
      expect(isValid(geometry), `parcel ${parcel.roll.STATE_ID}`).toBe(true);
      expect(overlapArea(geometry, ringed(blocks.get(key)!)) / size).toBeCloseTo(1, 6);
      if (grounds.has(JSON.stringify(parcel.polygons))) continue;
      grounds.set(JSON.stringify(parcel.polygons), size);
      sums.set(key, (sums.get(key) ?? 0) + size);
      for (const other of parcels) {
        if (other.roll.STATE_ID! <= parcel.roll.STATE_ID! || other.column !== parcel.column || other.row !== parcel.row)
          continue;
        if (other.lot === parcel.lot) continue;
        expect(overlapArea(geometry, flat(polygonal(other.polygons)))).toBeLessThan(0.05);
      }
    }
    for (const [key, total] of sums) expect(total).toBeLessThan(area(ringed(blocks.get(key)!)));
  });

  it('have their buildings inside', () => {
    let count = 0;
    for (const { ring, parcel } of all(world, county => county.buildings())) {
      const footprint = ringed(ring);
      expect(isValid(footprint)).toBe(true);
      expect(overlapArea(footprint, flat(polygonal(parcel.polygons))) / area(footprint)).toBeCloseTo(1, 5);
      count++;
    }
    expect(count).toBeGreaterThan(300);
  });
});

describe('flood zones', () => {
  it('tile the counties: areas add up and every place lies in one', () => {
    const zones = new Layer(world.floods.map((zone, i) => [String(i), flat(polygonal(zone.area)), zone] as const));
    expect(sum(zones.features.map(f => area(f.geometry))) / counties).toBeCloseTo(1, 6);
    const random = new Random(9, 9);
    for (let i = 0; i < 300; i++) {
      const along = random.between(EXTENT.west, EXTENT.east);
      const [lng, lat] = fromFrame([along, random.between(EXTENT.sea, EXTENT.inland)]);
      const found = zones.at(lng, lat);
      if (found.length === 1) continue;
      const [near] = zones.features.map(f => metresToEdge(f.geometry, lng, lat, 4)).sort((a, b) => a - b);
      expect(near, `${lng},${lat} lies in ${found.length} zones`).toBeLessThan(0.05);
    }
  });

  it('hold every kind that the fields ask for', () => {
    const kinds = new Set(world.floods.map(z => [z.zone, z.subtype].filter(Boolean).join(' ')));
    expect(kinds).toEqual(
      new Set([
        'VE',
        'A',
        'AE',
        'AE FLOODWAY',
        'X AREA WITH REDUCED FLOOD RISK DUE TO LEVEE',
        'X 0.2 PCT ANNUAL CHANCE FLOOD HAZARD',
        'X AREA OF MINIMAL FLOOD HAZARD',
        'OPEN WATER',
      ]),
    );
    for (const { county } of world.counties)
      expect(world.floods.some(z => z.county === county && z.zone === 'AE' && z.bfe > 0)).toBe(true);
  });
});

describe('streams', () => {
  it('run downhill, and higher orders begin where lower ones meet', () => {
    for (const reach of world.reaches) {
      const heights = reach.line.map(p => world.terrain.elevation(...p));
      // The last step goes to an earlier stream or the coast, which a hand-drawn join may reach a little higher.
      for (let i = 1; i < heights.length - 1; i++) expect(heights[i]!).toBeLessThan(heights[i - 1]!);
    }
    const ends = new Map<string, number>();
    for (const { line, order } of world.reaches)
      if (order === 1) ends.set(String(line.at(-1)), (ends.get(String(line.at(-1))) ?? 0) + 1);
    const starts = world.reaches.filter(r => r.order === 2).map(r => String(r.line[0]));
    expect(starts.length).toBeGreaterThan(0);
    expect(starts.some(start => ends.get(start)! >= 2)).toBe(true);
  });
});
