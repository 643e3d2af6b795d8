import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

/** Seconds for which a browser may keep the answer to a preflight request. */
const PREFLIGHT_SECONDS = 600;
/** Headers that pages of other origins may read, beside those that CORS always allows. */
const EXPOSED = [
  'ETag',
  'Mcp-Session-Id',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-ID',
  'X-Service-Credits',
  'X-Service-Credits-Remaining',
  'X-Service-Next-Cursor',
  'X-Service-Notice',
  'X-Service-Receipt',
  'X-Service-Release',
  'X-Service-Run-Credits',
];

/**
 * Allows pages of other origins to call the API (CORS). They must send a token of their own, because browsers send no
 * cookies of this server along.
 * Call it before answerUnrouted.
 * @param origins such as `https://app.example.org`; `*` allows all; an empty list changes nothing.
 */
export async function letOriginsIn(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  const all = origins.includes('*');
  await app.register(cors, {
    origin: (origin, answer) => answer(null, all ? '*' : origin !== undefined && origins.includes(origin) && origin),
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
    exposedHeaders: EXPOSED,
    maxAge: PREFLIGHT_SECONDS,
    // A preflight that names no method gets the same answer as without this setting.
    strictPreflight: false,
  });
}
