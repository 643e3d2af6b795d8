import { connect, type Socket } from 'node:net';

const BODY = JSON.stringify({ lat: 44.8, lng: -68.77, fields: ['county_name'] });

/** A fetch that a server has begun to read. */
export interface Running {
  /** Sends what is missing. */
  finish(): void;
  /** All that came back, once the connection is closed. */
  readonly reply: Promise<string>;
}

/** Opens a connection and sends a fetch all but its last byte. */
export async function begin(port: number, token: string): Promise<Running> {
  const socket: Socket = connect(port, '127.0.0.1');
  let text = '';
  const reply = new Promise<string>(resolve => {
    socket.on('data', chunk => {
      text += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
  });
  await new Promise(resolve => socket.once('connect', resolve));
  socket.write(
    `POST /v1/fetch HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\nExpect: 100-continue\r\n\r\n`,
  );
  // 100 Continue says that the server has the headers, so the request is running when the signal comes.
  await new Promise<void>(resolve => {
    const check = () => (text.includes('100 Continue') ? resolve() : socket.once('data', check));
    check();
  });
  socket.write(BODY.slice(0, -1));
  return { finish: () => socket.write(BODY.slice(-1)), reply };
}

/** Whether nobody listens at a port of this machine. */
export const refused = (port: number) =>
  new Promise<boolean>(resolve => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', () => resolve(true));
  });
