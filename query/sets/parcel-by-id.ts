import type { Geometry } from '../../datasets/geometry.ts';
import type { Point } from '../evaluate/answer.ts';
import { sharedWords } from '../format/shared-memory.ts';
import { analysisPointOf } from '../parcel/parcel-match.ts';
import type { SearchEnvironment } from '../search/page/environment.ts';
import { type County, presentFirst } from '../search/predicate/counties.ts';
import type { Issue } from '../search/request/issue.ts';
import { CountySet } from './county-set.ts';
import { onGround, type SetGround, type SetRequest } from './ground/set-ground.ts';
import { type SetFilter, verdictOfKey } from './set-filter.ts';

/** Rows between two steps. */
const STEP = 4_096;
/** `pcl_` and 22 letters of Base64. */
const ID = /^pcl_[\w-]{22}$/;

/** Where the digest of an id begins in a table of 2^n places. */
const placeOf = (id: string, mask: number): number => Buffer.from(id.slice(4, 12), 'base64url').readUInt32BE(0) & mask;

/** The rows of a county by the ids of their parcels: a hash table with open addressing (Knuth, TAOCP 3, 6.4, algorithm L). */
class ParcelIds {
  /** Row + 1, 0 where there is none. */
  readonly #rows: Uint32Array;

  private constructor(rows: Uint32Array) {
    this.#rows = rows;
  }

  get bytes(): number {
    return this.#rows.byteLength;
  }

  /** @throws DamagedFile when a row cannot be read. */
  static async of(set: CountySet, step: SetGround['step']): Promise<ParcelIds> {
    const size = 2 ** Math.ceil(Math.log2(2 * set.count + 2));
    const rows = sharedWords(size);
    for (let row = 0; row < set.count; row++) {
      if (row % STEP === STEP - 1) await step();
      let at = placeOf(set.parcelId(row), size - 1);
      while (rows[at] !== 0) at = (at + 1) & (size - 1);
      rows[at] = row + 1;
    }
    return new ParcelIds(rows);
  }

  /** Rows that may have an id, the right one among them. */
  *mayBe(id: string): Generator<number> {
    const mask = this.#rows.length - 1;
    for (let at = placeOf(id, mask); this.#rows[at] !== 0; at = (at + 1) & mask) yield this.#rows[at]! - 1;
  }
}

/** A row of a county. */
export interface PlacedParcel {
  readonly set: CountySet;
  readonly row: number;
}

/**
 * Those of some parcels that a county has, by their ids.
 * @param ids anything that may be one.
 * @throws Fault or DamagedFile when the county's parcels cannot be read; what `step` throws.
 */
export async function parcelsIn(
  county: County,
  ids: readonly string[],
  ground: SetGround,
): Promise<ReadonlyMap<string, PlacedParcel>> {
  await ground.step();
  const set = await CountySet.open(county, ground);
  const table = await set.factOf('parcel ids', () => ParcelIds.of(set, ground.step));
  const found = new Map<string, PlacedParcel>();
  for (const id of ids)
    if (ID.test(id)) for (const row of table.mayBe(id)) if (set.parcelId(row) === id) found.set(id, { set, row });
  return found;
}

/**
 * The parcel of an id; null where no county has it.
 * @param id anything that may be one. @param isFirst which counties are looked through first: what costs is the first look at each.
 * @throws as parcelsIn.
 */
export async function findParcel(
  id: string,
  ground: SetGround,
  isFirst: (county: County) => boolean = () => true,
): Promise<PlacedParcel | null> {
  if (!ID.test(id)) return null;
  const counties = presentFirst(ground.layers.release);
  for (const county of [...counties.filter(isFirst), ...counties.filter(county => !isFirst(county))]) {
    const found = (await parcelsIn(county, [id], ground)).get(id);
    if (found) return found;
  }
  return null;
}

/** Whether filters leave anything of a county. */
export const isSelected =
  (filters: readonly SetFilter[]) =>
  (county: County): boolean =>
    filters.every(filter => verdictOfKey(filter, county) !== 'none');

/** A question for where a parcel lies, plain data. */
export interface ParcelPlaceRequest extends SetRequest {
  readonly parcelId: string;
}

/** Where a parcel lies: null where no county of the release has it. */
export type ParcelPlace =
  | { readonly place: { readonly geometry: Geometry; readonly point: Point | null } | null }
  | { readonly issues: readonly Issue[] };

/** The outline and the analysis point of a parcel. @throws Fault or DamagedFile when parcels cannot be read; Interrupted; TimeUp. */
export const placeOfParcel = (request: ParcelPlaceRequest, environment: SearchEnvironment): Promise<ParcelPlace> =>
  onGround(request, environment, async ground => {
    const found = ground && (await findParcel(request.parcelId, ground));
    if (!found) return { place: null };
    const { properties, geometry } = found.set.parcels.feature(found.row);
    return { place: { geometry, point: analysisPointOf(properties) } };
  });
