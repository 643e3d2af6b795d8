import type { Catalog } from '../../datasets/catalog.ts';
import type { Field } from '../../datasets/dataset.ts';
import type { Expression } from '../../datasets/grammar/expression.ts';
import { changesSoFar } from '../format/file-stamp.ts';
import type { Cache } from '../release/cache.ts';
import { correctionsOf } from '../release/corrections/correction-list.ts';
import { Fault, Interrupted } from '../release/fault.ts';
import { Layers } from '../release/layers.ts';
import { after, type MaybePromise, Memo } from '../release/maybe-promise.ts';
import type { Release } from '../release/open-release.ts';
import { interruptDuckdb } from '../release/table.ts';
import type { Answer, Point } from './answer.ts';
import { assured } from './assurance/assurance.ts';
import { correctedAt } from './assurance/correction.ts';
import { type Context, inPrecision, type Question, questionOf, UNNAMED } from './context.ts';
import { type Finding, failed, orFailed } from './finding.ts';
import { operatorOf } from './operators/registry.ts';
import { MATCH_KEY, type ParcelMatch } from './parcel-at-point.ts';
import { type RequestedField, requestedFields } from './requested-fields.ts';
import { type FoundFields, readAnswers, writeAnswers } from './written-answers.ts';

/** Longest time one field's source may take, so that a slow one fails alone: milliseconds. */
const FIELD_LIMIT_MS = 5_000;
/** Longest time one location may take: milliseconds. */
export const LOCATION_LIMIT_MS = 20_000;

export interface Evaluation {
  /** Null answers every field with a failure: nothing was published yet. */
  readonly release: Release | null;
  readonly catalog: Catalog;
  readonly cache: Cache;
  /** Epoch milliseconds; what is unfinished then fails, retryable. */
  readonly deadline: number;
  /** True once nobody waits for the answer. */
  readonly stopped?: () => boolean;
  /** Said between steps, which wait for what it returns: what is urgent is done meanwhile. */
  readonly pause?: () => Promise<void> | undefined;
}

/**
 * Answers every named field at one point, as findAt finds them.
 * @param names fields of the catalog.
 * @throws Interrupted when `stopped` says so, RangeError for a name the catalog lacks.
 */
export async function evaluate(
  names: readonly string[],
  point: Point,
  evaluation: Evaluation,
): Promise<Record<string, Answer>> {
  const requested = requestedFields(evaluation.catalog, names);
  return readAnswers(names, writeAnswers(requested, await findAt(requested, point, evaluation)));
}

/**
 * Finds what every field asks for at one point. Fields share what they read: a polygon, a nearest feature, an area key or
 * an input is found once a request. A fault fails its own field and those that depend on it, never another.
 * @throws Interrupted when `stopped` says so.
 */
export const findAt = (
  requested: readonly RequestedField[],
  point: Point,
  evaluation: Evaluation,
): Promise<FoundFields> => settled(layers => attempt(requested, point, evaluation, layers), evaluation);

/** How often an evaluation begins anew because files were changed under it. */
const ATTEMPTS = 4;

/**
 * Evaluates until no file was changed while it was being read; after some attempts what rests on a file that goes on changing
 * has failed, and the rest is answered.
 * @param evaluate over freshly opened layers; null without a release.
 */
export async function settled<T>(
  evaluate: (layers: Layers | null) => Promise<T>,
  { release, cache }: Pick<Evaluation, 'release' | 'cache'>,
): Promise<T> {
  cache.enter();
  try {
    for (let left = ATTEMPTS; ; left--) {
      const before = changesSoFar();
      // It may have been another request that saw a change: beginning anew for nothing does no harm.
      const isLast = () => left === 1 || changesSoFar() === before;
      try {
        const result = await evaluate(release ? new Layers(release, cache) : null);
        if (isLast()) return result;
      } catch (error) {
        if (isLast() || error instanceof Interrupted) throw error;
      }
    }
  } finally {
    cache.leave();
  }
}

/** One point of one release, ready to be asked. */
export interface PointEvaluation {
  readonly ctx: Context;
  /** The work's finding, or a failure when it takes longer than a field may; begins `now`, epoch milliseconds. */
  within(now: number, work: () => MaybePromise<Finding>): MaybePromise<Finding>;
  /** A field as it is answered, within the same time. */
  answer(now: number, field: Field): MaybePromise<Finding>;
}

/**
 * Opens a point for operators.
 * @param layers null answers every field with a failure.
 * @param parcel the parcel that the point is known to belong to, instead of a search for one.
 */
export function openPoint(
  point: Point,
  { release, catalog, deadline, stopped = () => false }: Evaluation,
  layers: Layers | null,
  parcel: ParcelMatch | null = null,
): PointEvaluation {
  const kept = new Memo();
  const fields = new Map<string, MaybePromise<Finding>>();
  let fieldDeadline = deadline;
  /** What `within` was told this moment need not be asked again by the field that it begins. */
  let checked = false;
  if (parcel) kept.ahead(MATCH_KEY, () => parcel);

  const check = () => {
    if (stopped()) throw new Interrupted('nobody waits for the answer');
    if (Date.now() >= fieldDeadline) throw timeUp();
  };
  const timeUp = () =>
    fieldDeadline >= deadline
      ? new Fault('the time for this location was up', true)
      : new Fault(`the source took longer than ${FIELD_LIMIT_MS / 1000} s`, true);

  const run = (call: Expression, question: Question): MaybePromise<Finding> =>
    orFailed(() => {
      const operator = operatorOf(release, call);
      if (!checked) check();
      checked = false;
      return after(operator.point(ctx, call, question), finding => assured(call, catalog, finding));
    });
  const ctx: Context = {
    catalog,
    layers: layers as Layers,
    point,
    check,
    memo: (key, compute) => kept.of(key, compute),
    field(name) {
      let cached = fields.get(name);
      if (!cached) {
        const field = catalog.fields.get(name)!;
        cached = run(field.expression, questionOf(field));
        fields.set(name, cached);
      }
      return cached;
    },
    call: call => kept.of(`call ${call.text}`, () => run(call, UNNAMED)),
  };
  const within = (now: number, work: () => MaybePromise<Finding>): MaybePromise<Finding> => {
    if (stopped()) throw new Interrupted('nobody waits for the answer');
    fieldDeadline = Math.min(deadline, now + FIELD_LIMIT_MS);
    checked = now < deadline;
    const finding = work();
    return finding instanceof Promise ? inTime(finding, fieldDeadline, () => failed(timeUp())) : finding;
  };
  return {
    ctx,
    within,
    answer: (now, field) =>
      after(
        within(now, () => ctx.field(field.name)),
        found => inPrecision(found, field),
      ),
  };
}

async function attempt(
  requested: readonly RequestedField[],
  point: Point,
  evaluation: Evaluation,
  layers: Layers | null,
): Promise<FoundFields> {
  const asking = openPoint(point, evaluation, layers);
  const corrections = layers ? correctionsOf(layers.release).fields : null;
  const findings: Finding[] = [];
  const moments: number[] = [];
  let now = Date.now();
  for (const { field } of requested) {
    const pausing = evaluation.pause?.();
    if (pausing) {
      await pausing;
      now = Date.now();
    }
    const found = asking.answer(now, field);
    // What is at hand is not waited for.
    const finding = found instanceof Promise ? await found : found;
    const own = corrections?.get(field.name);
    findings.push(own ? await correctedAt(asking.ctx, field.name, own, finding) : finding);
    now = Date.now();
    moments.push(now);
  }
  return { findings, moments };
}

/**
 * A finding once it has come, or what `late` says when it takes longer; a table read is then stopped.
 * @param deadline epoch milliseconds.
 */
async function inTime(work: Promise<Finding>, deadline: number, late: () => Finding): Promise<Finding> {
  let timer: NodeJS.Timeout | undefined;
  const up = new Promise<Finding>(resolve => {
    const end = () => {
      void interruptDuckdb();
      resolve(late());
    };
    timer = setTimeout(end, Math.max(0, deadline - Date.now()));
  });
  try {
    return await Promise.race([work, up]);
  } finally {
    clearTimeout(timer);
  }
}
