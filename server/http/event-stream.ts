import type { FastifyReply } from 'fastify';
import { Lease } from '../lease/lease.ts';
import { cutStalled, STALLED_MS } from './sending.ts';

/** Milliseconds of silence after which a stream sends a heartbeat, so that proxies do not take it for dead. */
const HEARTBEAT_MS = 15_000;

/** Bytes that a client may leave unread before it is cut off. */
const MOST_UNTAKEN = 1024 * 1024;

/** Server-sent events (WHATWG HTML, 9.2) as the response of a request. */
export interface EventStream {
  /** Whether anything was sent. From then on a failure can no longer be an HTTP error. */
  readonly open: boolean;
  /** Sends an event; the first one opens the stream. Events after the client has gone are dropped. */
  send(event: string, data: unknown): void;
  /** Does the same with data that is JSON text already. @param data in one line. */
  sendText(event: string, data: string): void;
  /** Ends the response, if it was opened. */
  end(): void;
}

/**
 * Makes a stream that opens with its first event, or with a heartbeat after a long silence. The stream owns the
 * response from then on, so its route must return the reply.
 * @param heartbeatMs milliseconds between heartbeats, which are comments that clients skip.
 * @param stalledMs milliseconds after which a client that reads nothing is cut off.
 */
export function eventStream(reply: FastifyReply, heartbeatMs = HEARTBEAT_MS, stalledMs = STALLED_MS): EventStream {
  const { raw } = reply;
  let open = false;
  const write = (text: string) => {
    if (!open) {
      open = true;
      reply.hijack();
      cutStalled(reply, stalledMs);
      raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        // Some proxies buffer responses and would hold the events back.
        'x-accel-buffering': 'no',
      });
    }
    if (raw.destroyed || raw.writableEnded) return;
    raw.write(text);
    if (raw.writableLength > MOST_UNTAKEN) raw.destroy();
    else reply.countAnswer(raw.writableLength);
  };
  const sendText = (event: string, data: string) => write(`event: ${event}\ndata: ${data}\n\n`);
  const heartbeat = setInterval(() => write(': waiting\n\n'), heartbeatMs);
  const beating = new Lease('timer', () => clearInterval(heartbeat)).until(raw);
  return {
    get open() {
      return open;
    },
    // JSON.stringify writes no line breaks, so an event is one line of data.
    send: (event, data) => sendText(event, JSON.stringify(data)),
    sendText,
    end() {
      beating.release();
      if (open && !raw.writableEnded) raw.end();
    },
  };
}
