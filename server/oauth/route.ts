import type { FastifyInstance } from 'fastify';
import type { Clock } from '../clock.ts';
import type { EmbeddedProvider } from '../provider/embedded.ts';
import { handOver } from '../provider/mount.ts';
import { MCP_SCOPE, METADATA_PATHS, resourceOf, WRITE_SCOPE } from '../provider/oauth/resource.ts';
import { OPENID_PATHS } from '../provider/openid.ts';
import { throttledStart } from '../rate/throttle.ts';
import type { StateStore } from '../state/store.ts';

/** The OAuth endpoints beside those for signing in, and the metadata of the resource (RFC 9728). */
export function oauthRoutes(
  app: FastifyInstance,
  {
    embedded,
    state,
    clock,
  }: { readonly embedded: EmbeddedProvider; readonly state: StateStore; readonly clock: Clock },
): void {
  const { issuer } = embedded;
  const schema = { hide: true };
  for (const url of METADATA_PATHS)
    app.get(url, { schema }, async (_request, reply) => {
      // Pages of other origins read this before they have a token.
      reply.header('access-control-allow-origin', '*').header('cache-control', 'public, max-age=3600');
      return {
        resource: resourceOf(issuer),
        authorization_servers: [issuer],
        scopes_supported: [MCP_SCOPE, WRITE_SCOPE],
        bearer_methods_supported: ['header'],
        resource_name: 'Plat',
        resource_documentation: `${issuer}/v1/docs`,
      };
    });
  app.register(async scope => {
    // oidc-provider reads the bodies.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.post(OPENID_PATHS.registration, { schema, config: { streamed: true } }, async (request, reply) => {
      const wait = await throttledStart(state.attempts, clock, 'registration', request.ip);
      if (wait) {
        const error_description = 'too many clients were registered: try again later';
        reply.code(429).header('retry-after', wait.seconds);
        return { error: 'temporarily_unavailable', error_description };
      }
      return handOver(embedded, request, reply);
    });
    scope.post(OPENID_PATHS.revocation, { schema, config: { streamed: true } }, (request, reply) =>
      handOver(embedded, request, reply),
    );
  });
}
