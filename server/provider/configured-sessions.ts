import type { Settings } from '../../query/engine/settings.ts';
import { type ProviderLog, remoteKeys } from '../auth/provider-keys.ts';
import { createSessionService, type SessionService } from '../auth/session.ts';
import type { Clock } from '../clock.ts';
import { publicUrlOf } from '../public-url.ts';
import type { StateStore } from '../state/store.ts';
import type { SafeClient } from '../upstream/safe-client.ts';
import { BACK_PATH } from './clients.ts';
import { type EmbeddedProvider, embeddedProvider } from './embedded.ts';
import { federation } from './federation.ts';

/** Splits a setting at its commas. */
const listed = (text: string) =>
  text
    .split(',')
    .map(word => word.trim())
    .filter(word => word !== '');

/** The sessions that a server accepts. */
interface ConfiguredSessions {
  readonly sessions: SessionService;
  /** The authorization server of /mcp. It also signs people in, unless the settings name another provider. */
  readonly embedded: EmbeddedProvider;
}

/**
 * Makes the sessions of the provider that the settings name.
 * @param secret encrypts the keys of the embedded provider.
 * @throws RangeError when an external provider is named without an audience.
 */
export function configuredSessions(
  settings: Pick<
    Settings,
    'oidcIssuer' | 'oidcAudience' | 'oidcClientSecret' | 'oidcProviderClaim' | 'oidcProviders' | 'publicUrl' | 'port'
  >,
  {
    state,
    secret,
    clock,
    log,
    client,
  }: {
    state: StateStore;
    secret: string;
    clock: Clock;
    log: ProviderLog;
    /** Reads metadata of OAuth clients from URLs that strangers name. */
    client?: SafeClient;
  },
): ConfiguredSessions {
  const { oidcIssuer: issuer, oidcAudience: audience } = settings;
  const providers = listed(settings.oidcProviders);
  const ownUrl = publicUrlOf(settings);
  const fault = (error: Error) => log(`The embedded provider failed: ${error.stack ?? error.message}`);
  if (issuer === '') {
    const embedded = embeddedProvider({ issuer: ownUrl, audience, client, log: fault }, secret, state, clock);
    const terms = { ...embedded.terms, providers };
    return { embedded, sessions: createSessionService(terms, state.identities, clock) };
  }
  if (audience === '')
    throw new RangeError('PLAT_OIDC_ISSUER needs PLAT_OIDC_AUDIENCE: the client id that the provider gave to Plat');
  const terms = {
    issuer,
    filedAs: issuer,
    audience,
    providers,
    providerClaims: listed(settings.oidcProviderClaim),
    keys: remoteKeys(issuer, log),
  };
  const sessions = createSessionService(terms, state.identities, clock);
  const elsewhere = federation({
    issuer,
    clientId: audience,
    secret: settings.oidcClientSecret,
    back: `${ownUrl}${BACK_PATH}`,
    sessions,
    log,
  });
  const own = { issuer: ownUrl, audience: '', client, federation: elsewhere, log: fault };
  return { sessions, embedded: embeddedProvider(own, secret, state, clock) };
}
