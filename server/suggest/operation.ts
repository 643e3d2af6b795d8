import { TaskFailed } from '../../query/engine/failure.ts';
import type { Point } from '../../query/evaluate/answer.ts';
import { SUGGESTION_KINDS, type SuggestionKind } from '../../query/suggest/shortlist.ts';
import { type Ctx, termsOf } from '../context.ts';
import { engineRefusal } from '../engine-refusal.ts';
import { ServiceError } from '../errors/registry.ts';
import { coordinateInAnyOrder } from '../geocoder/coordinate.ts';
import { ShapeError } from '../http/shape.ts';
import { withinEnvelope } from '../locator.ts';
import type { SuggestQuery, SuggestResponse } from './schema.ts';

/** Milliseconds that suggestions may take: later nobody waits for them. */
export const SUGGEST_LIMIT_MS = 2_000;
const DEFAULT_LIMIT = 5;
/** Source of a coordinate that was typed. */
const TYPED = 'coordinate';

const busy = (error: unknown) => {
  if (error instanceof TaskFailed) return new ServiceError('suggest_unavailable');
  return engineRefusal(error, () => new ServiceError('fetch_busy'));
};

/** Where to look: anywhere, since a map may be looked at beyond the country. @throws ShapeError for half a coordinate or none. */
function pointOf({ lat, lng }: SuggestQuery): Point | null {
  if (lat === undefined && lng === undefined) return null;
  if (lat === undefined || lng === undefined) {
    const missing = lat === undefined ? 'lat' : 'lng';
    const msg = 'Field required: `lat` and `lng` go together';
    throw new ShapeError([{ loc: ['query', missing], msg, type: 'missing', input: null, ctx: {} }]);
  }
  const point = { lng: Number(lng), lat: Number(lat) };
  for (const [key, most] of [
    ['lat', 90],
    ['lng', 180],
  ] as const) {
    if (Math.abs(point[key]) <= most) continue;
    const msg = `Input should be between -${most} and ${most}`;
    throw new ShapeError([{ loc: ['query', key], msg, type: 'less_than_equal', input: point[key], ctx: { le: most } }]);
  }
  return point;
}

/** A coordinate as a suggestion, with the parcel that holds it. */
async function placeAt(ctx: Ctx, point: Point): Promise<SuggestResponse['suggestions'][number]> {
  const verdict = await ctx.engine.matchParcel(point, null, termsOf(ctx)).catch((error: unknown) => {
    throw busy(error);
  });
  const holds = verdict.status === 'matched' && verdict.parcel.matchType === 'contains';
  return {
    kind: 'place',
    text: `${point.lat}, ${point.lng}`,
    lat: point.lat,
    lng: point.lng,
    ...(holds && { parcel_id: verdict.parcel.parcelId }),
    source: TYPED,
  };
}

/**
 * GET /v1/suggest: what a text that is being typed may mean, the best first. A coordinate in either order is a place. Free.
 * @param query already of the right shape.
 * @throws ShapeError as pointOf; ServiceError fetch_busy, worker_stopped, suggest_unavailable; AbortError when the client has gone.
 */
export async function suggestFor(ctx: Ctx, query: SuggestQuery): Promise<SuggestResponse> {
  const near = pointOf(query);
  const limit = Number(query.limit ?? DEFAULT_LIMIT);
  const kinds = query.kinds === undefined ? SUGGESTION_KINDS : (query.kinds.split(',') as SuggestionKind[]);
  const text = query.q.trim();
  const typed = coordinateInAnyOrder(text, withinEnvelope);
  if (typed) return { suggestions: kinds.includes('place') ? [await placeAt(ctx, typed)] : [] };
  const found = await ctx.engine.suggest({ text, point: near, kinds, limit }, termsOf(ctx)).catch((error: unknown) => {
    throw busy(error);
  });
  return {
    suggestions: found.map(({ kind, text, lat, lng, parcelId, source }) => ({
      ...{ kind, text, lat, lng },
      ...(parcelId !== null && { parcel_id: parcelId }),
      source,
    })),
  };
}
