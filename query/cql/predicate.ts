import type { ScalarType, Value } from '../../datasets/dataset.ts';
import type { Geometry } from '../../datasets/geometry.ts';
import { namesText, nearestNames } from '../format/name/nearest-names.ts';
import {
  type Comparison,
  CqlError,
  dateOf,
  type Expression,
  LONGEST_PATTERN,
  type Relation,
  type Scalar,
  timestampOf,
} from './expression.ts';
import { likeTest } from './like.ts';

/** Properties that a filter may name, with their types. */
export type Queryables = ReadonlyMap<string, ScalarType>;

/** A feature as a predicate asks about it. */
export interface FeatureView {
  readonly value: (property: string) => Value;
  /** True where its geometry stands so to one of the filter. */
  readonly stands: (op: Relation, geometry: Geometry) => boolean;
}

/** A test of features. It is null where a value that decides is not there (three-valued logic, OGC 21-065r2, 6.2). */
export type Predicate = (feature: FeatureView) => boolean | null;

type Kind = 'text' | 'number' | 'flag' | 'moment';

const KINDS: Readonly<Record<ScalarType, Kind>> = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'flag',
  date: 'moment',
  timestamp: 'moment',
};

const WORDS: Readonly<Record<Kind, string>> = {
  text: 'text',
  number: 'a number',
  flag: 'true or false',
  moment: 'a date',
};

/** A scalar that can be asked of a feature. */
interface Operand {
  readonly kind: Kind;
  readonly words: string;
  readonly of: (feature: FeatureView) => Value;
  /** Its value where every feature has the same; else undefined. */
  readonly constant: Value | undefined;
}

const fixed = (kind: Kind, value: Value): Operand => ({
  kind,
  words: WORDS[kind],
  of: () => value,
  constant: value,
});

const folded = (value: Value): Value => (typeof value === 'string' ? value.toLowerCase() : value);

/** Milliseconds of a day or a moment as it is stored; null of what is none. */
function momentOf(value: Value): number | null {
  const milliseconds = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(milliseconds) ? null : milliseconds;
}

function operandOf(scalar: Scalar, queryables: Queryables): Operand {
  if (scalar.kind === 'property') {
    const { name } = scalar;
    const type = queryables.get(name);
    if (!type) {
      const nearest = nearestNames(name, [...queryables.keys()]);
      const advice = nearest.length > 0 ? ` The nearest: ${namesText(nearest)}.` : '';
      throw new CqlError(`The filter names ${name.slice(0, 64)}, which is no property of this collection.${advice}`);
    }
    const kind = KINDS[type];
    const of = kind === 'moment' ? (feature: FeatureView) => momentOf(feature.value(name)) : null;
    return { kind, words: WORDS[kind], of: of ?? (feature => feature.value(name)), constant: undefined };
  }
  if (scalar.kind === 'caseless') {
    const { kind, of, constant, words } = operandOf(scalar.of, queryables);
    if (kind !== 'text') throw new CqlError(`CASEI takes text, and not ${words}.`);
    return {
      kind,
      words,
      of: feature => folded(of(feature)),
      constant: constant === undefined ? undefined : folded(constant),
    };
  }
  if (scalar.kind !== 'value') return fixed('moment', momentOf(scalar.value));
  const { value } = scalar;
  return fixed(typeof value === 'string' ? 'text' : typeof value === 'number' ? 'number' : 'flag', value);
}

/** Operands that are compared: texts beside a date are dates. @throws CqlError where they cannot be compared. */
function comparable(scalars: readonly Scalar[], queryables: Queryables): Operand[] {
  const operands = scalars.map(scalar => operandOf(scalar, queryables));
  const hasMoment = operands.some(({ kind }) => kind === 'moment');
  const same = operands.map(operand => {
    if (!hasMoment || operand.kind !== 'text' || typeof operand.constant !== 'string') return operand;
    const { constant } = operand;
    const moment = constant.includes('T') ? timestampOf(constant) : dateOf(constant);
    return operandOf(moment, queryables);
  });
  const other = same.find(({ kind }) => kind !== same[0]!.kind);
  if (other) throw new CqlError(`The filter compares ${same[0]!.words} with ${other.words}.`);
  return same;
}

type Ordered = string | number | boolean;

const COMPARE: Readonly<Record<Comparison, (a: Ordered, b: Ordered) => boolean>> = {
  '=': (a, b) => a === b,
  '<>': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};

function compared(op: Comparison, left: Operand, right: Operand): Predicate {
  const compare = COMPARE[op];
  return feature => {
    const [a, b] = [left.of(feature), right.of(feature)];
    return a === null || b === null ? null : compare(a, b);
  };
}

/** True if any is, else null if any is null. */
const anyOf =
  (all: readonly Predicate[]): Predicate =>
  feature => {
    let isUnknown = false;
    for (const each of all) {
      const passes = each(feature);
      if (passes === true) return true;
      isUnknown ||= passes === null;
    }
    return isUnknown ? null : false;
  };

const not =
  (of: Predicate): Predicate =>
  feature => {
    const passes = of(feature);
    return passes === null ? null : !passes;
  };

function likeOf(of: Scalar, pattern: Scalar, queryables: Queryables): Predicate {
  const [text, wanted] = [operandOf(of, queryables), operandOf(pattern, queryables)];
  if (text.kind !== 'text' || wanted.kind !== 'text' || typeof wanted.constant !== 'string')
    throw new CqlError('LIKE compares text with a pattern in quotation marks.');
  if (wanted.constant.length > LONGEST_PATTERN)
    throw new CqlError(`The filter has a pattern of more than ${LONGEST_PATTERN} letters.`);
  const test = likeTest(wanted.constant);
  return feature => {
    const value = text.of(feature);
    return typeof value === 'string' ? test(value) : null;
  };
}

/**
 * A filter as a test of features.
 * @throws CqlError where it asks for a property that is not there, or compares what cannot be compared.
 */
export function predicateOf(expression: Expression, queryables: Queryables): Predicate {
  const sub = (of: Expression) => predicateOf(of, queryables);
  switch (expression.kind) {
    case 'constant':
      return () => expression.value;
    case 'not':
      return not(sub(expression.of));
    case 'or':
      return anyOf(expression.all.map(sub));
    case 'and':
      // De Morgan holds in three values too.
      return not(anyOf(expression.all.map(each => not(sub(each)))));
    case 'null': {
      const operand = operandOf(expression.of, queryables);
      return feature => operand.of(feature) === null;
    }
    case 'like':
      return likeOf(expression.of, expression.pattern, queryables);
    case 'comparison': {
      const [left, right] = comparable([expression.left, expression.right], queryables);
      return compared(expression.op, left!, right!);
    }
    case 'between': {
      const [of, low, high] = comparable([expression.of, expression.low, expression.high], queryables);
      return not(anyOf([not(compared('>=', of!, low!)), not(compared('<=', of!, high!))]));
    }
    case 'in': {
      const [of, ...list] = comparable([expression.of, ...expression.list], queryables);
      return anyOf(list.map(each => compared('=', of!, each)));
    }
    case 'relation': {
      const { op, geometry } = expression;
      return feature => feature.stands(op, geometry);
    }
  }
}

/** A geometry whose box features must meet to pass; null where there is none: the whole collection is looked through then. */
export function necessaryGeometry(expression: Expression): Geometry | null {
  if (expression.kind === 'relation') return expression.op === 's_disjoint' ? null : expression.geometry;
  if (expression.kind !== 'and') return null;
  for (const each of expression.all) {
    const geometry = necessaryGeometry(each);
    if (geometry) return geometry;
  }
  return null;
}
