import { createHash } from 'node:crypto';
import { latLngToCell } from 'h3-js';
import { boxOf, type Geometry } from '../datasets/geometry.ts';
import { hilbertOf } from '../datasets/hilbert.ts';
import type { Place, PlaceLayer } from '../datasets/place.ts';
import type { OutputRow } from '../ingest/writer.ts';
import { SpoolTable } from '../ingest/writers/spool-table.ts';
import { geodesicArea } from '../query/geodesic.ts';
import { polygonsToGeometry, ringsOf } from '../query/geos.ts';
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

/** Memory of the index, megabytes; what exceeds it is sorted on disk. */
const INDEX_MB = 128;

/** Columns of the index: row, geometry hash, number, object id, H3 cell, Hilbert rank, place in the spool. */
const INDEX = ['integer', 'string', 'string', 'string', 'string', 'hilbert', 'integer', 'integer'] as const;

/**
 * Stacks, keys and order, in one statement. Keys do not depend on the order of the file where anything else tells
 * parcels apart: county and number; where the number repeats or is missing, also the source's object id, or else a hash
 * of the normalised geometry. Rows equal in all of that are numbered in file order.
 */
const ORDERED = `
  WITH counted AS (
    SELECT *, count(*) OVER (PARTITION BY c1) AS stack, count(*) OVER (PARTITION BY c2) AS repeats FROM rows
  ), named AS (
    SELECT *, $county || ':' || coalesce(c2, '') || CASE
      WHEN c2 IS NOT NULL AND repeats = 1 THEN ''
      WHEN c3 IS NULL THEN ':g' || c1[1:16]
      ELSE ':o' || c3 END AS name
    FROM counted
  ), numbered AS (
    SELECT *, row_number() OVER (PARTITION BY name ORDER BY c0) AS times FROM named
  )
  SELECT c6::DOUBLE AS place, c7::INTEGER AS size, stack::INTEGER AS stack,
    CASE WHEN times = 1 THEN name ELSE name || ':' || times END AS key
  FROM numbered ORDER BY c4, c5, key`;

/**
 * Parcels of one county on their way into stored order: state, county, H3 resolution 5 cell, Hilbert rank on the fixed
 * world grid, then parcel key. Rows and their index wait on disk: memory does not grow with their number.
 */
export class Parcels {
  readonly #county: string;
  readonly #spool: Spool;
  readonly #index: SpoolTable;
  #count = 0;

  private constructor(county: string, spool: Spool, index: SpoolTable) {
    this.#county = county;
    this.#spool = spool;
    this.#index = index;
  }

  /** @param path of the file in which rows wait; a database beside it holds their index. */
  static async create(path: string, { county }: Pick<Place, 'county'>): Promise<Parcels> {
    const index = await SpoolTable.create(`${path}.duckdb`, INDEX, INDEX_MB);
    return new Parcels(county, new Spool(path), index);
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
    const [minX, minY, maxX, maxY] = boxOf(geometry);
    const { offset, size } = this.#spool.add({ properties, geometry });
    const cell = latLngToCell(point[1], point[0], ORDER_RESOLUTION);
    const rank = hilbertOf((minX + maxX) / 2, (minY + maxY) / 2);
    this.#index.add([this.#count++, geometryHash(geometry), number, objectId, cell, rank, offset, size]);
    return null;
  }

  /** All parcels in stored order with `stack_count`, `parcel_key` and `ord` filled. */
  async *rows(): AsyncGenerator<OutputRow> {
    this.#index.settle();
    const result = await this.#index.connection.stream(ORDERED, { county: this.#county });
    let ord = 0;
    for await (const rows of result.yieldRowsJs())
      for (const [offset, size, stack_count, parcel_key] of rows as [number, number, number, string][]) {
        const { properties, geometry } = this.#spool.read({ offset, size });
        yield { properties: { ...properties, stack_count, parcel_key, ord: ord++ }, geometry };
      }
  }

  /** Removes what waited on disk. */
  close(): void {
    this.#index.discard();
    this.#spool.close();
  }
}
