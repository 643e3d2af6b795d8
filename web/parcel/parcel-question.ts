import type { Catalog } from '../api/catalog.ts';
import type { FieldRecord } from '../values/field-record.ts';

/** What is asked of a parcel beside its values. */
export interface ParcelQuestion {
  readonly parcelId: string;
  /** Its address or its number. */
  readonly parcelName: string;
  readonly catalog: Catalog | null;
  /** Of the parcel, those of its header at least. */
  readonly fields: Readonly<Record<string, FieldRecord>>;
  /** Two letters. */
  readonly parcelState: string;
  /** What the address of the page says. */
  readonly state: Readonly<Record<string, string>>;
}
