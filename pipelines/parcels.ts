import { createHash } from 'node:crypto';
import { latLngToCell } from 'h3-js';
import type { Value } from '../datasets/dataset.ts';
import { boxOf, type Geometry } from '../datasets/geometry.ts';
import type { Place, PlaceLayer } from '../datasets/place.ts';
import { hilbertOf } from '../ingest/hilbert.ts';
import type { OutputRow } from '../ingest/writer.ts';
import { geodesicArea } from '../query/geodesic.ts';
import { polygonsToGeometry, ringsOf } from './geos.ts';
import { interiorPoint } from './interior-point.ts';
import { Spool } from './spool.ts';

/** The international acre, as the specification's geodesic acreage uses it. */
const ACRE_M2 = 4046.8564224;
const ORDER_RESOLUTION = 5;

/** Whether a layer holds parcels, which are stored in their own order with computed columns. */
export function isParcelLayer(layer: Pick<PlaceLayer, 'dataset' | 'layer'>): boolean {
  return layer.dataset === 'parcel_store' && layer.layer === 'main';
}

/** Turns a ring's smallest vertex to the front and its direction counter-clockwise (shell) or clockwise (hole). */
function normaliseRing(ring: Float64Array, shell: boolean): Float64Array {
  const n = ring.length / 2 - 1;
  let first = 0;
  let area = 0;
  for (let i = 0; i < n; i++) {
    const [x, y] = [ring[2 * i]!, ring[2 * i + 1]!];
    area += (x - ring[0]!) * (ring[2 * i + 3]! - ring[1]!) - (ring[2 * i + 2]! - ring[0]!) * (y - ring[1]!);
    if (x < ring[2 * first]! || (x === ring[2 * first]! && y < ring[2 * first + 1]!)) first = i;
  }
  const step = area > 0 === shell ? 1 : -1;
  const out = new Float64Array(ring.length);
  for (let k = 0; k <= n; k++) {
    const i = (((first + step * k) % n) + n) % n;
    out[2 * k] = ring[2 * i]!;
    out[2 * k + 1] = ring[2 * i + 1]!;
  }
  return out;
}

const compareRings = (a: Float64Array, b: Float64Array) => {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return a.length - b.length;
};

/**
 * SHA-256 of a polygon in normal form (rings begin at their smallest vertex and run one way, holes and parts sorted,
 * coordinates rounded to 1e-7 degrees, about a centimetre): equal for geometries that differ only in how they are written.
 */
export function geometryHash(geometry: Geometry): string {
  const rounded = { ...geometry, xy: geometry.xy.map(v => Math.round(v * 1e7)) };
  const polygons = ringsOf(rounded).map(rings => {
    const [shell, ...holes] = rings.map((ring, i) => normaliseRing(ring, i === 0));
    return [shell!, ...holes.sort(compareRings)];
  });
  polygons.sort((a, b) => compareRings(a[0]!, b[0]!));
  const { xy, ends, parts } = polygonsToGeometry(polygons);
  const hash = createHash('sha256');
  for (const array of [xy, ends, parts]) hash.update(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  return hash.digest('hex');
}

interface Parcel {
  readonly properties: Record<string, Value>;
  readonly geometry: Geometry;
}

/**
 * Parcels of one county on their way into stored order: state, county, H3 resolution 5 cell, Hilbert rank on the fixed
 * world grid, then parcel key. Rows wait on disk; memory holds an index entry a parcel.
 */
export class Parcels {
  readonly #place: Pick<Place, 'county' | 'state'>;
  readonly #spool: Spool<Parcel>;
  readonly #hashes: string[] = [];
  readonly #stacks = new Map<string, number>();
  readonly #numbers: (string | null)[] = [];
  readonly #objects: (string | null)[] = [];
  readonly #repeats = new Map<string | null, number>();
  readonly #cells: string[] = [];
  readonly #ranks: number[] = [];

  /** @param path of the file in which rows wait. */
  constructor(path: string, place: Pick<Place, 'county' | 'state'>) {
    this.#place = place;
    this.#spool = new Spool(path);
  }

  /**
   * Takes one parcel and computes acreage (geodesic) and the interior point.
   * @returns why the parcel cannot be stored, else null.
   */
  add(row: OutputRow, objectId: string | null): string | null {
    const geometry = row.geometry!;
    const point = interiorPoint(geometry);
    if (!point) return 'the polygon is too thin to have an interior point';
    const number = row.properties.apn === null || row.properties.apn === undefined ? null : String(row.properties.apn);
    const properties = {
      ...row.properties,
      centroid_lon: point[0],
      centroid_lat: point[1],
      acreage: geodesicArea(geometry) / ACRE_M2,
    };
    const hash = geometryHash(geometry);
    const [minX, minY, maxX, maxY] = boxOf(geometry);
    this.#hashes.push(hash);
    this.#stacks.set(hash, (this.#stacks.get(hash) ?? 0) + 1);
    this.#numbers.push(number);
    this.#repeats.set(number, (this.#repeats.get(number) ?? 0) + 1);
    this.#objects.push(objectId);
    this.#cells.push(latLngToCell(point[1], point[0], ORDER_RESOLUTION));
    this.#ranks.push(hilbertOf((minX + maxX) / 2, (minY + maxY) / 2));
    this.#spool.add({ properties, geometry });
    return null;
  }

  /**
   * Keys that do not depend on the order of the file where anything else tells parcels apart: county and number; where
   * the number repeats or is missing, also the source's object id, or else a hash of the normalised geometry. Rows equal
   * in all of that are numbered in file order.
   */
  #keys(): string[] {
    const seen = new Map<string, number>();
    return this.#numbers.map((number, i) => {
      let key = `${this.#place.county}:${number ?? ''}`;
      if (number === null || this.#repeats.get(number)! > 1)
        key += this.#objects[i] === null ? `:g${this.#hashes[i]!.slice(0, 16)}` : `:o${this.#objects[i]}`;
      const times = (seen.get(key) ?? 0) + 1;
      seen.set(key, times);
      return times === 1 ? key : `${key}:${times}`;
    });
  }

  /** All parcels in stored order with `stack_count`, `parcel_key` and `ord` filled. */
  *rows(): Generator<OutputRow> {
    const keys = this.#keys();
    const order = Uint32Array.from(keys, (_, i) => i).sort((a, b) => {
      if (this.#cells[a] !== this.#cells[b]) return this.#cells[a]! < this.#cells[b]! ? -1 : 1;
      if (this.#ranks[a] !== this.#ranks[b]) return this.#ranks[a]! - this.#ranks[b]!;
      return keys[a]! < keys[b]! ? -1 : 1;
    });
    for (const [ord, index] of order.entries()) {
      const { properties, geometry } = this.#spool.read(index);
      const stack_count = this.#stacks.get(this.#hashes[index]!)!;
      yield { properties: { ...properties, stack_count, parcel_key: keys[index]!, ord }, geometry };
    }
  }

  close(): void {
    this.#spool.close();
  }
}
