import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Services } from '../context.ts';
import { AUTH_CODES } from '../errors/auth.ts';
import { ServiceError } from '../errors/registry.ts';
import { contextOf } from '../http/context.ts';
import { BODY_CODES, errorResponses } from '../http/error-schema.ts';
import { eventStream } from '../http/event-stream.ts';
import { sending } from '../http/header-schema.ts';
import { JSON_TYPE } from '../http/shared-answer.ts';
import { STREAM_MS } from '../jobs/follower.ts';
import type { ListServices } from '../listing/page.ts';
import { ListQuery } from '../listing/schema.ts';
import { toCsv, toFeatures } from './artifacts.ts';
import { followRun } from './events.ts';
import { listRuns, RUN_LIMIT_MS, readRun, readRunResult, runCredits, runStatus, submitRun } from './operation.ts';
import {
  ArtifactFeatures,
  ArtifactParams,
  RunAccepted,
  RunBody,
  RunHeaders,
  RunList,
  RunParams,
  RunResponse,
} from './schema.ts';

const READ_CODES = [...AUTH_CODES, 'rate_limited', 'state_unavailable', 'run_not_found'] as const;

/** POST and GET /v1/runs, and the routes that read a run, its events and its files. */
export function runRoutes(app: FastifyInstance, services: Services & { readonly lists: ListServices }): void {
  const common = { tags: ['Runs'], security: [{ bearer: [] }] };
  app.post<{ Body: RunBody }>(
    '/v1/runs',
    {
      config: { protected: true },
      schema: {
        ...common,
        operationId: 'submitRun',
        summary: 'A batch that is answered in the background',
        description:
          'Judged as POST /v1/fetch/batch is, with its credits reserved, before it is accepted; charged by location when it is done. Kept for 30 days.',
        headers: RunHeaders,
        body: RunBody,
        response: {
          202: RunAccepted,
          ...errorResponses(
            [
              ...BODY_CODES,
              'no_fields_requested',
              'fields_unknown',
              'fields_too_many',
              'invalid_locator',
              'release_not_kept',
              'credits_exhausted',
              'batch_in_progress',
              'idempotency_key_reused',
            ],
            true,
          ),
        },
      },
    },
    async (request, reply) => {
      const ctx = contextOf(request, reply, services, RUN_LIMIT_MS);
      const key = (request.headers['idempotency-key'] as string | undefined) ?? null;
      return reply.code(202).send(await submitRun(ctx, request.body, key));
    },
  );
  app.get<{ Querystring: ListQuery }>(
    '/v1/runs',
    {
      config: { protected: true },
      schema: {
        ...common,
        operationId: 'listRuns',
        summary: 'The runs of the account',
        description:
          'How each stands, newest first, until it expires after 30 days. Go on with `next_cursor` until it is null. It costs no credits.',
        querystring: ListQuery,
        response: {
          200: RunList,
          ...errorResponses([...AUTH_CODES, 'rate_limited', 'state_unavailable', 'list_cursor_invalid'], true),
        },
      },
    },
    (request, reply) => listRuns(contextOf(request, reply, services, RUN_LIMIT_MS), services.lists, request.query),
  );
  app.get<{ Params: RunParams }>(
    '/v1/runs/:run_id',
    {
      config: { protected: true },
      schema: {
        ...common,
        operationId: 'run',
        summary: 'A run',
        params: RunParams,
        response: {
          200: sending(RunResponse, 'X-Service-Run-Credits', 'X-Service-Release'),
          ...errorResponses(READ_CODES),
        },
      },
    },
    async (request, reply) => {
      const ctx = contextOf(request, reply, services, RUN_LIMIT_MS);
      const run = await readRun(ctx, request.params.run_id);
      const credits = await runCredits(ctx, run);
      if (credits !== null) reply.header('x-service-run-credits', credits);
      return reply.type(JSON_TYPE).serializer(String).send(run.text);
    },
  );
  app.get<{ Params: RunParams }>(
    '/v1/runs/:run_id/events',
    {
      config: { protected: true },
      schema: {
        ...common,
        operationId: 'runEvents',
        summary: 'The events of a run',
        description:
          'Server-sent events: `status` on every change, comments as heartbeats, `final` once with the run; an `error` frame `events_timeout` after 15 minutes. What stands now comes first, so `Last-Event-ID` is accepted and needs nothing.',
        produces: ['text/event-stream'],
        params: RunParams,
        response: {
          200: { description: 'The events.', content: { 'text/event-stream': { schema: Type.String() } } },
          ...errorResponses(READ_CODES),
        },
      },
    },
    async (request, reply) => {
      const ctx = contextOf(request, reply, services, STREAM_MS);
      await runStatus(ctx, request.params.run_id);
      const stream = eventStream(reply);
      try {
        await followRun(ctx, request.params.run_id, stream);
      } catch (error) {
        if (!stream.open) throw error;
        stream.send('error', error instanceof ServiceError ? error.body : new ServiceError('state_unavailable').body);
      } finally {
        stream.end();
      }
      return reply;
    },
  );
  app.get<{ Params: ArtifactParams }>(
    '/v1/runs/:run_id/artifacts/:fmt',
    {
      config: { protected: true },
      schema: {
        ...common,
        operationId: 'runArtifact',
        summary: 'The answers of a run as CSV or GeoJSON',
        description:
          'Made from the stored result. In CSV a text that a spreadsheet would run as a formula has an apostrophe before it. Where values come from is in the run itself.',
        params: ArtifactParams,
        response: {
          200: sending(
            {
              description: 'The file.',
              content: { 'text/csv': { schema: Type.String() }, 'application/geo+json': { schema: ArtifactFeatures } },
            },
            'X-Service-Release',
          ),
          ...errorResponses([...READ_CODES, 'run_not_ready', 'run_failed']),
        },
      },
    },
    async (request, reply) => {
      const { run_id: id, fmt } = request.params;
      const { names, result } = await readRunResult(contextOf(request, reply, services, RUN_LIMIT_MS), id);
      reply.header('content-disposition', `attachment; filename="${id}.${fmt}"`);
      if (fmt === 'geojson') return reply.type('application/geo+json; charset=utf-8').send(toFeatures(names, result));
      return reply.type('text/csv; charset=utf-8; header=present').serializer(String).send(toCsv(names, result));
    },
  );
}
