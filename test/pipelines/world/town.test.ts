import { beforeAll, describe, expect, it } from 'vitest';
import type { Feature, Position } from '../../../pipelines/world/format/feature.ts';
import { metresBetween, toFrame } from '../../../pipelines/world/frame.ts';
import { Lattice } from '../../../pipelines/world/nature/lattice.ts';
import { Terrain } from '../../../pipelines/world/nature/terrain.ts';
import { squareMetres } from '../../../pipelines/world/settlement/census.ts';
import { COUNTIES } from '../../../pipelines/world/settlement/county.ts';
import { placeName } from '../../../pipelines/world/settlement/name.ts';
import type { Parcel } from '../../../pipelines/world/settlement/parcel.ts';
import { roads } from '../../../pipelines/world/settlement/road.ts';
import { makeWorld, type World } from '../../../pipelines/world/world.ts';
import { ACRE_M2 } from '../../../query/geometry/acre.ts';
import { all } from './truth.ts';

const LONG = process.env.PLAT_TEST === 'long';
const median = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1]!;
const acres = ({ polygons }: Parcel) => polygons.reduce((sum, [shell]) => sum + squareMetres(shell!), 0) / ACRE_M2;

/** Metres from a place to a line. */
function metresTo(at: Position, line: readonly Position[]): number {
  const [x, y] = toFrame(at);
  const points = line.map(toFrame);
  return Math.min(
    ...points.slice(1).map(([bx, by], i) => {
      const [ax, ay] = points[i]!;
      const [dx, dy] = [bx - ax, by - ay];
      const t = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)));
      return Math.hypot(ax + t * dx - x, ay + t * dy - y);
    }),
  );
}

let world: World;
let parcels: Parcel[];
let town: Parcel[];
beforeAll(async () => {
  world = await makeWorld({ parcels: 3000, seed: 1 });
  parcels = all(world, county => county.parcels());
  town = parcels.filter(p => world.lattice.outness(p.column, p.row) < 1);
});

describe('the town', () => {
  it.each([
    [3000, 1],
    [3000, 5],
    [10_000, 2],
    [60_000, 3],
  ])('of %i parcels, seed %i, is streets of small lots, and beyond it are farms', (records, seed) => {
    const lattice = new Lattice(new Terrain(seed), Math.ceil((records / 2) * 1.15));
    const [near, far]: [number[], number[]] = [[], []];
    for (let column = 0; column < lattice.columns; column++)
      for (let row = 0; row < lattice.rows; row++) {
        const [width, height] = lattice.blockSize(column, row);
        const size = (width * height) / (2 * lattice.lots[column]!) / ACRE_M2;
        (lattice.outness(column, row) < 1 ? near : far).push(size);
      }
    expect(near.length).toBeGreaterThan(0.2 * (near.length + far.length));
    expect(median(near)).toBeGreaterThan(0.1);
    expect(median(near)).toBeLessThan(1);
    expect(median(far)).toBeGreaterThan(records > 20_000 ? 2 * median(near) : 2);
  });

  it('has lots of a tenth of an acre to one, but for the odd ones and where records are few', () => {
    const plain = town.filter(p => p.lot.site !== null && p.lot.units === 1 && p.polygons.length === 1);
    expect(plain.length).toBeGreaterThan(800);
    const fits = plain.filter(p => acres(p) >= 0.1 && acres(p) <= 1);
    expect(fits.length / plain.length).toBeGreaterThan(0.95);
    const country = parcels.filter(p => world.lattice.outness(p.column, p.row) > 1.1);
    expect(median(country.map(acres))).toBeGreaterThan(5);
  });

  it('is crossed by its river, whose flood zone follows it', () => {
    for (const { county } of world.counties) {
      const centre = world.lattice.centre(county);
      const near = world.reaches.flatMap(r => (r.order >= 2 ? r.line : [])).filter(p => metresBetween(p, centre) < 600);
      expect(near.length).toBeGreaterThan(3);
      const flooded = world.floods.filter(zone => zone.county === county && zone.sfha === 'T');
      expect(flooded.some(({ area }) => area.some(([shell]) => shell!.some(p => metresBetween(p, centre) < 600)))).toBe(
        true,
      );
    }
  });

  it('is zoned by the distance from its middle, the country as country', () => {
    const zonesAt = (from: number, to: number) =>
      parcels
        .filter(
          ({ column, row }) => world.lattice.outness(column, row) >= from && world.lattice.outness(column, row) < to,
        )
        .map(p => p.roll.ZONE);
    const share = (zones: unknown[], ...wanted: string[]) =>
      zones.filter(zone => wanted.includes(String(zone))).length / zones.length;
    expect(share(zonesAt(0, 0.35), 'C1')).toBeGreaterThan(0.75);
    expect(share(zonesAt(0.35, 0.7), 'R2')).toBeGreaterThan(0.75);
    expect(share(zonesAt(0.7, 1), 'R1')).toBeGreaterThan(0.75);
    expect(share(zonesAt(1, 99), 'RR')).toBeGreaterThan(0.75);
    for (const { column, row, roll } of parcels)
      if (['601', '700'].includes(String(roll.USE_CODE)))
        expect(world.lattice.outness(column, row), `${roll.USE_DESC}`).toBeGreaterThanOrEqual(1);
  });
});

describe('houses', () => {
  it('stand along the street of their address, a yard behind their front', () => {
    for (const { roads: list, buildings } of world.counties) {
      const streets = new Map([...list()].map(road => [road.name.toUpperCase(), road.line]));
      const seen = new Set<unknown>();
      for (const { ring, parcel } of buildings()) {
        // A barn stands behind the house.
        if (seen.has(parcel.roll.STATE_ID)) continue;
        seen.add(parcel.roll.STATE_ID);
        const name = [parcel.roll.LOC_ST, parcel.roll.LOC_TYPE].filter(Boolean).join(' ');
        const line = streets.get(name);
        expect(line, name).toBeDefined();
        const metres = Math.min(...ring.map(corner => metresTo(corner, line!)));
        const inTown = world.lattice.outness(parcel.column, parcel.row) < 1;
        expect(metres, `${parcel.roll.PROP_LOC}`).toBeGreaterThan(8);
        expect(metres, `${parcel.roll.PROP_LOC}`).toBeLessThan(inTown ? 60 : 160);
      }
      expect(seen.size).toBeGreaterThan(900);
    }
  });

  it('have numbers that ascend along their street, odd ones on its northern side and even ones on the other', () => {
    for (const { parcels: list } of world.counties) {
      const streets = Map.groupBy([...list()], p => `${p.roll.LOC_ST} ${p.lot.front.north}`);
      for (const side of streets.values()) {
        const numbers = side
          .filter(p => p.lot.site)
          .sort((a, b) => a.column - b.column || a.lot.front.cell - b.lot.front.cell)
          .map(p => Number(p.roll.LOC_NUM));
        expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
        expect(new Set(numbers.map(n => n % 2))).toEqual(new Set([side[0]!.lot.front.north ? 0 : 1]));
      }
    }
  });

  it('stand on dry ground', () => {
    let nearest = Number.POSITIVE_INFINITY;
    for (const { ring } of all(world, county => county.buildings()))
      for (const corner of ring)
        for (const { line } of world.reaches)
          if (metresBetween(line[0]!, corner) < 1000) nearest = Math.min(nearest, metresTo(corner, line));
    expect(nearest).toBeGreaterThan(5);
  });

  it('are where their addresses are', () => {
    for (const { buildings, addresses } of world.counties) {
      const rings = new Map<unknown, Position[]>();
      for (const { ring, parcel } of buildings()) {
        const key = parcel.roll.PROP_LOC?.toString().replace(/ UNIT .*/, '');
        rings.set(key, [...(rings.get(key) ?? []), ...ring]);
      }
      for (const row of addresses()) {
        const corners = rings.get(`${row.AddNo_Full} ${row.StNam_Full}`)!;
        const at: Position = [Number(row.Longitude), Number(row.Latitude)];
        expect(Math.min(...corners.map(corner => metresBetween(corner, at)))).toBeLessThan(25);
      }
    }
  });
});

describe('names', () => {
  it('of streets are never repeated and have no numbers behind them, at any size', () => {
    for (const records of [240, 3000, ...(LONG ? [200_000] : [])]) {
      const lattice = new Lattice(new Terrain(1), Math.ceil((records / 2) * 1.15));
      for (const county of COUNTIES) {
        const names = [...roads(lattice, county)].filter(r => r.mtfcc === 'S1400').map(r => r.name);
        expect(new Set(names).size).toBe(names.length);
        expect(names.filter(name => / \d/.test(name))).toEqual([]);
      }
    }
    const { rows } = new Lattice(new Terrain(1), Math.ceil(2_500_000 * 1.15));
    // Each side of the highway takes every other name.
    expect(rows).toBeLessThan(1832);
    const many = Array.from({ length: 1832 }, (_, i) => placeName(i));
    expect(new Set(many).size).toBe(many.length);
  });

  it('of places and services end in no number', () => {
    const { sites, network } = world;
    const named: Feature[] = [
      ...sites.structures(),
      ...sites.schools(),
      ...sites.substations(),
      ...sites.solarFields(),
      ...sites.transmission(),
      ...network.districts.military(),
      ...world.counties.flatMap(({ census }) => network.districts.schoolDistricts(census)),
    ];
    const names = named.flatMap(({ properties: p }) => [p.NAME, p.name, p.p_name, p.FULLNAME, p.SUB_1]).filter(Boolean);
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter(name => / \d+$/.test(String(name)))).toEqual([]);
  });
});
