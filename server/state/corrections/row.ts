import type { Selectable } from 'kysely';
import type { CorrectedValue } from '../../../query/release/corrections/correction-list.ts';
import type { Callback } from '../field-requests/row.ts';
import type { Tables } from '../tables.ts';
import type { Status } from './states.ts';

/** Place of a correction. */
export interface CorrectionPlace {
  /** WGS84: the place, or the interior point of the parcel. */
  readonly lat: number;
  readonly lng: number;
  /** Null where it is about the place alone. */
  readonly parcel_id: string | null;
}

/** Answer when a correction was filed. */
export interface Said {
  readonly value: unknown;
  readonly status: 'ok' | 'absent' | 'failed';
  readonly source: string | null;
  readonly source_url: string | null;
  readonly dataset_vintage: string | null;
  readonly release: string | null;
}

/** A correction as it is stored. Instants are epoch milliseconds. */
export interface CorrectionRow {
  readonly id: string;
  readonly accountId: string;
  readonly status: Status;
  readonly field: string;
  readonly value: CorrectedValue;
  readonly place: CorrectionPlace;
  readonly evidence: { readonly url?: string; readonly note: string };
  readonly said: Said;
  readonly callback: Callback | null;
  readonly reason: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** Converts a database row to a CorrectionRow. */
export const toRow = (row: Selectable<Tables['corrections']>): CorrectionRow => ({
  id: row.id,
  accountId: row.account_id,
  status: row.status,
  field: row.field,
  value: JSON.parse(row.value) as CorrectedValue,
  place: JSON.parse(row.place) as CorrectionPlace,
  evidence: JSON.parse(row.evidence) as CorrectionRow['evidence'],
  said: JSON.parse(row.said) as Said,
  callback: row.callback === null ? null : (JSON.parse(row.callback) as Callback),
  reason: row.reason,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});
