import type { SearchEnvironment } from '../search/page/environment.ts';
import type { Notice } from '../search/page/notices.ts';
import type { Issue } from '../search/request/issue.ts';
import { numbersOf, type SetField, TextNumbers, valueOfNumber } from './column-values.ts';
import { onGround, type SetGround, type SetRequest } from './ground/set-ground.ts';
import { MatchList } from './match-list.ts';
import { findParcel, isSelected, type PlacedParcel } from './parcel-by-id.ts';
import { RankOrder } from './rank-order.ts';
import { RankRows } from './rank-rows.ts';
import { Selection } from './selection.ts';
import { noticesOfSet } from './set-notices.ts';
import { SetTooLarge } from './set-size.ts';

/** A judged question for parcels like one, plain data. */
export interface SimilarRequest extends SetRequest {
  readonly parcelId: string;
  /** Of numbers and dates. */
  readonly fields: readonly SetField[];
  readonly limit: number;
}

/** A value of the parcel that others are compared with. */
interface OwnValue {
  readonly value: number | string | null;
  readonly status: 'ok' | 'absent' | 'failed';
  /** Standard deviation among the parcels that pass: what a distance of 1 is; days of dates. Null where fewer than two have a value. */
  readonly deviation: number | null;
}

/** Parcels like one. */
interface Likenesses {
  /** JSON array of matches, the likest first, each with its distances. */
  readonly matches: string;
  /** The parcel's own values by field. */
  readonly own: Readonly<Record<string, OwnValue>>;
  /** Parcels that pass every filter, the parcel itself not counted. */
  readonly considered: number;
  /** Those of them without a value of a field that is compared, and those for which its calculation failed: these have no place. */
  readonly absent: number;
  readonly failed: number;
  readonly unknown: number;
  readonly unread: boolean;
  readonly notices: readonly Notice[];
}

export type SimilarAnswer = Likenesses | { readonly missing: true } | { readonly issues: readonly Issue[] };

const DAY_MS = 86_400_000;

/** Number of values, their mean and the standard deviation of all (Welford, Technometrics 4, 1962). */
function spreadOf(values: Float64Array): { readonly count: number; readonly deviation: number } {
  let [count, mean, squares] = [0, 0, 0];
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    const away = value - mean;
    mean += away / ++count;
    squares += away * (value - mean);
  }
  return { count, deviation: Math.sqrt(squares / Math.max(1, count)) };
}

/** The parcel's value of a field: a number, absent, or failed. */
async function ownOf({ set, row }: PlacedParcel, field: SetField): Promise<number | 'absent' | 'failed'> {
  const column = await set.columnOrNone(field);
  if (column.failed?.[row] === 1) return 'failed';
  const number = numbersOf(column, new TextNumbers())[row]!;
  return Number.isNaN(number) ? 'absent' : number;
}

/**
 * The parcels most like one among those that pass every filter: by the root of the sum of squared differences, each in standard
 * deviations among them. Fields of which the parcel has no
 * value, or all others the same one, are not compared.
 * @throws Interrupted when nobody waits any more; Fault or DamagedFile when the parcel cannot be read.
 */
export async function similarParcels(request: SimilarRequest, environment: SearchEnvironment): Promise<SimilarAnswer> {
  const { filters, fields, parcelId } = request;
  try {
    return await onGround<SimilarAnswer>(request, environment, async ground => {
      const found = ground && (await findParcel(parcelId, ground, isSelected(filters)));
      if (!ground || !found) return { missing: true };
      const own: (number | 'absent' | 'failed')[] = [];
      for (const field of fields) own.push(await ownOf(found, field));
      const rows = new RankRows(fields);
      const selection = new Selection();
      await selection.walk(filters, ground, (set, some) => rows.take(set, some));
      const { unknown, unread } = selection;
      const notices = await noticesOfSet(filters, selection.considered === 0, ground);
      return { unknown, unread, notices, ...(await ordered(request, found, own, rows, ground)) };
    });
  } catch (error) {
    if (error instanceof SetTooLarge) return { issues: [error.issue] };
    throw error;
  }
}

/** The place of the parcel among the rows; -1 where it does not pass. */
function placeOf({ set, row }: PlacedParcel, rows: RankRows): number {
  for (const { set: other, start, rows: some } of rows.places) {
    if (other.county !== set.county) continue;
    const at = some.indexOf(row);
    if (at >= 0) return start + at;
  }
  return -1;
}

async function ordered(
  request: SimilarRequest,
  parcel: PlacedParcel,
  own: readonly (number | 'absent' | 'failed')[],
  rows: RankRows,
  ground: SetGround,
) {
  const { fields, limit } = request;
  const values = rows.values.map(({ all }) => all);
  const spreads = values.map(spreadOf);
  const unitOf = ({ kind }: SetField) => (kind === 'date' || kind === 'timestamp' ? DAY_MS : 1);
  const compared = fields.flatMap((_, i) => (typeof own[i] === 'number' && spreads[i]!.deviation > 0 ? [i] : []));
  const distance = (i: number, value: number) => Math.abs(value - (own[i] as number)) / spreads[i]!.deviation;
  const self = placeOf(parcel, rows);
  const failures = rows.failed;
  const out = new Uint8Array(rows.length);
  const distances = new Float64Array(rows.length);
  let [absent, failed] = [0, 0];
  for (let at = 0; at < rows.length; at++) {
    for (const i of compared) distances[at]! += distance(i, values[i]![at]!) ** 2;
    distances[at] = Math.sqrt(distances[at]!);
    out[at] = at === self || Number.isNaN(distances[at]!) ? 1 : 0;
    if (at === self || out[at] === 0) continue;
    if (failures[at] === 1) failed++;
    else absent++;
  }
  const order = new RankOrder([{ values: distances, descending: false }], out, rows.places);
  const list = new MatchList(request);
  try {
    const first = compared.length ? await order.first(limit, ground.step) : [];
    for (const { place, row } of first) await list.add(place.set, row);
    const matches = (JSON.parse(list.text()) as object[]).map((match, rank) => {
      const { at, id } = first[rank]!;
      const each = fields.map(({ name, kind }, i) => {
        const value = values[i]![at]!;
        const isThere = !Number.isNaN(value);
        const away = isThere && compared.includes(i) ? distance(i, value) : null;
        return [name, { value: isThere ? valueOfNumber(kind, value) : null, distance: away }];
      });
      return { ...match, parcel_id: id, rank: rank + 1, distance: distances[at]!, fields: Object.fromEntries(each) };
    });
    const told = fields.map((field, i): [string, OwnValue] => {
      const value = own[i]!;
      const deviation = spreads[i]!.count > 1 ? spreads[i]!.deviation / unitOf(field) : null;
      if (typeof value === 'string') return [field.name, { value: null, status: value, deviation }];
      return [field.name, { value: valueOfNumber(field.kind, value), status: 'ok', deviation }];
    });
    const considered = rows.length - (self < 0 ? 0 : 1);
    return { matches: JSON.stringify(matches), own: Object.fromEntries(told), considered, absent, failed };
  } finally {
    list.release();
  }
}
