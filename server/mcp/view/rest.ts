import { randomBytes } from 'node:crypto';
import { accountOf, type Ctx } from '../../context.ts';
import { ServiceError } from '../../errors/registry.ts';

/** Milliseconds for which what was cut off an answer can be read. */
const KEPT_MS = 60 * 60 * 1000;
/** Milliseconds that storing it may take. */
const LEASE_MS = 30_000;
const ENDPOINT = 'mcp/rest';

/** Stores what was cut off an answer, JSON text in UTF-8, for its account alone. @returns the id to read it by. @throws StateUnavailable. */
export async function keepRest(ctx: Ctx, rest: Uint8Array): Promise<string> {
  // Models pay for each character, and only the account that asked reads it.
  const key = `ans_${randomBytes(9).toString('base64url')}`;
  const now = ctx.clock.now();
  const { id: accountId } = accountOf(ctx);
  const records = ctx.state.idempotency;
  const [leaseUntil, expiresAt] = [now + LEASE_MS, now + KEPT_MS];
  const found = await records.begin({ accountId, endpoint: ENDPOINT, key, bodyHash: key, now, leaseUntil, expiresAt });
  if (found.kind === 'execute') await records.complete(found.claim, rest, { reservation: null, cost: 0, now });
  return key;
}

/** Reads what was cut off an answer. @throws ServiceError answer_not_found. */
export async function readRest(ctx: Ctx, key: string): Promise<string> {
  const place = { accountId: accountOf(ctx).id, endpoint: ENDPOINT, key, now: ctx.clock.now() };
  const rest = await ctx.state.idempotency.stored(place);
  if (rest === null) throw new ServiceError('answer_not_found');
  return rest;
}
