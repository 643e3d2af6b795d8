import type { Overlay } from '../../datasets/release.ts';
import type { Finding } from '../evaluate/finding.ts';
import type { RecordFile } from './record-file.ts';

/** Where the values of some names stand: each with its place in the list of names. */
export interface ReadPlan {
  readonly columns: readonly { readonly overlay: Overlay; readonly places: ReadonlyMap<string, number> }[];
  /** By area key, the fields that are looked up by it. */
  readonly areas: readonly { readonly key: string; readonly places: readonly number[] }[];
  /**
   * What was found in areas so far, by place: parcels of one request mostly lie in few. By what was found for the key apart
   * from its value, then by that and the coverage of tables.
   */
  readonly memo: Map<Finding, Map<string, (Finding | undefined)[]>>;
}

/** What has been found in an area so far, by place. @param at value of the key and coverage of tables. */
export function foundIn({ memo }: ReadPlan, shared: Finding, at: string): (Finding | undefined)[] {
  const ofReason = memo.get(shared) ?? new Map<string, (Finding | undefined)[]>();
  memo.set(shared, ofReason);
  const found = ofReason.get(at) ?? [];
  ofReason.set(at, found);
  return found;
}

/** Fields of a file that are asked for: their places in it, and in the list of names. */
interface PlacesIn {
  readonly fields: Int32Array;
  readonly names: Int32Array;
}

const placesOf = new WeakMap<ReadonlyMap<string, number>, PlacesIn & { readonly records: RecordFile }>();

/** Which fields of a file are asked for. @param places of names. */
export function placesIn(records: RecordFile, places: ReadonlyMap<string, number>): PlacesIn {
  let cached = placesOf.get(places);
  if (cached?.records !== records) {
    const requested = [...records.fields.entries()].filter(([, { name }]) => places.has(name));
    cached = {
      records,
      fields: Int32Array.from(requested, ([field]) => field),
      names: Int32Array.from(requested, ([, { name }]) => places.get(name)!),
    };
    placesOf.set(places, cached);
  }
  return cached;
}
