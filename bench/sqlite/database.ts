import type { StatementSync } from 'node:sqlite';
import { type Box, boxOf } from '../../datasets/geometry.ts';
import { ACRE_M2 } from '../../query/geometry/acre.ts';
import { encodeWkb } from '../../query/geometry/wkb.ts';
import type { Release } from '../../query/release/open-release.ts';
import { FIPS, type Test } from '../../query/search/request/filter.ts';
import { PARCEL_AREA } from '../../query/search/request/name.ts';
import type { SearchRequest } from '../../query/search/request/request.ts';
import { columnsOf, SIGNS, showsBoundary } from '../postgis/query.ts';
import { COLUMNS, quoted } from '../postgis/schema.ts';
import { type Database, extentOf, isSmall, type Row } from '../search/peer.ts';
import { openSpatial } from './load.ts';

type Bound = string | number | Uint8Array;

/** Rows below which an index on a number is the shorter way: the planner knows no shares of values and would walk in stored order. */
const FEW = 1000;
/** Degrees by which the R*Tree's numbers of 32 bits may be off, and more. */
const MARGIN = 1e-4;

function sideOf({ name, kind, op, operands }: Test): string {
  if (kind === 'state') return 'partition_state';
  if (kind === 'county' && op !== 'ne' && operands.every(code => FIPS.test(String(code)))) return 'partition_fips';
  if (kind === 'number' && name === PARCEL_AREA) return `(acreage * ${ACRE_M2})`;
  if (kind === 'string' || kind === 'number' || kind === 'integer') return quoted(name);
  throw new Error(`SQLite is not asked about ${name} (${kind})`);
}

/** @param inCounty whether the search is of one county: its index stands in stored order, that on a number does not. */
function condition(test: Test, inCounty: boolean, bind: (value: Bound) => string): string {
  const { op, operands } = test;
  const left = `${inCounty && op !== 'eq' && op !== 'in' ? '+' : ''}${sideOf(test)}`;
  const bound = operands.map(operand => bind(operand as Bound));
  if (op === 'in') return `${left} IN (${bound.join(', ')})`;
  if (op === 'between') return `${left} BETWEEN ${bound[0]} AND ${bound[1]}`;
  return `${left} ${SIGNS[op]} ${bound[0]}`;
}

/** The same in the R*Tree, whose boxes are a little larger, and in the table. */
const boxCondition = (op: 'intersects' | 'within', [x0, y0, x1, y1]: readonly string[], margin: number) =>
  op === 'within'
    ? `minx >= ${x0} - ${margin} AND miny >= ${y0} - ${margin} AND maxx <= ${x1} + ${margin} AND maxy <= ${y1} + ${margin}`
    : `maxx >= ${x0} AND maxy >= ${y0} AND minx <= ${x1} AND miny <= ${y1}`;

/**
 * The page of a search. The row numbers come first, in stored order and no more than the page takes; then their columns.
 * For a small area the R*Tree lists candidates, which are sorted before the first boundary is looked at; for others rows
 * are walked in stored order, unless few have a number that is asked for.
 */
function selectPage({ filters, outputs, limit, after }: SearchRequest, small: boolean, few: boolean) {
  const values: Bound[] = [];
  const bind = (value: Bound) => {
    values.push(value);
    return `?${values.length}`;
  };
  const inCounty = filters.tests.some(({ kind }) => kind === 'county');
  const where = filters.tests.map(test => condition(test, inCounty, bind));
  const listed: string[] = [];
  for (const { op, geometry } of filters.areas) {
    const area = `GeomFromWKB(${bind(encodeWkb(geometry))}, 4326)`;
    const box = (boxOf(geometry) as Box).map(bind);
    listed.push(boxCondition(op, box, MARGIN));
    where.push(boxCondition(op, box, 0), op === 'within' ? `ST_Covers(${area}, geom)` : `ST_Intersects(geom, ${area})`);
  }
  const behind = after ? ` AND id > ${bind(after.ord)}` : '';
  const tested = where.length ? where.join(' AND ') : 'true';
  const most = bind(limit + 1);
  const ids = small
    ? `SELECT p.id FROM (SELECT id FROM parcel_box WHERE ${listed.join(' AND ')}${behind} ORDER BY id LIMIT -1) b
       CROSS JOIN parcel p ON p.id = b.id WHERE ${tested} LIMIT ${most}`
    : `SELECT id FROM parcel WHERE ${tested}${behind} ORDER BY ${few ? '+id' : 'id'} LIMIT ${most}`;
  const shown = columnsOf(outputs).map(name => `p.${quoted(name)}`);
  if (showsBoundary(outputs)) shown.push('ST_AsBinary(p.geom) AS geom');
  return { text: `SELECT ${shown.join(', ')} FROM (${ids}) q CROSS JOIN parcel p ON p.id = q.id`, values };
}

/**
 * SQLite in this process, with SpatiaLite's predicates, which prepare the area of a statement once.
 * @param path of a file that `loadSqlite` has filled from the release.
 */
export function sqlite(path: string, release: Release): Database {
  const db = openSpatial(path, true);
  db.exec('PRAGMA mmap_size = 17179869184; PRAGMA cache_size = -262144; PRAGMA temp_store = MEMORY');
  const extent = extentOf(release);
  const booleans = Object.keys(COLUMNS).filter(name => COLUMNS[name] === 'boolean');
  const statements = new Map<string, StatementSync>();
  const run = (text: string, values: readonly Bound[]) => {
    let statement = statements.get(text);
    if (!statement) {
      statement = db.prepare(text);
      statements.set(text, statement);
    }
    return statement.all(...values) as unknown as Row[];
  };
  return {
    async rows(request) {
      const few = request.filters.tests.some(test => {
        if (test.kind !== 'number' || test.op === 'in' || test.op === 'ne') return false;
        const bound = [...test.operands] as Bound[];
        const tested = condition(test, false, value => `?${bound.indexOf(value) + 1}`);
        const [counted] = run(`SELECT count(*) AS n FROM (SELECT 1 FROM parcel WHERE ${tested} LIMIT ${FEW})`, bound);
        return Number(counted!.n) < FEW;
      });
      const { text, values } = selectPage(request, isSmall(request, extent), few);
      const rows = run(text, values) as Record<string, unknown>[];
      for (const name of booleans)
        if (rows[0] && name in rows[0]) for (const row of rows) row[name] = row[name] === null ? null : row[name] === 1;
      return rows as Row[];
    },
    async valid(areas) {
      const all = areas.map((_, i) => `ST_IsValid(GeomFromWKB(?${i + 1}, 4326)) = 1`).join(' AND ');
      const [judged] = run(`SELECT ${all} AS valid`, areas.map(encodeWkb));
      return judged!.valid === 1;
    },
    async close() {
      db.close();
    },
  };
}
