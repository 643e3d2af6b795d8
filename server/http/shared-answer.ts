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
  /** Null while it is being compressed, and when compression does not pay. */
  readonly zipped: Buffer | null;
  /** Strong entity tag of the uncompressed bytes, with its quotes; null when the answer has none. */
  readonly etag: string | null;
}

/** Makes a shared answer. Compression runs in the background, while requests are served. */
export function sharedAnswer(text: string | Buffer, type: string, etag: string | null = null): SharedAnswer {
  const bytes = Buffer.from(text as string);
  const answer = { type, bytes, zipped: null as Buffer | null, etag };
  if (bytes.length >= WORTHWHILE)
    compress(bytes, { level: zlib.Z_BEST_COMPRESSION }).then(
      zipped => {
        answer.zipped = zipped;
      },
      // When compression fails, the answer is sent uncompressed.
      () => {},
    );
  return answer;
}

/** The entity tag of the compressed bytes. A strong tag names bytes, so theirs must differ. */
const zippedTag = (etag: string) => `${etag.slice(0, -1)}-gzip"`;

/** Sends a shared answer: compressed to clients that accept gzip, 304 to clients that have it. */
export function sendShared(request: FastifyRequest, reply: FastifyReply, answer: SharedAnswer): FastifyReply {
  const { type, bytes, zipped, etag } = answer;
  const coded = zipped !== null && takesGzip(request.headers['accept-encoding'] as string | undefined);
  reply.header('vary', 'Accept-Encoding');
  if (etag !== null) {
    const tags = [etag, zippedTag(etag)];
    reply.header('etag', coded ? tags[1] : etag);
    if (tags.some(tag => noneMatch(request.headers['if-none-match'], tag))) return reply.code(304).send();
  }
  if (coded) reply.header('content-encoding', 'gzip');
  return reply.type(type).send(coded ? zipped : bytes);
}
