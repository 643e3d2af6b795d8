import type { Settings } from '../../query/engine/settings.ts';
import { createSeal } from '../auth/seal.ts';
import type { SessionTerms } from '../auth/session.ts';
import type { Clock } from '../clock.ts';
import type { StateStore } from '../state/store.ts';
import { CLIENT_ID, EMBEDDED, issueIdToken } from './id-token.ts';
import { createProviderKeys, type ProviderKeys } from './keys.ts';

/** The OpenID provider that comes with Plat, for one machine and for development. */
export interface EmbeddedProvider {
  readonly issuer: string;
  readonly audience: string;
  readonly keys: ProviderKeys;
  /** Which of its ID tokens are sessions. */
  readonly terms: SessionTerms;
  /** An ID token for whoever has an e-mail address, which is taken for verified, without a sign-in. */
  issue(email: string): Promise<string>;
}

/** What the outside calls the server. */
export const publicUrlOf = ({ publicUrl, port }: Pick<Settings, 'publicUrl' | 'port'>): string =>
  publicUrl || `http://127.0.0.1:${port}`;

/** @param secret seals its keys; all servers of a state store have the same. */
export function embeddedProvider(
  { issuer, audience }: { readonly issuer: string; readonly audience: string },
  secret: string,
  state: StateStore,
  clock: Clock,
): EmbeddedProvider {
  const keys = createProviderKeys(state.signingKeys, createSeal(secret, 'keys of the embedded provider'), clock);
  const named = { issuer, audience: audience || CLIENT_ID };
  return {
    ...named,
    keys,
    terms: {
      ...named,
      filedAs: EMBEDDED,
      providers: ['password'],
      providerClaims: ['sign_in_provider'],
      keys: keys.verifying,
    },
    async issue(email) {
      const { id } = await state.users.open(email, null);
      await state.users.verify(id, clock.now());
      return issueIdToken((await state.users.byId(id))!, { ...named, keys, clock });
    },
  };
}
