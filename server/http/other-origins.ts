import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

/** Seconds for which a browser need not ask again whether it may ask. */
const PREFLIGHT_SECONDS = 600;
/** Headers that pages of other origins may read beside the ordinary ones. */
const EXPOSED = ['ETag', 'Mcp-Session-Id', 'Retry-After', 'WWW-Authenticate', 'X-Request-ID'];

/**
 * Lets pages of other origins in, which browsers keep out otherwise. They come with a token of their own: cookies of this
 * server are never sent along.
 * Must be registered before what answers requests that no route answers.
 * @param origins such as `https://app.example.org`; `*` for all; none changes nothing.
 */
export async function letOriginsIn(app: FastifyInstance, origins: readonly string[]): Promise<void> {
  if (origins.length === 0) return;
  const all = origins.includes('*');
  await app.register(cors, {
    origin: (origin, answer) => answer(null, all ? '*' : origin !== undefined && origins.includes(origin) && origin),
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
    exposedHeaders: EXPOSED,
    maxAge: PREFLIGHT_SECONDS,
    // Whatever asks about no method is answered as without the setting.
    strictPreflight: false,
  });
}
