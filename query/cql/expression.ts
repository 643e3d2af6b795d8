import type { Geometry } from '../../datasets/geometry.ts';
import type { SpatialRelation } from '../geometry/relation/held-geometry.ts';

/** Comparisons of CQL2 (OGC 21-065r2, 6.3). */
export const COMPARISONS = ['=', '<>', '<=', '>=', '<', '>'] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** Relations of geometries by their CQL2 names (7.4): how a feature's own geometry stands to another. */
export const RELATIONS = [
  's_intersects',
  's_equals',
  's_disjoint',
  's_touches',
  's_within',
  's_overlaps',
  's_crosses',
  's_contains',
] as const satisfies readonly `s_${SpatialRelation}`[];
export type Relation = (typeof RELATIONS)[number];

/** One side of a comparison: a property of the feature, a value, a moment, or a text whose case does not matter. */
export type Scalar =
  | { readonly kind: 'property'; readonly name: string }
  | { readonly kind: 'value'; readonly value: string | number | boolean }
  /** A day as YYYY-MM-DD, or a moment in UTC with milliseconds and Z. */
  | { readonly kind: 'date' | 'timestamp'; readonly value: string }
  | { readonly kind: 'caseless'; readonly of: Scalar };

/** A filter in CQL2, plain data: what the text form and the JSON form mean alike. */
export type Expression =
  | { readonly kind: 'and' | 'or'; readonly all: readonly Expression[] }
  | { readonly kind: 'not'; readonly of: Expression }
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'comparison'; readonly op: Comparison; readonly left: Scalar; readonly right: Scalar }
  | { readonly kind: 'like'; readonly of: Scalar; readonly pattern: Scalar }
  | { readonly kind: 'between'; readonly of: Scalar; readonly low: Scalar; readonly high: Scalar }
  | { readonly kind: 'in'; readonly of: Scalar; readonly list: readonly Scalar[] }
  | { readonly kind: 'null'; readonly of: Scalar }
  /** Of the feature's geometry to another one, lng,lat WGS84. */
  | { readonly kind: 'relation'; readonly op: Relation; readonly geometry: Geometry };

/** A filter that is no CQL2, or asks for a part of it that is not offered. The message says what was expected. */
export class CqlError extends Error {
  override readonly name = 'CqlError';
}

/** Limits of one filter: what is deeper or longer is refused, so that no filter takes a thread for itself. */
const MOST_DEPTH = 32;
const MOST_PARTS = 1_000;
const MOST_VERTICES = 10_000;
export const LONGEST_PATTERN = 256;

/** Functions of CQL2 that are offered. */
const FUNCTIONS = ['CASEI', 'DATE', 'TIMESTAMP', 'BBOX', ...RELATIONS.map(name => name.toUpperCase())];

/** The error for a function that is not there. */
export const unknownFunction = (name: string): CqlError =>
  new CqlError(
    `The filter calls ${name.slice(0, 40).toUpperCase()}, which is not offered; these are: ${FUNCTIONS.join(', ')}.`,
  );

/** The relation as the other geometry stands to the first, where the two are named the other way round. */
export const turned = (op: Relation): Relation =>
  op === 's_within' ? 's_contains' : op === 's_contains' ? 's_within' : op;

/**
 * A relation of the feature's geometry to one of the filter, or to a collection, which a feature meets where it meets a member.
 * @throws CqlError for another relation to a collection.
 */
export function relationTo(op: Relation, geometries: readonly Geometry[]): Expression {
  const all = geometries.map((geometry): Expression => ({ kind: 'relation', op, geometry }));
  if (all.length === 1) return all[0]!;
  if (op === 's_intersects') return { kind: 'or', all };
  if (op === 's_disjoint') return { kind: 'and', all };
  throw new CqlError(`${op.toUpperCase()} takes no collection of geometries; S_INTERSECTS and S_DISJOINT do.`);
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$/i;

/** True of a day that the calendar has. */
const isDay = (text: string) => DAY.test(text) && new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);

/** A day. @throws CqlError when it is none. */
export function dateOf(text: unknown): Scalar {
  try {
    if (typeof text === 'string' && isDay(text)) return { kind: 'date', value: text };
  } catch {
    // No day of any month.
  }
  throw new CqlError("The filter has a date that is none; expected one like DATE('2024-05-31').");
}

/** A moment. @throws CqlError when it is none. */
export function timestampOf(text: unknown): Scalar {
  const milliseconds = typeof text === 'string' && MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(milliseconds)) return { kind: 'timestamp', value: new Date(milliseconds).toISOString() };
  throw new CqlError(
    "The filter has a timestamp that is none; expected one in UTC like TIMESTAMP('2024-05-31T12:00:00Z').",
  );
}

/** Counts the parts of a filter while it is read. */
export class Budget {
  #parts = 0;
  #vertices = 0;
  #depth = 0;

  /** @throws CqlError when a filter has too many parts. */
  part(): void {
    if (++this.#parts > MOST_PARTS)
      throw new CqlError(`The filter has more than ${MOST_PARTS} parts; send a shorter one.`);
  }

  /** @throws CqlError when the geometries of a filter have too many vertices. */
  vertices(count: number): void {
    this.#vertices += count;
    if (this.#vertices > MOST_VERTICES)
      throw new CqlError(`The geometries of the filter have more than ${MOST_VERTICES} vertices; simplify them.`);
  }

  /** Reads something one level deeper. @throws CqlError when that is too deep, and what `read` throws. */
  deeper<T>(read: () => T): T {
    if (++this.#depth > MOST_DEPTH) throw new CqlError(`The filter is nested deeper than ${MOST_DEPTH} levels.`);
    try {
      return read();
    } finally {
      this.#depth--;
    }
  }
}
