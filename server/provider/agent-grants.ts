import type Provider from 'oidc-provider';
import type { AdapterPayload } from 'oidc-provider';
import type { Seal } from '../auth/seal.ts';
import type { Clock } from '../clock.ts';
import { AGENT_TERMS, SCOPES, type Terms } from '../scopes.ts';
import type { AgentGrantRecords } from '../state/agents/agent-grants.ts';
import { digestOf } from '../state/sign-in/digest.ts';
import { WRITE_SCOPE } from './oauth/resource.ts';
import type { People } from './people.ts';

/** An agent that may call the tools of /mcp for an account. Times are epoch milliseconds. */
interface AgentGrant extends Terms {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

/** The agents that people let in. */
export interface AgentGrants {
  /** Agents of an account, in no order. */
  list(accountId: string): Promise<AgentGrant[]>;
  /** Ends all tokens of a grant, on every server at once. @returns as AgentGrantRecords.revoke. */
  revoke(accountId: string, id: string): Promise<boolean>;
  /** Notes a use of a grant. @param grantId of the provider. @returns false when it was revoked or has expired. */
  use(grantId: string): Promise<boolean>;
  /** Notes that a client got a token for its grant. @param personId of who gave it. */
  given(personId: string, grantId: string, clientId: string): Promise<void>;
  /** Calls back for each new grant of an agent. */
  whenAdded(listener: (accountId: string, name: string) => void): void;
  /** Stores which grants were used since the last call, all at once and never within a request. */
  noteUses(): Promise<void>;
}

/** The name of a client: the host of the document that describes it, which was asked, or else what it calls itself. */
async function nameOf(provider: Provider, clientId: string): Promise<string> {
  if (clientId.startsWith('https://')) return new URL(clientId).hostname;
  // One that registered under earlier rules may break those of today.
  const client = await provider.Client.find(clientId).catch(() => undefined);
  return client?.clientName ?? 'An agent without a name';
}

/** What an agent may do by the scopes of its grant. @param resources the scopes by resource. */
function termsIn(resources: Readonly<Record<string, unknown>>): Terms {
  const named = Object.values(resources).flatMap(scopes => String(scopes).split(' '));
  return named.includes(WRITE_SCOPE) ? { ...AGENT_TERMS, scopes: SCOPES } : AGENT_TERMS;
}

/**
 * The agents that have a grant of the embedded provider.
 * @param seal opens its records. @param own client id of Plat itself, which is no agent.
 */
export function agentGrants(
  records: AgentGrantRecords,
  {
    openid,
    people,
    seal,
    own,
    clock,
  }: {
    readonly openid: () => Promise<{ readonly provider: Provider }>;
    readonly people: People;
    readonly seal: Seal;
    readonly own: string;
    readonly clock: Clock;
  },
): AgentGrants {
  const listeners: ((accountId: string, name: string) => void)[] = [];
  let used = new Map<string, number>();
  return {
    async list(accountId) {
      const { provider } = await openid();
      const rows = await records.of(accountId, clock.now());
      const grants = rows.map(async ({ id, sealed, lastUsedAt }) => {
        const { clientId = own, iat = 0, resources } = JSON.parse(seal.open(sealed) ?? '{}') as AdapterPayload;
        if (clientId === own) return [];
        return [
          {
            id,
            name: await nameOf(provider, clientId),
            createdAt: iat * 1000,
            lastUsedAt,
            ...termsIn((resources ?? {}) as Record<string, unknown>),
          },
        ];
      });
      return (await Promise.all(grants)).flat();
    },
    revoke: (accountId, id) => records.revoke(accountId, id, clock.now()),
    async use(grantId) {
      const id = digestOf(grantId);
      const now = clock.now();
      if (!(await records.holds(id, now))) return false;
      used.set(id, now);
      return true;
    },
    async given(personId, grantId, clientId) {
      const account = clientId === own ? null : await people.account(personId);
      if (!account || !(await records.add(account.id, digestOf(grantId), clock.now()))) return;
      const name = await nameOf((await openid()).provider, clientId);
      for (const listener of listeners) listener(account.id, name);
    },
    whenAdded: listener => listeners.push(listener),
    async noteUses() {
      const noted = used;
      if (noted.size === 0) return;
      used = new Map();
      await records.noteUses(noted);
    },
  };
}
