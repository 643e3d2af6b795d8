import type { FastifyInstance } from 'fastify';
import type { Services } from '../context.ts';
import { AUTH_CODES } from '../errors/auth.ts';
import type { FieldRequestServices } from '../field-requests/filing.ts';
import { ADDRESS_CODES } from '../geocode/schema.ts';
import { contextOf } from '../http/context.ts';
import { BODY_CODES, errorResponses } from '../http/error-schema.ts';
import type { ListServices } from '../listing/page.ts';
import { ListQuery } from '../listing/schema.ts';
import type { SearchServices } from '../search/operation.ts';
import { FILING_LIMIT_MS, fileCorrection } from './filing.ts';
import { listCorrections, readCorrection } from './reading.ts';
import { CorrectionAccepted, CorrectionBody, CorrectionList, CorrectionParams, CorrectionRecord } from './schema.ts';

const READING_LIMIT_MS = 10_000;

/** POST and GET /v1/corrections, GET /v1/corrections/{correction_id}. */
export function correctionRoutes(
  app: FastifyInstance,
  services: Services & {
    readonly fieldRequests: FieldRequestServices;
    readonly lists: ListServices;
    readonly search: SearchServices;
  },
): void {
  const own = { client: services.fieldRequests.client, search: services.search };
  app.post<{ Body: CorrectionBody }>(
    '/v1/corrections',
    {
      config: { protected: true },
      schema: {
        operationId: 'fileCorrection',
        tags: ['Corrections'],
        summary: 'Say that a value is wrong, and what it is',
        description:
          'People review it, and no answer tells it before. A field of a parcel is corrected for the parcel that the place lies in; another one for the place, 10 m about it, or for all of a parcel that is named. Once it is accepted, records say so: `source` is `correction:` and the dataset, `confidence` medium, and `notes` what the source says. It costs no credits. What became of it is told to `callback`, or by mail to the account.',
        security: [{ bearer: [] }],
        body: CorrectionBody,
        response: {
          202: CorrectionAccepted,
          ...errorResponses([
            ...BODY_CODES,
            'invalid_locator',
            'coord_out_of_bounds',
            'fields_unknown',
            'parcel_not_found',
            'corrections_limited',
            'search_unavailable',
            'fetch_busy',
            'worker_stopped',
            ...ADDRESS_CODES,
          ]),
        },
      },
    },
    async (request, reply) => {
      const ctx = contextOf(request, reply, services, FILING_LIMIT_MS);
      return reply.code(202).send(await fileCorrection(ctx, own, request.body));
    },
  );
  app.get<{ Querystring: ListQuery }>(
    '/v1/corrections',
    {
      config: { protected: true },
      schema: {
        operationId: 'listCorrections',
        tags: ['Corrections'],
        summary: 'The corrections of the account',
        description: 'Newest first. Go on with `next_cursor` until it is null. It costs no credits.',
        security: [{ bearer: [] }],
        querystring: ListQuery,
        response: {
          200: CorrectionList,
          ...errorResponses([...AUTH_CODES, 'rate_limited', 'state_unavailable', 'list_cursor_invalid'], true),
        },
      },
    },
    (request, reply) =>
      listCorrections(contextOf(request, reply, services, READING_LIMIT_MS), services.lists, request.query),
  );
  app.get<{ Params: CorrectionParams }>(
    '/v1/corrections/:correction_id',
    {
      config: { protected: true },
      schema: {
        operationId: 'correction',
        tags: ['Corrections'],
        summary: 'A correction, whatever became of it',
        description: 'Read only by the account that filed it. `source_says` is what was answered when it was filed.',
        security: [{ bearer: [] }],
        params: CorrectionParams,
        response: {
          200: CorrectionRecord,
          ...errorResponses([...AUTH_CODES, 'rate_limited', 'state_unavailable', 'correction_not_found']),
        },
      },
    },
    (request, reply) =>
      readCorrection(contextOf(request, reply, services, READING_LIMIT_MS), request.params.correction_id),
  );
}
