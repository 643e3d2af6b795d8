import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type FlattenedJWSInput,
  type JSONWebKeySet,
  type JWSHeaderParameters,
  type JWTVerifyGetKey,
} from 'jose';
import { ServiceError } from '../errors/registry.ts';
import { boundedText, getJson } from '../upstream/exchange.ts';

/** Milliseconds before the provider is asked again about a key that it did not have. */
const COOLDOWN_MS = 30_000;
/** Milliseconds before it is asked again when it did not answer. */
const FAILURE_MS = 5_000;
const FETCH_MS = 5_000;
/** Milliseconds after which keys are fetched again. */
const FRESH_MS = 10 * 60 * 1000;

/** Receives messages about what is wrong with a provider. */
export type ProviderLog = (message: string) => void;

/** Reads the provider's metadata (OpenID Connect Discovery 1.0, 4.3). @returns the URL of its keys. */
async function discover(issuer: string, log: ProviderLog): Promise<URL> {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const { status, body } = await getJson(new URL(url), { limitMs: FETCH_MS, signal: new AbortController().signal });
  if (status !== 200) throw new Error(`${url} answers ${status}`);
  const found = (body ?? {}) as { readonly issuer?: unknown; readonly jwks_uri?: unknown };
  if (found.issuer !== issuer || typeof found.jwks_uri !== 'string' || !URL.canParse(found.jwks_uri)) {
    log(`PLAT_OIDC_ISSUER=${issuer}: the provider there names itself ${JSON.stringify(found.issuer ?? null)}`);
    throw new ServiceError('account_store_misconfigured');
  }
  return new URL(found.jwks_uri);
}

/**
 * The keys of an external provider, found by discovery and cached. When a token names a key that is not among them,
 * they are fetched again, at most once in COOLDOWN_MS. Cached keys stay valid while the provider is down.
 * @param issuer exactly as its tokens name it.
 * @returns a key function for jose. It throws ServiceError sign_in_unavailable or account_store_misconfigured.
 */
export function remoteKeys(issuer: string, log: ProviderLog): JWTVerifyGetKey {
  let remote: ReturnType<typeof createRemoteJWKSet> | null = null;
  let finding: Promise<void> | null = null;
  let failure: { readonly at: number; readonly error: ServiceError } | null = null;
  const failed = (error: unknown): ServiceError => {
    const refusal = error instanceof ServiceError ? error : new ServiceError('sign_in_unavailable');
    if (!(error instanceof ServiceError)) log(`The identity provider does not answer: ${(error as Error).message}`);
    failure = { at: Date.now(), error: refusal };
    return refusal;
  };
  const fetchBounded = async (keysUrl: string, terms: RequestInit) => {
    const response = await fetch(keysUrl, terms);
    return new Response((await boundedText(response)) || null, { status: response.status });
  };
  const find = async () => {
    const url = await discover(issuer, log);
    remote = createRemoteJWKSet(url, {
      cooldownDuration: COOLDOWN_MS,
      cacheMaxAge: FRESH_MS,
      timeoutDuration: FETCH_MS,
      [customFetch]: fetchBounded,
    });
  };
  return async (header: JWSHeaderParameters, token: FlattenedJWSInput) => {
    const held = remote?.jwks() as JSONWebKeySet | undefined;
    if (failure && Date.now() - failure.at < FAILURE_MS) {
      if (held) return createLocalJWKSet(held)(header, token);
      throw failure.error;
    }
    try {
      finding ??= remote ? null : find();
      await finding;
      const key = await remote!(header, token);
      failure = null;
      return key;
    } catch (error) {
      // The provider answered: it has no such key, or several of them.
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) throw error;
      const refusal = failed(error);
      if (held) return createLocalJWKSet(held)(header, token);
      throw refusal;
    } finally {
      finding = null;
    }
  };
}
