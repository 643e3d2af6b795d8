import type { FastifyInstance } from 'fastify';
import type { Services } from '../context.ts';
import { LOCATION_LIMIT_MS } from '../fetch/location.ts';
import { ADDRESS_CODES } from '../geocode/schema.ts';
import { contextOf } from '../http/context.ts';
import { BODY_CODES, errorResponses } from '../http/error-schema.ts';
import { ofRelease } from '../http/header-schema.ts';
import { enrichPlace, enrichText } from './operation.ts';
import { ENRICH_SCHEMAS, EnrichBody, EnrichResponse } from './schema.ts';

/** POST /v1/enrich. */
export function enrichRoutes(app: FastifyInstance, services: Services): void {
  for (const schema of ENRICH_SCHEMAS) app.addSchema(schema);
  app.post<{ Body: EnrichBody }>(
    '/v1/enrich',
    {
      config: { protected: true, withoutState: true, guests: true },
      schema: {
        operationId: 'enrich',
        tags: ['Parcels'],
        summary: 'Everything known of one parcel',
        description:
          "Matches the place to one parcel and answers the requested fields for it at the parcel's stored interior point, each with its provenance and with what it means to someone who must act on it. Without `fields` and `preset` all are answered. `ambiguous`, `no_match` and `unavailable` say why in `reason` and answer no fields; an ambiguous place lists its candidates. A failed field is neither zero nor a negative finding: retry it where `retryable` is true. Costs nothing.",
        security: [{ bearer: [] }],
        body: EnrichBody,
        response: {
          200: ofRelease(EnrichResponse),
          ...errorResponses(
            [
              ...BODY_CODES,
              'coord_out_of_bounds',
              'fields_unknown',
              'release_not_kept',
              'fetch_busy',
              ...ADDRESS_CODES,
            ],
            true,
          ),
        },
      },
    },
    async (request, reply) => {
      const result = await enrichPlace(contextOf(request, reply, services, LOCATION_LIMIT_MS), request.body);
      return reply.type('application/json; charset=utf-8').send(enrichText(result));
    },
  );
}
