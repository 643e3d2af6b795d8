import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Bytes that are handed to the connection at once. */
const PIECE_BYTES = 65_536;

/**
 * The structured content of the answer to one request. The protocol's library would write an answer as JSON anew, with
 * everything in it, while everybody waits. Here it writes a mark, and the bytes are put where the mark stands.
 */
export class StructuredContent {
  readonly #mark = { [randomUUID()]: true } as const;
  readonly #text = Buffer.from(JSON.stringify(this.#mark));
  #bytes: Buffer | null = null;

  /** Bytes of it; 0 without any. */
  get length(): number {
    return this.#bytes?.length ?? 0;
  }

  /** Keeps the content. @returns what the library writes for it. */
  keep(bytes: Buffer): Readonly<Record<string, unknown>> {
    this.#bytes = bytes;
    return this.#mark;
  }

  /** The pieces of a message: its own bytes, with the content in the place of the mark. @param message whole. */
  *in(message: Uint8Array): Generator<Uint8Array> {
    const bytes = this.#bytes;
    const start =
      bytes === null ? -1 : Buffer.from(message.buffer, message.byteOffset, message.length).indexOf(this.#text);
    if (bytes === null || start < 0) {
      yield message;
      return;
    }
    yield message.subarray(0, start);
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
    yield message.subarray(start + this.#text.length);
  }
}

/** The one request that a server object is made for. */
export interface Served {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Gets what the call answers. */
  readonly content: StructuredContent;
  /** Separates the client's calls from those of others; null without a session. */
  readonly session: string | null;
}
