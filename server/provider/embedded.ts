import { hkdfSync } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JWK } from 'jose';
import type Provider from 'oidc-provider';
import type { ClientMetadata } from 'oidc-provider';
import { createSeal } from '../auth/seal.ts';
import type { SessionTerms } from '../auth/session.ts';
import type { Clock } from '../clock.ts';
import { EMBEDDED } from '../state/sign-in/identities.ts';
import type { StateStore } from '../state/store.ts';
import { type SafeClient, SafeClientError } from '../upstream/safe-client.ts';
import { keepClient, recordAdapter } from './adapter.ts';
import type { Federation } from './federation.ts';
import { CLIENT_ID, issueIdToken } from './id-token.ts';
import { createProviderKeys, type ProviderKeys } from './keys.ts';
import { waitFor } from './oauth/limits.ts';
import { openOpenid } from './openid.ts';
import { ownPeople, type People, peopleOf } from './people.ts';

/** The provider as it stands now, and what answers its endpoints. */
interface Openid {
  readonly provider: Provider;
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

/**
 * The OpenID provider that comes with Plat: it signs people in by itself, for one machine and for development, or sends them
 * to an external provider; it is the authorization server of /mcp either way.
 */
export interface EmbeddedProvider {
  readonly issuer: string;
  readonly audience: string;
  readonly keys: ProviderKeys;
  readonly people: People;
  /** Where people sign in; null here. */
  readonly federation: Federation | null;
  /** Which of its ID tokens are sessions, where people sign in here. */
  readonly terms: SessionTerms;
  /** The provider with the keys of now: another one after they changed. */
  openid(): Promise<Openid>;
  /** An ID token for whoever has an e-mail address, which is taken for verified, without a sign-in. */
  issue(email: string): Promise<string>;
}

/** Where the embedded provider stands, and what is special about it. */
interface EmbeddedTerms {
  readonly issuer: string;
  /** Client id of Plat itself; empty is CLIENT_ID. */
  readonly audience: string;
  /** Clients beside Plat itself. */
  readonly clients?: readonly ClientMetadata[] | undefined;
  /** Reads metadata documents of clients; without it none is read. */
  readonly client?: SafeClient | undefined;
  /** Where people sign in; without it here. */
  readonly federation?: Federation;
  /** Hears of faults that are no client's. */
  readonly log?: (error: Error) => void;
}

const NO_CLIENT: SafeClient = {
  send: () => Promise.reject(new SafeClientError('refused', 'no address of strangers is asked here')),
  check: () => Promise.reject(new SafeClientError('refused', 'no address of strangers is asked here')),
};

/** @param secret seals its keys and records and signs its cookies; all servers of a state store have the same. */
export function embeddedProvider(
  { issuer, audience, clients, client = NO_CLIENT, federation, log = () => {} }: EmbeddedTerms,
  secret: string,
  state: StateStore,
  clock: Clock,
): EmbeddedProvider {
  const keys = createProviderKeys(state.signingKeys, createSeal(secret, 'keys of the embedded provider'), clock);
  const people = federation ? peopleOf(state, federation.issuer) : ownPeople(state);
  const named = { issuer, audience: audience || CLIENT_ID };
  const adapter = recordAdapter(state.providerRecords, createSeal(secret, 'records of the embedded provider'), clock);
  const cookieKey = Buffer.from(hkdfSync('sha256', secret, '', 'cookies of the embedded provider', 32));
  let loaded: { readonly keys: readonly JWK[]; readonly openid: Openid } | null = null;
  return {
    ...named,
    keys,
    people,
    federation: federation ?? null,
    terms: {
      ...named,
      filedAs: EMBEDDED,
      providers: ['password'],
      providerClaims: ['sign_in_provider'],
      keys: keys.verifying,
      exists: async subject => (await state.users.byId(subject)) !== null,
    },
    async openid() {
      const current = await keys.current();
      if (loaded?.keys.map(key => key.kid).join() !== current.map(key => key.kid).join()) {
        const provider = openOpenid({
          ...named,
          clients,
          keys: current,
          cookieKeys: [cookieKey.toString('base64url')],
          adapter,
          people,
          oauth: {
            client,
            mayFetch: async address => (await waitFor(state.attempts, clock, 'metadata', address)) === 0,
          },
          log,
        });
        provider.on('grant.success', ({ oidc }) => {
          keepClient(state.providerRecords, clock, oidc.client!.clientId).catch(log);
        });
        loaded = { keys: current, openid: { provider, handle: provider.callback() } };
      }
      return loaded!.openid;
    },
    async issue(email) {
      const { id } = await state.users.open(email, null);
      await state.users.verify(id, clock.now());
      return issueIdToken((await state.users.byId(id))!, { ...named, keys, clock });
    },
  };
}
