import { parseCondition } from '../../../datasets/grammar/condition.ts';
import type { ColumnExpression } from '../../../datasets/place/place.ts';
import { type ColumnReader, conditionSql, quotedText } from './condition-sql.ts';

/** SQL functions that the statements of this folder call. */
export const FUNCTIONS = `
  create function num(v text) returns double precision language sql immutable as $$
    select case when btrim(replace(replace(v, ',', ''), '$', '')) ~ '^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?$'
      then btrim(replace(replace(v, ',', ''), '$', ''))::double precision end $$;
  create function bool(v text) returns text language sql immutable as $$
    select case when lower(v) in ('t', 'true', 'y', 'yes', '1') then 'true' when v is not null then 'false' end $$;
`;

const numberSql = (text: string) => `num(${text})`;

/** Text of a pattern's value with its groups. */
function patternValue(value: string | number | boolean | null, input: string, match: string): string {
  if (value === null) return 'null';
  const parts = String(value)
    .split(/(\$\d)/)
    .filter(part => part !== '')
    .map(part =>
      /^\$\d$/.test(part) ? `(regexp_match(${input}, ${quotedText(match)}))[${part[1]}]` : quotedText(part),
    );
  return parts.length ? parts.join(' || ') : "''";
}

/** Steps of an expression after it is read, in the order that the place files state. */
function steps(expression: Exclude<ColumnExpression, string>, start: string): string {
  let sql = start;
  const { null: none, strip, replace, patterns, lookup, otherwise, slice, pad, scale } = expression;
  const rest = otherwise === undefined || otherwise === null ? 'null' : quotedText(String(otherwise));
  if (none?.length) {
    const same = none.map(value =>
      typeof value === 'number' || Number.isFinite(Number(value))
        ? `coalesce(${numberSql(sql)} = ${Number(value)}, false)`
        : `${sql} = ${quotedText(value)}`,
    );
    sql = `(case when ${same.join(' or ')} then null else ${sql} end)`;
  }
  if (strip !== undefined) sql = `regexp_replace(${sql}, ${quotedText(strip)}, '', 'g')`;
  for (const { match, value } of replace ?? [])
    sql = `regexp_replace(${sql}, ${quotedText(match)}, ${quotedText(value.replace(/\$(\d)/g, '\\$1'))}, 'g')`;
  if (patterns) {
    const cases = patterns.map(
      ({ match, value }) => `when ${sql} ~ ${quotedText(match)} then ${patternValue(value, sql, match)}`,
    );
    sql = `(case ${cases.join(' ')} when ${sql} is not null then ${rest} end)`;
  }
  if (lookup) {
    const cases = Object.entries(lookup).map(([key, value]) => {
      const test = key === '' ? `${sql} is null` : `${sql} = ${quotedText(key)}`;
      return `when ${test} then ${value === null ? 'null' : quotedText(String(value))}`;
    });
    sql = `(case ${cases.join(' ')} when ${sql} is not null then ${rest} end)`;
  }
  if (slice) sql = `substr(${sql}, ${slice[0] + 1}, ${slice[1] - slice[0]})`;
  if (pad !== undefined) sql = `lpad(${sql}, greatest(${pad}, length(${sql})), '0')`;
  if (scale !== undefined) sql = `(${numberSql(sql)} * ${scale})::text`;
  return sql;
}

/**
 * How a place file fills a column, as SQL over the raw columns: text, null for nothing. The case of letters stays the publisher's.
 * @throws RangeError for what is not written in SQL.
 */
export function columnSql(expression: ColumnExpression, reader: ColumnReader): string {
  if (typeof expression === 'string') return reader.text(expression);
  const { dateFormat } = expression;
  if (dateFormat !== undefined && dateFormat !== 'epoch ms')
    throw new RangeError('formats of dates are not written in SQL');
  const { from, template, sum, const: constant, join = ' ', when } = expression;
  let sql: string;
  if (typeof from === 'string') sql = reader.text(from);
  else if (from)
    sql = `nullif(concat_ws(${quotedText(join)}, ${from.map(part => columnSql(part, reader)).join(', ')}), '')`;
  else if (template !== undefined)
    sql = template
      .split(/(\{[^}]+\})/)
      .filter(part => part !== '')
      .map(part => (part.startsWith('{') ? reader.text(part.slice(1, -1)) : quotedText(part)))
      .join(' || ');
  else if (sum) sql = `(${sum.map(column => reader.number(column)).join(' + ')})::text`;
  else sql = constant === null || constant === undefined ? 'null' : quotedText(String(constant));
  if (dateFormat)
    sql = `to_char(to_timestamp(${numberSql(sql)} / 1000) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
  const done = `nullif(btrim(${steps(expression, sql)}), '')`;
  return when === undefined ? done : `(case when ${conditionSql(parseCondition(when), reader)} then ${done} end)`;
}

/** Whether the letters of a filled column may be of another case than the publisher's. */
export const changesCase = (expression: ColumnExpression): boolean =>
  typeof expression !== 'string' &&
  (expression.case !== undefined || (Array.isArray(expression.from) && expression.from.some(changesCase)));
