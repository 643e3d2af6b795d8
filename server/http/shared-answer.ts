import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { takesBrotli, takesGzip } from './accept-encoding.ts';
import { noneMatch } from './etag.ts';

const compress = promisify(gzip);
const compressWell = promisify(brotliCompress);
/** A tenth smaller than gzip, in half a second for the largest file of the pages; the best of all would take twenty times as long. */
const BROTLI_QUALITY = 9;

export const JSON_TYPE = 'application/json; charset=utf-8';
/** Answers of fewer bytes are sent uncompressed: compressed, they would take as many packets. */
const WORTHWHILE = 1_024;

/** An answer that is the same for everybody. Its bytes are made once and compressed once. */
export interface SharedAnswer {
  readonly type: string;
  readonly bytes: Buffer;
  /** Null when compression does not pay. */
  readonly zipped: Promise<Buffer | null>;
  /** The same in Brotli, made when it is first asked for; null for answers that few ask for twice. */
  readonly brotli: (() => Promise<Buffer | null>) | null;
  /** Strong entity tag of the uncompressed bytes, with its quotes; null when the answer has none. */
  readonly etag: string | null;
}

/**
 * Makes a shared answer. Compression begins at once, and runs beside the serving thread.
 * @param isLasting whether it is asked for so often that Brotli pays.
 */
export function sharedAnswer(
  text: string | Buffer,
  type: string,
  etag: string | null = null,
  isLasting = false,
): SharedAnswer {
  const bytes = Buffer.from(text as string);
  const zipped =
    bytes.length < WORTHWHILE
      ? Promise.resolve(null)
      : // When compression fails, the answer is sent uncompressed.
        compress(bytes, { level: zlib.Z_BEST_COMPRESSION }).catch(() => null);
  let dense: Promise<Buffer | null> | null = null;
  const brotli = () => {
    dense ??= compressWell(bytes, {
      params: { [zlib.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }).catch(() => null);
    return dense;
  };
  return { type, bytes, zipped, brotli: isLasting && bytes.length >= WORTHWHILE ? brotli : null, etag };
}

/** The entity tag of compressed bytes. A strong tag names bytes, so theirs must differ. */
const codedTag = (etag: string, coding: string) => `${etag.slice(0, -1)}-${coding}"`;

/** What is sent, in the best coding that the client takes. */
async function codedBytes({ bytes, zipped, brotli }: SharedAnswer, accepted: string | undefined) {
  const small = brotli && takesBrotli(accepted) ? await brotli() : null;
  if (small) return { coding: 'br', body: small };
  const body = takesGzip(accepted) ? await zipped : null;
  return body ? { coding: 'gzip', body } : { coding: null, body: bytes };
}

/**
 * Sends a shared answer: compressed to clients that accept it, 304 to clients that have it. Who asks first waits until it is
 * compressed, some hundredths of a second for the largest: it arrives sooner so than in four times the bytes.
 */
export async function sendShared(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: SharedAnswer,
): Promise<FastifyReply> {
  const { type, etag } = answer;
  const { coding, body } = await codedBytes(answer, request.headers['accept-encoding'] as string | undefined);
  reply.header('vary', 'Accept-Encoding');
  if (etag !== null) {
    const tags = [etag, codedTag(etag, 'gzip'), codedTag(etag, 'br')];
    reply.header('etag', coding ? codedTag(etag, coding) : etag);
    if (tags.some(tag => noneMatch(request.headers['if-none-match'], tag))) return reply.code(304).send();
  }
  if (coding) reply.header('content-encoding', coding);
  return reply.type(type).send(body);
}
