import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createSeal } from '../auth/seal.ts';
import type { Clock } from '../clock.ts';
import type { ReceiptKeyRecords, ReceiptKeyRow } from '../state/receipts/keys.ts';
import { type Receipt, signedBytes, type UnsignedReceipt } from './document.ts';

/** Public half of a key, as a JWK (RFC 8037) with the time in which it signed. */
export interface PublishedKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly alg: 'EdDSA';
  readonly use: 'sig';
  /** UTC with milliseconds and Z. */
  readonly signs_from: string;
  /** Null while it signs. */
  readonly signed_until: string | null;
}

/** The keys of receipts, which all servers of a state store share. */
export interface ReceiptKeys {
  /** Signs with the key that signs now; the first time it is made. */
  sign(receipt: Omit<UnsignedReceipt, 'key_id'>): Promise<Receipt>;
  /** Every key there ever was, the newest first. */
  published(): Promise<PublishedKey[]>;
  /** A new key signs from now on. @returns its id. */
  rotate(): Promise<string>;
}

/** The digest of a public key that is its id (RFC 7638). */
const thumbprint = (x: string): string =>
  createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url');

/** The public key of a JWK. @throws Error when it is none. */
export const publicKeyOf = ({ x }: Pick<PublishedKey, 'x'>): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });

const iso = (ms: number): string => new Date(ms).toISOString();

/** A key as everybody may see it. */
export const publishedKey = ({ id, publicKey, signsFrom, signedUntil }: ReceiptKeyRow): PublishedKey => ({
  kty: 'OKP',
  crv: 'Ed25519',
  x: publicKey,
  kid: id,
  alg: 'EdDSA',
  use: 'sig',
  signs_from: iso(signsFrom),
  signed_until: signedUntil === null ? null : iso(signedUntil),
});

/**
 * The keys of receipts. They are read for every receipt, so that one that was rotated signs nothing more on any server.
 * @param secret that the servers of the state store share: private halves are encrypted with it.
 */
export function createReceiptKeys(records: ReceiptKeyRecords, secret: string, clock: Clock): ReceiptKeys {
  const seal = createSeal(secret, 'plat receipt keys');
  const make = (): ReceiptKeyRow => {
    const { privateKey } = generateKeyPairSync('ed25519');
    const jwk = privateKey.export({ format: 'jwk' });
    const publicKey = jwk.x!;
    const sealed = seal.close(JSON.stringify(jwk));
    return { id: thumbprint(publicKey), publicKey, sealed, signsFrom: clock.now(), signedUntil: null };
  };
  /** One that was encrypted with another secret cannot sign here. */
  const privateKeyOf = ({ sealed }: ReceiptKeyRow): KeyObject | null => {
    const text = sealed === null ? null : seal.open(sealed);
    return text === null ? null : createPrivateKey({ key: JSON.parse(text), format: 'jwk' });
  };
  const signing = async (): Promise<{ readonly id: string; readonly key: KeyObject; readonly since: string }> => {
    for (const row of await records.keys()) {
      const key = privateKeyOf(row);
      if (key) return { id: row.id, key, since: iso(row.signsFrom) };
    }
    const row = make();
    await records.add(row);
    return { id: row.id, key: privateKeyOf(row)!, since: iso(row.signsFrom) };
  };
  return {
    async sign(receipt) {
      const { id, key, since } = await signing();
      // The answer may be older than a key that is made or rotated for it: no receipt is.
      const created_at = receipt.created_at < since ? since : receipt.created_at;
      const whole = { ...receipt, created_at, key_id: id };
      return { ...whole, signature: sign(null, signedBytes(whole), key).toString('base64url') };
    },
    published: async () => (await records.keys()).map(publishedKey),
    async rotate() {
      const row = make();
      await records.rotate(row);
      return row.id;
    },
  };
}
