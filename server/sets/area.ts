import { toGeoJson } from '../../query/search/page/geojson.ts';
import { IssueList } from '../search/issue-list.ts';
import { invalidSearch } from '../search/operation.ts';
import { AreaBody } from './area-body.ts';
import type { AreaResponse } from './area-schema.ts';
import { type AreaCtx, areaOf, type SetServices } from './area-source.ts';

/**
 * POST /v1/areas: the area within a distance of a place, or within minutes of driving, as searches take it.
 * @param body as parsed, not yet checked.
 * @throws ServiceError as areaOf, and search_invalid_request; AbortError when the client has gone.
 */
export async function searchArea(ctx: AreaCtx, services: SetServices, body: unknown): Promise<AreaResponse> {
  const issues = new IssueList();
  const question = new AreaBody(issues, services.maxVertices).read(body, '');
  if (issues.all.length || !question) throw invalidSearch(issues.all, ctx.requestId, issues.more);
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
