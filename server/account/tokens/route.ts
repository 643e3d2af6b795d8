import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { TokenService } from '../../auth/token.ts';
import type { Services } from '../../context.ts';
import { AUTH_CODES } from '../../errors/auth.ts';
import { contextOf } from '../../http/context.ts';
import { BODY_CODES, errorResponses } from '../../http/error-schema.ts';
import { fillBody, parseOptional } from '../../http/optional-body.ts';
import type { AccountNotices } from '../../mail/account-notices.ts';
import { createToken, listTokens, revealToken, revokeToken } from './operation.ts';
import {
  TokenCreateBody,
  TokenCreated,
  TokenListResponse,
  TokenParams,
  TokenRecordSchema,
  TokenRevealed,
} from './schema.ts';

const LIMIT_MS = 5_000;
const CODES = [...AUTH_CODES, 'auth_method_not_allowed', 'rate_limited', 'state_unavailable'] as const;

const tags = ['Account'];

/** A body that needs no content: none is accepted like an empty object. */
const NoBody = Type.Object({}, { additionalProperties: false });

/** The four endpoints of an account's API tokens. */
export function tokenRoutes(
  app: FastifyInstance,
  services: Services & { readonly tokens: TokenService; readonly notices: AccountNotices },
): void {
  const { tokens } = services;
  const ctxOf = (request: FastifyRequest, reply: FastifyReply) => contextOf(request, reply, services, LIMIT_MS);
  app.addSchema(TokenRecordSchema);
  app.get(
    '/v1/users/me/tokens',
    {
      config: { protected: true, sessionOnly: true, revokes: true },
      schema: {
        operationId: 'list_tokens',
        tags,
        summary: 'API tokens of the account',
        response: { 200: TokenListResponse, ...errorResponses(CODES) },
      },
    },
    (request, reply) => listTokens(ctxOf(request, reply), tokens),
  );
  app.post<{ Body: TokenCreateBody }>(
    '/v1/users/me/tokens',
    {
      config: { protected: true, sessionOnly: true, parse: parseOptional },
      preValidation: fillBody,
      schema: {
        operationId: 'create_token',
        tags,
        summary: 'Create an API token',
        description: 'The token itself is in this answer alone, and in those of reveal while it is `recoverable`.',
        body: TokenCreateBody,
        response: {
          201: TokenCreated,
          ...errorResponses([...BODY_CODES, 'auth_method_not_allowed', 'tokens_too_many'], true),
        },
      },
    },
    async (request, reply) => reply.code(201).send(await createToken(ctxOf(request, reply), services, request.body)),
  );
  app.post<{ Params: { id: string } }>(
    '/v1/users/me/tokens/:id/reveal',
    {
      config: { protected: true, sessionOnly: true, parse: parseOptional },
      preValidation: fillBody,
      schema: {
        operationId: 'reveal_token',
        tags,
        summary: 'Show an active API token again',
        description: 'Ten times a minute, whichever token.',
        params: TokenParams,
        body: NoBody,
        response: {
          200: TokenRevealed,
          ...errorResponses(
            [...BODY_CODES, 'auth_method_not_allowed', 'token_not_found', 'token_not_active', 'token_not_recoverable'],
            true,
          ),
        },
      },
    },
    (request, reply) => revealToken(ctxOf(request, reply), tokens, request.params.id),
  );
  app.delete<{ Params: { id: string } }>(
    '/v1/users/me/tokens/:id',
    {
      config: { protected: true, revokes: true, parse: parseOptional },
      schema: {
        operationId: 'revoke_token',
        tags,
        summary: 'Revoke an API token',
        description:
          'A session revokes any token of its account, an API token only itself. A second time changes nothing.',
        params: TokenParams,
        response: {
          204: Type.Null({ description: 'Revoked: every server refuses it from now on.' }),
          ...errorResponses([...CODES, 'body_too_large', 'unsupported_media_type', 'token_not_found']),
        },
      },
    },
    async (request, reply) => {
      await revokeToken(ctxOf(request, reply), request.params.id);
      return reply.code(204).send();
    },
  );
}
