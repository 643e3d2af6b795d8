import type { Transaction } from 'kysely';
import type { Plan } from '../../plans.ts';
import type { Terms } from '../../scopes.ts';
import { writeDown } from '../audit.ts';
import type { Tables } from '../tables.ts';
import type { TokenKind } from './tables.ts';

/** An issued token as it is stored: its claims, never its text. Times are epoch seconds. */
export interface TokenRow extends Terms {
  readonly jti: string;
  readonly accountId: string;
  readonly plan: Plan;
  readonly issuedAt: number;
  readonly expiresAt: number;
  readonly revokedAt: number | null;
  readonly name: string | null;
  /** Fingerprint of the secret that signed it. */
  readonly keyId: string | null;
  readonly lastUsedAt: number | null;
  readonly kind: TokenKind;
}

/** Stores an issued token, in the transaction of the event it is issued for. */
export async function addTokenIn(tx: Transaction<Tables>, row: TokenRow, by: string): Promise<void> {
  await tx
    .insertInto('tokens')
    .values({
      jti: row.jti,
      account_id: row.accountId,
      plan: row.plan,
      issued_at: row.issuedAt,
      expires_at: row.expiresAt,
      revoked_at: row.revokedAt,
      name: row.name,
      key_id: row.keyId,
      last_used_at: row.lastUsedAt,
      kind: row.kind,
      scopes: row.scopes.join(' '),
      credits_a_day: row.creditsADay,
    })
    .execute();
  const detail = { expires_at: row.expiresAt };
  const { accountId, jti: subject } = row;
  await writeDown(tx, { at: Date.now(), actor: by, action: 'token_issued', accountId, subject, detail });
}

/** The status of a token. @param now epoch seconds. */
export const tokenStatus = (
  { revokedAt, expiresAt }: Pick<TokenRow, 'revokedAt' | 'expiresAt'>,
  now: number,
): 'active' | 'expired' | 'revoked' => (revokedAt !== null ? 'revoked' : expiresAt <= now ? 'expired' : 'active');
