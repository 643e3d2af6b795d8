import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip, constants as zlib } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { takesGzip } from './accept-encoding.ts';
import { noneMatch } from './etag.ts';

const compress = promisify(gzip);

export const JSON_TYPE = 'application/json; charset=utf-8';
/** Bytes below which an answer is sent as it is: compressed it would take as many packets. */
const WORTHWHILE = 1_024;
const KEPT_HEADERS: ReadonlySet<string> = new Set(['cache-control', 'content-security-policy']);
/** Answers kept of one family of routes: more than it has. */
const MOST_KEPT = 64;

/** An answer that is the same for everybody: its bytes are made once, and compressed once. */
export interface SharedAnswer {
  readonly type: string;
  readonly bytes: Buffer;
  /** Null while it is being compressed, and where that does not pay. */
  readonly zipped: Buffer | null;
  /** Strong tag of the bytes as they are, with its quotes; null where none is promised. */
  readonly etag: string | null;
}

/** Makes one; it is compressed beside the requests that come meanwhile. */
export function sharedAnswer(text: string | Buffer, type: string, etag: string | null = null): SharedAnswer {
  const bytes = Buffer.from(text as string);
  const answer = { type, bytes, zipped: null as Buffer | null, etag };
  if (bytes.length >= WORTHWHILE)
    compress(bytes, { level: zlib.Z_BEST_COMPRESSION }).then(
      zipped => {
        answer.zipped = zipped;
      },
      // Sent as it is then.
      () => {},
    );
  return answer;
}

/** A tag of the compressed bytes: a strong tag names bytes, not what they say. */
const zippedTag = (etag: string) => `${etag.slice(0, -1)}-gzip"`;

/** Sends a shared answer, compressed for those that take it, or 304 for those that have it. */
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
 * Keeps what routes of this scope answered, for good: pages and files of the documentation, which the plugin that serves
 * them would read from disk for each request.
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
