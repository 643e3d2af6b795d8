import type { TokenRow } from '../../state/store.ts';

/** The status of a token. @param now epoch seconds. */
export const tokenStatus = (
  { revokedAt, expiresAt }: Pick<TokenRow, 'revokedAt' | 'expiresAt'>,
  now: number,
): 'active' | 'expired' | 'revoked' => (revokedAt !== null ? 'revoked' : expiresAt <= now ? 'expired' : 'active');
