import { type Configuration, errors, type KoaContextWithOIDC } from 'oidc-provider';
import type { SafeClient } from '../../upstream/safe-client.ts';
import { checkClientMetadata } from './client-metadata.ts';
import { MCP_SCOPE, resourceOf, WRITE_SCOPE } from './resource.ts';

const HOUR = 60 * 60;
const DAY = 24 * HOUR;
/** Most bytes of a client's metadata document. */
const METADATA_BYTES = 16 * 1024;
/** Most bytes of an authorization's state, and of all of its parameters. A browser keeps 4,096 bytes of a cookie. */
const STATE_BYTES = 1_024;
const PARAMETER_BYTES = 2_400;
/** Seconds for which a client's metadata document is cached, at least and at most. */
const METADATA_SECONDS = { min: 60, max: DAY };

/** Lifetimes in seconds for clients of /mcp. */
const TTL = { AccessToken: HOUR, RefreshToken: 30 * DAY, Grant: 90 * DAY } as const;

/** The conditions for clients other than Plat itself. */
export interface OauthTerms {
  readonly issuer: string;
  /** Client id of Plat itself. Its sign-ins are for no resource. */
  readonly audience: string;
  /** Reads metadata documents of clients. */
  readonly client: SafeClient;
  /** Whether one more metadata document may be fetched for a client address. */
  readonly mayFetch: (address: string) => Promise<boolean>;
}

/** A fetch for oidc-provider that goes through the client for strangers' URLs. */
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
    // A redirect is not an answer, and other statuses may have no body.
    return answer.status === 200
      ? new Response(new Uint8Array(answer.body), { status: 200, headers })
      : new Response(null, { status: answer.status >= 400 ? answer.status : 502 });
  };

/**
 * OAuth 2.1 for /mcp: clients register themselves (RFC 7591) or are described by a document at the URL that is their id
 * (Client ID Metadata Documents); tokens are for one resource (RFC 8707); refresh tokens rotate; tokens can be revoked
 * (RFC 7009).
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
      // Pages of an authorization read the document outside of a request, after the authorization was limited.
      allowFetch: async (ctx?: { readonly ip: string }) => ctx === undefined || mayFetch(ctx.ip),
      cacheDuration: METADATA_SECONDS,
    } as never,
    resourceIndicators: {
      enabled: true,
      // Clients older than RFC 8707 name no resource.
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
        return {
          scope: `${MCP_SCOPE} ${WRITE_SCOPE}`,
          audience: resource,
          accessTokenFormat: 'opaque',
          accessTokenTTL: TTL.AccessToken,
        };
      },
    },
  };
  return {
    features,
    extraClientMetadata: {
      properties: ['client_name'],
      validator: (_ctx, _name, _value, metadata) => checkClientMetadata(metadata),
    },
    extraParams: {
      // They are held in a cookie until somebody signs in. The check runs for each parameter that is named here.
      async state(ctx: KoaContextWithOIDC) {
        const { state, ...others } = ctx.oidc.params ?? {};
        if (Buffer.byteLength(String(state ?? '')) > STATE_BYTES)
          throw new errors.InvalidRequest(`state must not be longer than ${STATE_BYTES} bytes`);
        if (Buffer.byteLength(JSON.stringify({ state, ...others })) > PARAMETER_BYTES)
          throw new errors.InvalidRequest(`the parameters must not be longer than ${PARAMETER_BYTES} bytes together`);
      },
    },
    /** Scopes that agents write into their registration. Others would be refused. */
    scopes: [MCP_SCOPE, WRITE_SCOPE, 'offline_access', 'profile'],
    fetch: safely(client),
    rotateRefreshToken: true,
    issueRefreshToken: async (_ctx, of, source) => of.grantTypeAllowed('refresh_token') && source.scopes.has(MCP_SCOPE),
    // An agent goes on after the browser that allowed it was closed or signed out.
    expiresWithSession: async (_ctx, source) => !source.scopes.has(MCP_SCOPE),
    ttl: {
      RefreshToken: TTL.RefreshToken,
      Grant: (_ctx, grant) => (isOwn(grant.clientId) ? 14 * DAY : TTL.Grant),
    },
  } satisfies Configuration;
}
