import type { FastifyInstance, RouteShorthandOptions } from 'fastify';
import type { Issue } from '../../query/search/request/issue.ts';
import type { Services } from '../context.ts';
import { type FormatServices, formatOf, inFormats, sendFormat } from '../formats/accept.ts';
import { contextOf } from '../http/context.ts';
import { BODY_CODES, errorResponses } from '../http/error-schema.ts';
import { failureHandler } from '../http/failure.ts';
import { sending } from '../http/header-schema.ts';
import { JsonError } from '../http/json.ts';
import type { Limits } from '../limits.ts';
import { parseSearchBody } from './body.ts';
import { noticeHeader } from './notice-text.ts';
import {
  invalidSearch,
  pageBytes,
  responseText,
  SEARCH_LIMIT_MS,
  type SearchServices,
  searchParcels,
} from './operation.ts';
import { SearchBodySchema, SearchResponseSchema } from './schema.ts';

/** The issue for a body that is not JSON. It has the shape of search issues, which never quote the body. */
const noJson = ({ problem }: JsonError): Issue => ({
  path: 'body',
  description: `The body cannot be read: ${problem}.`,
  hint: 'Send one JSON object in UTF-8 that gives each name once.',
});

/** Options of a route whose operation checks the body: Ajv's errors would echo it. */
export function unjudged({ bodyLimit }: Limits): Pick<RouteShorthandOptions, 'validatorCompiler' | 'errorHandler'> {
  const fail = failureHandler(bodyLimit);
  return {
    validatorCompiler: () => () => true,
    errorHandler: (error, request, reply) =>
      fail(error instanceof JsonError ? invalidSearch([noJson(error)], request.id) : error, request, reply),
  };
}

/** POST /v1/search. */
export function searchRoutes(
  app: FastifyInstance,
  services: Services & FormatServices & { readonly limits: Limits; readonly search: SearchServices },
): void {
  app.post(
    '/v1/search',
    {
      config: { protected: true, withoutState: true, parse: parseSearchBody, answerBytes: pageBytes },
      schema: {
        operationId: 'search',
        tags: ['Parcel search'],
        summary: 'Parcels that pass every filter',
        description:
          'The first parcels in stored order that pass every filter, with the values filters used and the fields asked for. POST /v1/search/count counts them. POST /v1/rank puts them in order, POST /v1/aggregate groups and adds them up: by `owner` with the sum of `acreage` it names the largest landowners. A 422 lists every issue with its path, what is wrong and how to correct it. `complete` means that the stored parcels were exhausted, not that the real world was.',
        security: [{ bearer: [] }],
        body: SearchBodySchema,
        response: {
          200: inFormats(
            sending(
              SearchResponseSchema,
              'X-Service-Notice',
              'X-Service-Next-Cursor',
              'X-Service-Release',
              'X-Service-Receipt',
            ),
          ),
          ...errorResponses([
            ...BODY_CODES,
            'not_acceptable',
            'search_invalid_request',
            'search_limit_exceeded',
            'release_not_kept',
            'search_unavailable',
          ]),
        },
      },
      ...unjudged(services.limits),
    },
    async (request, reply) => {
      const format = formatOf(request);
      const ctx = contextOf(request, reply, services, SEARCH_LIMIT_MS);
      const response = await searchParcels(ctx, services.search, request.body);
      if (response.notices.length) reply.header('x-service-notice', noticeHeader(response.notices));
      const json = responseText(response);
      if (!format) return reply.type('application/json; charset=utf-8').send(json);
      if (response.next_cursor !== null) reply.header('x-service-next-cursor', response.next_cursor);
      return sendFormat(reply, services, format, { source: { of: 'search' }, json });
    },
  );
}
