import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip, constants as zlib } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { takesGzip } from './accept-encoding.ts';
import { noneMatch } from './etag.ts';

const compress = promisify(gzip);

export const JSON_TYPE = 'application/json; charset=utf-8';
/** Answers of fewer bytes are sent uncompressed: compressed, they would take as many packets. */
const WORTHWHILE = 1_024;

/** An answer that is the same for everybody. Its bytes are made once and compressed once. */
export interface SharedAnswer {
  readonly type: string;
  readonly bytes: Buffer;
  /** Null when compression does not pay. */
  readonly zipped: Promise<Buffer | null>;
  /** Strong entity tag of the uncompressed bytes, with its quotes; null when the answer has none. */
  readonly etag: string | null;
}

/** The strong entity tag of some bytes: a digest of them, with its quotes. */
export const tagOf = (bytes: string | Buffer): string => `"${createHash('sha256').update(bytes).digest('base64url')}"`;

/** Makes a shared answer. Compression begins at once, and runs beside the serving thread. */
export function sharedAnswer(text: string | Buffer, type: string, etag: string | null = null): SharedAnswer {
  const bytes = Buffer.from(text as string);
  const zipped =
    bytes.length < WORTHWHILE
      ? Promise.resolve(null)
      : // When compression fails, the answer is sent uncompressed.
        compress(bytes, { level: zlib.Z_BEST_COMPRESSION }).catch(() => null);
  return { type, bytes, zipped, etag };
}

/** Answers of one kind that many ask for: what is told again in the same words is not compressed again. */
export class SharedAnswers {
  /** By their tag, the one asked for longest ago first. */
  readonly #kept = new Map<string, SharedAnswer>();
  readonly #most: number;

  /** @param most answers that are kept: those of other questions make room. */
  constructor(most = 16) {
    this.#most = most;
  }

  /** The answer with a content, as JSON. */
  of(content: unknown, type = JSON_TYPE): SharedAnswer {
    return this.ofText(JSON.stringify(content), type);
  }

  /** The answer with a text. */
  ofText(text: string, type: string): SharedAnswer {
    const etag = tagOf(text);
    const answer = this.#kept.get(etag) ?? sharedAnswer(text, type, etag);
    this.#kept.delete(etag);
    this.#kept.set(etag, answer);
    for (const [first] of this.#kept) if (this.#kept.size > this.#most) this.#kept.delete(first);
    return answer;
  }
}

/**
 * Sends a shared answer: compressed to clients that accept it, 304 to clients that have it. Who asks first waits until it is
 * compressed, some hundredths of a second for the largest: it arrives sooner so than in four times the bytes.
 */
export async function sendShared(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, bytes, zipped, etag }: SharedAnswer,
): Promise<FastifyReply> {
  const small = takesGzip(request.headers['accept-encoding'] as string | undefined) ? await zipped : null;
  reply.header('vary', 'Accept-Encoding');
  if (etag !== null) {
    // A strong tag names bytes, so that of the compressed ones must differ.
    const ofZipped = `${etag.slice(0, -1)}-gzip"`;
    reply.header('etag', small ? ofZipped : etag);
    const header = request.headers['if-none-match'];
    if (noneMatch(header, etag) || noneMatch(header, ofZipped)) return reply.code(304).send();
  }
  if (small) reply.header('content-encoding', 'gzip');
  return reply.type(type).send(small ?? bytes);
}
