import type { Settings } from '../../query/engine/settings.ts';
import type { Clock } from '../clock.ts';
import type { SafeClient } from '../http/safe-client.ts';
import { type EmbeddedProvider, embeddedProvider, publicUrlOf } from '../provider/embedded.ts';
import type { StateStore } from '../state/store.ts';
import { type ProviderLog, remoteKeys } from './provider-keys.ts';
import { createSessionService, type SessionService } from './session.ts';

/** What a setting lists between commas. */
const listed = (text: string) =>
  text
    .split(',')
    .map(word => word.trim())
    .filter(word => word !== '');

/** Whose sessions a server accepts. */
export interface ConfiguredSessions {
  readonly sessions: SessionService;
  /** Null when the settings name another provider. */
  readonly embedded: EmbeddedProvider | null;
}

/**
 * Sessions of the provider that the settings name.
 * @param secret seals the keys of the embedded provider.
 * @throws RangeError when an external provider is named without an audience.
 */
export function configuredSessions(
  settings: Pick<
    Settings,
    'oidcIssuer' | 'oidcAudience' | 'oidcProviderClaim' | 'oidcProviders' | 'publicUrl' | 'port'
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
    /** Reads what strangers name: metadata of OAuth clients. */
    client?: SafeClient;
  },
): ConfiguredSessions {
  const { oidcIssuer: issuer, oidcAudience: audience } = settings;
  const providers = listed(settings.oidcProviders);
  if (issuer === '') {
    const fault = (error: Error) => log(`The embedded provider failed: ${error.stack ?? error.message}`);
    const embedded = embeddedProvider(
      { issuer: publicUrlOf(settings), audience, client, log: fault },
      secret,
      state,
      clock,
    );
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
  return { embedded: null, sessions: createSessionService(terms, state.identities, clock) };
}
