import type { FastifyInstance } from 'fastify';
import type { Services } from '../context.ts';
import { contextOf } from '../http/context.ts';
import { BODY_CODES, errorResponses } from '../http/error-schema.ts';
import { metered, ofRelease } from '../http/header-schema.ts';
import type { LookupServices } from './operation.ts';
import { LOOKUP_LIMIT_MS, lookUp } from './operation.ts';
import { LookupBody, LookupResponse } from './schema.ts';

/** POST /v1/lookup. */
export function lookupRoutes(app: FastifyInstance, services: Services & { readonly lookup: LookupServices }): void {
  app.post<{ Body: LookupBody }>(
    '/v1/lookup',
    {
      config: { protected: true },
      schema: {
        operationId: 'lookup',
        tags: ['Addresses'],
        summary: 'The join keys of a place',
        description:
          'An address or coordinate with its jurisdictions, hazards, county market and parcel. `resolved` is one place; `clarify` offers up to three that fit alike and picks none; `no_match` says why and what to send instead. A value without data is null, each for itself; POST /v1/fetch says why and from which source.',
        security: [{ bearer: [] }],
        body: LookupBody,
        response: {
          200: ofRelease(metered(LookupResponse)),
          ...errorResponses(
            [
              ...BODY_CODES,
              'resolve_invalid_input',
              'resolve_coord_bounds',
              'release_not_kept',
              'address_form_unsupported',
              'credits_exhausted',
              'resolve_busy',
              'resolve_timeout',
              'geocode_upstream_error',
              'geocode_forbidden',
              'geocode_budget_exhausted',
              'geocode_unconfigured',
            ],
            true,
          ),
        },
      },
    },
    (request, reply) => lookUp(contextOf(request, reply, services, LOOKUP_LIMIT_MS), services.lookup, request.body),
  );
}
