import { BIGINT, DOUBLE, type DuckDBType, type DuckDBValue, LIST, listValue, VARCHAR } from '@duckdb/node-api';
import type { Box } from '../../../datasets/geometry.ts';
import { ACRE_M2 } from '../../geometry/acre.ts';
import type { Statement } from '../../release/duckdb-scan.ts';
import { type Operand, type Test, WHITE_SPACE } from '../request/filter.ts';
import { PARCEL_AREA } from '../request/name.ts';

export const SIGNS = { eq: '=', ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

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
    const left = leftOf(test, bind);
    if (test.op === 'in' && test.operands.length > LONG_LIST) {
      const { items, type } = listOf(test);
      where.push(`${left} IN (SELECT unnest(${bind(listValue(items), LIST(type))}))`);
      joined = true;
      continue;
    }
    const right = test.operands.map(o => bind(boundAs(isWhole(test.kind, [o]), o)));
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

/** Whether operands are bound as whole numbers of 64 bits. */
const isWhole = (kind: Test['kind'], operands: readonly Operand[]): boolean =>
  kind === 'date' || kind === 'timestamp' || (kind === 'integer' && operands.every(Number.isSafeInteger));

const boundAs = (whole: boolean, operand: Operand): DuckDBValue => (whole ? BigInt(operand as number) : operand);

/** The operands of a long list in one value. */
function listOf({ kind, operands }: Test): { items: DuckDBValue[]; type: DuckDBType } {
  const whole = isWhole(kind, operands);
  const items = operands.map(o => boundAs(whole, o));
  return { items, type: whole ? BIGINT : kind === 'number' || kind === 'integer' ? DOUBLE : VARCHAR };
}

/**
 * A row's side of a comparison in the form of the test's kind; null stays null, and so fails.
 * @param columnOf SQL for the column of a name.
 */
export function leftOf(
  { name, kind }: Pick<Test, 'name' | 'kind'>,
  bind: (value: DuckDBValue) => string,
  columnOf: (name: string) => string = quoted,
): string {
  // As parcelSquareMetres rounds.
  if (name === PARCEL_AREA) return `round(${columnOf('acreage')} * ${bind(ACRE_M2)}, 1)`;
  const column = columnOf(name);
  const trimmed = () => `lower(trim(${column}, ${bind(WHITE_SPACE)}))`;
  if (kind === 'city') return trimmed();
  if (kind === 'county') return `regexp_replace(${trimmed()}, '\\s+(county|parish|borough)$', '')`;
  if (kind === 'date' || kind === 'timestamp') return `epoch_ms(${column}::TIMESTAMP)`;
  return column;
}
