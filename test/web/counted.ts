import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer that a browser was sent. */
export interface Transfer {
  readonly path: string;
  /** As it came over the network, headers included; 0 until it has ended. */
  bytes: number;
}

/** A server that stands before another and counts what it hands on: to pages, to their workers, to anybody. */
export interface Counter extends AsyncDisposable {
  readonly address: string;
  /** Every answer, in the order in which they were asked for. */
  readonly transfers: readonly Transfer[];
}

/** Stands before a server. @param of its address. */
export async function countBefore(of: string): Promise<Counter> {
  const transfers: Transfer[] = [];
  const server = createServer((asked, reply) => {
    const transfer = { path: new URL(asked.url!, of).pathname, bytes: 0 };
    transfers.push(transfer);
    const headers = { ...asked.headers, host: new URL(of).host };
    const beyond = request(of + asked.url!, { method: asked.method, headers }, answer => {
      const { statusCode = 502, rawHeaders } = answer;
      let bytes = `HTTP/1.1 ${statusCode} \r\n\r\n`.length + rawHeaders.join('').length + 2 * rawHeaders.length;
      reply.writeHead(statusCode, rawHeaders);
      answer.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      answer.on('end', () => {
        transfer.bytes = bytes;
      });
      answer.pipe(reply);
    });
    // A browser that no longer wants a tile hangs up.
    beyond.on('error', () => reply.destroy());
    reply.on('close', () => beyond.destroy());
    asked.pipe(beyond);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    transfers,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
