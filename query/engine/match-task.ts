import type { Value } from '../../datasets/dataset.ts';
import type { Partition } from '../../datasets/release.ts';
import { matchAt } from '../enrich/match-at.ts';
import type { Point } from '../evaluate/answer.ts';
import type { Context } from '../evaluate/context.ts';
import { type Evaluation, openPoint, settled } from '../evaluate/evaluate.ts';
import { standInFor } from '../evaluate/parcel-stand-in.ts';
import { type ParcelVerdict, unavailable, verdictOf } from '../parcel/parcel-match.ts';
import { Fault } from '../release/fault.ts';

/** A place whose parcel is asked for. */
export interface MatchRequest {
  readonly point: Point;
  /** Of the point when it was geocoded to a rooftop; null for a coordinate. */
  readonly address: string | null;
  /** Whether the boundary is wanted. */
  readonly geometry: boolean;
}

/** Columns that the parcel's source does not publish and that fields of the parcel answer from another layer. */
async function standIns(ctx: Context, partition: Partition): Promise<Record<string, Value>> {
  const columns: Record<string, Value> = {};
  for (const { name, expression } of ctx.catalog.fields.values()) {
    if (expression.op !== 'parcel_attr' || !standInFor(expression.argument!, partition, ctx.layers.release)) continue;
    const { status, value } = await ctx.field(name);
    if (status === 'ok') columns[expression.argument!] = value;
  }
  return columns;
}

/**
 * The parcel of a point or address, with its columns as corrections have them. What cannot be read is `unavailable` with the reason.
 * @throws Interrupted when `stopped` says so.
 */
export function matchParcel(
  { point, address, geometry }: MatchRequest,
  evaluation: Evaluation,
): Promise<ParcelVerdict> {
  return settled<ParcelVerdict>(async layers => {
    if (!layers) throw new Fault('no release is installed; nothing was published yet');
    const match = await matchAt(openPoint(point, evaluation, layers).ctx, address);
    const verdict = verdictOf(match, geometry);
    if (match.status !== 'matched' || verdict.status !== 'matched') return verdict;
    const { ctx } = openPoint(point, evaluation, layers, match);
    const { file } = await layers.features(match.hit.partition);
    const own = Object.fromEntries(file.corrected?.get(verdict.parcel.ref.ord) ?? []);
    const properties = { ...verdict.parcel.properties, ...(await standIns(ctx, match.hit.partition)), ...own };
    const situs = typeof own.address === 'string' ? own.address : verdict.parcel.address;
    return { status: 'matched', parcel: { ...verdict.parcel, address: situs, properties } };
  }, evaluation).catch(unavailable);
}
