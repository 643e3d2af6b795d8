import { randomBytes, randomUUID } from 'node:crypto';
import { TOKEN_DAYS, type TokenService } from '../auth/token.ts';
import { accountOf, type Ctx } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import type { AccountNotices } from '../mail/account-notices.ts';
import { AGENT_TERMS } from '../scopes.ts';
import type { AttemptRow } from '../state/agents/onboarding.ts';
import { digestOf } from '../state/sign-in/digest.ts';
import type { AttemptRecord, ExchangeBody, OnboardingBody, ProgressBody } from './schema.ts';
import type { TermsInForce } from './terms.ts';

const CODE_MS = 15 * 60 * 1000;
/** Milliseconds for which an expired code is still told apart from an unknown one. */
const REMEMBERED_MS = 24 * 60 * 60 * 1000;
const ATTEMPT_MS = 30 * 24 * 60 * 60 * 1000;
const CODE_BYTES = 32;
const NOTICE =
  'By continuing you accept these terms and let an agent that you set up use this service in your name, at the cost of your credits.';
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const isoOf = (at: number) => new Date(at).toISOString();
const maybeIso = (at: number | null) => (at === null ? null : isoOf(at));

/** GET /v1/onboarding/terms. @param publicUrl the address under which clients reach the server. */
export function readTerms({ version, sha256 }: TermsInForce, publicUrl: string) {
  return {
    version,
    sha256,
    url: `${publicUrl}/v1/onboarding/terms/${version}`,
    privacy_url: `${publicUrl}/v1/onboarding/privacy`,
    notice: NOTICE,
  };
}

/** Makes the record of an attempt, without secrets. */
function recordOf(row: AttemptRow): AttemptRecord {
  const { clients, skillInstalled, verifiedAt, firstCallAt, connectedAt, firstCall } = row;
  const complete = clients.length > 0 && skillInstalled && verifiedAt !== null && firstCallAt !== null;
  return {
    attempt_id: row.id,
    status: complete ? 'complete' : connectedAt === null ? 'waiting' : 'connected',
    installed_at: maybeIso(row.installedAt),
    verified_at: maybeIso(verifiedAt),
    first_call_at: maybeIso(firstCallAt),
    clients: [...clients],
    skill_installed: skillInstalled,
    first_call: firstCall && { fields: [...firstCall.fields], source_urls: [...firstCall.source_urls] },
    expires_at: isoOf(row.codeExpiresAt),
  };
}

/**
 * POST /v1/users/me/onboarding: records that the account accepted the terms in force, and issues a connect code.
 * @throws ServiceError terms_outdated.
 */
export async function beginOnboarding(
  ctx: Ctx,
  terms: TermsInForce,
  { terms_version: version, terms_sha256: sha256 }: OnboardingBody,
) {
  if (version !== terms.version || sha256 !== terms.sha256)
    throw new ServiceError(
      'terms_outdated',
      { version: terms.version },
      { terms_version: terms.version, terms_sha256: terms.sha256 },
    );
  const now = ctx.clock.now();
  const id = randomUUID();
  const code = randomBytes(CODE_BYTES).toString('base64url');
  const codeExpiresAt = now + CODE_MS;
  await ctx.state.onboarding.begin({
    id,
    accountId: accountOf(ctx).id,
    terms: { version, sha256 },
    codeHash: digestOf(code),
    now,
    codeExpiresAt,
    forgetCodeAt: codeExpiresAt + REMEMBERED_MS,
    expiresAt: now + ATTEMPT_MS,
  });
  return { attempt_id: id, connect_code: code, expires_at: isoOf(codeExpiresAt) };
}

/**
 * POST /v1/onboarding/exchange: an API token for a connect code, once.
 * @throws ServiceError connect_code_not_found, connect_code_used, connect_code_expired.
 */
export async function exchangeCode(
  ctx: Ctx,
  { tokens, notices }: { readonly tokens: TokenService; readonly notices: AccountNotices },
  { connect_code: code }: ExchangeBody,
) {
  const hash = digestOf(code);
  const attempt = await ctx.state.onboarding.attemptOfCode(hash);
  const [account] = attempt ? await ctx.state.accountsOf([attempt.accountId]) : [];
  if (!attempt || !account) throw new ServiceError('connect_code_not_found');
  const { row, token } = tokens.prepare(account, {
    name: 'Agent',
    days: TOKEN_DAYS,
    kind: 'device',
    limits: AGENT_TERMS,
  });
  const outcome = await ctx.state.onboarding.exchange(hash, row, ctx.clock.now());
  if (outcome === 'unknown') throw new ServiceError('connect_code_not_found');
  if (outcome === 'used') throw new ServiceError('connect_code_used');
  if (outcome === 'expired') throw new ServiceError('connect_code_expired');
  notices.added(row.accountId, { kind: row.kind, name: row.name });
  return { attempt_id: attempt.id, token, token_id: row.jti, expires_at: isoOf(row.expiresAt * 1000) };
}

/**
 * POST /v1/onboarding/{attempt_id}/progress: records the progress that the agent reports. A repeat changes nothing.
 * @throws ServiceError onboarding_attempt_not_found, also when the token is not the attempt's own.
 */
export async function tellProgress(ctx: Ctx, id: string, body: ProgressBody): Promise<AttemptRecord> {
  const { credential } = ctx;
  const told = { stage: body.stage, clients: body.clients ?? [], skillInstalled: body.skill_installed ?? false };
  const row =
    credential?.kind === 'token' && ID.test(id)
      ? await ctx.state.onboarding.progress(id, credential.jti, told, ctx.clock.now())
      : null;
  if (!row) throw new ServiceError('onboarding_attempt_not_found');
  return recordOf(row);
}

/**
 * GET /v1/users/me/onboarding/{attempt_id}. @throws ServiceError onboarding_attempt_not_found, also for other accounts.
 */
export async function readAttempt(ctx: Ctx, id: string): Promise<AttemptRecord> {
  const row = ID.test(id) ? await ctx.state.onboarding.attempt(accountOf(ctx).id, id) : null;
  if (!row) throw new ServiceError('onboarding_attempt_not_found');
  return recordOf(row);
}
