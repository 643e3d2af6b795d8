import { hash } from 'node:crypto';
import { STATE_FIPS } from '../../../datasets/codes/state-fips.ts';
import type { Geometry } from '../../../datasets/geometry.ts';
import { freeMemory } from '../../format/freed-memory.ts';
import type { PreparedArea } from '../../geometry/prepared-area.ts';
import type { NameKind } from './name.ts';

/** Comparisons of values; `in` and `between` take several operands, the others one. */
export type Comparison = 'eq' | 'ne' | 'lt' | 'lte' | 'gt' | 'gte' | 'in' | 'between';

/** Operands in one form: text normalised for places, instants as epoch milliseconds. */
export type Operand = string | number | boolean;

/** A judged comparison of one column. Null values fail it whatever the operator. */
export interface Test {
  /** A catalog name, never a caller's text. */
  readonly name: string;
  readonly kind: Exclude<NameKind, 'area'>;
  readonly op: Comparison;
  readonly operands: readonly Operand[];
}

/** A judged area: polygons in lng,lat WGS84, planar edges. */
export interface AreaTest {
  readonly op: 'intersects' | 'within';
  readonly geometry: Geometry;
  /** Where it stood in the request, for messages: `filters[2].value`. */
  readonly path: string;
  /** What cursors know the area by: a digest of all its coordinates. */
  readonly key: string;
}

/** A judged area, with its key. */
export const areaTest = (op: AreaTest['op'], geometry: Geometry, path: string): AreaTest => ({
  op,
  geometry,
  path,
  key: keyOf(geometry),
});

/** Bytes of an area in one piece, used again. */
let piece = new Uint8Array(4096);

function keyOf({ xy, ends, parts }: Geometry): string {
  // How many vertices, rings and parts there are is part of it: lists of other lengths may be the same bytes.
  const arrays = [Uint32Array.of(xy.length, ends.length, parts.length, 0), parts, ends, xy];
  const length = arrays.reduce((sum, array) => sum + array.byteLength, 0);
  if (length > piece.length) piece = new Uint8Array(2 * length);
  let at = 0;
  for (const array of arrays) {
    piece.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    at += array.byteLength;
  }
  return hash('sha256', piece.subarray(0, length), 'base64url');
}

/** One condition of a search. */
export type Filter = Test | AreaTest;

/** Everything a parcel must satisfy. Plain data: it crosses to a worker. */
export interface Filters {
  readonly tests: readonly Test[];
  readonly areas: readonly AreaTest[];
}

/** Conditions by what they ask of a parcel. */
export const filtersOf = (filters: readonly Filter[]): Filters => ({
  tests: filters.flatMap(filter => ('kind' in filter ? [filter] : [])),
  areas: filters.flatMap(filter => ('kind' in filter ? [] : [filter])),
});

/**
 * Gives back the memory of areas that nobody asks about any more; other threads have their own. Left to V8, the slowest hundredth
 * of eight clients' areas of 10,000 vertices takes 1.9 and 2.3 times as long (two pairs); throughput is the same.
 */
export function freeAreas({ areas }: Pick<Filters, 'areas'>): void {
  for (const { geometry } of areas) freeMemory(geometry.xy);
}

/** White space that trimming takes off, the set of ECMAScript's String.prototype.trim. */
export const WHITE_SPACE =
  '\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';

/** Begun at the first of several spaces alone: from each of thousands the rest would be looked through again. */
const COUNTY_WORD = /(?<!\s)\s+(county|parish|borough)$/;
/** A county's code: two digits of its state, three of its own. */
export const FIPS = /^\d{5}$/;

/** A city as it is compared: trimmed, lower case. */
export const normaliseCity = (text: string): string => text.trim().toLowerCase();

/** A county as it is compared: its FIPS code, or its name trimmed, lower case, without County, Parish or Borough. */
export const normaliseCounty = (text: string): string => text.trim().toLowerCase().replace(COUNTY_WORD, '');

/** A stored value as it is compared; null when it is missing. */
export function comparable(kind: Test['kind'], value: unknown): Operand | null {
  if (value === null || value === undefined) return null;
  switch (kind) {
    case 'city':
      return normaliseCity(String(value));
    case 'county':
      return normaliseCounty(String(value));
    case 'date':
    case 'timestamp': {
      const instant = Date.parse(String(value));
      return Number.isNaN(instant) ? null : instant;
    }
    default:
      return value as Operand;
  }
}

/** Whether a stored value passes a test. Text is compared by code point equality only; numbers and instants by size. */
export function passes({ kind, op, operands }: Test, stored: unknown): boolean {
  const value = comparable(kind, stored);
  if (value === null) return false;
  const first = operands[0]!;
  switch (op) {
    case 'eq':
      return value === first;
    case 'ne':
      return value !== first;
    case 'in':
      return operands.includes(value);
    case 'lt':
      return value < first;
    case 'lte':
      return value <= first;
    case 'gt':
      return value > first;
    case 'gte':
      return value >= first;
    case 'between':
      return value >= first && value <= operands[1]!;
  }
}

/** A partition of parcels by what its key says. */
export interface CountyOf {
  readonly state: string;
  /** Five digits. */
  readonly fips: string;
}

/**
 * What of the tests is left for the rows of one county: those on the state, and on the county by FIPS code, are
 * answered by its key.
 * @returns null when no row of the county can pass.
 */
export function testsWithin(tests: readonly Test[], { state, fips }: CountyOf): Test[] | null {
  const left: Test[] = [];
  for (const test of tests) {
    if (test.kind === 'state') {
      if (!passes({ ...test, kind: 'string' }, state)) return null;
    } else if (test.kind === 'county') {
      const codes = test.operands.filter(o => FIPS.test(String(o)));
      const names = test.operands.filter(o => !FIPS.test(String(o)));
      if (test.op === 'ne') {
        if (codes.includes(fips)) return null;
        if (names.length) left.push(test);
      } else if (!codes.includes(fips)) {
        if (names.length === 0) return null;
        left.push({ ...test, op: 'in', operands: names });
      }
    } else if (test.name === 'geoid') {
      if (!passes(test, fips)) return null;
    } else left.push(test);
  }
  return left;
}

/** Whether a county of a state can pass what the filters say of counties by FIPS code. */
const mayLieIn = (tests: readonly Test[], state: string): boolean =>
  tests.every(
    ({ kind, name, op, operands }) =>
      (kind !== 'county' && name !== 'geoid') ||
      (op !== 'eq' && op !== 'in') ||
      operands.some(code => !FIPS.test(String(code)) || String(code).startsWith(STATE_FIPS[state]!)),
  );

/** The states that the filters select, but for those that a county's FIPS code rules out; none without a state test. */
export function statesOf(tests: readonly Test[]): string[] {
  const mine = tests.flatMap(test => (test.kind === 'state' ? [{ ...test, kind: 'string' as const }] : []));
  if (mine.length === 0) return [];
  return Object.keys(STATE_FIPS).filter(state => mine.every(test => passes(test, state)) && mayLieIn(tests, state));
}

/** An area test ready to be asked. */
export interface PreparedTest {
  readonly op: AreaTest['op'];
  readonly area: PreparedArea;
}
