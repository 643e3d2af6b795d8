import { latLngToCell } from 'h3-js';
import { boxOf } from '../../../datasets/geometry.ts';
import { PARCEL_ATTRIBUTES } from '../../../datasets/parcel/parcel-attributes.ts';
import { inParcelSteps } from '../../../datasets/parcel/parcel-steps.ts';
import type { Place } from '../../../datasets/place/place.ts';
import { inSteps } from '../../../datasets/precision.ts';
import type { OutputRow } from '../../../ingest/writer.ts';
import { SpoolTable } from '../../../ingest/writers/spool-table.ts';
import { ACRE_M2 } from '../../../query/geometry/acre.ts';
import { geodesicArea } from '../../../query/geometry/area/geodesic-area.ts';
import { poleOf } from '../../../query/geometry/area/interior-point.ts';
import { hilbertOf } from '../../../query/geometry/hilbert.ts';
import { contains } from '../../../query/geometry/point-in-polygon.ts';
import type { StagedFile } from '../../../query/release/home/store.ts';
import { PART } from '../../../query/release/part.ts';
import { sweepOf } from '../rejected/tangle.ts';
import { loadEnded, writeEnded } from './ended-keys.ts';
import { loadPrevious, ORDERED } from './parcel-keys.ts';
import { geometryHash } from './parcel-shape.ts';
import { Spool } from './spool.ts';
import { loadStacks, pairStacks, writeStacks } from './stacks.ts';
import type { StoredParcel, StoredParcels } from './stored-parcels.ts';

const ORDER_RESOLUTION = 5;

/** Metres that rounding moves a point by at most: half a step of 1e-7 degrees north and east is 0.8 cm. */
const ROUNDING_M = 0.01;

const NOT_THE_POLE =
  'too long for its width to search its innermost point: its interior point is the middle of its widest piece on a horizontal line';

/** Memory of the index, megabytes; a larger index is sorted on disk. */
const INDEX_MB = 128;
/** The same while it is only read from start to end, beside the rows of the Parquet file: 300 MB less at 1.5 million parcels. */
const READ_MB = 48;

/** Columns of the index: row, geometry hash, number, object id, H3 cell, Hilbert rank, place in the spool, key it has already. */
const INDEX = ['integer', 'string', 'string', 'string', 'string', 'uint32', 'integer', 'integer', 'string'] as const;

/**
 * Brings the parcels of one county into stored order: state, county, H3 resolution 5 cell, Hilbert rank on the fixed world grid,
 * then parcel key. They may come from several files. Rows and their index wait on disk, so memory does not grow with their number.
 */
export class Parcels {
  readonly #county: string;
  readonly #spool: Spool;
  readonly #index: SpoolTable;
  readonly #before: readonly StoredParcels[];
  #count = 0;

  private constructor(county: string, spool: Spool, index: SpoolTable, before: readonly StoredParcels[]) {
    this.#county = county;
    this.#spool = spool;
    this.#index = index;
    this.#before = before;
  }

  /**
   * @param path of the file in which rows wait; a database beside it holds their index.
   * @param before the county's parcels in the release before: keys of those that are read anew are carried forward, the
   *   others are taken over with theirs.
   * @param ended files of keys that had ended there. @param stacks files that tell its stacked parcels apart.
   * @throws LayerError when parcels that shall be taken over cannot be read.
   */
  static async create(
    path: string,
    { county }: Pick<Place, 'county'>,
    before: readonly StoredParcels[] = [],
    ended: readonly string[] = [],
    stacks: readonly string[] = [],
  ): Promise<Parcels> {
    const index = await SpoolTable.create(`${path}.duckdb`, INDEX, INDEX_MB);
    const parcels = new Parcels(county, new Spool(path), index, before);
    try {
      await loadEnded(index.connection, ended);
      await loadStacks(index.connection, stacks);
      await loadPrevious(index.connection, before, (row, key) => parcels.#take(row, null, key));
    } catch (error) {
      parcels.close();
      throw error;
    }
    return parcels;
  }

  /**
   * Takes one parcel and computes acreage (geodesic) and the interior point.
   * @param part of the county that it belongs to; null where there is one.
   * @returns the reason if the parcel is not stored, or not as others are, else null.
   */
  add(
    row: OutputRow,
    objectId: string | null,
    part: number | null = null,
  ): { readonly action: 'rejected' | 'repaired'; readonly reason: string } | null {
    const geometry = row.geometry!;
    const heavy = sweepOf(geometry);
    if (heavy !== null) return { action: 'rejected', reason: heavy };
    const pole = poleOf(geometry);
    if (!pole) return { action: 'rejected', reason: 'the polygon is too thin to have an interior point' };
    const { lng, lat, metres } = pole;
    const step = PARCEL_ATTRIBUTES.centroid_lat.precision;
    const near = [inSteps(lng, step), inSteps(lat, step)] as const;
    // A parcel may be thinner than one step of the rounding grid.
    const point = metres > ROUNDING_M || contains(geometry, ...near) ? near : ([lng, lat] as const);
    const properties = {
      ...row.properties,
      centroid_lon: point[0],
      centroid_lat: point[1],
      acreage: inSteps(geodesicArea(geometry) / ACRE_M2, PARCEL_ATTRIBUTES.acreage.precision),
      [PART]: part,
    };
    this.#take({ properties, geometry }, objectId, null);
    return pole.isPole ? null : { action: 'repaired', reason: NOT_THE_POLE };
  }

  #take({ properties: found, geometry }: StoredParcel, objectId: string | null, key: string | null): void {
    const properties = inParcelSteps(found);
    const number = properties.apn === null || properties.apn === undefined ? null : String(properties.apn);
    const [minX, minY, maxX, maxY] = boxOf(geometry);
    const { offset, size } = this.#spool.add({ properties, geometry });
    const cell = latLngToCell(Number(properties.centroid_lat), Number(properties.centroid_lon), ORDER_RESOLUTION);
    const rank = hilbertOf((minX + maxX) / 2, (minY + maxY) / 2);
    this.#index.add([this.#count++, geometryHash(geometry), number, objectId, cell, rank, offset, size, key]);
  }

  /** Yields all parcels in stored order, with `stack_count`, `parcel_key` and `ord`. */
  async *rows(): AsyncGenerator<OutputRow> {
    this.#index.settle();
    const { connection } = this.#index;
    const paths = this.#before.map(({ path }) => path);
    await pairStacks(connection, paths, slot => this.#spool.read(slot).properties);
    await connection.run(`CREATE TEMP TABLE ordered AS ${ORDERED}`, { county: this.#county });
    await connection.run('DROP TABLE rows');
    await this.#index.limit(READ_MB);
    const result = await connection.stream('SELECT place, size, stack, key FROM ordered');
    let ord = 0;
    for await (const rows of result.yieldRowsJs())
      for (const [offset, size, stack_count, parcel_key] of rows as [number, number, number, string][]) {
        const { properties, geometry } = this.#spool.read({ offset, size });
        yield { properties: { ...properties, stack_count, parcel_key, ord: ord++ }, geometry };
      }
  }

  /** Writes the ended keys as writeEnded does; call it after all rows were read. */
  async ended(path: string): Promise<StagedFile | null> {
    await this.#index.limit(INDEX_MB);
    return writeEnded(this.#index.connection, path);
  }

  /** Writes what tells stacked parcels apart as writeStacks does; call it after all rows were read. */
  stacks(path: string): Promise<StagedFile | null> {
    return writeStacks(this.#index.connection, path);
  }

  /** Removes the rows that waited on disk. */
  close(): void {
    this.#index.discard();
    this.#spool.close();
  }
}
