import type { FastifyInstance } from 'fastify';
import type { TokenService } from '../auth/token.ts';
import type { Services } from '../context.ts';
import { contextOf } from '../http/context.ts';
import { errorResponses } from '../http/error-schema.ts';
import { fillBody, parseOptional } from '../http/optional-body.ts';
import type { AccountNotices } from '../mail/account-notices.ts';
import { pollDevice, startDevice } from './operation.ts';
import { DevicePollBody, DeviceStartBody, DeviceStarted, DeviceToken } from './schema.ts';

const LIMIT_MS = 5_000;
const tags = ['Onboarding'];
const MOST_NAME = 64;

/** The name of a client that gives none: one line of its User-Agent. */
const agentOf = (header: string | undefined) =>
  (header ?? 'unnamed client').replace(/[^\x20-\x7e]/g, '').slice(0, MOST_NAME) || 'unnamed client';

/** The routes of the device flow (RFC 8628). */
export function deviceRoutes(
  app: FastifyInstance,
  services: Services & { readonly tokens: TokenService; readonly notices: AccountNotices; readonly publicUrl: string },
): void {
  const { publicUrl } = services;
  app.post<{ Body: DeviceStartBody }>(
    '/v1/mcp/device/start',
    {
      config: { parse: parseOptional },
      preValidation: fillBody,
      schema: {
        operationId: 'startDeviceLogin',
        tags,
        summary: 'Begin a login that a user approves in a browser',
        description:
          'Show `user_code` and `verification_uri`, then poll. 20 logins a quarter of an hour from one address.',
        body: DeviceStartBody,
        response: {
          200: DeviceStarted,
          ...errorResponses(
            [
              'device_logins_limited',
              'device_login_unavailable',
              'state_unavailable',
              'body_too_large',
              'unsupported_media_type',
            ],
            true,
          ),
        },
      },
    },
    (request, reply) =>
      startDevice(contextOf(request, reply, services, LIMIT_MS), publicUrl, request.body, {
        name: agentOf(request.headers['user-agent']),
        address: request.ip,
      }),
  );
  app.post<{ Body: DevicePollBody }>(
    '/v1/mcp/device/poll',
    {
      schema: {
        operationId: 'pollDeviceLogin',
        tags,
        summary: 'The API token of a login, once it is approved',
        body: DevicePollBody,
        response: {
          200: DeviceToken,
          ...errorResponses(
            [
              'authorization_pending',
              'slow_down',
              'expired_token',
              'access_denied',
              'state_unavailable',
              'body_too_large',
              'unsupported_media_type',
            ],
            true,
          ),
        },
      },
    },
    (request, reply) => pollDevice(contextOf(request, reply, services, LIMIT_MS), services, request.body),
  );
}
