import { createHash } from 'node:crypto';
import type { Geometry } from '../../datasets/geometry.ts';
import { ACRE_M2 } from '../../query/geometry/acre.ts';
import { FIPS, type Test } from '../../query/search/request/filter.ts';
import { BOUNDARY_OUTPUTS, PARCEL_AREA } from '../../query/search/request/name.ts';
import type { SearchRequest } from '../../query/search/request/request.ts';
import { normalised, quoted } from './schema.ts';
import { toWkbHex } from './wkb.ts';

/** A statement prepared once a connection under its name; without one, planned anew for its values. */
export interface Prepared {
  readonly name: string | undefined;
  readonly text: string;
  readonly values: unknown[];
}

/** Operators of a search in SQL. */
export const SIGNS = { eq: '=', ne: '<>', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;

/** Of every match, whatever is asked for. */
const ALWAYS = ['apn', 'address', 'county', 'city', 'acreage', 'centroid_lat', 'centroid_lon'];
const OF_PARTITION = ['state', 'state2', 'geoid'];
const BOUNDARIES: ReadonlySet<string> = new Set(BOUNDARY_OUTPUTS);

/** Columns that a page shows, without the boundary. */
export function columnsOf(outputs: readonly string[]): string[] {
  const columns = new Set([
    ...ALWAYS,
    ...outputs.filter(name => !BOUNDARIES.has(name) && !OF_PARTITION.includes(name)),
  ]);
  columns.delete(PARCEL_AREA);
  return ['id', 'partition_state', 'partition_fips', 'partition_place', ...columns];
}

export const showsBoundary = (outputs: readonly string[]): boolean => outputs.some(name => BOUNDARIES.has(name));

/** Left side of a comparison and the type of its operands. */
function sideOf({ name, kind, operands }: Test): { left: string; type: string } {
  switch (kind) {
    case 'state':
      return { left: 'partition_state', type: 'text' };
    case 'city':
      return { left: normalised(name), type: 'text' };
    case 'date':
    case 'timestamp':
      return { left: `(extract(epoch FROM ${quoted(name)}) * 1000)`, type: 'numeric' };
    case 'integer':
      return { left: quoted(name), type: operands.every(Number.isSafeInteger) ? 'int8' : 'float8' };
    case 'number':
      return name === PARCEL_AREA
        ? { left: `(acreage * ${ACRE_M2}::float8)`, type: 'float8' }
        : { left: quoted(name), type: 'float8' };
    case 'boolean':
      return { left: quoted(name), type: 'boolean' };
    default:
      return { left: name === 'geoid' ? 'partition_fips' : quoted(name), type: 'text' };
  }
}

function countyCondition({ op, operands }: Test, bind: (value: unknown, type: string) => string): string {
  const bare = `regexp_replace(${normalised('county')}, '\\s+(county|parish|borough)$', '')`;
  const codes = operands.filter(o => FIPS.test(String(o)));
  const names = operands.filter(o => !FIPS.test(String(o)));
  const tests = [
    ...(codes.length === 1 ? [`partition_fips = ${bind(codes[0], 'text')}`] : []),
    ...(codes.length > 1 ? [`partition_fips = ANY (${bind(codes, 'text[]')})`] : []),
    ...(names.length ? [`${bare} = ANY (${bind(names, 'text[]')})`] : []),
  ];
  return op === 'ne' ? tests.map(test => `NOT (${test})`).join(' AND ') : `(${tests.join(' OR ')})`;
}

/** Columns that begin a condition and stand in both tables. */
const SHARED = /^(?:partition_state|partition_fips|id)\b/;

const areaCondition = (op: 'intersects' | 'within', area: string) =>
  op === 'within' ? `(geom && ${area} AND _ST_Covers(${area}, geom))` : `ST_Intersects(geom, ${area})`;

/**
 * The page of a search, and one row more, which tells whether there is another page: keyset pagination on the order in
 * which the table is stored. For an area that is small in the extent of all parcels the order is computed, since the planner
 * would walk through the stored order in the hope of an early match. Every operand is a parameter, so that one text serves all requests of a shape.
 * @param small whether it has such an area.
 */
export function selectPage(
  { filters, outputs, limit, after }: SearchRequest,
  small: boolean,
  calculated: ReadonlySet<string>,
): Prepared {
  const values: unknown[] = [];
  const bind = (value: unknown, type: string) => {
    values.push(value);
    return `$${values.length}::${type}`;
  };
  const where: string[] = [];
  for (const test of filters.tests) {
    if (test.kind === 'county') {
      where.push(countyCondition(test, bind));
      continue;
    }
    const { left, type } = sideOf(test);
    const { op, operands } = test;
    if (op === 'in') where.push(`${left} = ANY (${bind([...operands], `${type}[]`)})`);
    else if (op === 'between') where.push(`${left} BETWEEN ${bind(operands[0], type)} AND ${bind(operands[1], type)}`);
    else where.push(`${left} ${SIGNS[op]} ${bind(operands[0], type)}`);
  }
  for (const { op, geometry } of filters.areas) where.push(areaCondition(op, bind(toWkbHex(geometry), 'geometry')));
  if (after) where.push(`id > ${bind(after.ord, 'int8')}`);
  const joined = outputs.some(name => calculated.has(name));
  // What is said of state, county and place in the order is said of both tables: the planner does not infer it.
  if (joined)
    for (const condition of [...where])
      if (SHARED.test(condition))
        where.push(condition.replace(SHARED, column => `calculation_${column.slice(column.lastIndexOf('_') + 1)}`));
  const selected = columnsOf(outputs).map(quoted);
  if (showsBoundary(outputs)) selected.push('ST_AsBinary(geom) AS geom');
  const text = `SELECT ${selected.join(', ')} FROM parcel${joined ? ' JOIN calculation ON calculation_id = id' : ''} WHERE ${where.join(' AND ')} ORDER BY ${small ? 'id + 0' : 'id'} LIMIT ${bind(limit + 1, 'int8')}`;
  // How many parcels an area holds must be known to the planner: such a statement is planned each time. So is every
  // other until PostgreSQL finds that one plan serves all.
  return { name: filters.areas.length ? undefined : nameOf(text), text, values };
}

const nameOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 24);

/** Whether areas are valid, in request order: what a page's areas must be before it is asked for. */
export function selectValid(areas: readonly Geometry[]): Prepared {
  const text = `SELECT ${areas.map((_, i) => `ST_IsValid($${i + 1}::geometry)`).join(' AND ')} AS valid`;
  return { name: `valid ${areas.length}`, text, values: areas.map(toWkbHex) };
}
