import { promisify } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { gunzipSync, gzip } from 'node:zlib';
import type { PointColumn } from '../../query/engine/contents/point-table.ts';
import type { MatchTable } from '../../query/sets/part/match-columns.ts';

/** A row of an upload after its place was found. */
export interface PartRow {
  /** From 1, in the order of the upload. */
  readonly row: number;
  readonly custom_id: string | null;
  /** Where its values are of; null where no place was found. */
  readonly point: readonly [lng: number, lat: number] | null;
  readonly address?: string;
  readonly polygon?: object;
  /** Code of the failure of the row; null where it has none. */
  readonly error: string | null;
}

/** Rows of an export: what each is, and the values of the fields that were computed for those with a point. */
export type Part = (
  | { readonly of: 'matches'; readonly table: MatchTable }
  | { readonly of: 'rows'; readonly rows: readonly PartRow[] }
) & { readonly columns: Readonly<Record<string, PointColumn>> };

/** The rows of a part as they come: a table is bytes already. */
export type PartRows =
  | { readonly of: 'matches'; readonly table: Uint8Array }
  | { readonly of: 'rows'; readonly rows: readonly PartRow[] };

/** Compression level: most of a part are coordinates, which no level makes much smaller. */
const LEVEL = 1;
const deflated = promisify<Uint8Array, { readonly level: number }, Buffer>(gzip);

/** Bytes of a part as they are stored. @param columns JSON text of the computed fields. */
export const packedPart = (rows: PartRows, columns: string): Promise<Uint8Array> =>
  deflated(serialize({ ...rows, columns }), { level: LEVEL });

/** A part as it was stored. */
export function unpackedPart(bytes: Uint8Array): Part {
  const { columns: text, ...rows } = deserialize(gunzipSync(bytes)) as PartRows & { readonly columns: string };
  const columns = JSON.parse(text) as Part['columns'];
  return rows.of === 'rows' ? { ...rows, columns } : { of: 'matches', table: deserialize(rows.table), columns };
}
