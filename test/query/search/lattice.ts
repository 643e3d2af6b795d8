import type { Value } from '../../../datasets/dataset.ts';
import type { Geometry } from '../../../datasets/geometry.ts';
import { fromGeoJSON } from '../../oracle/geojson.ts';
import type { SourceParcel } from './parcel-release.ts';

type Position = [number, number];

/** A number of 32 bits that depends on a seed and two indices alone (after Wang's integer hash). */
export function mixed(seed: number, a: number, b = 0): number {
  let h = (seed ^ Math.imul(a + 1, 0x9e3779b1) ^ Math.imul(b + 7, 0x85ebca6b)) >>> 0;
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return (h ^ (h >>> 16)) >>> 0;
}

/** A lattice of shaken vertices: neighbours share edges and corners to the last bit. */
export class Lattice {
  readonly size: number;
  readonly #at: (i: number, j: number) => Position;

  /** @param step degrees between lattice lines; vertices move by up to a third of it, those of even rows not at all. */
  constructor(size: number, west: number, south: number, step: number, seed: number) {
    this.size = size;
    const shake = (n: number) => (n / 0xffffffff - 0.5) * (step / 1.5);
    this.#at = (i, j) => {
      const still = j % 4 === 0;
      return [
        west + i * step + (still ? 0 : shake(mixed(seed, i, j))),
        south + j * step + (still ? 0 : shake(mixed(seed + 1, i, j))),
      ];
    };
  }

  vertex(i: number, j: number): Position {
    return this.#at(i, j);
  }

  ring(i: number, j: number): Position[] {
    return [
      this.vertex(i, j),
      this.vertex(i + 1, j),
      this.vertex(i + 1, j + 1),
      this.vertex(i, j + 1),
      this.vertex(i, j),
    ];
  }
}

const CITIES = ['Bangor', ' BANGOR', 'Orono', 'Old Town', null, 'Ñandú'];
const CODES = ['0101', '101', 'R-1', 'O\'Brien "x"', 'Größe', '%_', null];
const NUMBERS = [0, 1, 1.5, -3, 1e12, 99_999.99, 0.1, null];
const DATES = ['2024-02-29', '1999-12-31', '1970-01-01', '1900-01-01', null];
const TIMES = ['2024-02-29T23:59:59.999Z', '2024-02-29T00:00:00.000Z', '1969-12-31T23:59:59.001Z', null];

const pick = <T>(list: readonly T[], n: number): T => list[n % list.length]!;

function valuesOf(seed: number, n: number, county: string | null): Record<string, Value> {
  const at = (k: number) => mixed(seed, n, k) >>> 3;
  return {
    county,
    city: pick(CITIES, at(1)),
    usecode: pick(CODES, at(2)),
    qoz: pick(['Yes', 'No', null], at(3)),
    struct: pick([true, false, null], at(4)),
    landval: pick(NUMBERS, at(5)),
    numunits: pick([0, 1, 2, 2_147_483_647, -1, null], at(6)),
    saledate: pick(DATES, at(7)),
    updated_at: pick(TIMES, at(8)),
    address: pick(['1 MAIN ST', null], at(9)),
  };
}

/**
 * Parcels on a lattice: quadrilaterals, some with a hole that another parcel fills, some cut by a sliver of a
 * millionth of their width, some of two parts far apart.
 */
export function latticeParcels(lattice: Lattice, seed: number, county: string | null): SourceParcel[] {
  const out: SourceParcel[] = [];
  const add = (coordinates: Position[][][]) => {
    const geometry: Geometry =
      coordinates.length === 1
        ? fromGeoJSON({ type: 'Polygon', coordinates: coordinates[0]! })
        : fromGeoJSON({ type: 'MultiPolygon', coordinates });
    out.push({ geometry, properties: { apn: `${seed}-${out.length}`, ...valuesOf(seed, out.length, county) } });
  };
  const taken = new Set<string>();
  for (let j = 0; j < lattice.size; j++)
    for (let i = 0; i < lattice.size; i++) {
      if (taken.has(`${i},${j}`)) continue;
      const ring = lattice.ring(i, j);
      const [a, b, c, d] = ring as [Position, Position, Position, Position];
      const kind = mixed(seed + 2, i, j) % 8;
      if (kind === 0) {
        const middle: Position = [(a[0] + b[0] + c[0] + d[0]) / 4, (a[1] + b[1] + c[1] + d[1]) / 4];
        const inner = [a, b, c, d].map((p): Position => [(p[0] + middle[0]) / 2, (p[1] + middle[1]) / 2]);
        const hole = [...inner, inner[0]!];
        add([[ring, hole.toReversed()]]);
        add([[hole]]);
      } else if (kind === 1) {
        const share = 1e-6;
        const p: Position = [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];
        const q: Position = [d[0] + (c[0] - d[0]) * share, d[1] + (c[1] - d[1]) * share];
        add([[[a, p, q, d, a]]]);
        add([[[p, b, c, q, p]]]);
      } else if (kind === 2 && i + 2 < lattice.size && !taken.has(`${i + 2},${j}`)) {
        taken.add(`${i + 2},${j}`);
        add([[ring], [lattice.ring(i + 2, j)]]);
      } else add([[ring]]);
    }
  return out;
}
