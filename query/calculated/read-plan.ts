import type { Overlay } from '../../datasets/release.ts';
import type { Finding } from '../finding.ts';
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
  readonly known: Map<Finding, Map<string, (Finding | undefined)[]>>;
}

/** What was found in an area so far, by place. @param at value of the key and coverage of tables. */
export function knownIn({ known }: ReadPlan, shared: Finding, at: string): (Finding | undefined)[] {
  const ofReason = known.get(shared) ?? new Map<string, (Finding | undefined)[]>();
  known.set(shared, ofReason);
  const found = ofReason.get(at) ?? [];
  ofReason.set(at, found);
  return found;
}

const placesOf = new WeakMap<ReadonlyMap<string, number>, { readonly records: RecordFile; readonly at: Int32Array }>();

/** The places of a file's fields, -1 of those that are not asked for. */
export function placesIn(records: RecordFile, places: ReadonlyMap<string, number>): Int32Array {
  let known = placesOf.get(places);
  if (known?.records !== records) {
    known = { records, at: Int32Array.from(records.fields, ({ name }) => places.get(name) ?? -1) };
    placesOf.set(places, known);
  }
  return known.at;
}
