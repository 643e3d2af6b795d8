import type { FastifyInstance } from 'fastify';
import type { Services } from '../context.ts';
import { contextOf } from '../http/context.ts';
import { BODY_CODES, errorResponses } from '../http/error-schema.ts';
import { metered, ofRelease } from '../http/header-schema.ts';
import { GEOCODE_LIMIT_MS, geocodeAddress } from './operation.ts';
import { ADDRESS_CODES, GeocodeBody } from './schema.ts';

/** POST /v1/geocode. */
export function geocodeRoutes(app: FastifyInstance, services: Services): void {
  app.post<{ Body: GeocodeBody }>(
    '/v1/geocode',
    {
      config: { protected: true },
      schema: {
        operationId: 'geocode',
        tags: ['Addresses'],
        summary: 'The place of an address',
        description:
          'The coordinate of a street address, how it was derived and how similar the matched address is. Compare `normalized_address` with what was typed. An address that fits several places alike is not resolved: POST /v1/lookup offers the candidates. Nothing is charged for an address that is not resolved.',
        security: [{ bearer: [] }],
        body: GeocodeBody,
        response: {
          200: ofRelease(metered({ $ref: 'GeocodeBlock#' })),
          ...errorResponses([...BODY_CODES, ...ADDRESS_CODES, 'credits_exhausted'], true),
        },
      },
    },
    (request, reply) => geocodeAddress(contextOf(request, reply, services, GEOCODE_LIMIT_MS), request.body),
  );
}
