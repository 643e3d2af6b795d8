import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { bearerToken } from '../auth/bearer.ts';
import type { SessionService } from '../auth/session.ts';
import type { TokenService } from '../auth/token.ts';
import type { Services } from '../context.ts';
import { AUTH_CODES } from '../errors/auth.ts';
import { contextOf } from '../http/context.ts';
import { BODY_CODES, errorResponses } from '../http/error-schema.ts';
import { fillBody, parseOptional } from '../http/optional-body.ts';
import type { AccountNotices } from '../mail/account-notices.ts';
import { browserSession } from '../provider/browser-session.ts';
import type { EmbeddedProvider } from '../provider/embedded.ts';
import { grantRoutes } from './grants/route.ts';
import { changeSettings, readUsage, signOut } from './operation.ts';
import { SettingsBody, SettingsResponse, SignOutBody, UsageResponse } from './schema.ts';
import { tokenRoutes } from './tokens/route.ts';

const LIMIT_MS = 5_000;

/** The routes below /v1/users/me. */
export function accountRoutes(
  app: FastifyInstance,
  services: Services & {
    readonly tokens: TokenService;
    readonly notices: AccountNotices;
    readonly sessions: SessionService;
    readonly embedded: EmbeddedProvider;
  },
): void {
  app.get(
    '/v1/users/me/usage',
    {
      config: { protected: true },
      schema: {
        operationId: 'usage',
        tags: ['Account'],
        summary: 'Credits used this month',
        response: {
          200: UsageResponse,
          ...errorResponses([...AUTH_CODES, 'rate_limited', 'state_unavailable']),
        },
      },
    },
    async (request, reply) => {
      return readUsage(contextOf(request, reply, services, LIMIT_MS));
    },
  );
  app.patch<{ Body: SettingsBody }>(
    '/v1/users/me/settings',
    {
      config: { protected: true, sessionOnly: true },
      schema: {
        operationId: 'change_settings',
        tags: ['Account'],
        summary: 'Set what the account may spend a month',
        body: SettingsBody,
        response: {
          200: SettingsResponse,
          ...errorResponses([...BODY_CODES, 'auth_method_not_allowed'], true),
        },
      },
    },
    async (request, reply) => {
      return changeSettings(contextOf(request, reply, services, LIMIT_MS), request.body);
    },
  );
  app.post<{ Body: SignOutBody }>(
    '/v1/users/me/sign-out',
    {
      config: { protected: true, sessionOnly: true, revokes: true, parse: parseOptional },
      preValidation: fillBody,
      schema: {
        operationId: 'sign_out',
        tags: ['Account'],
        summary: 'Sign out, here or everywhere',
        description:
          'The session ends on every server at once, with the sign-in of the browser that sends its cookies along.',
        body: SignOutBody,
        response: {
          204: Type.Null({ description: 'Signed out.' }),
          ...errorResponses([...BODY_CODES, 'auth_method_not_allowed'], true),
        },
      },
    },
    async (request, reply) => {
      const { sessions, embedded } = services;
      const browser = await browserSession(embedded, request, reply);
      const session = bearerToken([request.headers.authorization!]);
      await signOut(contextOf(request, reply, services, LIMIT_MS), sessions, session, request.body);
      await browser.end();
      return reply.code(204).send();
    },
  );
  tokenRoutes(app, services);
  grantRoutes(app, { ...services, agents: services.embedded.grants });
}
