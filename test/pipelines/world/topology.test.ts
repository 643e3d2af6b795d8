import { beforeAll, describe, expect, it } from 'vitest';
import { polygonal } from '../../../pipelines/world/feature.ts';
import { Random } from '../../../pipelines/world/random.ts';
import { COUNTY_BOX } from '../../../pipelines/world/terrain.ts';
import { makeWorld, type World } from '../../../pipelines/world/world.ts';
import { area, isValid, metresToEdge, overlapArea } from '../../oracle/geometry.ts';
import { flat, Layer, ringed } from './truth.ts';

let world: World;
let county: number;
beforeAll(async () => {
  world = await makeWorld({ parcels: 600, seed: 3 });
  county = area(ringed(world.lattice.county()));
});

const sum = (numbers: Iterable<number>) => [...numbers].reduce((a, b) => a + b, 0);

describe('the census areas', () => {
  it('nest: blocks in groups, groups in tracts, tracts in the county, without gap or overlap', () => {
    const levels = [world.census.tracts(), world.census.blockGroups(), [...world.census.blocks()]];
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
  });

  it('share vertices with their neighbours: every vertex of a tract is one of its blocks', () => {
    const vertices = new Set([...world.census.blocks()].flatMap(block => block.ring.map(String)));
    for (const tract of world.census.tracts()) expect(tract.ring.filter(p => !vertices.has(String(p)))).toEqual([]);
  });
});

describe('parcels and buildings', () => {
  it('lie in one block each, are valid, and do not overlap', () => {
    const blocks = new Map(
      [...world.census.blocks()].map(b => [b.span ? `${b.span.column},${b.span.row}` : '', b.ring]),
    );
    const parcels = [...world.parcels()];
    const grounds = new Map<string, number>();
    const sums = new Map<string, number>();
    for (const parcel of parcels) {
      const key = `${parcel.column},${parcel.row}`;
      const geometry = flat(polygonal(parcel.polygons));
      const size = area(geometry);
      expect(isValid(geometry), `parcel ${parcel.objectId}`).toBe(true);
      expect(overlapArea(geometry, ringed(blocks.get(key)!)) / size).toBeCloseTo(1, 6);
      if (grounds.has(JSON.stringify(parcel.polygons))) continue;
      grounds.set(JSON.stringify(parcel.polygons), size);
      sums.set(key, (sums.get(key) ?? 0) + size);
      for (const other of parcels) {
        if (other.objectId <= parcel.objectId || other.column !== parcel.column || other.row !== parcel.row) continue;
        if (other.lot === parcel.lot) continue;
        expect(overlapArea(geometry, flat(polygonal(other.polygons)))).toBeLessThan(0.05);
      }
    }
    for (const [key, total] of sums) expect(total).toBeLessThan(area(ringed(blocks.get(key)!)));
  });

  it('have their buildings inside', () => {
    let count = 0;
    for (const { ring, parcel } of world.buildings()) {
      const footprint = ringed(ring);
      expect(isValid(footprint)).toBe(true);
      expect(overlapArea(footprint, flat(polygonal(parcel.polygons))) / area(footprint)).toBeCloseTo(1, 5);
      count++;
    }
    expect(count).toBeGreaterThan(300);
  });
});

describe('flood zones', () => {
  it('tile the county: areas add up and every place lies in one', () => {
    const zones = new Layer(world.floods.map((zone, i) => [String(i), flat(polygonal(zone.area)), zone] as const));
    expect(sum(zones.features.map(f => area(f.geometry))) / county).toBeCloseTo(1, 6);
    const random = new Random(9, 9);
    for (let i = 0; i < 300; i++) {
      const lng = random.between(COUNTY_BOX.west, COUNTY_BOX.east);
      const lat = random.between(COUNTY_BOX.south, COUNTY_BOX.north);
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
    expect(world.floods.some(z => z.zone === 'AE' && z.bfe > 0)).toBe(true);
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
