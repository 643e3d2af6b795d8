import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip, constants as zlib } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { takesGzip } from './accept-encoding.ts';
import { noneMatch } from './etag.ts';

const compress = promisify(gzip);

export const JSON_TYPE = 'application/json; charset=utf-8';
/** Answers of fewer bytes are sent uncompressed: compressed, they would take as many packets. */
const WORTHWHILE = 1_024;
const KEPT_HEADERS: ReadonlySet<string> = new Set(['cache-control', 'content-security-policy']);
/** Answers kept for one family of routes at most; no family has that many. */
const MOST_KEPT = 64;

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

/**
 * Keeps the answers of all routes of this scope in memory, until the process ends. Otherwise the plugin that serves the
 * pages and files of the documentation would read them from disk for each request.
 */
export function keepAnswers(scope: FastifyInstance): void {
  const kept = new Map<string, { readonly answer: SharedAnswer; readonly headers: Record<string, string> }>();
  scope.addHook('onRequest', async (request, reply) => {
    const found = kept.get(request.url);
    if (!found) return;
    reply.headers(found.headers);
    sendShared(request, reply, found.answer);
    return reply;
  });
  scope.addHook('onSend', async (request, reply, payload) => {
    if (reply.statusCode !== 200 || kept.has(request.url) || kept.size >= MOST_KEPT) return payload;
    const bytes = await bytesOf(payload);
    const tag = `"${createHash('sha256').update(bytes).digest('base64url')}"`;
    const headers = Object.entries(reply.getHeaders()).filter(([name]) => KEPT_HEADERS.has(name));
    kept.set(request.url, {
      answer: sharedAnswer(bytes, String(reply.getHeader('content-type')), tag),
      headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
    });
    reply.header('etag', tag).header('vary', 'Accept-Encoding');
    return bytes;
  });
}

async function bytesOf(payload: unknown): Promise<Buffer> {
  if (Buffer.isBuffer(payload)) return payload;
  if (typeof payload === 'string') return Buffer.from(payload);
  const pieces: Buffer[] = [];
  for await (const piece of payload as AsyncIterable<Buffer>) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}
