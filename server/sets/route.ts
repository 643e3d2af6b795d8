import type { FastifyInstance } from 'fastify';
import type { Services } from '../context.ts';
import { PROXIMITY_ERRORS } from '../errors/proximity.ts';
import { type FormatServices, formatOf, inFormats, sendFormat } from '../formats/accept.ts';
import type { GroupsRequest } from '../formats/answer-table.ts';
import { ADDRESS_CODES } from '../geocode/schema.ts';
import { contextOf } from '../http/context.ts';
import { BODY_CODES, errorResponses } from '../http/error-schema.ts';
import { metered, ofRelease, sending } from '../http/header-schema.ts';
import type { Limits } from '../limits.ts';
import type { ProximityServices } from '../proximity/operation.ts';
import { parseSearchBody } from '../search/body.ts';
import { noticeHeader } from '../search/notice-text.ts';
import { SEARCH_LIMIT_MS, type SearchServices } from '../search/operation.ts';
import { unjudged } from '../search/route.ts';
import { aggregateBytes, aggregateMatches, aggregateText } from './aggregate.ts';
import { AggregateBodySchema, AggregateResponseSchema } from './aggregate-schema.ts';
import { searchArea } from './area.ts';
import { AreaBodySchema, AreaResponseSchema } from './area-schema.ts';
import { setServices } from './area-source.ts';
import { countMatches } from './count.ts';
import { CountBodySchema, CountResponseSchema } from './count-schema.ts';
import { explainSearch } from './explain.ts';
import { ExplainBodySchema, ExplainResponseSchema } from './explain-schema.ts';
import { rankBytes, rankMatches, rankText } from './rank.ts';
import { RankBodySchema, RankResponseSchema } from './rank-schema.ts';
import { similarBytes, similarMatches, similarText } from './similar.ts';
import { SimilarBodySchema, SimilarResponseSchema } from './similar-schema.ts';

const TAGS = ['Sets of parcels'];
const DRIVES = Object.keys(PROXIMITY_ERRORS) as (keyof typeof PROXIMITY_ERRORS)[];
/** What an area may be refused for, beside what a search is. */
const AREA_CODES = [
  'area_too_large',
  'parcel_not_found',
  'coord_out_of_bounds',
  'credits_exhausted',
  ...ADDRESS_CODES,
  ...DRIVES.filter(code => code !== 'unknown_set'),
] as const;
/** What a new area may be refused for: it is drawn from the current release. */
const NEW_AREA_CODES = [...BODY_CODES, 'search_invalid_request', 'search_unavailable', ...AREA_CODES] as const;
const CODES = [...NEW_AREA_CODES, 'release_not_kept'] as const;

/** The body of an aggregate whose cells come with their outlines: features have a geometry. Others, and what is no such body, stay. */
function withOutlines(body: unknown): unknown {
  const groups: unknown = (body as { readonly group_by?: unknown } | null)?.group_by;
  const cells = Array.isArray(groups) ? groups.filter(by => Object.hasOwn(Object(by), 'h3')) : [];
  return cells.length === 1 ? { ...(body as object), geometry: true } : body;
}

/** POST /v1/areas, /v1/search/count, /v1/search/explain, /v1/rank, /v1/similar and /v1/aggregate. */
export function setRoutes(
  app: FastifyInstance,
  services: Services &
    FormatServices & {
      readonly limits: Limits;
      readonly search: SearchServices;
      readonly proximity: ProximityServices;
    },
): void {
  const config = { protected: true, withoutState: true, parse: parseSearchBody };
  const security = [{ bearer: [] }];
  app.post(
    '/v1/search/count',
    {
      config,
      schema: {
        operationId: 'searchCount',
        tags: TAGS,
        summary: 'How many parcels pass every filter',
        description:
          'Counted to a bound, with what each filter lets through alone and what all others do: which filter costs most. `filters` are those of POST /v1/search and some more, and so are the issues of a 422.',
        security,
        body: CountBodySchema,
        response: { 200: ofRelease(CountResponseSchema), ...errorResponses([...CODES]) },
      },
      ...unjudged(services.limits),
    },
    (request, reply) => {
      const ctx = contextOf(request, reply, services, SEARCH_LIMIT_MS);
      return countMatches(ctx, setServices(ctx, services), request.body);
    },
  );
  app.post(
    '/v1/search/explain',
    {
      config,
      schema: {
        operationId: 'searchExplain',
        tags: TAGS,
        summary: 'Why a parcel passes filters or not, or why none does',
        description:
          'With `parcel_id`: what each filter makes of the parcel, and by how much it passes or fails. Without: how many parcels pass, and where none does which one filter must give way, and how far, for ten matches. Free.',
        security,
        body: ExplainBodySchema,
        response: { 200: ofRelease(ExplainResponseSchema), ...errorResponses([...CODES]) },
      },
      ...unjudged(services.limits),
    },
    (request, reply) => {
      const ctx = contextOf(request, reply, services, SEARCH_LIMIT_MS);
      return explainSearch(ctx, setServices(ctx, services), request.body);
    },
  );
  app.post(
    '/v1/similar',
    {
      config: { ...config, answerBytes: similarBytes },
      schema: {
        operationId: 'similar',
        tags: TAGS,
        summary: 'The parcels most like one',
        description:
          'Of the parcels that pass every filter those that differ least from a parcel, by fields of your choice: each difference is told in standard deviations among them. Free.',
        security,
        body: SimilarBodySchema,
        response: { 200: ofRelease(SimilarResponseSchema), ...errorResponses([...CODES]) },
      },
      ...unjudged(services.limits),
    },
    async (request, reply) => {
      const ctx = contextOf(request, reply, services, SEARCH_LIMIT_MS);
      const response = await similarMatches(ctx, setServices(ctx, services), request.body);
      return reply.type('application/json; charset=utf-8').send(Buffer.from(similarText(response)));
    },
  );
  app.post(
    '/v1/areas',
    {
      config: { protected: true, parse: parseSearchBody },
      schema: {
        operationId: 'area',
        tags: TAGS,
        summary: 'The area within a distance or a drive of a place',
        description:
          'About a point, an address, a parcel, a line or a polygon: all places within so many geodesic metres, 0.1 % exact, or what is driven to from a point in so many minutes. It is always an area that a search takes. Free; a drive time costs what POST /v1/proximity/isochrone does. Filters of sets take the same body as `near`.',
        security,
        body: AreaBodySchema,
        response: { 200: ofRelease(metered(AreaResponseSchema)), ...errorResponses([...NEW_AREA_CODES]) },
      },
      ...unjudged(services.limits),
    },
    (request, reply) => {
      const ctx = contextOf(request, reply, services, SEARCH_LIMIT_MS);
      return searchArea(ctx, setServices(ctx, services), request.body);
    },
  );
  app.post(
    '/v1/rank',
    {
      config: { ...config, answerBytes: rankBytes },
      schema: {
        operationId: 'rank',
        tags: TAGS,
        summary: 'The first parcels of those that pass every filter',
        description:
          'All parcels that pass are compared, by up to five fields in turn or by one score of up to ten; each match has the value of every criterion and its percentile among them. Absent values come last; parcels for which the calculation of a criterion failed are counted apart. Free.',
        security,
        body: RankBodySchema,
        response: {
          200: inFormats(sending(RankResponseSchema, 'X-Service-Notice', 'X-Service-Release')),
          ...errorResponses([...CODES, 'not_acceptable']),
        },
      },
      ...unjudged(services.limits),
    },
    async (request, reply) => {
      const format = formatOf(request);
      const ctx = contextOf(request, reply, services, SEARCH_LIMIT_MS);
      const response = await rankMatches(ctx, setServices(ctx, services), request.body);
      const json = Buffer.from(rankText(response));
      if (!format) return reply.type('application/json; charset=utf-8').send(json);
      if (response.warnings.length > 0) reply.header('x-service-notice', noticeHeader(response.warnings));
      return sendFormat(reply, services, format, { source: { of: 'rank' }, json });
    },
  );
  app.post(
    '/v1/aggregate',
    {
      config: { ...config, answerBytes: aggregateBytes },
      schema: {
        operationId: 'aggregate',
        tags: TAGS,
        summary: 'Parcels that pass every filter, in groups',
        description:
          'Counts, sums, means, extremes and quantiles by field, county, city, ZIP code, H3 cell or bins. In every group absent and failed values are counted apart, and small groups are called so. Free.',
        security,
        body: AggregateBodySchema,
        response: {
          200: inFormats(sending(AggregateResponseSchema, 'X-Service-Notice', 'X-Service-Release')),
          ...errorResponses([...CODES, 'not_acceptable', 'groups_too_many']),
        },
      },
      ...unjudged(services.limits),
    },
    async (request, reply) => {
      const format = formatOf(request);
      const ctx = contextOf(request, reply, services, SEARCH_LIMIT_MS);
      const body = format === 'geojson' ? withOutlines(request.body) : request.body;
      const response = await aggregateMatches(ctx, setServices(ctx, services), body);
      const json = Buffer.from(aggregateText(response));
      if (!format) return reply.type('application/json; charset=utf-8').send(json);
      if (response.warnings.length > 0) reply.header('x-service-notice', noticeHeader(response.warnings));
      return sendFormat(reply, services, format, {
        source: { of: 'aggregate', request: body as GroupsRequest },
        json,
      });
    },
  );
}
