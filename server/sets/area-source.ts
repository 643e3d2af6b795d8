import type { Geometry } from '../../datasets/geometry.ts';
import type { SitingTemplate } from '../../datasets/siting-templates.ts';
import type { Point } from '../../query/evaluate/answer.ts';
import { freeMemory } from '../../query/format/freed-memory.ts';
import { readArea } from '../../query/search/page/geojson.ts';
import type { AreaRequest } from '../../query/sets/area.ts';
import { accountOf, type Ctx, termsOf } from '../context.ts';
import { engineRefusal } from '../engine-refusal.ts';
import { ServiceError } from '../errors/registry.ts';
import { requireMatch } from '../geocoder/verdict.ts';
import { requireEnvelope } from '../locator.ts';
import type { OperationCtx, OperationServices, UploadedRows } from '../operation/operation.ts';
import { PROXIMITY_LIMIT_MS } from '../proximity/deadline.ts';
import { type ProximityServices, proximityOf } from '../proximity/operation.ts';
import { invalidSearch, type SearchServices } from '../search/operation.ts';
import { siteShape } from '../sites/operation.ts';
import { PARTS } from '../state/exports/pieces.ts';
import { unpacked } from '../state/packed-text.ts';
import { keepMatchMap } from '../tiles/match-map.ts';
import type { AreaPlace, AreaQuestion } from './area-body.ts';

/** What questions about sets know of their request, and the services that they need. */
export type AreaCtx = OperationCtx;
export type SetServices = OperationServices;

/** Drives of a request as POST /v1/proximity/isochrone makes and charges them. */
const driveOf =
  (ctx: Ctx, proximity: ProximityServices): SetServices['drive'] =>
  async (origin, minutes) => {
    const deadline = Math.min(ctx.deadline, ctx.clock.now() + PROXIMITY_LIMIT_MS);
    const request = { origin, minutes: [minutes] };
    const { features } = await proximityOf({ ...ctx, deadline }, proximity, 'isochrone', request);
    const [{ geometry }] = JSON.parse(JSON.stringify(features)) as [{ geometry: { coordinates: unknown } }];
    return geometry.coordinates;
  };

/** An upload of the account of a request. */
async function uploadOf({ state, account, clock }: Ctx, id: string): Promise<UploadedRows | null> {
  const found = account && (await state.uploads.upload(account.id, id, clock.now()));
  if (!found) return null;
  async function* parts(): AsyncGenerator<string> {
    for (let number = 0; ; number++) {
      const piece = await state.pieces.piece(id, PARTS, number);
      if (!piece) return;
      yield await unpacked(piece);
    }
  }
  const { kind, rows, columns } = found;
  return { kind, rows, columns, parts: parts() };
}

/** A template of siting that the account of a request made; null where there is none, or nobody has an account. */
async function ownTemplate(
  { state, account }: Pick<Ctx, 'state' | 'account'>,
  name: string,
): Promise<SitingTemplate | null> {
  const row = account && (await state.sitingTemplates.template(account.id, name));
  return row ? (JSON.parse(row.body) as SitingTemplate) : null;
}

/** The services of questions about sets for one request. */
export const setServices = (
  ctx: Ctx,
  {
    search,
    proximity,
    publicUrl,
  }: { readonly search: SearchServices; readonly proximity: ProximityServices; readonly publicUrl: string },
): SetServices => ({
  ...search,
  drive: driveOf(ctx, proximity),
  siteShape: id => siteShape(ctx, id),
  sitingTemplate: name => ownTemplate(ctx, name),
  keepMap: map =>
    keepMatchMap(ctx.state.matchMaps, map, { account: accountOf(ctx).id, publicUrl, now: ctx.clock.now() }),
  upload: id => uploadOf(ctx, id),
});

const POINT = { ends: Uint32Array.of(1), parts: new Uint32Array(0) };
const pointShape = ({ lng, lat }: Point): Geometry => ({ type: 'Point', xy: Float64Array.of(lng, lat), ...POINT });

/** What an area is drawn about, once it is looked up. */
interface LocatedPlace {
  readonly shape: Geometry;
  /** Where one drives from. */
  readonly point: Point | null;
  readonly source?: 'coordinate' | 'address';
}

const unavailable = (reason: string) => new ServiceError('search_unavailable', { reason });

const busy = (error: unknown): never => {
  throw engineRefusal(error, () => unavailable('all workers are busy and their queue is full'));
};

async function placeOf(ctx: AreaCtx, services: SetServices, place: AreaPlace): Promise<LocatedPlace> {
  if ('geometry' in place) return { shape: place.geometry, point: null };
  if ('parcelId' in place) {
    const { batch, maxCandidates, maxEvaluated, maxSquareKm } = services;
    const budget = { batch, maxCandidates, maxEvaluated, maxSquareKm };
    const request = { filters: [], outputs: [], countyByFips: false, budget, parcelId: place.parcelId };
    const answer = await ctx.engine.parcelPlace(request, termsOf(ctx)).catch(busy);
    if ('uncounted' in answer) throw unavailable(answer.uncounted);
    if ('issues' in answer || !answer.place) throw new ServiceError('parcel_not_found');
    return { shape: answer.place.geometry, point: answer.place.point };
  }
  if ('point' in place) {
    requireEnvelope(place.point);
    return { shape: pointShape(place.point), point: place.point, source: 'coordinate' };
  }
  const open = await ctx.geocoder.open(ctx.account?.id ?? null, place.address);
  const match = requireMatch(await open.answer({ deadline: ctx.deadline, signal: ctx.signal }), place.address);
  const point = { lng: match.lng, lat: match.lat };
  requireEnvelope(point);
  return { shape: pointShape(point), point, source: 'address' };
}

/** The shape from which an area is made, and how. */
async function shapeOf(
  { shape, point }: LocatedPlace,
  { reach, path }: AreaQuestion,
  drive: SetServices['drive'],
): Promise<Pick<AreaRequest, 'shape' | 'metres'>> {
  if ('metres' in reach) return { shape, metres: reach.metres };
  if (!point) throw new ServiceError('unresolvable_input', { role: path, first: 'the parcel has no interior point' });
  const coordinates = await drive(point, reach.minutes);
  const driven = readArea({ type: 'MultiPolygon', coordinates }, path, Number.POSITIVE_INFINITY);
  if ('description' in driven) throw new ServiceError('proximity_data_unavailable', { reason: driven.description });
  return { shape: driven, metres: null };
}

/** An area that a search takes. */
interface SearchArea {
  readonly geometry: Geometry;
  readonly acres: number;
  readonly vertices: number;
  /** Of a coordinate or an address. */
  readonly location: { readonly lat: number; readonly lng: number; readonly source: 'coordinate' | 'address' } | null;
}

/**
 * The area that a question means.
 * @throws ServiceError area_too_large, parcel_not_found, coord_out_of_bounds, search_invalid_request, search_unavailable,
 * worker_stopped; those of an address and of drive times; AbortError when the client has gone.
 */
export async function areaOf(ctx: AreaCtx, services: SetServices, question: AreaQuestion): Promise<SearchArea> {
  const { maxSquareKm, maxVertices } = services;
  const located = await placeOf(ctx, services, question.place);
  const { shape, metres } = await shapeOf(located, question, services.drive);
  const path = 'geometry' in question.place ? `${question.path}.geometry`.replace(/^body\./, '') : question.path;
  const request = { shape, metres, path, maxSquareKm, maxVertices };
  const answer = await ctx.engine
    .area(request, termsOf(ctx))
    .catch(busy)
    .finally(() => freeMemory(shape.xy));
  if ('uncounted' in answer) throw unavailable(answer.uncounted);
  if ('issues' in answer) throw invalidSearch(answer.issues, ctx.requestId);
  if ('tooLarge' in answer) throw new ServiceError('area_too_large', { why: answer.tooLarge });
  const { point, source } = located;
  return { ...answer, location: point && source ? { lat: point.lat, lng: point.lng, source } : null };
}
