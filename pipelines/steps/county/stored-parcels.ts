import type { Value } from '../../../datasets/dataset.ts';
import type { Geometry } from '../../../datasets/geometry.ts';
import { PARCEL_ATTRIBUTES } from '../../../datasets/parcel/parcel-attributes.ts';
import { DamagedFile } from '../../../query/format/damaged-file.ts';
import { FeatureFile } from '../../../query/format/flatgeobuf.ts';
import { PART } from '../../../query/release/part.ts';
import { LayerError } from '../layer-job.ts';

/** A file of a county's parcels in the release before. */
export interface StoredParcels {
  /** FlatGeobuf. */
  readonly path: string;
  /** The county's key and the places whose parcels are taken over, for messages. */
  readonly of: string;
  /**
   * By part in the file: the new part of its rows (`number` is null if the county has only one part), or null if the rows are read
   * anew.
   */
  readonly parts: readonly ({ readonly number: number | null } | null)[];
}

/** A row in the normal schema with the columns that are computed of it alone; of one that is read anew only its number. */
export interface StoredParcel {
  readonly properties: Readonly<Record<string, Value>>;
  readonly geometry: Geometry;
}

/** A parcel as it was stored. */
interface Before {
  readonly key: string | null;
  /** Null if it is read anew. */
  readonly part: { readonly number: number | null } | null;
  readonly number: string | null;
  /** Its row in the file, from 0. */
  readonly ord: number;
  readonly parcel: StoredParcel;
}

/** Returns the properties of a row that are taken over: columns of this build with a value. */
function carried(properties: Readonly<Record<string, Value>>, part: number | null): Record<string, Value> {
  const out: Record<string, Value> = {};
  for (const [name, value] of Object.entries(properties))
    if (value !== null && Object.hasOwn(PARCEL_ATTRIBUTES, name)) out[name] = value;
  return { ...out, [PART]: part };
}

/**
 * Yields the parcels of a file of the release before, in stored order.
 * @throws LayerError when the file is damaged and some parcels must be taken over. If all are read anew, it ends without an error:
 *   a refresh repairs a damaged release, and the rule gives nearly all parcels their former key.
 */
export function* storedParcels({ path, of, parts }: StoredParcels): Generator<Before> {
  let file: FeatureFile | null = null;
  try {
    file = new FeatureFile(path);
    const pick = file.columnPick(['parcel_key', 'apn', PART]);
    for (let i = 0; i < file.count; i++) {
      const picked = file.pick(i, pick);
      const { parcel_key: key, apn } = picked;
      const part = parts[parts.length > 1 ? Number(picked[PART]) : 0] ?? null;
      const properties = part ? carried(file.properties(i), part.number) : picked;
      yield {
        key: typeof key === 'string' ? key : null,
        part,
        number: apn === null || apn === undefined ? null : String(apn),
        ord: i,
        parcel: { properties, geometry: file.geometry(i) },
      };
    }
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error;
    if (parts.some(part => part !== null))
      throw new LayerError(
        `${of} are stored with those of this place and cannot be read back: ${error.message}. ` +
          'Restore the file from a copy, or go back to a release that is whole (`plat release verify`)',
      );
  } finally {
    file?.close();
  }
}
