import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Services } from '../context.ts';
import { AUTH_CODES } from '../errors/auth.ts';
import type { FieldRequestServices } from '../field-requests/filing.ts';
import { contextOf } from '../http/context.ts';
import { BODY_CODES, errorResponses } from '../http/error-schema.ts';
import { parseOptional } from '../http/optional-body.ts';
import type { ListServices } from '../listing/page.ts';
import { ListQuery } from '../listing/schema.ts';
import type { ProximityServices } from '../proximity/operation.ts';
import type { SearchServices } from '../search/operation.ts';
import { setServices } from '../sets/area-source.ts';
import { WATCH_LIMIT_MS } from './limits.ts';
import { registerWatch } from './registration.ts';
import { WatchAccepted, WatchBody, WatchList, WatchParams, WatchRecord } from './schema.ts';
import { deleteWatch, listWatches, readWatch } from './standing.ts';

const common = { tags: ['Watches'], security: [{ bearer: [] }] };
const READ_CODES = [...AUTH_CODES, 'rate_limited', 'state_unavailable', 'watch_not_found'] as const;

/** POST and GET /v1/watches, GET and DELETE /v1/watches/{watch_id}. */
export function watchRoutes(
  app: FastifyInstance,
  services: Services & {
    readonly lists: ListServices;
    readonly search: SearchServices;
    readonly proximity: ProximityServices;
    readonly publicUrl: string;
    readonly fieldRequests: FieldRequestServices;
  },
): void {
  app.post<{ Body: WatchBody }>(
    '/v1/watches',
    {
      config: { protected: true },
      schema: {
        ...common,
        operationId: 'registerWatch',
        summary: 'Be told when a publication changes an answer',
        description:
          'A site, up to 500 parcels or a search is asked again after each publication, in the release before and in the new one. Where the answer differs, the webhook or the address is told the old and the new value and the files that differ, at least once. Nothing is told where nothing changed. Free; how many an account may have is part of its plan.',
        body: WatchBody,
        response: {
          201: WatchAccepted,
          ...errorResponses(
            [
              ...BODY_CODES,
              'invalid_request',
              'fields_unknown',
              'watches_too_many',
              'site_not_found',
              'parcel_not_found',
              'search_invalid_request',
              'search_unavailable',
              'area_too_large',
              'coord_out_of_bounds',
            ],
            true,
          ),
        },
      },
    },
    async (request, reply) => {
      const ctx = contextOf(request, reply, services, WATCH_LIMIT_MS);
      const { client } = services.fieldRequests;
      return reply.code(201).send(await registerWatch(ctx, { sets: setServices(ctx, services), client }, request.body));
    },
  );
  app.get<{ Querystring: ListQuery }>(
    '/v1/watches',
    {
      config: { protected: true },
      schema: {
        ...common,
        operationId: 'listWatches',
        summary: 'The watches of the account',
        description: 'Newest first. Go on with `next_cursor` until it is null. Free.',
        querystring: ListQuery,
        response: {
          200: WatchList,
          ...errorResponses([...AUTH_CODES, 'rate_limited', 'state_unavailable', 'list_cursor_invalid'], true),
        },
      },
    },
    (request, reply) => listWatches(contextOf(request, reply, services, WATCH_LIMIT_MS), services.lists, request.query),
  );
  app.get<{ Params: WatchParams }>(
    '/v1/watches/:watch_id',
    {
      config: { protected: true },
      schema: {
        ...common,
        operationId: 'watch',
        summary: 'A watch',
        description: 'What it is about, what was told last, and whether that reached the callback. Free.',
        params: WatchParams,
        response: { 200: WatchRecord, ...errorResponses(READ_CODES) },
      },
    },
    (request, reply) => readWatch(contextOf(request, reply, services, WATCH_LIMIT_MS), request.params.watch_id),
  );
  app.delete<{ Params: WatchParams }>(
    '/v1/watches/:watch_id',
    {
      config: { protected: true, parse: parseOptional },
      schema: {
        ...common,
        operationId: 'deleteWatch',
        summary: 'Delete a watch',
        description: 'Nothing more is told, nor what waits to be sent. Free.',
        params: WatchParams,
        response: {
          204: Type.Null({ description: 'Deleted.' }),
          ...errorResponses([...READ_CODES, 'body_too_large', 'unsupported_media_type']),
        },
      },
    },
    async (request, reply) => {
      await deleteWatch(contextOf(request, reply, services, WATCH_LIMIT_MS), request.params.watch_id);
      return reply.code(204).send();
    },
  );
}
