import type { FastifyInstance } from 'fastify';
import type { Services } from '../context.ts';
import { type FormatServices, formatOf, inFormats, sendFormat } from '../formats/accept.ts';
import { contextOf } from '../http/context.ts';
import { BODY_CODES, errorResponses } from '../http/error-schema.ts';
import { metered, ofRelease } from '../http/header-schema.ts';
import { jsonOf } from '../http/written-json.ts';
import { BATCH_LIMIT_MS, batchBytes, fetchBatch } from './batch.ts';
import { BatchBody, BatchHeaders, BatchResponse } from './batch-schema.ts';

/** POST /v1/fetch/batch. */
export function batchRoutes(app: FastifyInstance, services: Services & FormatServices): void {
  app.post<{ Body: BatchBody }>(
    '/v1/fetch/batch',
    {
      config: { protected: true, answerBytes: batchBytes },
      schema: {
        operationId: 'fetchBatch',
        tags: ['Data'],
        summary: 'Named fields at 1 to 25 locations',
        description:
          'Four locations at a time, at most 90 seconds together; allow a client 120. A location that fails is an entry with `ok: false` and costs nothing, never a failed request. When the allowance does not cover every location, those it covers run and the others are `credits_exhausted` entries.',
        security: [{ bearer: [] }],
        headers: BatchHeaders,
        body: BatchBody,
        response: {
          200: inFormats(ofRelease(metered(BatchResponse))),
          ...errorResponses(
            [
              ...BODY_CODES,
              'not_acceptable',
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
      const format = formatOf(request);
      const result = await fetchBatch(contextOf(request, reply, services, BATCH_LIMIT_MS), request.body, {
        idempotencyKey: (request.headers['idempotency-key'] as string | undefined) ?? null,
      });
      if (!format) return result;
      return sendFormat(reply, services, format, { source: { of: 'batch' }, json: jsonOf(result) });
    },
  );
}
