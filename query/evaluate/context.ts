import { type Catalog, layerOf } from '../../datasets/catalog.ts';
import type { ConfidenceRule, Field, Layer, ScalarType, Value } from '../../datasets/dataset.ts';
import type { Condition } from '../../datasets/grammar/condition.ts';
import type { Expression, OperatorName, SourceRef } from '../../datasets/grammar/expression.ts';
import { memo } from '../../datasets/memo.ts';
import { inSteps } from '../../datasets/precision.ts';
import type { LayerAt } from '../release/coverage.ts';
import type { Layers } from '../release/layers.ts';
import type { MaybePromise } from '../release/maybe-promise.ts';
import type { Point } from './answer.ts';
import { compile, type Row } from './condition/condition.ts';
import type { Finding } from './finding.ts';

/** What an operator is asked beside its expression. */
export interface Question {
  readonly rule: ConfidenceRule | null;
  /** Declared type and unit of the field; null for a call nested in another. */
  readonly type: ScalarType | null;
  readonly unit: string | null;
  /** Step that a number is rounded to, in the unit; null for none. */
  readonly precision: number | null;
}

/** What an operator is asked by a call nested in another. */
export const UNNAMED: Question = { rule: null, type: null, unit: null, precision: null };

/**
 * A finding of a field as it is answered and stored: its number in the steps that the field declares. What other fields
 * derive from it they derive from the number as it was found.
 */
export function inPrecision(finding: Finding, { precision }: Pick<Field, 'precision'>): Finding {
  const value = valueInPrecision(finding.value, precision);
  return value === finding.value ? finding : { ...finding, value };
}

/** A value as a field answers it: a number in its steps. @param precision null where none are declared. */
export const valueInPrecision = (value: Value | null, precision: number | null): Value | null =>
  precision === null || typeof value !== 'number' ? value : inSteps(value, precision);

/** What a field asks of its operator: of one field the same object every time. */
export const questionOf = memo(
  ({ confidence: rule, type, unit, precision }: Field): Question => ({ rule, type, unit, precision }),
);

/** Everything an operator's point form sees of one request: one point, one release. */
export interface Context {
  readonly catalog: Catalog;
  readonly layers: Layers;
  readonly point: Point;
  /** @throws Interrupted when the caller went away, Fault (retryable) when the time is up. Called inside long loops. */
  check(): void;
  /** The first computation under a key, kept for the rest of the request; faults are kept too. */
  memo<T>(key: string, compute: () => MaybePromise<T>): MaybePromise<T>;
  /** Another field at the same point. Fails with nothing but Interrupted. */
  field(name: string): MaybePromise<Finding>;
  /** A nested call at the same point. Fails with nothing but Interrupted. */
  call(call: Expression): MaybePromise<Finding>;
}

/** One operator of the grammar in its two forms, which give the same value, status, notes and confidence. */
export interface Operator {
  readonly name: OperatorName;
  /** @throws Fault, DamagedFile or Interrupted; anything thrown but Interrupted becomes a failed finding. */
  point(ctx: Context, call: Expression, question: Question): MaybePromise<Finding>;
  /**
   * The same at every point of a batch, cheaper than one after another; one finding a point, in order. What is thrown
   * fails all points of the batch; a fault of some points alone is a failed finding of those.
   */
  bulk(batch: Batch, call: Expression, question: Question): Promise<readonly Finding[]>;
}

/** The partitions of a layer at the request's point, found once a request. @throws Fault as Layers.at does. */
export function layerAt(
  ctx: Context,
  source: { readonly dataset: string; readonly layer: string },
): MaybePromise<LayerAt> {
  const { lng, lat } = ctx.point;
  return ctx.memo(atKey(source), () => ctx.layers.at(source.dataset, source.layer, lng, lat));
}

/** Memo key of the partitions of a layer: a text made once, because every field of a request asks for it. */
const atKey = memo(
  ({ dataset, layer }: { readonly dataset: string; readonly layer: string }) => `at ${dataset}:${layer}`,
);

/** The catalog's definition of a source's layer. @throws Error when the catalog has none. */
export const definitionOf = (ctx: Context, source: SourceRef): Layer =>
  layerOf(ctx.catalog.datasets, source.dataset, source.layer);

/** A condition as of a date, which `@today` stands for. */
interface Dated {
  readonly asOf: string;
  readonly test: (row: Row) => boolean;
  readonly key: string;
}

const dated = new WeakMap<Condition, Dated>();

function datedOf({ release }: Layers, where: Condition): Dated {
  const { asOf } = release.manifest;
  let entry = dated.get(where);
  if (entry?.asOf !== asOf) {
    entry = { asOf, test: compile(where, asOf), key: `${keyOf(where)} ${asOf}` };
    dated.set(where, entry);
  }
  return entry;
}

/** The test of a where[...], compiled once a condition and as-of date; every row passes where there is none. */
export const testOf = (ctx: Context, where: Condition | null): ((row: Row) => boolean) =>
  where ? datedOf(ctx.layers, where).test : () => true;

/** The key of a file's index of the features that meet a condition, in one release; null without a condition. */
export const conditionKey = (layers: Layers, where: Condition | null): string | null =>
  where && datedOf(layers, where).key;

const textOf = memo((where: Condition) => JSON.stringify(where));

/** A condition as a memo key: equal conditions have equal keys. */
export const keyOf = (where: Condition | null): string => (where ? textOf(where) : '');

/** Everything an operator's bulk form sees: many points of one release, near one another (Hilbert order). */
export interface Batch {
  readonly catalog: Catalog;
  readonly layers: Layers;
  /** One context a point: its own memo, so that both forms share what was found. Points are `contexts[i].point`. */
  readonly contexts: readonly Context[];
  /** lng,lat box of all points: west, south, east, north in degrees. */
  readonly box: readonly [number, number, number, number];
  /** As Context.check. */
  check(): void;
  /** The first computation under a key, kept for the batch; faults are kept too. */
  memo<T>(key: string, compute: () => Promise<T>): Promise<T>;
  /** Tells every point what its own memo would find under a key; undefined leaves a point to find out. */
  tell(key: string, values: readonly unknown[]): void;
  /** Another field at every point. Never rejects but with Interrupted. */
  field(name: string): Promise<readonly Finding[]>;
  /** A nested call at every point. Never rejects but with Interrupted. */
  call(call: Expression): Promise<readonly Finding[]>;
}
