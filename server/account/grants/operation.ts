import type { TokenService } from '../../auth/token.ts';
import { accountOf, type Ctx } from '../../context.ts';
import { ServiceError } from '../../errors/registry.ts';
import type { AgentGrants } from '../../provider/agent-grants.ts';
import { tokenStatus } from '../../state/agents/token-rows.ts';
import { TOKEN_ID } from '../tokens/operation.ts';

/** The form of a digest that is the id of an agent's grant. */
const AGENT_ID = /^[\w-]{43}$/;

/** The services for grants. */
export interface GrantServices {
  readonly tokens: TokenService;
  readonly agents: AgentGrants;
}

const isoOf = (ms: number) => new Date(ms).toISOString();

/** GET /v1/users/me/grants: all that may act for the account now, newest first. */
export async function listGrants(ctx: Ctx, { tokens, agents }: GrantServices) {
  // Stores the uses that only this server knows, so that the answer has them.
  await Promise.all([tokens.noteUses(), agents.noteUses()]);
  const { id: account } = accountOf(ctx);
  const now = ctx.clock.now() / 1000;
  const rows = (await ctx.state.tokens(account)).filter(row => tokenStatus(row, now) === 'active');
  const grants = [
    ...(await agents.list(account)).map(grant => ({ ...grant, kind: 'mcp' as const })),
    ...rows.map(({ jti: id, kind, name, issuedAt, lastUsedAt: used, scopes, creditsADay }) => {
      const lastUsedAt = used === null ? null : used * 1000;
      return { id, kind, name, createdAt: issuedAt * 1000, lastUsedAt, scopes, creditsADay };
    }),
  ].sort((a, b) => b.createdAt - a.createdAt);
  return {
    grants: grants.map(({ id, kind, name, createdAt, lastUsedAt, scopes, creditsADay }) => ({
      id,
      kind,
      name,
      scopes: [...scopes],
      credits_a_day: creditsADay,
      created_at: isoOf(createdAt),
      last_used_at: lastUsedAt === null ? null : isoOf(lastUsedAt),
    })),
  };
}

/**
 * DELETE /v1/users/me/grants/{id}: ends what an agent, a device or a token may do. A second call changes nothing.
 * @throws ServiceError grant_not_found, also for a grant of another account.
 */
export async function revokeGrant(ctx: Ctx, { agents }: GrantServices, id: string): Promise<void> {
  const { id: account } = accountOf(ctx);
  if (AGENT_ID.test(id)) {
    if (await agents.revoke(account, id)) return;
    throw new ServiceError('grant_not_found');
  }
  const found = TOKEN_ID.test(id) ? await ctx.state.token(id) : null;
  if (found?.account.id !== account) throw new ServiceError('grant_not_found');
  await ctx.state.revokeToken(id, Math.floor(ctx.clock.now() / 1000), `account ${account}`);
}
