import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Ctx, Services } from '../context.ts';
import { AUTH_CODES } from '../errors/auth.ts';
import { ServiceError } from '../errors/registry.ts';
import { QuoteResponse } from '../fetch/quote-schema.ts';
import { contextOf } from '../http/context.ts';
import { BODY_CODES, errorResponses } from '../http/error-schema.ts';
import { eventStream } from '../http/event-stream.ts';
import { sending } from '../http/header-schema.ts';
import { STREAM_MS } from '../jobs/follower.ts';
import type { ListServices } from '../listing/page.ts';
import { ListQuery } from '../listing/schema.ts';
import type { ProximityServices } from '../proximity/operation.ts';
import type { SearchServices } from '../search/operation.ts';
import { setServices } from '../sets/area-source.ts';
import { sendFile } from './file-answer.ts';
import { UPLOAD_TYPES } from './intake/forms.ts';
import { EXPORT_LIMIT_MS, MOST_BYTES, MOST_ROWS } from './limits.ts';
import { quoteExport } from './quote.ts';
import {
  ExportAccepted,
  ExportBody,
  ExportHeaders,
  ExportList,
  ExportParams,
  ExportResponse,
  FileParams,
  UploadAccepted,
} from './schema.ts';
import { exportStatus, fileOfExport, followExport, listExports, readExport } from './standing.ts';
import { submitExport } from './submission.ts';
import { exportThreads } from './threads.ts';
import { storeUpload } from './upload.ts';
import { takeFiles } from './upload-body.ts';

const READ_CODES = [...AUTH_CODES, 'rate_limited', 'state_unavailable', 'export_not_found'] as const;

/** Codes of whatever judges an export. */
const JUDGE_CODES = [
  ...BODY_CODES,
  'invalid_request',
  'no_fields_requested',
  'fields_unknown',
  'fields_too_many',
  'upload_not_found',
  'search_invalid_request',
  'search_unavailable',
  'release_not_kept',
  'worker_stopped',
] as const;

type ExportServices = Services & {
  readonly lists: ListServices;
  readonly search: SearchServices;
  readonly proximity: ProximityServices;
  readonly publicUrl: string;
};

const common = { tags: ['Exports'], security: [{ bearer: [] }] };
const config = { protected: true };

/** POST /v1/uploads. */
function uploadRoute(app: FastifyInstance, services: ExportServices): void {
  app.register(async scope => {
    takeFiles(scope);
    scope.post(
      '/v1/uploads',
      {
        config,
        bodyLimit: MOST_BYTES,
        // The bytes are read elsewhere.
        validatorCompiler: () => () => true,
        schema: {
          ...common,
          operationId: 'upload',
          summary: 'A list of places, kept for a day',
          description: `CSV, NDJSON, GeoJSON or Parquet, at most ${MOST_ROWS} rows and 64 MB. Each row has a \`custom_id\` of yours, if you like, and \`lat\` and \`lng\`, or \`address\`, or a polygon in \`geometry\` (GeoJSON, WKT, in Parquet WKB), all in WGS84. The numbers of further columns are kept for POST /v1/accumulation. Free.`,
          consumes: Object.keys(UPLOAD_TYPES),
          body: Type.String({ examples: ['custom_id,lat,lng\nhere,44.8016,-68.7712\n'] }),
          response: {
            201: UploadAccepted,
            ...errorResponses([
              ...AUTH_CODES,
              'rate_limited',
              'state_unavailable',
              'upload_invalid',
              'upload_too_large',
              'upload_type_unsupported',
            ]),
          },
        },
      },
      async (request, reply) => {
        const type = (request.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
        const form = UPLOAD_TYPES[type as keyof typeof UPLOAD_TYPES];
        const ctx = contextOf(request, reply, services, EXPORT_LIMIT_MS);
        const threads = exportThreads(services.catalog);
        return reply.code(201).send(await storeUpload(ctx, threads, form, request.body as Buffer));
      },
    );
  });
}

/** Sends the events of an export. */
async function sendEvents(ctx: Ctx, id: string, stream: ReturnType<typeof eventStream>): Promise<void> {
  try {
    await followExport(ctx, id, stream);
  } catch (error) {
    if (!stream.open) throw error;
    stream.send('error', error instanceof ServiceError ? error.body : new ServiceError('state_unavailable').body);
  } finally {
    stream.end();
  }
}

/** POST /v1/uploads, POST and GET /v1/exports, POST /v1/exports/quote, and the routes that read an export, its events and its files. */
export function exportRoutes(app: FastifyInstance, services: ExportServices): void {
  app.addHook('onClose', () => exportThreads(services.catalog).close());
  uploadRoute(app, services);
  app.post<{ Body: ExportBody }>(
    '/v1/exports',
    {
      config,
      schema: {
        ...common,
        operationId: 'submitExport',
        summary: 'A table of many places, made in the background',
        description:
          'Every parcel that passes filters, or every row of an upload, as GeoParquet, FlatGeobuf, Arrow, GeoJSONSeq or CSV. It is judged and its credits are reserved before it is accepted; charged by row when it is done. Kept for 30 days.',
        headers: ExportHeaders,
        body: ExportBody,
        response: {
          202: ExportAccepted,
          ...errorResponses([...JUDGE_CODES, 'credits_exhausted', 'batch_in_progress', 'idempotency_key_reused'], true),
        },
      },
    },
    async (request, reply) => {
      const ctx = contextOf(request, reply, services, EXPORT_LIMIT_MS);
      const key = (request.headers['idempotency-key'] as string | undefined) ?? null;
      return reply.code(202).send(await submitExport(ctx, setServices(ctx, services), request.body, key));
    },
  );
  app.post<{ Body: ExportBody }>(
    '/v1/exports/quote',
    {
      config,
      schema: {
        ...common,
        operationId: 'quoteExport',
        summary: 'Rows and price of an export, without making it',
        description:
          'The body of POST /v1/exports; the answer of POST /v1/fetch/quote, with a location for each row. Free.',
        body: ExportBody,
        response: { 200: QuoteResponse, ...errorResponses(JUDGE_CODES, true) },
      },
    },
    (request, reply) => {
      const ctx = contextOf(request, reply, services, EXPORT_LIMIT_MS);
      return quoteExport(ctx, setServices(ctx, services), request.body);
    },
  );
  app.get<{ Querystring: ListQuery }>(
    '/v1/exports',
    {
      config,
      schema: {
        ...common,
        operationId: 'listExports',
        summary: 'The exports of the account',
        description:
          'How each stands, newest first, until it expires after 30 days. Go on with `next_cursor` until it is null. Free.',
        querystring: ListQuery,
        response: {
          200: ExportList,
          ...errorResponses([...AUTH_CODES, 'rate_limited', 'state_unavailable', 'list_cursor_invalid'], true),
        },
      },
    },
    (request, reply) =>
      listExports(contextOf(request, reply, services, EXPORT_LIMIT_MS), services.lists, request.query),
  );
  app.get<{ Params: ExportParams }>(
    '/v1/exports/:export_id',
    {
      config,
      schema: {
        ...common,
        operationId: 'export',
        summary: 'An export',
        params: ExportParams,
        response: { 200: sending(ExportResponse, 'X-Service-Release'), ...errorResponses(READ_CODES) },
      },
    },
    (request, reply) => readExport(contextOf(request, reply, services, EXPORT_LIMIT_MS), request.params.export_id),
  );
  app.get<{ Params: ExportParams }>(
    '/v1/exports/:export_id/events',
    {
      config,
      schema: {
        ...common,
        operationId: 'exportEvents',
        summary: 'The events of an export',
        description: 'Server-sent events, as those of a run.',
        produces: ['text/event-stream'],
        params: ExportParams,
        response: {
          200: { description: 'The events.', content: { 'text/event-stream': { schema: Type.String() } } },
          ...errorResponses(READ_CODES),
        },
      },
    },
    async (request, reply) => {
      const ctx = contextOf(request, reply, services, STREAM_MS);
      await exportStatus(ctx, request.params.export_id);
      await sendEvents(ctx, request.params.export_id, eventStream(reply));
      return reply;
    },
  );
  app.get<{ Params: FileParams }>(
    '/v1/exports/:export_id/files/:name',
    {
      config,
      schema: {
        ...common,
        operationId: 'exportFile',
        summary: 'A file of an export',
        description: 'Whole, or one range of bytes (`Range`), so that a download can go on. `ETag` is its SHA-256.',
        params: FileParams,
        response: {
          200: sending(
            {
              description: 'The file.',
              content: {
                'application/octet-stream': { schema: Type.Unsafe<string>({ type: 'string', format: 'binary' }) },
              },
            },
            'X-Service-Release',
          ),
          ...errorResponses([
            ...READ_CODES,
            'export_not_ready',
            'export_failed',
            'export_outdated',
            'range_unsatisfiable',
          ]),
        },
      },
    },
    async (request, reply) => {
      const { export_id: id, name } = request.params;
      const ctx = contextOf(request, reply, services, EXPORT_LIMIT_MS);
      return sendFile(request, reply, id, await fileOfExport(ctx, id, name));
    },
  );
}
