import type { FastifyReply } from 'fastify';
import { cutStalled, STALLED_MS } from './sending.ts';

/** How often a stream that has nothing to say says so, that nothing between takes it for dead: milliseconds. */
const HEARTBEAT_MS = 15_000;

/** Bytes that a client may leave untaken of a stream before it is cut off. */
const MOST_UNTAKEN = 1024 * 1024;

/** Server-sent events (WHATWG HTML, 9.2) as the response of a request. */
export interface EventStream {
  /** Whether anything was sent: from then on a failure cannot be an HTTP error any more. */
  readonly open: boolean;
  /** Sends an event; the first opens the stream. What comes after the client has gone is left out. */
  send(event: string, data: unknown): void;
  /** Ends the response, if it was opened. */
  end(): void;
}

/**
 * A stream that opens with its first event, or with a heartbeat when it is silent for long. The response is the stream's
 * from then on: its route returns the reply.
 * @param heartbeatMs between heartbeats: comments, which clients pass over.
 * @param stalledMs after which a client that takes nothing is cut off.
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
        // Proxies that collect responses would hold the events back.
        'x-accel-buffering': 'no',
      });
    }
    if (raw.destroyed || raw.writableEnded) return;
    raw.write(text);
    if (raw.writableLength > MOST_UNTAKEN) raw.destroy();
  };
  const heartbeat = setInterval(() => write(': waiting\n\n'), heartbeatMs);
  const stop = () => clearInterval(heartbeat);
  raw.once('close', stop);
  return {
    get open() {
      return open;
    },
    // JSON has no line breaks, so that an event is one line of data.
    send: (event, data) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    end() {
      stop();
      if (open && !raw.writableEnded) raw.end();
    },
  };
}
