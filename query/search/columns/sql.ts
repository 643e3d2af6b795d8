import { BIGINT, DOUBLE, type DuckDBType, type DuckDBValue, LIST, listValue, VARCHAR } from '@duckdb/node-api';
import type { Box } from '../../../datasets/geometry.ts';
import { ACRE_M2 } from '../../geometry/acre.ts';
import type { Statement } from '../../release/duckdb-scan.ts';
import { type Test, WHITE_SPACE } from '../request/filter.ts';
import { PARCEL_AREA } from '../request/name.ts';

const SIGNS = { eq: '=', ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

/** Operands of one `in` that are bound one by one; planning more of them takes time that grows with their square. */
const LONG_LIST = 50;

/** Names come from the catalog only; quoting makes any of them an identifier. */
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

/**
 * The rows of one county's Parquet file that pass, by `ord` in file order.
 * @param after `ord` of the last row already judged, -1 at the start.
 * @param box lng,lat that a row's own box must meet (edges count), or null.
 * @param limit rows wanted at most, or null for all.
 */
export function selectOrds(
  path: string,
  tests: readonly Test[],
  { after, box, limit }: { readonly after: number; readonly box: Box | null; readonly limit: number | null },
): Statement {
  const values: Record<string, DuckDBValue> = { path, after: BigInt(after) };
  const types: Record<string, DuckDBType> = {};
  let count = 0;
  const bind = (value: DuckDBValue, type?: DuckDBType) => {
    const name = `v${count++}`;
    if (type) types[name] = type;
    else if (typeof value === 'number') types[name] = DOUBLE;
    values[name] = value;
    return `$${name}`;
  };
  const where = ['ord > $after'];
  let joined = false;
  for (const test of tests) {
    if (test.op === 'in' && test.operands.length > LONG_LIST) {
      const { left } = sidesOf({ ...test, operands: [] }, bind);
      const { items, type } = listOf(test);
      where.push(`${left} IN (SELECT unnest(${bind(listValue(items), LIST(type))}))`);
      joined = true;
      continue;
    }
    const { left, right } = sidesOf(test, bind);
    if (test.op === 'in') where.push(`${left} IN (${right.join(', ')})`);
    else if (test.op === 'between') where.push(`${left} BETWEEN ${right[0]} AND ${right[1]}`);
    else where.push(`${left} ${SIGNS[test.op]} ${right[0]}`);
  }
  if (box)
    where.push(
      `xmin <= ${bind(box[2])}`,
      `xmax >= ${bind(box[0])}`,
      `ymin <= ${bind(box[3])}`,
      `ymax >= ${bind(box[1])}`,
    );
  const end = limit === null ? '' : ` LIMIT ${bind(BigInt(limit))}`;
  // A filter keeps the order of the file; what becomes a join need not.
  const order = joined ? ' ORDER BY ord' : '';
  return { text: `SELECT ord FROM read_parquet($path) WHERE ${where.join(' AND ')}${order}${end}`, values, types };
}

/**
 * One column of one county's Parquet file beside `ord`, in file order, in the form that a HeldColumn takes: numbers and
 * instants (epoch milliseconds) as DOUBLE, all else as it is stored.
 * @param code name of the column of status codes, or null where there is none.
 */
export function selectColumn(path: string, name: string, kind: Test['kind'], code: string | null): Statement {
  const instant = kind === 'date' || kind === 'timestamp';
  const number = kind === 'number' || kind === 'integer';
  const column = quoted(name);
  const value = instant ? `epoch_ms(${column}::TIMESTAMP)::DOUBLE` : number ? `${column}::DOUBLE` : column;
  const columns = ['ord::INTEGER', value, ...(code === null ? [] : [`${quoted(code)}::INTEGER`])];
  return { text: `SELECT ${columns.join(', ')} FROM read_parquet($path)`, values: { path }, types: {} };
}

/** The operands of a long list in one value. */
function listOf({ kind, operands }: Test): { items: DuckDBValue[]; type: DuckDBType } {
  const whole = kind === 'date' || kind === 'timestamp' || (kind === 'integer' && operands.every(Number.isSafeInteger));
  if (whole) return { items: operands.map(o => BigInt(o as number)), type: BIGINT };
  return { items: [...operands], type: kind === 'number' || kind === 'integer' ? DOUBLE : VARCHAR };
}

/** Both sides of a comparison in the form of the test's kind; null stays null, and so fails. */
function sidesOf(
  { name, kind, operands }: Test,
  bind: (value: DuckDBValue) => string,
): { left: string; right: string[] } {
  const column = quoted(name);
  switch (kind) {
    case 'city':
      return { left: `lower(trim(${column}, ${bind(WHITE_SPACE)}))`, right: operands.map(o => bind(o)) };
    case 'county':
      return {
        left: `regexp_replace(lower(trim(${column}, ${bind(WHITE_SPACE)})), '\\s+(county|parish|borough)$', '')`,
        right: operands.map(o => bind(o)),
      };
    case 'date':
    case 'timestamp':
      return { left: `epoch_ms(${column}::TIMESTAMP)`, right: operands.map(o => bind(BigInt(o as number))) };
    case 'integer':
      return {
        left: column,
        right: operands.map(o => bind(Number.isSafeInteger(o) ? BigInt(o as number) : o)),
      };
    case 'number':
      if (name === PARCEL_AREA)
        // As parcelSquareMetres rounds.
        return { left: `round("acreage" * ${bind(ACRE_M2)}, 1)`, right: operands.map(o => `${bind(o)}`) };
      return { left: column, right: operands.map(o => `${bind(o)}`) };
    default:
      return { left: column, right: operands.map(o => bind(o)) };
  }
}
