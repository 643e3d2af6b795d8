import type { KeyObject } from 'node:crypto';
import { verify as verifies } from 'node:crypto';
import type { Evidence } from '../../query/engine/contents/evidence.ts';
import { canonicalJson } from '../idempotency/canonical-json.ts';
import type { ContentDigest } from './content.ts';

/** What is signed of an answer. */
export interface UnsignedReceipt {
  readonly receipt_id: string;
  /** UTC with milliseconds and Z. */
  readonly created_at: string;
  /** Address of the service. */
  readonly service: string;
  readonly request: {
    readonly method: 'POST';
    readonly path: string;
    /** Null where it is too long to be kept: its hash says which one it was. */
    readonly body: unknown;
    /** SHA-256 of the canonical JSON text of the body. */
    readonly sha256: string;
  };
  readonly answer: ContentDigest & {
    /** As it was sent; null of a tool's answer, which is sent in another form. */
    readonly bytes: number | null;
    readonly sha256: string | null;
  };
  readonly release: { readonly id: string } & Omit<Evidence, 'release'>;
  readonly engine: { readonly name: 'plat'; readonly version: string };
  readonly key_id: string;
}

/** A receipt: what was asked, what was answered, and from what, with a signature over all of it. */
export interface Receipt extends UnsignedReceipt {
  /** Ed25519 (RFC 8032) over the canonical JSON text of all else, in base64url. */
  readonly signature: string;
}

/** The bytes that a signature is over. */
export const signedBytes = ({ signature: _, ...rest }: UnsignedReceipt & { readonly signature?: string }): Buffer =>
  Buffer.from(canonicalJson(rest));

/** Whether a receipt is signed by a key, and nothing of it was altered. */
export const isSigned = (receipt: Receipt, key: KeyObject): boolean =>
  verifies(null, signedBytes(receipt), key, Buffer.from(receipt.signature, 'base64url'));
