import type { Geometry } from '../../datasets/geometry.ts';
import type { Point } from '../../query/evaluate/answer.ts';
import { NOT_COVERED } from '../../query/evaluate/parcel-at-point.ts';
import { readArea } from '../../query/search/page/geojson.ts';
import type { QuestionGround } from '../../query/sets/ground/outline.ts';
import { termsOf } from '../context.ts';
import { engineRefusal } from '../engine-refusal.ts';
import { ServiceError } from '../errors/registry.ts';
import { requireMatch } from '../geocoder/verdict.ts';
import { requireEnvelope } from '../locator.ts';
import type { OperationCtx, OperationServices } from '../operation/operation.ts';
import { invalidSearch } from '../search/operation.ts';
import { misplaced } from '../sites/polygon.ts';
import type { GroundQuestion } from './ground-question.ts';

/** The refusal of a question that nobody can answer now. */
export const unavailable = (reason: string) => new ServiceError('search_unavailable', { reason });

/** Refuses a question that workers have no time for. @throws ServiceError search_unavailable, worker_stopped; AbortError as it is. */
export const refuseBusy = (error: unknown): never => {
  throw engineRefusal(error, () => unavailable('all workers are busy and their queue is full'));
};

/** The parcel at a point, or of an address. */
async function parcelAt(ctx: OperationCtx, point: Point, address: string | null): Promise<QuestionGround> {
  requireEnvelope(point);
  const verdict = await ctx.engine.matchParcel(point, address, { ...termsOf(ctx), geometry: true }).catch(refuseBusy);
  // Another try reads what cannot be read now, and brings no parcels where nobody publishes them.
  if (verdict.status === 'unavailable' && verdict.reason !== NOT_COVERED) throw unavailable(verdict.reason);
  const shape = verdict.status === 'matched' ? verdict.parcel.geometry : null;
  if (!shape) throw new ServiceError('parcel_not_found');
  return { geometry: shape, path: 'body' };
}

const groundOf = (geometry: Geometry, path: string, requestId: string): QuestionGround => {
  const issue = misplaced(geometry, path);
  if (issue) throw invalidSearch([issue], requestId);
  return { geometry, path };
};

/**
 * Looks the ground up that a body names.
 * @throws ServiceError search_invalid_request, coord_out_of_bounds, parcel_not_found, site_not_found, site_not_ready, search_unavailable,
 * worker_stopped, and those of an address; AbortError when the client has gone.
 */
export async function locateGround(
  ctx: OperationCtx,
  { siteShape }: OperationServices,
  ground: GroundQuestion,
): Promise<QuestionGround> {
  if ('parcelId' in ground) return ground;
  if ('geometry' in ground) return groundOf(ground.geometry, ground.path, ctx.requestId);
  if ('point' in ground) return parcelAt(ctx, ground.point, null);
  if ('siteId' in ground) {
    const text = await siteShape(ground.siteId);
    const shape = text === null ? null : readArea(JSON.parse(text), 'site_id', Number.POSITIVE_INFINITY);
    if (!shape || 'description' in shape) throw new ServiceError('site_not_found');
    return { geometry: shape, path: 'site_id' };
  }
  const open = await ctx.geocoder.open(ctx.account?.id ?? null, ground.address);
  const match = requireMatch(await open.answer({ deadline: ctx.deadline, signal: ctx.signal }), ground.address);
  return parcelAt(ctx, { lng: match.lng, lat: match.lat }, ground.address);
}
