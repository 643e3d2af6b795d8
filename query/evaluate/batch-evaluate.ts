import type { Expression } from '../../datasets/grammar/expression.ts';
import type { Partition } from '../../datasets/release.ts';
import type { CorrectionList } from '../release/corrections/correction-list.ts';
import { Fault, Interrupted } from '../release/fault.ts';
import type { Layers } from '../release/layers.ts';
import { after, type MaybePromise, Memo } from '../release/maybe-promise.ts';
import { partOf } from '../release/part.ts';
import type { Point } from './answer.ts';
import { assured } from './assurance/assurance.ts';
import { correctedAt } from './assurance/correction.ts';
import { type Batch, type Context, inPrecision, type Question, questionOf, UNNAMED } from './context.ts';
import { type Evaluation, settled } from './evaluate.ts';
import { type Finding, failed } from './finding.ts';
import { operatorOf } from './operators/registry.ts';
import { MATCH_KEY, type ParcelMatch } from './parcel-at-point.ts';
import { boxAround } from './point-group.ts';

interface BatchEvaluation extends Omit<Evaluation, 'deadline' | 'pause'> {
  /** As of Evaluation. Default: no limit. */
  readonly deadline?: number;
  /** Asked of the batch before its fields: what else its caller wants to know of the points. */
  readonly first?: (batch: Batch) => Promise<void>;
  /** What is corrected in the findings; nothing without it: what a release stores is what its sources say. */
  readonly corrections?: CorrectionList;
}

/** A point that may stand for a parcel: fields of the parcel are then of that one, not of one found at the point. */
export interface BatchPoint extends Point {
  readonly parcel?: { readonly partition: Partition; readonly ord: number };
}

/** As Kept, of computations that are all waited for. */
function keeper(): <T>(key: string, compute: () => Promise<T>) => Promise<T> {
  const kept = new Memo();
  return async (key, compute) => kept.of(key, compute);
}

/** The match of the parcel that a point stands for. @throws DamagedFile when it cannot be read. */
function matchOf({ partition, ord }: NonNullable<BatchPoint['parcel']>, layers: Layers): MaybePromise<ParcelMatch> {
  return after(layers.features(partition), features => {
    const feature = features.feature(ord);
    const hit = { feature, partition: partOf(partition, feature.properties) };
    return { status: 'matched', type: 'contains', metres: 0, hit };
  });
}

/** The memo of a point, which knows what its batch was told and the parcel that it stands for. */
function memoOf(
  { parcel }: BatchPoint,
  place: number,
  told: ReadonlyMap<string, readonly unknown[]>,
  layers: Layers,
): Context['memo'] {
  let kept: Memo | null = null;
  return <T>(key: string, compute: () => MaybePromise<T>): MaybePromise<T> => {
    const cached = told.get(key)?.[place];
    if (cached !== undefined) return cached as T;
    kept ??= new Memo();
    return kept.of(key, parcel && key === MATCH_KEY ? () => matchOf(parcel, layers) as MaybePromise<T> : compute);
  };
}

/**
 * Answers every named field at many points of one release, by the bulk forms of operators. Findings are those that
 * `evaluate` makes answers of. Inputs of fields are computed once a batch. A fault fails its own field (and those that
 * depend on it), and of that the points it touches.
 * @param names fields of the catalog.
 * @param points lng,lat WGS84; the nearer to one another (Hilbert order), the cheaper.
 * @returns field → one finding a point, in order.
 * @throws Interrupted when `stopped` says so, RangeError for a name the catalog lacks.
 */
export async function evaluateBatch(
  names: readonly string[],
  points: readonly BatchPoint[],
  evaluation: BatchEvaluation,
): Promise<Map<string, Finding[]>> {
  for (const name of names)
    if (!evaluation.catalog.fields.has(name)) throw new RangeError(`No field ${name} in the catalog`);
  if (!points.length) return new Map(names.map(name => [name, []]));
  return settled(layers => attempt(names, points, evaluation, layers), evaluation);
}

async function attempt(
  names: readonly string[],
  points: readonly BatchPoint[],
  { release, catalog, deadline = Infinity, stopped = () => false, first, corrections }: BatchEvaluation,
  open: Layers | null,
): Promise<Map<string, Finding[]>> {
  const memo = keeper();
  const fields = keeper();
  const told = new Map<string, readonly unknown[]>();
  const check = () => {
    if (stopped()) throw new Interrupted('nobody waits for the answer');
    if (Date.now() >= deadline) throw new Fault('the time for this batch was up', true);
  };
  const layers = open as Layers;

  const run = async (call: Expression, question: Question): Promise<readonly Finding[]> => {
    try {
      const operator = operatorOf(release, call);
      check();
      const findings = await operator.bulk(batch, call, question);
      return findings.map(finding => assured(call, catalog, finding));
    } catch (error) {
      const finding = failed(error);
      return points.map(() => finding);
    }
  };
  const batch: Batch = {
    catalog,
    layers,
    get contexts() {
      return contexts;
    },
    box: boxAround(points, 0, points.length),
    check,
    memo,
    tell: (key, values) => told.set(key, values),
    field: name =>
      fields(name, () => {
        const field = catalog.fields.get(name)!;
        return run(field.expression, questionOf(field));
      }),
    call: call => memo(`call ${call.text}`, () => run(call, UNNAMED)),
  };
  const contexts: readonly Context[] = points.map((point, i) => ({
    catalog,
    layers,
    point,
    check,
    memo: memoOf(point, i, told, layers),
    field: async name => (await batch.field(name))[i]!,
    call: async call => (await batch.call(call))[i]!,
  }));

  const out = new Map<string, Finding[]>();
  if (layers) await first?.(batch);
  for (const name of names) {
    if (stopped()) throw new Interrupted('nobody waits for the answer');
    const field = catalog.fields.get(name)!;
    const findings = (await batch.field(name)).map(finding => inPrecision(finding, field));
    const own = corrections?.fields.get(name);
    for (const [i, finding] of own && layers ? findings.entries() : [])
      findings[i] = await correctedAt(contexts[i]!, name, own!, finding);
    out.set(name, findings);
  }
  return out;
}
