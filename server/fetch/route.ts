import type { FastifyInstance } from 'fastify';
import type { Services } from '../context.ts';
import { type FormatServices, formatOf, inFormats, sendFormat } from '../formats/accept.ts';
import { ADDRESS_CODES } from '../geocode/schema.ts';
import { GeocodeBlockSchema } from '../geocoder/block.ts';
import { contextOf } from '../http/context.ts';
import { BODY_CODES, errorResponses } from '../http/error-schema.ts';
import { metered, ofRelease } from '../http/header-schema.ts';
import { jsonOf } from '../http/written-json.ts';
import { noteFirstCall } from '../onboarding/first-call.ts';
import { LOCATION_LIMIT_MS } from './location.ts';
import { fetchFields } from './operation.ts';
import { FetchBody, FetchResponse, FieldRecord, PartialFailure, ResolvedLocation } from './schema.ts';

/** POST /v1/fetch. */
export function fetchRoutes(app: FastifyInstance, services: Services & FormatServices): void {
  for (const schema of [FieldRecord, PartialFailure, ResolvedLocation, GeocodeBlockSchema]) app.addSchema(schema);
  app.post<{ Body: FetchBody }>(
    '/v1/fetch',
    {
      config: { protected: true, guests: true },
      schema: {
        operationId: 'fetch',
        tags: ['Data'],
        summary: 'Named fields at one location',
        description:
          'Answers every requested field with value, source, vintage and status. Absence is an answer; a failed source is a `failed` entry, listed in `partial_failures`, and the response stays 200. Failed fields are not charged; absent ones are, and values from the 24-hour cache cost what fresh ones cost. An address is resolved first, which costs one credit unless it was resolved for this account in the last 30 days, and echoed as `geocode`.',
        security: [{ bearer: [] }],
        body: FetchBody,
        response: {
          200: inFormats(ofRelease(metered(FetchResponse))),
          ...errorResponses(
            [
              ...BODY_CODES,
              'not_acceptable',
              'coord_out_of_bounds',
              'no_fields_requested',
              'fields_unknown',
              'fields_too_many',
              'invalid_locator',
              'release_not_kept',
              'credits_exhausted',
              'fetch_busy',
              ...ADDRESS_CODES,
            ],
            true,
          ),
        },
      },
    },
    async (request, reply) => {
      const format = formatOf(request);
      const ctx = contextOf(request, reply, services, LOCATION_LIMIT_MS);
      const result = await fetchFields(ctx, request.body);
      await noteFirstCall(ctx, request.headers, result);
      if (!format) return result;
      return sendFormat(reply, services, format, { source: { of: 'fetch' }, json: jsonOf(result) });
    },
  );
}
