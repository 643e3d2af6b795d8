import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** Answers of at least this many bytes are sent in pieces: the next piece when the client has read the last one. */
const STREAMED_BYTES = 256 * 1024;
const PIECE_BYTES = 64 * 1024;

/** Milliseconds after which a client that reads nothing of its answer is cut off. */
export const STALLED_MS = 30_000;

/**
 * Cuts the connection of a client that has data waiting for it and reads none of it for too long. A connection with
 * nothing waiting is left open. Node checks what the kernel still holds before it calls.
 */
export function cutStalled(reply: FastifyReply, stalledMs: number): void {
  const { raw } = reply;
  raw.setTimeout(stalledMs, () => {
    if (!raw.socket?.writableLength) return;
    reply.log.info('a client that took nothing of its answer was cut off');
    raw.destroy();
  });
}

function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

/**
 * Sends long answers with backpressure, and cuts off clients that do not read them.
 * @param stalledMs milliseconds after which a client that reads nothing is cut off.
 */
export function sendWithBackpressure(app: FastifyInstance, stalledMs: number): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const isText = typeof payload === 'string';
    const length = isText || Buffer.isBuffer(payload) ? payload.length : Number.POSITIVE_INFINITY;
    if (length < PIECE_BYTES) {
      done(null, payload);
      return;
    }
    cutStalled(reply, stalledMs);
    if ((!isText && !Buffer.isBuffer(payload)) || length <= STREAMED_BYTES || request.method === 'HEAD') {
      done(null, payload);
      return;
    }
    const bytes = isText ? Buffer.from(payload) : payload;
    reply.header('content-length', bytes.length);
    done(null, Readable.from(pieces(bytes), { objectMode: false, highWaterMark: PIECE_BYTES }));
  });
}
