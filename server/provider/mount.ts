import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors/registry.ts';
import type { EmbeddedProvider } from './embedded.ts';
import { MCP_SCOPE } from './oauth/resource.ts';
import { OPENID_PATHS } from './openid.ts';
import { contentSecurityPolicy, pageHeaders } from './pages/page.ts';
import { notePage } from './pages/sign-in-page.ts';

/** Most bytes of a body for oidc-provider. */
const BODY_LIMIT = 56 * 1024;

const { authorization, token, userinfo, jwks, registration, revocation, end_session: signOut } = OPENID_PATHS;

/** Endpoints that people never see. */
const PROGRAM_ENDPOINTS = [token, userinfo, registration, revocation] as const;

/** Endpoints that oidc-provider answers. */
const ENDPOINTS: Readonly<Record<string, readonly ('GET' | 'POST')[]>> = {
  '/.well-known/openid-configuration': ['GET'],
  '/.well-known/oauth-authorization-server': ['GET'],
  [authorization]: ['GET'],
  [`${authorization}/:uid`]: ['GET'],
  [token]: ['POST'],
  [userinfo]: ['GET', 'POST'],
  [jwks]: ['GET'],
  [signOut]: ['GET'],
  [`${signOut}/confirm`]: ['POST'],
  [`${signOut}/success`]: ['GET'],
};

/** Gives a request without scopes all scopes that can be granted. */
function nameScope({ raw }: FastifyRequest): void {
  const { searchParams } = new URL(raw.url!, 'http://localhost');
  if (searchParams.size > 0 && !searchParams.has('scope')) raw.url = `${raw.url}&scope=${MCP_SCOPE}`;
}

/** Whether somebody is signed in in the browser of a request. A sign-out of nobody would store a session for nobody. */
async function isSignedIn(embedded: EmbeddedProvider, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  const { provider } = await embedded.openid();
  const session = await provider.Session.get(provider.createContext(request.raw, reply.raw));
  return session.accountId !== undefined;
}

/**
 * Passes a request to oidc-provider. It takes its own URL and the client's address from headers, so these are set from
 * the settings and the trusted proxies. The server itself, not oidc-provider, decides which other origins are allowed.
 */
export async function handOver(embedded: EmbeddedProvider, request: FastifyRequest, reply: FastifyReply) {
  const { host, protocol } = new URL(embedded.issuer);
  const { handle } = await embedded.openid();
  const { headers } = request.raw;
  const client = request.ip;
  delete headers.origin;
  delete headers.forwarded;
  Object.assign(headers, {
    host,
    'x-forwarded-host': host,
    'x-forwarded-proto': protocol.slice(0, -1),
    'x-forwarded-for': client,
  });
  // Programs get JSON, whatever else they would take (RFC 6749, 5.2).
  if (PROGRAM_ENDPOINTS.some(path => path === request.routeOptions.url)) {
    headers.accept = 'application/json';
    reply.header('cache-control', 'no-store');
  }
  // A page that sends itself on names the hash of its script there.
  reply.header('content-security-policy', `${contentSecurityPolicy()}; script-src 'none'`);
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value);
  reply.hijack();
  await embedded.interactions.within({ request, reply }, () => handle(request.raw, reply.raw));
}

/** The routes of the embedded provider. */
export function providerRoutes(app: FastifyInstance, { embedded }: { readonly embedded: EmbeddedProvider }): void {
  app.register(async scope => {
    // oidc-provider reads the bodies.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (request, _payload, done) => {
      if (Number(request.headers['content-length']) > BODY_LIMIT)
        done(new ServiceError('body_too_large', { limit: BODY_LIMIT }));
      else done(null);
    });
    for (const [url, method] of Object.entries(ENDPOINTS))
      scope.route({
        method: [...method],
        url,
        schema: { hide: true },
        config: { streamed: true },
        handler: async (request, reply) => {
          if (url === authorization) nameScope(request);
          if (url === signOut && !(await isSignedIn(embedded, request, reply)))
            return reply.headers(pageHeaders()).send(notePage('Signed out', 'Nobody is signed in here.'));
          return handOver(embedded, request, reply);
        },
      });
  });
}
