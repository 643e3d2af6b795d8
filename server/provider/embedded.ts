import { hkdfSync } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JWK } from 'jose';
import type Provider from 'oidc-provider';
import type { Adapter, AdapterFactory, ClientMetadata } from 'oidc-provider';
import { createSeal } from '../auth/seal.ts';
import type { SessionTerms } from '../auth/session.ts';
import type { Clock } from '../clock.ts';
import { clientOf } from '../http/client.ts';
import { throttled, throttledStart } from '../rate/throttle.ts';
import { digestOf } from '../state/sign-in/digest.ts';
import { EMBEDDED } from '../state/sign-in/identities.ts';
import type { StateStore } from '../state/store.ts';
import { type SafeClient, SafeClientError } from '../upstream/safe-client.ts';
import { keepClient, recordAdapter } from './adapter.ts';
import { type AgentGrants, agentGrants } from './agent-grants.ts';
import type { Federation } from './federation.ts';
import { BROWSER_SESSION, CLIENT_ID, issueIdToken } from './id-token.ts';
import { type InteractionCookies, interactionCookies } from './interaction-cookie.ts';
import { createProviderKeys, type ProviderKeys } from './keys.ts';
import { refreshAnswers } from './oauth/refresh-answer.ts';
import { openOpenid } from './openid.ts';
import { ownPeople, type People, peopleOf } from './people.ts';

/** The provider with its current keys, and the handler of its endpoints. */
interface Openid {
  readonly provider: Provider;
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
}

/**
 * The OpenID provider that comes with Plat. It signs people in itself (for a single machine and for development), or
 * sends them to an external provider. In both cases it is the authorization server of /mcp.
 */
export interface EmbeddedProvider {
  readonly issuer: string;
  readonly audience: string;
  readonly keys: ProviderKeys;
  readonly people: People;
  /** The external provider where people sign in; null when they sign in here. */
  readonly federation: Federation | null;
  /** The authorizations of people who have not signed in yet. */
  readonly interactions: InteractionCookies;
  /** When its ID tokens are sessions, if people sign in here. */
  readonly terms: SessionTerms;
  /** The agents that people let in. */
  readonly grants: AgentGrants;
  /** The provider with the current keys. It is a new object after they changed. */
  openid(): Promise<Openid>;
  /** Makes an ID token for an e-mail address, which counts as verified, without a sign-in. */
  issue(email: string): Promise<string>;
}

/** The URL of the embedded provider, and its options. */
interface EmbeddedTerms {
  readonly issuer: string;
  /** Client id of Plat itself; empty means CLIENT_ID. */
  readonly audience: string;
  /** Clients beside Plat itself. */
  readonly clients?: readonly ClientMetadata[] | undefined;
  /** Reads metadata documents of clients. Without it none are read. */
  readonly client?: SafeClient | undefined;
  /** The external provider where people sign in. Without it they sign in here. */
  readonly federation?: Federation;
  /** Receives faults that no client caused. */
  readonly log?: (error: Error) => void;
}

const NO_CLIENT: SafeClient = {
  send: () => Promise.reject(new SafeClientError('refused', 'no address of strangers is asked here')),
  check: () => Promise.reject(new SafeClientError('refused', 'no address of strangers is asked here')),
};

/** @param secret encrypts keys and records and signs cookies. All servers of a state store have the same one. */
export function embeddedProvider(
  { issuer, audience, clients, client = NO_CLIENT, federation, log = () => {} }: EmbeddedTerms,
  secret: string,
  state: StateStore,
  clock: Clock,
): EmbeddedProvider {
  const keys = createProviderKeys(state.signingKeys, createSeal(secret, 'keys of the embedded provider'), clock);
  const people = federation ? peopleOf(state, federation.issuer) : ownPeople(state);
  const named = { issuer, audience: audience || CLIENT_ID };
  const seal = createSeal(secret, 'records of the embedded provider');
  const records = recordAdapter(state.providerRecords, seal, clock);
  const interactions = interactionCookies(
    createSeal(secret, 'authorizations in cookies of the embedded provider'),
    clock,
    issuer.startsWith('https:'),
    async address =>
      (await throttled(state.attempts, clock, { 'authorization by a client': clientOf(address) })) === null,
  );
  const refreshes = refreshAnswers(
    state.providerRecords,
    createSeal(secret, 'answers to refresh tokens of the embedded provider'),
    clock,
  );
  // A browser with the cookie of a session that is over would store one for nobody with each request.
  const sessions = (store: Adapter): Adapter => ({
    ...store,
    upsert: async (id, payload, expiresIn) =>
      payload.accountId === undefined ? undefined : store.upsert(id, payload, expiresIn),
  });
  const adapters: Readonly<Record<string, { readonly adapter: (store: Adapter) => Adapter }>> = {
    Interaction: interactions,
    RefreshToken: refreshes,
    Session: { adapter: sessions },
  };
  const adapter: AdapterFactory = kind => adapters[kind]?.adapter(records(kind) as Adapter) ?? records(kind);
  const cookieKey = Buffer.from(hkdfSync('sha256', secret, '', 'cookies of the embedded provider', 32));
  let loaded: { readonly keys: readonly JWK[]; readonly openid: Openid } | null = null;
  const openid = async () => {
    const current = await keys.current();
    if (loaded?.keys.map(key => key.kid).join() !== current.map(key => key.kid).join()) {
      const provider = openOpenid({
        ...named,
        clients,
        keys: current,
        cookieKey,
        adapter,
        people,
        refreshes,
        oauth: {
          client,
          mayFetch: async address => (await throttledStart(state.attempts, clock, 'metadata', address)) === null,
        },
        log,
      });
      provider.on('grant.success', ({ oidc }) => {
        keepClient(state.providerRecords, clock, oidc.client!.clientId).catch(log);
        const { AuthorizationCode: code } = oidc.entities;
        if (code?.grantId) grants.given(code.accountId!, code.grantId, oidc.client!.clientId).catch(log);
      });
      loaded = { keys: current, openid: { provider, handle: provider.callback() } };
    }
    return loaded!.openid;
  };
  const grants = agentGrants(state.agentGrants, { openid, people, seal, own: named.audience, clock });
  return {
    ...named,
    keys,
    people,
    federation: federation ?? null,
    interactions,
    terms: {
      ...named,
      filedAs: EMBEDDED,
      providers: ['password'],
      providerClaims: ['sign_in_provider'],
      keys: keys.verifying,
      exists: async subject => (await state.users.byId(subject)) !== null,
      async goesOn({ [BROWSER_SESSION]: browser }) {
        // Sessions that a command made come from no browser.
        if (typeof browser !== 'string') return true;
        return (await state.providerRecords.find('Session', 'uid', digestOf(browser), clock.now())) !== null;
      },
    },
    grants,
    openid,
    async issue(email) {
      const { id } = await state.users.open(email, null);
      await state.users.verify(id, clock.now());
      return issueIdToken((await state.users.byId(id))!, { ...named, keys, clock });
    },
  };
}
