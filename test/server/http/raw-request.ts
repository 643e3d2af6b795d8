import { type AddressInfo, connect } from 'node:net';
import { pino } from 'pino';
import { type Fixture, openFixture } from '../service-fixture.ts';

/** A service on a port of its own, with limits that tests reach in no time. */
export interface Listening {
  readonly fixture: Fixture;
  readonly port: number;
  /** What was logged of a request. */
  readonly logged: (id: string) => ReturnType<typeof JSON.parse>[];
  /** As sendRaw, to it. */
  readonly raw: (bytes: string | Uint8Array, end?: boolean) => Promise<string>;
}

/** Opens one; its fixture is to be disposed of. @param requestTimeout milliseconds that a request may take to come in. */
export async function listen(requestTimeout = 400): Promise<Listening> {
  const lines: string[] = [];
  const fixture = await openFixture({
    limits: { bodyLimit: 2048, requestTimeout, maxConnections: 50 },
    logger: pino({ level: 'info' }, { write: line => lines.push(line) }),
  });
  await fixture.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = fixture.app.server.address() as AddressInfo;
  return {
    fixture,
    port,
    logged: id => lines.map(line => JSON.parse(line)).filter(line => line.request_id === id),
    raw: (bytes, end = false) => sendRaw(port, bytes, end),
  };
}

/**
 * Sends raw bytes and reads until the server closes.
 * @param end whether the client closes its side after them.
 */
export function sendRaw(port: number, bytes: string | Uint8Array, end = false): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => (end ? socket.end(bytes) : socket.write(bytes)));
    socket.on('data', chunk => {
      text += chunk;
    });
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

/** Statuses of the answers of a connection. */
export const statuses = (text: string) => text.match(/(?<=HTTP\/1\.1 )\d+/g)!.map(Number);

/** The JSON body of an answer. */
export const body = (text: string) => JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4));
