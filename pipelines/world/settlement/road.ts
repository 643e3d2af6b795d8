import type { Feature, Position } from '../format/feature.ts';
import type { Lattice } from '../nature/lattice.ts';
import type { County } from './county.ts';
import { ordinal, placeName, roadName } from './name.ts';

/** A street of the grid, whole from one end to the other. */
export interface Road {
  readonly linearid: string;
  readonly name: string;
  /** TIGER class: S1100 primary, S1200 secondary, S1400 local, S1630 ramp. */
  readonly mtfcc: 'S1100' | 'S1200' | 'S1400' | 'S1630';
  readonly rttyp: 'I' | 'U' | 'M';
  readonly line: readonly Position[];
}

/** Name of the street along grid line `row`, which runs west to east: the highway, streets of the towns, roads beyond them. */
export function streetName(lattice: Lattice, row: number): { name: string; type: string; full: string } {
  const off = row - lattice.highway;
  if (off === 0) return { name: 'US HWY 1', type: '', full: 'US Hwy 1' };
  const name = placeName(2 * Math.abs(off) - (off > 0 ? 2 : 1));
  const type = lattice.outness(lattice.columns / 4, row - (off > 0 ? 1 : 0)) < 1 ? 'St' : 'Rd';
  return { name: name.toUpperCase(), type: type.toUpperCase(), full: `${name} ${type}` };
}

/** Name of the street along grid line `column`, which runs south to north: avenues of the town are numbered from its western end. */
function avenueName(lattice: Lattice, county: County, column: number): string {
  const { column: west, columns } = lattice.half(county);
  const inTown = (line: number) => lattice.outness(line - (line - west > columns / 2 ? 1 : 0), lattice.highway) < 1;
  if (!inTown(column)) return `${roadName(column)} Rd`;
  let number = 1;
  for (let line = column; line > west + 1 && inTown(line - 1); line--) number++;
  return `${ordinal(number)} Ave`;
}

/** Every road of a county, made one by one: no street runs along the coast, the state line or a county line. */
export function* roads(lattice: Lattice, county: County): Generator<Road> {
  const { column: west, columns } = lattice.half(county);
  const east = west + columns;
  let count = 0;
  const id = () => `${county.half}109${String(++count).padStart(9, '0')}`;
  const { highway } = lattice;
  const freeway = west + Math.round(columns * 0.85);
  for (let row = 1; row < lattice.rows; row++) {
    const { full } = streetName(lattice, row);
    const us = row === highway;
    yield {
      linearid: id(),
      name: full,
      mtfcc: us ? 'S1200' : 'S1400',
      rttyp: us ? 'U' : 'M',
      line: lattice.eastward(row, west, east),
    };
  }
  for (let column = west + 1; column < east; column++) {
    const fast = column === freeway;
    yield {
      linearid: id(),
      name: fast ? 'I- 399' : avenueName(lattice, county, column),
      mtfcc: fast ? 'S1100' : 'S1400',
      rttyp: fast ? 'I' : 'M',
      line: lattice.northward(column),
    };
  }
  for (const side of [-1, 1])
    yield {
      linearid: id(),
      name: 'I- 399 Ramp',
      mtfcc: 'S1630',
      rttyp: 'M',
      line: [
        lattice.at(freeway, highway - 0.5 * side),
        lattice.at(freeway + 0.1 * side, highway - 0.25 * side),
        lattice.at(freeway + 0.3 * side, highway),
      ],
    };
}

/** Roads as rows of TIGER's ROADS files. */
export function* roadFeatures(list: Iterable<Road>): Generator<Feature> {
  for (const { linearid, name, mtfcc, rttyp, line } of list)
    yield {
      properties: { LINEARID: linearid, FULLNAME: name, RTTYP: rttyp, MTFCC: mtfcc },
      geometry: { type: 'LineString', coordinates: line },
    };
}
