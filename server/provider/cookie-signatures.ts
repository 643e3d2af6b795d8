import { createHmac } from 'node:crypto';
import { isSecret } from '../state/sign-in/digest.ts';

/**
 * Signatures of cookies by HMAC-SHA-256, in the form that the cookies of oidc-provider take them; by itself it would use
 * HMAC-SHA-1.
 * @param key of 256 bits.
 */
export function cookieSignatures(key: Buffer) {
  const sign = (data: string) => createHmac('sha256', key).update(data).digest('base64url');
  const verify = (data: string, given: string): boolean => isSecret(given, sign(data));
  return { sign, verify, index: (data: string, given: string): number => (verify(data, given) ? 0 : -1) };
}
