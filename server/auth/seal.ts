import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts text so that only the holder of a secret can read or make it: nonce, ciphertext, tag (NIST SP 800-38D). */
export interface Seal {
  /** Encrypts text, or bytes. @returns base64url. */
  close(text: string | Uint8Array): string;
  /** Decrypts. @returns null for text that was not encrypted with this secret. */
  open(sealed: string): string | null;
  /** Decrypts bytes. @returns null as `open`. */
  openBytes(sealed: string): Buffer | null;
}

/**
 * AES-256-GCM under a key derived by HKDF-SHA-256 (RFC 5869). Nonces are random, so a key may encrypt 2^32 texts.
 * @param purpose separates uses: text encrypted for one purpose cannot be decrypted for another.
 */
export function createSeal(secret: string, purpose: string): Seal {
  const key = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
  const openBytes = (sealed: string): Buffer | null => {
    const bytes = Buffer.from(sealed, 'base64url');
    // Accept only the canonical text of these bytes: no spare bits, no characters outside the alphabet.
    if (bytes.length <= NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== sealed) return null;
    const end = bytes.length - TAG_BYTES;
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAuthTag(bytes.subarray(end));
    try {
      return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, end)), decipher.final()]);
    } catch {
      return null;
    }
  };
  return {
    openBytes,
    open: sealed => openBytes(sealed)?.toString() ?? null,
    close(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce);
      return Buffer.concat([
        nonce,
        cipher.update(Buffer.from(text as string)),
        cipher.final(),
        cipher.getAuthTag(),
      ]).toString('base64url');
    },
  };
}
