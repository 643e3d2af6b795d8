import { randomBytes, randomInt } from 'node:crypto';
import { TOKEN_DAYS, type TokenService } from '../auth/token.ts';
import type { Ctx } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import type { AccountNotices } from '../mail/account-notices.ts';
import { DEVICE_PATH } from '../provider/clients.ts';
import { throttledStart } from '../rate/throttle.ts';
import { LIMITS } from '../rate/throttle-limits.ts';
import { AGENT_TERMS } from '../scopes.ts';
import type { DeviceClient } from '../state/agents/device-codes.ts';
import { digestOf } from '../state/sign-in/digest.ts';
import type { DevicePollBody, DeviceStartBody } from './schema.ts';

const LIFETIME_MS = 15 * 60 * 1000;
const INTERVAL_MS = 5_000;
/** Milliseconds that an early poll adds to the interval (RFC 8628, 3.5). */
const SLOWER_MS = 5_000;
const CODE_BYTES = 32;
/** Consonants, without letters that look like others; without vowels, codes form no words (RFC 8628, 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const USER_CODE_LENGTH = 8;

/** The digest of a user code, however it was typed. */
export const userCodeHash = (typed: string): string => digestOf(typed.toUpperCase().replace(/[^A-Z]/g, ''));

function newUserCode(): string {
  const letters = Array.from({ length: USER_CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]!).join('');
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}

/** @throws ServiceError device_logins_limited for one client, device_login_unavailable for all together. */
async function limitStarts({ state, clock }: Ctx, address: string): Promise<void> {
  const wait = await throttledStart(state.attempts, clock, 'device login', address);
  if (wait?.limit === 'device login of a client')
    throw new ServiceError('device_logins_limited', { limit: LIMITS[wait.limit].most }, {}, wait.seconds);
  if (wait) throw new ServiceError('device_login_unavailable');
}

/**
 * POST /v1/mcp/device/start: begins a login that a user approves in a browser.
 * @param client the name that the client gives itself, and its address.
 * @throws ServiceError device_logins_limited, device_login_unavailable.
 */
export async function startDevice(
  ctx: Ctx,
  publicUrl: string,
  { client_name: name }: DeviceStartBody,
  client: DeviceClient,
) {
  await limitStarts(ctx, client.address);
  const code = randomBytes(CODE_BYTES).toString('base64url');
  const now = ctx.clock.now();
  for (;;) {
    const userCode = newUserCode();
    const isNew = await ctx.state.deviceCodes.begin({
      hash: digestOf(code),
      userCodeHash: userCodeHash(userCode),
      client: { ...client, name: name ?? client.name },
      intervalMs: INTERVAL_MS,
      now,
      expiresAt: now + LIFETIME_MS,
    });
    if (!isNew) continue;
    const uri = `${publicUrl}${DEVICE_PATH}`;
    return {
      device_code: code,
      user_code: userCode,
      verification_uri: uri,
      verification_uri_complete: `${uri}?user_code=${userCode}`,
      expires_in: LIFETIME_MS / 1000,
      interval: INTERVAL_MS / 1000,
    };
  }
}

/**
 * POST /v1/mcp/device/poll: returns the API token of an approved login, once.
 * @throws ServiceError authorization_pending, slow_down, expired_token, access_denied.
 */
export async function pollDevice(
  ctx: Ctx,
  { tokens, notices }: { readonly tokens: TokenService; readonly notices: AccountNotices },
  { device_code: code }: DevicePollBody,
) {
  const hash = digestOf(code);
  const { deviceCodes } = ctx.state;
  const now = ctx.clock.now();
  const verdict = await deviceCodes.poll(hash, now, SLOWER_MS);
  if (verdict.kind === 'over') throw new ServiceError('expired_token');
  if (verdict.kind === 'denied') throw new ServiceError('access_denied');
  if (verdict.kind !== 'approved') {
    const interval = Math.ceil(verdict.intervalMs / 1000);
    throw verdict.kind === 'pending'
      ? new ServiceError('authorization_pending', {}, { interval }, interval)
      : new ServiceError('slow_down', {}, { interval }, interval);
  }
  const { row, token } = tokens.prepare(verdict.account, {
    name: verdict.client.name,
    days: TOKEN_DAYS,
    kind: 'device',
    limits: AGENT_TERMS,
  });
  if (!(await deviceCodes.take(hash, row, now))) throw new ServiceError('expired_token');
  notices.added(row.accountId, { kind: row.kind, name: row.name });
  return { token, token_id: row.jti, expires_at: new Date(row.expiresAt * 1000).toISOString() };
}
