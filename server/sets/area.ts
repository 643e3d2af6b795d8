import { Type } from 'typebox';
import { toGeoJson } from '../../query/search/page/geojson.ts';
import { defineOperation } from '../operation/operation.ts';
import { chooseRelease } from '../release/choice.ts';
import { isObject, readRelease } from '../search/body-reader.ts';
import { IssueList } from '../search/issue-list.ts';
import { invalidSearch } from '../search/operation.ts';
import { AreaBody } from './area-body.ts';
import { AreaBodySchema, type AreaResponse, AreaResponseSchema } from './area-schema.ts';
import { type AreaCtx, areaOf, type SetServices } from './area-source.ts';
import { SET_TERMS } from './terms.ts';

/**
 * POST /v1/areas: the area within a distance of a place, or within minutes of driving, as searches take it.
 * @param body as parsed, not yet checked.
 * @throws ServiceError as areaOf, search_invalid_request and release_not_kept; AbortError when the client has gone.
 */
async function searchArea(ctx: AreaCtx, services: SetServices, body: unknown): Promise<AreaResponse> {
  const issues = new IssueList();
  const { release: _, ...place } = isObject(body) ? body : {};
  const question = new AreaBody(issues, services.maxVertices).read(isObject(body) ? place : body, '');
  const release = isObject(body) ? readRelease(issues, body) : null;
  if (issues.all.length || !question) throw invalidSearch(issues.all, ctx.requestId, issues.more);
  chooseRelease(ctx, { release });
  const { geometry, acres, vertices, location } = await areaOf(ctx, services, question);
  return {
    geometry: toGeoJson(geometry) as AreaResponse['geometry'],
    acres: Math.round(acres * 1e4) / 1e4,
    vertices,
    ...(location ? { resolved_location: location } : {}),
    status: 'complete',
    completion_reason: 'exhausted',
    request_id: ctx.requestId,
  };
}

/** POST /v1/areas. */
export const areaOperation = defineOperation({
  ...SET_TERMS,
  id: 'area',
  route: 'POST /v1/areas',
  summary: 'The area within a distance or a drive of a place',
  description:
    'About a point, an address, a parcel, a line or a polygon: all places within so many geodesic meters, 0.1 % exact, or what is driven to from a point in so many minutes. It is always an area that a search takes. Free; a drive time costs what POST /v1/proximity/isochrone does. Filters of sets take the same body as `near`.',
  body: AreaBodySchema,
  response: AreaResponseSchema,
  // A drive costs what an isochrone does: it needs `spend` when its credits are taken, as that of a filter does.
  scopes: ['read'],
  price: { credits: null, unit: 'a drive time as POST /v1/proximity/isochrone; else nothing' },
  withoutState: false,
  example: ({ spot }) => ({ ...spot, within_m: 800 }),
  tool: {
    tool: 'sets',
    operation: 'areas',
    says: 'the area within a distance or a drive of a place; a filter {near} takes the same',
    takes: {
      lat: Type.Number({ description: 'areas: about a point; or address, parcel_id or geometry.' }),
      lng: Type.Number(),
      address: Type.String(),
      within_m: Type.Number({ description: 'areas: 1-100000; or drive_minutes 1-120.' }),
      drive_minutes: Type.Number(),
    },
    text: ({ acres, vertices }) => ({ lines: [`An area of ${acres} acres, ${vertices} vertices, for filters.`] }),
  },
  command: { name: 'areas', summary: 'Make the area within a distance or a drive of a place' },
  page: 'docs/analysis.md',
  answer: searchArea,
});
