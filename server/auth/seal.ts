import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Seals text so that only the holder of a secret can read it or make another: nonce, ciphertext, tag (NIST SP 800-38D). */
export interface Seal {
  /** @returns base64url. */
  close(text: string): string;
  /** @returns null for what this secret did not seal. */
  open(sealed: string): string | null;
}

/**
 * AES-256-GCM under a key derived by HKDF-SHA-256 (RFC 5869). A nonce is random: a key may seal 2^32 texts.
 * @param purpose keeps what is sealed for one from opening as another.
 */
export function createSeal(secret: string, purpose: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
  return {
    close(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce);
      return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
        'base64url',
      );
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64url');
      // Only one text stands for these bytes: spare bits and characters outside the alphabet are not passed over.
      if (bytes.length <= NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== sealed) return null;
      const end = bytes.length - TAG_BYTES;
      const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAuthTag(bytes.subarray(end));
      try {
        return decipher.update(bytes.subarray(NONCE_BYTES, end), undefined, 'utf8') + decipher.final('utf8');
      } catch {
        return null;
      }
    },
  };
}
