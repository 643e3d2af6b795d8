import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { GuestService } from '../auth/guest.ts';
import { clientOf } from '../http/client.ts';
import { errorResponses } from '../http/error-schema.ts';
import { fillBody, parseOptional } from '../http/optional-body.ts';
import type { GuestLimit } from '../rate/guest-limit.ts';
import { admitCounted } from '../rate/limit.ts';

const OFF = 'this server lets no guests in: connect with a token, or sign in';

const GuestToken = Type.Object(
  {
    token: Type.Union([Type.String(), Type.Null()], { description: 'Null where the server lets no guests in.' }),
    expires_at: Type.Union([Type.String(), Type.Null()], { description: 'An hour later.' }),
    scopes: Type.Array(Type.Literal('read')),
    reason: Type.Optional(Type.String({ description: 'Why there is none.' })),
  },
  { additionalProperties: false },
);

/** POST /v1/guest: a token with which the pages of the service can look without an account. */
export function guestRoutes(
  app: FastifyInstance,
  { guests, guestLimit }: { readonly guests: GuestService | null; readonly guestLimit: GuestLimit },
): void {
  app.post(
    '/v1/guest',
    {
      config: { parse: parseOptional },
      schema: {
        operationId: 'guest',
        tags: ['Account'],
        summary: 'A token to look around without an account',
        description:
          'It holds an hour, reads the fields of named presets and suggestions, is limited by the address of its client and costs nobody credits. Everything else answers 401. The operator decides whether there are guests (PLAT_GUESTS).',
        security: [],
        body: Type.Object({}, { additionalProperties: false }),
        response: {
          200: GuestToken,
          ...errorResponses(['rate_limited', 'body_too_large', 'unsupported_media_type'], true),
        },
      },
      preValidation: fillBody,
    },
    async (request, reply) => {
      if (!guests) return { token: null, expires_at: null, scopes: [], reason: OFF };
      admitCounted(reply, guestLimit('token', clientOf(request.ip)));
      const { token, expiresAt } = guests.issue();
      return { token, expires_at: new Date(expiresAt).toISOString(), scopes: ['read'] };
    },
  );
}
