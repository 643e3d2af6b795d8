import { connect } from 'node:net';

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
