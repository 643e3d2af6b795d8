import type { FastifyInstance } from 'fastify';
import type { Services } from '../context.ts';
import { contextOf } from '../http/context.ts';
import { BODY_CODES, errorResponses } from '../http/error-schema.ts';
import { ofRelease } from '../http/header-schema.ts';
import type { Limits } from '../limits.ts';
import { SEARCH_LIMIT_MS, type SearchServices } from '../search/operation.ts';
import { unjudged } from '../search/route.ts';
import { findOwnerParcels, findOwners, ownerParcelsText } from './operation.ts';
import { OwnerParcelsBody, OwnerParcelsResponse, OwnersBody, OwnersResponse } from './schema.ts';

const TAGS = ['Sets of parcels'];
const CODES = [...BODY_CODES, 'search_invalid_request', 'search_unavailable'] as const;

/** POST /v1/owners and POST /v1/owners/parcels. */
export function ownerRoutes(
  app: FastifyInstance,
  services: Services & { readonly limits: Limits; readonly search: SearchServices },
): void {
  const config = { protected: true, withoutState: true };
  const security = [{ bearer: [] }];
  app.post(
    '/v1/owners',
    {
      config,
      schema: {
        operationId: 'owners',
        tags: TAGS,
        summary: 'Owners by name, with what they have',
        description:
          'However rolls spell them: entity forms, the order of names and `&` make no other owner. With the number of parcels, acres and value. Where the release has no owners, or not of all counties, `status` is `partial`. Free.',
        security,
        body: OwnersBody,
        response: { 200: ofRelease(OwnersResponse), ...errorResponses([...CODES]) },
      },
      ...unjudged(services.limits),
    },
    (request, reply) => findOwners(contextOf(request, reply, services, SEARCH_LIMIT_MS), services.search, request.body),
  );
  app.post(
    '/v1/owners/parcels',
    {
      config,
      schema: {
        operationId: 'ownerParcels',
        tags: TAGS,
        summary: 'The parcels of one owner',
        description: 'As a search writes its matches, with `parcel_id`, in stored order, page by page. Free.',
        security,
        body: OwnerParcelsBody,
        response: { 200: ofRelease(OwnerParcelsResponse), ...errorResponses([...CODES, 'owner_not_found']) },
      },
      ...unjudged(services.limits),
    },
    async (request, reply) => {
      const ctx = contextOf(request, reply, services, SEARCH_LIMIT_MS);
      const response = await findOwnerParcels(ctx, services.search, request.body);
      return reply.type('application/json; charset=utf-8').send(Buffer.from(ownerParcelsText(response)));
    },
  );
}
