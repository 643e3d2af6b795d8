import type { TokenService } from '../../auth/token.ts';
import { TOKEN_DAYS } from '../../auth/token.ts';
import { accountOf, type Ctx } from '../../context.ts';
import { ServiceError } from '../../errors/registry.ts';
import type { AccountNotices } from '../../mail/account-notices.ts';
import { tokenStatus } from '../../state/agents/token-rows.ts';
import type { TokenRow } from '../../state/store.ts';
import type { TokenCreateBody } from './schema.ts';

const MINUTE_MS = 60_000;
/** Reveals that one account may ask for in a minute, over all servers. */
const REVEALS_A_MINUTE = 10;
/** Active tokens that one account may have. */
const MOST_ACTIVE = 100;
/** The form of an id. */
export const TOKEN_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const isoOf = (seconds: number) => new Date(seconds * 1000).toISOString();

/** Makes the record of a token that its owner sees. */
function recordOf(ctx: Ctx, tokens: TokenService, row: TokenRow) {
  return {
    id: row.jti,
    name: row.name,
    created_at: isoOf(row.issuedAt),
    expires_at: isoOf(row.expiresAt),
    last_used_at: row.lastUsedAt === null ? null : isoOf(row.lastUsedAt),
    recoverable: tokens.recoverable(row),
    status: tokenStatus(row, ctx.clock.now() / 1000),
  };
}

/** @throws ServiceError token_not_found, also for a token of another account. */
async function ownToken(ctx: Ctx, id: string): Promise<TokenRow> {
  const found = TOKEN_ID.test(id) ? await ctx.state.token(id) : null;
  if (!found || found.account.id !== accountOf(ctx).id) throw new ServiceError('token_not_found');
  return found.token;
}

/** GET /v1/users/me/tokens: newest first. */
export async function listTokens(ctx: Ctx, tokens: TokenService) {
  // Stores the uses that only this server knows, so that the answer has them.
  await tokens.noteUses();
  const rows = await ctx.state.tokens(accountOf(ctx).id);
  return { tokens: rows.map(row => recordOf(ctx, tokens, row)) };
}

/** What issues tokens, and tells their owners. */
export interface TokenIssue {
  readonly tokens: TokenService;
  readonly notices: AccountNotices;
}

/** POST /v1/users/me/tokens. @throws ServiceError tokens_too_many. */
export async function createToken(
  ctx: Ctx,
  { tokens, notices }: TokenIssue,
  { name, expires_in_days: days }: TokenCreateBody,
) {
  const account = accountOf(ctx);
  const now = ctx.clock.now() / 1000;
  const active = (await ctx.state.tokens(account.id)).filter(row => tokenStatus(row, now) === 'active');
  if (active.length >= MOST_ACTIVE) throw new ServiceError('tokens_too_many', { limit: MOST_ACTIVE });
  const by = `account ${account.id}`;
  const { row, token } = await tokens.create(account, { name: name ?? null, days: days ?? TOKEN_DAYS, by });
  notices.added(account.id, { kind: row.kind, name: row.name });
  return { ...recordOf(ctx, tokens, row), token };
}

/**
 * POST /v1/users/me/tokens/{id}/reveal: shows the text of an active token again. Calls that find nothing count too.
 * @throws ServiceError rate_limited, token_not_found, token_not_active, token_not_recoverable.
 */
export async function revealToken(ctx: Ctx, tokens: TokenService, id: string) {
  const now = ctx.clock.now();
  const reveals = await ctx.state.attempts.count(`reveal:${accountOf(ctx).id}`, now, MINUTE_MS);
  if (reveals > REVEALS_A_MINUTE) {
    const wait = Math.ceil((MINUTE_MS - (now % MINUTE_MS)) / 1000);
    throw new ServiceError('rate_limited', { what: `More than ${REVEALS_A_MINUTE} reveals in a minute` }, {}, wait);
  }
  const row = await ownToken(ctx, id);
  const status = tokenStatus(row, now / 1000);
  if (status !== 'active') throw new ServiceError('token_not_active', { status });
  if (!tokens.recoverable(row)) throw new ServiceError('token_not_recoverable');
  return { id: row.jti, token: tokens.reveal(row) };
}

/**
 * DELETE /v1/users/me/tokens/{id}: a session revokes any token of its account, an API token only itself.
 * @throws ServiceError auth_method_not_allowed, token_not_found.
 */
export async function revokeToken(ctx: Ctx, id: string): Promise<void> {
  const { credential } = ctx;
  if (credential?.kind === 'token' && credential.jti !== id) throw new ServiceError('auth_method_not_allowed');
  const row = await ownToken(ctx, id);
  await ctx.state.revokeToken(row.jti, Math.floor(ctx.clock.now() / 1000), `account ${row.accountId}`);
}
