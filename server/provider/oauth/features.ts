import { type Configuration, errors } from 'oidc-provider';
import type { SafeClient } from '../../upstream/safe-client.ts';
import { MCP_SCOPE, resourceOf } from './resource.ts';

const HOUR = 60 * 60;
const DAY = 24 * HOUR;
/** Bytes of a client's metadata document. */
const METADATA_BYTES = 16 * 1024;
/** Seconds that a client's metadata document may be used again. */
const METADATA_SECONDS = { min: 60, max: DAY };

/** Seconds that what a client of /mcp is given lives. */
const TTL = { AccessToken: HOUR, RefreshToken: 30 * DAY, Grant: 90 * DAY } as const;

/** What clients other than Plat itself are let in by. */
export interface OauthTerms {
  readonly issuer: string;
  /** Client id of Plat itself, whose sign-ins are for no resource. */
  readonly audience: string;
  /** Reads metadata documents of clients. */
  readonly client: SafeClient;
  /** Whether one more metadata document may be fetched for who asks from an address. */
  readonly mayFetch: (address: string) => Promise<boolean>;
}

/** The fetch of oidc-provider over the client for addresses that strangers name. */
const safely =
  (client: SafeClient): NonNullable<Configuration['fetch']> =>
  async url => {
    const answer = await client.send(String(url), {
      method: 'GET',
      headers: { accept: 'application/json' },
      maxBytes: METADATA_BYTES,
    });
    const cache = answer.headers['cache-control'];
    const headers = { 'content-type': 'application/json', ...(cache === undefined ? {} : { 'cache-control': cache }) };
    // A redirect is no answer, and other statuses may not have a body.
    return answer.status === 200
      ? new Response(new Uint8Array(answer.body), { status: 200, headers })
      : new Response(null, { status: answer.status >= 400 ? answer.status : 502 });
  };

/**
 * OAuth 2.1 for /mcp: clients that register themselves (RFC 7591) or are known by a document at their id (Client ID Metadata
 * Documents), tokens for one resource (RFC 8707), refresh tokens that rotate, revocation (RFC 7009).
 */
export function oauthConfiguration({ issuer, audience, client, mayFetch }: OauthTerms) {
  const resource = resourceOf(issuer);
  const isOwn = (id: string | undefined) => id === audience;
  const features: NonNullable<Configuration['features']> = {
    registration: { enabled: true, issueRegistrationAccessToken: false },
    revocation: { enabled: true, allowedPolicy: async (_ctx, of, token) => token.clientId === of.clientId },
    clientIdMetadataDocument: {
      enabled: true,
      ack: 'draft-02',
      allowFetch: (ctx: { readonly ip: string }) => mayFetch(ctx.ip),
      cacheDuration: METADATA_SECONDS,
    } as never,
    resourceIndicators: {
      enabled: true,
      // Clients of before RFC 8707 name none.
      defaultResource: (ctx, of) =>
        isOwn(of?.clientId) ||
        !String(ctx.oidc.params?.scope ?? '')
          .split(' ')
          .includes(MCP_SCOPE)
          ? []
          : resource,
      useGrantedResource: () => true,
      getResourceServerInfo(_ctx, wanted) {
        if (wanted !== resource) throw new errors.InvalidTarget(`the only resource here is ${resource}`);
        return { scope: MCP_SCOPE, audience: resource, accessTokenFormat: 'opaque', accessTokenTTL: TTL.AccessToken };
      },
    },
  };
  return {
    features,
    /** What agents write into their registration: those that are not here would be refused. */
    scopes: [MCP_SCOPE, 'offline_access', 'profile'],
    fetch: safely(client),
    rotateRefreshToken: true,
    issueRefreshToken: async (_ctx, of, source) => of.grantTypeAllowed('refresh_token') && source.scopes.has(MCP_SCOPE),
    // An agent goes on when the browser that let it in is closed or signed out.
    expiresWithSession: async (_ctx, source) => !source.scopes.has(MCP_SCOPE),
    ttl: {
      RefreshToken: TTL.RefreshToken,
      Grant: (_ctx, grant) => (isOwn(grant.clientId) ? 14 * DAY : TTL.Grant),
    },
  } satisfies Configuration;
}
