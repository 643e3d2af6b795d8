import type { ScalarType, Value } from '../../datasets/dataset.ts';

/** A value does not fit its column. The row is rejected with this reason, and the ingest goes on. */
export class Misfit extends Error {
  override readonly name = 'Misfit';
}

const TRUE = new Set(['true', 't', 'yes', 'y', '1']);
const FALSE = new Set(['false', 'f', 'no', 'n', '0']);

function toNumber(value: string | number | boolean): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  // US publications write thousands with commas and dollars with a sign; both are unambiguous.
  const plain = /^[-+]?\$?\d{1,3}(,\d{3})+(\.\d*)?$/.test(value) ? value.replaceAll(',', '') : value;
  const number = Number(plain.replace(/^([-+]?)\$/, '$1'));
  if (!Number.isFinite(number)) throw new Misfit(`"${value}" is no number`);
  return number;
}

function toBoolean(value: string | number | boolean): boolean {
  if (typeof value === 'boolean') return value;
  const text = String(value).toLowerCase();
  if (TRUE.has(text)) return true;
  if (FALSE.has(text)) return false;
  throw new Misfit(`"${value}" is neither true nor false`);
}

const pad = (n: number, width: number) => String(n).padStart(width, '0');

function isoDate(year: number, month: number, day: number, shown: string): string {
  const date = new Date(Date.UTC(year, month - 1, day));
  if (date.getUTCFullYear() !== year || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day)
    throw new Misfit(`"${shown}" is no date of the calendar`);
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
}

const expressions = new Map<string, RegExp>();

/** Months by the first letters of their English names, as `MMM` reads them. */
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** `MM/DD/YY` as an expression with groups Y, M and D, `MMM` a month's name; every other character stands for itself. */
function datePattern(format: string): RegExp {
  let pattern = expressions.get(format);
  if (!pattern) {
    const source = format.replace(/Y+|M+|D+|[^YMD]/g, run => {
      if (!/^[YMD]/.test(run)) return run.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
      if (run === 'MMM') return '(?<M>[A-Za-z]{3,9})';
      return `(?<${run[0]}>\\d{${run.length === 1 || run.length === 2 ? '1,2' : run.length}})`;
    });
    pattern = new RegExp(`^${source}$`);
    expressions.set(format, pattern);
  }
  return pattern;
}

/** The `dateFormat` of milliseconds since 1970, as ArcGIS writes them into GeoJSON. */
export const EPOCH = 'epoch ms';

function epochDate(text: string): string {
  const date = new Date(/^-?\d+$/.test(text) ? Number(text) : Number.NaN);
  const year = date.getUTCFullYear();
  if (!(year >= 1000 && year <= 9999)) throw new Misfit(`"${text}" is no date in milliseconds since 1970`);
  return date.toISOString().slice(0, 10);
}

/**
 * A published date as `YYYY-MM-DD`. Without a format: `YYYY-MM-DD` (a time after it is dropped) or `YYYYMMDD`.
 * Two-digit years follow POSIX strptime: 69–99 are 1969–1999, 00–68 are 2000–2068. The format `epoch ms` is milliseconds since
 * 1970 in UTC: read only where it is asked for, because seconds and dates written without separators look alike.
 * @throws Misfit when the text does not have the format or is no date of the calendar.
 */
function toDate(value: string | number, format?: string): string {
  const text = String(value);
  if (format === EPOCH) return epochDate(text);
  const groups = format
    ? datePattern(format).exec(text)?.groups
    : /^(?<Y>\d{4})(?:-(?<M>\d{2})-(?<D>\d{2})(?:[T ].*)?|(?<M2>\d{2})(?<D2>\d{2}))$/.exec(text)?.groups;
  if (!groups) throw new Misfit(`"${text}" is no date of the form ${format ?? 'YYYY-MM-DD'}`);
  let year = Number(groups.Y);
  if (groups.Y!.length <= 2) year += year >= 69 ? 1900 : 2000;
  const month = groups.M ?? groups.M2 ?? '1';
  const number = /^\d/.test(month) ? Number(month) : MONTHS.indexOf(month.slice(0, 3).toLowerCase()) + 1;
  return isoDate(year, number, Number(groups.D ?? groups.D2 ?? 1), text);
}

/** Epoch milliseconds or ISO 8601 as UTC ISO 8601. @throws Misfit */
function toTimestamp(value: string | number): string {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) throw new Misfit(`"${value}" is no timestamp`);
  return date.toISOString();
}

/**
 * Brings a present value into a column's type.
 * @param dateFormat letters Y, M, D and separators; only for dates.
 * @param scale factor applied to numbers; an integer column rounds after scaling.
 * @throws Misfit saying which value is not of the type.
 */
export function coerce(
  value: string | number | boolean,
  type: ScalarType,
  dateFormat?: string,
  scale?: number,
): Exclude<Value, null> {
  switch (type) {
    case 'string':
      return typeof value === 'string' ? value : String(value);
    case 'boolean':
      return toBoolean(value);
    case 'date':
      if (typeof value === 'boolean') throw new Misfit(`${value} is no date`);
      return toDate(value, dateFormat);
    case 'timestamp':
      if (typeof value === 'boolean') throw new Misfit(`${value} is no timestamp`);
      return toTimestamp(value);
    case 'number': {
      const number = toNumber(value);
      if (!Number.isFinite(number)) throw new Misfit(`${number} is no finite number`);
      return scale === undefined ? number : number * scale;
    }
    case 'integer': {
      const number = toNumber(value);
      const whole = scale === undefined ? number : Math.round(number * scale);
      if (!Number.isSafeInteger(whole)) throw new Misfit(`"${value}" is no whole number`);
      return whole;
    }
  }
}
