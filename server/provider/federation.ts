import * as client from 'openid-client';
import type { ProviderLog } from '../auth/provider-keys.ts';
import type { SessionService } from '../auth/session.ts';
import { ServiceError } from '../errors/registry.ts';
import type { Account } from '../state/account.ts';
import { boundedText } from '../upstream/exchange.ts';

const FETCH_SECONDS = 5;
const SCOPE = 'openid email';

/** Values that the browser keeps while it is at the provider. */
interface Checks {
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
}

/** A person that the provider has signed in. */
interface SignedIn {
  readonly account: Account;
  /** The provider's ID token, which serves as the session. */
  readonly session: string;
}

/** Signing in at an external provider by the authorization code flow with PKCE (OpenID Connect Core 1.0, 3.1). */
export interface Federation {
  readonly issuer: string;
  /**
   * Starts a sign-in. @param anew forces a new one even with a session there. @throws ServiceError sign_in_unavailable.
   */
  begin(anew: boolean): Promise<{ readonly url: string; readonly checks: Checks }>;
  /**
   * Ends a sign-in.
   * @param query of the URL that the provider returned to.
   * @returns null when nobody was signed in. @throws ServiceError sign_in_unavailable, and the errors of sessions.
   */
  end(query: URLSearchParams, checks: Checks): Promise<SignedIn | null>;
}

/** Limits the size of the provider's answers. */
const bounded: client.CustomFetch = async (url, options) => {
  const response = await fetch(url, options as RequestInit);
  const text = await boundedText(response);
  return new Response(text || null, { status: response.status, headers: response.headers });
};

/**
 * @param back the URL to return to, which must be registered at the provider.
 * @param secret of a confidential client; empty for a public one.
 */
export function federation({
  issuer,
  clientId,
  secret,
  back,
  sessions,
  log,
}: {
  readonly issuer: string;
  readonly clientId: string;
  readonly secret: string;
  readonly back: string;
  readonly sessions: SessionService;
  readonly log: ProviderLog;
}): Federation {
  let found: Promise<client.Configuration> | null = null;
  const unavailable = (error: unknown): ServiceError => {
    log(`Signing in at ${issuer} failed: ${(error as Error).message}`);
    return new ServiceError('sign_in_unavailable');
  };
  const discover = () => {
    const insecure = issuer.startsWith('http:') ? [client.allowInsecureRequests] : [];
    // Basic is the default when a provider names no method (OpenID Connect Discovery 1.0, 3).
    const withSecret: client.ClientAuth = (provider, ...rest) => {
      const post = provider.token_endpoint_auth_methods_supported?.includes('client_secret_post');
      return (post ? client.ClientSecretPost(secret) : client.ClientSecretBasic(secret))(provider, ...rest);
    };
    const authentication = secret === '' ? client.None() : withSecret;
    return client.discovery(new URL(issuer), clientId, undefined, authentication, {
      timeout: FETCH_SECONDS,
      execute: insecure,
      [client.customFetch]: bounded,
    });
  };
  const configuration = async () => {
    found ??= discover();
    try {
      return await found;
    } catch (error) {
      found = null;
      throw unavailable(error);
    }
  };
  return {
    issuer,
    async begin(anew) {
      const provider = await configuration();
      const verifier = client.randomPKCECodeVerifier();
      const checks = { verifier, state: client.randomState(), nonce: client.randomNonce() };
      const query = {
        redirect_uri: back,
        scope: SCOPE,
        state: checks.state,
        nonce: checks.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(anew ? { prompt: 'login' } : {}),
      };
      try {
        return { url: client.buildAuthorizationUrl(provider, query).href, checks };
      } catch (error) {
        // Some providers issue ID tokens but have no page for signing in.
        throw unavailable(error);
      }
    },
    async end(query, { verifier, state, nonce }) {
      const provider = await configuration();
      const url = new URL(back);
      url.search = query.toString();
      let session: string | undefined;
      try {
        const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce };
        session = (await client.authorizationCodeGrant(provider, url, checks)).id_token;
      } catch (error) {
        if (error instanceof client.AuthorizationResponseError) return null;
        if (error instanceof client.ResponseBodyError && error.error === 'invalid_grant') return null;
        throw unavailable(error);
      }
      if (session === undefined) return null;
      return { session, account: (await sessions.verify(session)).account };
    },
  };
}
