import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Services } from '../../context.ts';
import { AUTH_CODES } from '../../errors/auth.ts';
import { contextOf } from '../../http/context.ts';
import { errorResponses } from '../../http/error-schema.ts';
import { parseOptional } from '../../http/optional-body.ts';
import { type GrantServices, listGrants, revokeGrant } from './operation.ts';
import { GrantListResponse, GrantParams } from './schema.ts';

const LIMIT_MS = 5_000;
const CODES = [...AUTH_CODES, 'auth_method_not_allowed', 'rate_limited', 'state_unavailable'] as const;
const tags = ['Account'];

/** The two endpoints of what may act for an account. */
export function grantRoutes(app: FastifyInstance, services: Services & GrantServices): void {
  app.get(
    '/v1/users/me/grants',
    {
      config: { protected: true, sessionOnly: true, revokes: true },
      schema: {
        operationId: 'list_grants',
        tags,
        summary: 'Agents, devices and tokens that may act for the account',
        response: { 200: GrantListResponse, ...errorResponses(CODES) },
      },
    },
    (request, reply) => {
      return listGrants(contextOf(request, reply, services, LIMIT_MS), services);
    },
  );
  app.delete<{ Params: { id: string } }>(
    '/v1/users/me/grants/:id',
    {
      config: { protected: true, sessionOnly: true, revokes: true, parse: parseOptional },
      schema: {
        operationId: 'revoke_grant',
        tags,
        summary: 'Revoke an agent, a device or a token',
        description: 'All its tokens end on every server at once. A second time changes nothing.',
        params: GrantParams,
        response: {
          204: Type.Null({ description: 'Revoked.' }),
          ...errorResponses([...CODES, 'body_too_large', 'unsupported_media_type', 'grant_not_found']),
        },
      },
    },
    async (request, reply) => {
      await revokeGrant(contextOf(request, reply, services, LIMIT_MS), services, request.params.id);
      return reply.code(204).send();
    },
  );
}
