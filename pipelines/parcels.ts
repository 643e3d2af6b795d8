import { latLngToCell } from 'h3-js';
import { boxOf } from '../datasets/geometry.ts';
import { hilbertOf } from '../datasets/hilbert.ts';
import type { Place, PlaceLayer } from '../datasets/place.ts';
import type { OutputRow } from '../ingest/writer.ts';
import { SpoolTable } from '../ingest/writers/spool-table.ts';
import { geodesicArea } from '../query/geodesic.ts';
import { interiorPoint } from './interior-point.ts';
import { loadPrevious, ORDERED } from './parcel-keys.ts';
import { geometryHash } from './parcel-shape.ts';
import { Spool } from './spool.ts';

/** The international acre, as the specification's geodesic acreage uses it. */
const ACRE_M2 = 4046.8564224;
const ORDER_RESOLUTION = 5;

/** Whether a layer holds parcels, which are stored in their own order with computed columns. */
export function isParcelLayer(layer: Pick<PlaceLayer, 'dataset' | 'layer'>): boolean {
  return layer.dataset === 'parcel_store' && layer.layer === 'main';
}

/** Memory of the index, megabytes; what exceeds it is sorted on disk. */
const INDEX_MB = 128;

/** Columns of the index: row, geometry hash, number, object id, H3 cell, Hilbert rank, place in the spool. */
export const INDEX = ['integer', 'string', 'string', 'string', 'string', 'hilbert', 'integer', 'integer'] as const;

/**
 * Parcels of one county on their way into stored order: state, county, H3 resolution 5 cell, Hilbert rank on the fixed
 * world grid, then parcel key. Rows and their index wait on disk: memory does not grow with their number.
 */
export class Parcels {
  readonly #county: string;
  readonly #previous: string | null;
  readonly #spool: Spool;
  readonly #index: SpoolTable;
  #count = 0;

  private constructor(county: string, spool: Spool, index: SpoolTable, previous: string | null) {
    this.#county = county;
    this.#previous = previous;
    this.#spool = spool;
    this.#index = index;
  }

  /**
   * @param path of the file in which rows wait; a database beside it holds their index.
   * @param previous FlatGeobuf of the county's parcels in the release before, whose keys are carried forward.
   */
  static async create(
    path: string,
    { county }: Pick<Place, 'county'>,
    previous: string | null = null,
  ): Promise<Parcels> {
    const index = await SpoolTable.create(`${path}.duckdb`, INDEX, INDEX_MB);
    return new Parcels(county, new Spool(path), index, previous);
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
    await loadPrevious(this.#index.connection, this.#previous);
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
