import type { FastifyInstance } from 'fastify';

/**
 * Paths below which every answer is for one person or about secrets: accounts, sign-in, tokens and grants, what somebody types,
 * runs, exports, sites, field requests, corrections, receipts, watches and templates. Agents read runs, exports, sites and field requests through the tools of /mcp.
 */
const PRIVATE = [
  '/v1/users',
  '/v1/operator',
  '/v1/onboarding',
  '/v1/mcp',
  '/v1/guest',
  '/v1/suggest',
  '/v1/runs',
  '/v1/uploads',
  '/v1/exports',
  '/v1/sites',
  '/v1/ask-site',
  '/v1/field-requests',
  '/v1/corrections',
  '/v1/receipts',
  '/v1/watches',
  '/v1/buildable/templates',
  '/mcp',
  '/authorize',
  '/token',
  '/userinfo',
  '/register',
  '/revoke',
  '/sign-in',
  '/signed-in',
  '/sign-out',
  '/password',
  '/device',
  '/mail',
];

/** Whether a path is one of these or below one. */
export const isPrivate = (path: string) => PRIVATE.some(root => path === root || path.startsWith(`${root}/`));

/**
 * Forbids caches to store answers of private paths, refusals too. Other routes say themselves what caches may do. The route decides:
 * a target may spell its path in other ways (`%75sers`, `http://host/v1/users`). What is not found has its path alone.
 */
export function forbidCaching(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    if ([request.routeOptions.url ?? '', request.url.split('?', 1)[0]!].some(isPrivate))
      reply.header('cache-control', 'no-store');
    done();
  });
}
