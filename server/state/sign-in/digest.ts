import { createHash, timingSafeEqual } from 'node:crypto';

/** The SHA-256 digest of a text, in base64url: what is stored of a secret or an address. */
export const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** Whether a text that somebody sent is a secret one, in a time that tells nothing of where they differ. */
export function isSecret(given: string, secret: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(secret)];
  return one.length === other.length && timingSafeEqual(one, other);
}
