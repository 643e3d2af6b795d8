import type { FastifyError, FastifyInstance } from 'fastify';
import type { Services } from '../context.ts';
import { AUTH_CODES } from '../errors/auth.ts';
import { contextOf } from '../http/context.ts';
import { BODY_CODES, errorResponses } from '../http/error-schema.ts';
import { failureHandler } from '../http/failure.ts';
import { ShapeError, shapeIssues } from '../http/shape.ts';
import type { Limits } from '../limits.ts';
import type { ListServices } from '../listing/page.ts';
import { ListQuery } from '../listing/schema.ts';
import type { FieldRequestServices } from './filing.ts';
import { FILING_LIMIT_MS, fileFieldRequest } from './filing.ts';
import { payloadRefused } from './payload.ts';
import { listFieldRequests, readFieldRequest } from './reading.ts';
import {
  FieldRequestAccepted,
  FieldRequestBody,
  FieldRequestList,
  FieldRequestParams,
  FieldRequestRecord,
} from './schema.ts';
import { unavailable } from './unavailable.ts';
import { withdrawFieldRequest } from './withdrawal.ts';

const READING_LIMIT_MS = 10_000;

/** Turns faults of shape and outages, including those from the guard, into errors of field requests. */
function inTheirWords(error: unknown, body: unknown): unknown {
  if (error instanceof ShapeError) return payloadRefused(error.issues);
  const { validation } = error as Partial<FastifyError>;
  return validation ? payloadRefused(shapeIssues(validation, body)) : unavailable(error);
}

/** POST and GET /v1/field-requests, GET and DELETE /v1/field-requests/{request_id}. */
export function fieldRequestRoutes(
  app: FastifyInstance,
  services: Services & {
    readonly limits: Limits;
    readonly fieldRequests: FieldRequestServices;
    readonly lists: ListServices;
  },
): void {
  const fail = failureHandler(services.limits.bodyLimit);
  const others = BODY_CODES.filter(code => code !== 'state_unavailable');
  app.post<{ Body: FieldRequestBody }>(
    '/v1/field-requests',
    {
      config: { protected: true, withoutState: true },
      schema: {
        operationId: 'fileFieldRequest',
        tags: ['Field requests'],
        summary: 'Ask for a data point that the catalog lacks',
        description:
          'The request is kept and screened in the background: what the catalog answers already is matched, what can be built is queued. Read it with GET, or name a `callback`. The same request under the same `idempotency_key` is that request again (200): a `callback` that comes replaces its callback, its first `context_blob` stays. Mail goes to the verified address of the account; any other address is asked first, by a mail with a link.',
        security: [{ bearer: [] }],
        body: FieldRequestBody,
        response: {
          202: FieldRequestAccepted,
          200: { ...FieldRequestAccepted, description: 'The same request again, as it is now.' },
          ...errorResponses(
            [
              ...others,
              'invalid_payload',
              'context_blob_too_large',
              'invalid_locator',
              'location_out_of_bounds',
              'invalid_geometry',
              'address_form_unsupported',
              'location_unresolved',
              'address_too_coarse',
              'idempotency_key_reused',
              'field_requests_limited',
              'fetch_busy',
              'geocode_busy',
              'geocode_upstream_error',
              'geocode_timeout',
              'geocode_forbidden',
              'geocode_budget_exhausted',
              'geocode_unconfigured',
              'field_requests_unavailable',
            ],
            false,
            { address_too_coarse: 422 },
          ),
        },
      },
      errorHandler: (error, request, reply) => fail(inTheirWords(error, request.body), request, reply),
    },
    async (request, reply) => {
      const ctx = contextOf(request, reply, services, FILING_LIMIT_MS);
      const { filed, answer } = await fileFieldRequest(ctx, services.fieldRequests, request.body);
      return reply.code(filed ? 202 : 200).send(answer);
    },
  );
  app.get<{ Querystring: ListQuery }>(
    '/v1/field-requests',
    {
      config: { protected: true, withoutState: true },
      schema: {
        operationId: 'listFieldRequests',
        tags: ['Field requests'],
        summary: 'The field requests of the account',
        description:
          'Newest first, each as it is read by its id, without `context_blob`. Go on with `next_cursor` until it is null. It costs no credits.',
        security: [{ bearer: [] }],
        querystring: ListQuery,
        response: {
          200: FieldRequestList,
          ...errorResponses([
            ...AUTH_CODES,
            'rate_limited',
            'invalid_payload',
            'list_cursor_invalid',
            'field_requests_unavailable',
          ]),
        },
      },
      errorHandler: (error, request, reply) => fail(inTheirWords(error, undefined), request, reply),
    },
    (request, reply) =>
      listFieldRequests(contextOf(request, reply, services, READING_LIMIT_MS), services.lists, request.query),
  );
  app.get<{ Params: FieldRequestParams }>(
    '/v1/field-requests/:request_id',
    {
      config: { protected: true, withoutState: true },
      schema: {
        operationId: 'fieldRequest',
        tags: ['Field requests'],
        summary: 'A field request, whatever became of it',
        description:
          'The source of truth, also when callbacks fail. Requests are read only by the account that filed them. `disposition` says what screening found for each part of the request; `resume` is a fetch request that gives the value.',
        security: [{ bearer: [] }],
        params: FieldRequestParams,
        response: {
          200: FieldRequestRecord,
          ...errorResponses([...AUTH_CODES, 'rate_limited', 'field_request_not_found', 'field_requests_unavailable']),
        },
      },
      errorHandler: (error, request, reply) => fail(inTheirWords(error, undefined), request, reply),
    },
    (request, reply) =>
      readFieldRequest(contextOf(request, reply, services, READING_LIMIT_MS), request.params.request_id),
  );
  app.delete<{ Params: FieldRequestParams }>(
    '/v1/field-requests/:request_id',
    {
      config: { protected: true, withoutState: true },
      schema: {
        operationId: 'withdrawFieldRequest',
        tags: ['Field requests'],
        summary: 'Withdraw a field request',
        description:
          'Ends a request that has not ended: it is `blocked` then, with code `other`. It can still be read, and no callback tells of it. Sent again, it answers the same. It costs no credits.',
        security: [{ bearer: [] }],
        params: FieldRequestParams,
        response: {
          200: FieldRequestRecord,
          ...errorResponses([
            ...AUTH_CODES,
            'rate_limited',
            'field_request_not_found',
            'field_request_ended',
            'field_requests_unavailable',
          ]),
        },
      },
      errorHandler: (error, request, reply) => fail(inTheirWords(error, undefined), request, reply),
    },
    (request, reply) =>
      withdrawFieldRequest(contextOf(request, reply, services, READING_LIMIT_MS), request.params.request_id),
  );
}
