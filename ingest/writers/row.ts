import type { Column, ScalarType, Value } from '../../datasets/dataset.ts';
import type { Geometry } from '../../datasets/geometry.ts';
import type { OutputRow, WriterOptions } from '../writer.ts';

/** A row that a writer refuses. The file stays unchanged, so the caller may leave the row out and go on. */
export class RowRefused extends Error {
  override readonly name = 'RowRefused';
}

const KINDS: Readonly<Record<Geometry['type'], 'point' | 'line' | 'polygon'>> = {
  Point: 'point',
  MultiPoint: 'point',
  LineString: 'line',
  MultiLineString: 'line',
  Polygon: 'polygon',
  MultiPolygon: 'polygon',
};

const WANTED: Readonly<Record<ScalarType, string>> = {
  string: 'a string',
  number: 'a finite number',
  integer: 'a whole number within ±(2^53 - 1)',
  boolean: 'true or false',
  date: 'a calendar date YYYY-MM-DD',
  timestamp: 'a UTC timestamp like 2026-01-31T12:00:00Z',
};

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?Z$/;

const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether a date is in the proleptic Gregorian calendar. It uses arithmetic, because Date would be the slowest part of a row. */
function onCalendar(date: string): boolean {
  const year = Number(date.slice(0, 4));
  const month = Number(date.slice(5, 7));
  const day = Number(date.slice(8, 10));
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month >= 1 && month <= 12 && day >= 1 && day <= MONTH_DAYS[month - 1]! + (leap ? 1 : 0);
}

const CLOCK = /T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d/;

function fits(type: ScalarType, value: Value): boolean {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'number':
      return Number.isFinite(value);
    case 'integer':
      return Number.isSafeInteger(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'date':
      return typeof value === 'string' && DATE.test(value) && onCalendar(value);
    case 'timestamp':
      return typeof value === 'string' && TIMESTAMP.test(value) && onCalendar(value.slice(0, 10)) && CLOCK.test(value);
  }
}

/**
 * Checks the values of a row against a layer's columns.
 * @throws RowRefused when a value has another type than its column, has no column, or has a column that rows do not fill.
 */
export function checkProperties(row: OutputRow, options: Pick<FeatureOptions, 'columns' | 'filled'>): void {
  const { columns, filled } = options;
  for (const name in row.properties) {
    const value = row.properties[name];
    const column = Object.hasOwn(columns, name) ? columns[name] : undefined;
    if (!column)
      throw new RowRefused(`Column "${name}" is not in the layer; its columns are ${Object.keys(columns).join(', ')}`);
    if (value === null || value === undefined) continue;
    if (!fits(column.type, value))
      throw new RowRefused(`Column "${name}" is ${JSON.stringify(value)}; expected ${WANTED[column.type]} or null`);
    if (filled && !filled.has(name))
      throw new RowRefused(`Column "${name}" is ${JSON.stringify(value)}; it is none of those that rows were to fill`);
  }
}

/** Returns the columns that rows may fill, in the layer's order. */
export function filledColumns({ columns, filled }: Pick<FeatureOptions, 'columns' | 'filled'>): [string, Column][] {
  const all = Object.entries(columns);
  return filled ? all.filter(([name]) => filled.has(name)) : all;
}

/**
 * Checks the arrays of a geometry: coordinates are finite, no part is empty, ends and parts are consistent.
 * @param kind of the layer; undefined allows any kind.
 * @throws RowRefused saying what is wrong.
 */
export function checkGeometry(geometry: Geometry | null, kind: WriterGeometry | undefined): asserts geometry {
  if (!geometry) throw new RowRefused('The row has no geometry; leave such rows out or write a table');
  const { type, xy, ends, parts } = geometry;
  if (kind && KINDS[type] !== kind) throw new RowRefused(`The geometry is a ${type}; the layer holds ${kind}s`);
  const vertices = xy.length / 2;
  if (vertices === 0) throw new RowRefused(`The ${type} is empty; leave such rows out`);
  if (!xy.every(Number.isFinite)) throw new RowRefused(`The ${type} has a coordinate that is no finite number`);
  const lists = KINDS[type] === 'point' ? 1 : ends.length;
  const wrong =
    (type === 'Point' && vertices !== 1) ||
    (KINDS[type] !== 'point' && !addsUp(ends, vertices)) ||
    (type === 'LineString' && lists !== 1) ||
    (KINDS[type] === 'polygon' && !addsUp(parts, lists)) ||
    (type === 'Polygon' && parts.length !== 1);
  if (wrong)
    throw new RowRefused(
      `The ${type} contradicts itself: ${vertices} vertices, ends [${ends.slice(0, 8)}], parts [${parts.slice(0, 8)}]`,
    );
}

function addsUp(ends: Uint32Array, total: number): boolean {
  return ends.length > 0 && ends.at(-1) === total && ends.every((end, i) => end > (i ? ends[i - 1]! : 0));
}

/** Kind of geometry of all features of a layer, single or multi. */
export type WriterGeometry = 'point' | 'line' | 'polygon';

/** How a writer orders rows: along the Hilbert curve over the world (ties by input), or by input. */
type RowOrder = 'hilbert' | 'input';

export type FeatureOptions = WriterOptions & {
  readonly geometryType?: WriterGeometry;
  readonly order?: RowOrder;
  /** Columns that rows may fill; the others are null in every row and take no space. By default all columns. */
  readonly filled?: ReadonlySet<string>;
};
