// The noisy neighbour, a process of its own: `noise.ts NUMBER-OF-CLASS SECONDS`, with its material as JSON on stdin. Prints
// `ready` before it sends its first request, and at the end what it was answered, by status, as JSON.
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { CLASSES, type Material } from './classes.ts';

const [number, seconds] = process.argv.slice(2).map(Number) as [number, number];
const noise = CLASSES[number]!;
const material = JSON.parse(await text(process.stdin)) as Material;
/** Requests of different places, which come again after the last. */
const REQUESTS = noise.different ?? 1_000;
const MOST = noise.most ?? Number.POSITIVE_INFINITY;
/** Made before the first is sent: to make an area takes longer than to refuse it. */
const requests = Array.from({ length: REQUESTS }, (_, i) => noise.request(material, i));

/** Answers by status, connections that were refused or cut, and answers of 429 that may be tried again and do not say when. */
const counts: Record<string, number> = {};
const count = (what: string) => {
  counts[what] = (counts[what] ?? 0) + 1;
};
let ending = false;
let sent = 0;
const LAST_CHUNK = '0\r\n\r\n';

/** The neighbour has an address of its own: what its address may not do, others may. */
const NOISY = '127.0.0.2';
/** Milliseconds before a connection that was cut is opened again. */
const AGAIN_MS = 500;

function open(): void {
  if (ending) return;
  let head = '';
  /** Bytes of the answer's body still to come; null while its head is. */
  let left: number | null = null;
  /** The end of an answer that comes in chunks; null for others. */
  let tail: string | null = null;
  const socket: Socket = connect({ port: material.port, host: '127.0.0.1', localAddress: NOISY }, () => {
    if (noise.manner === 'drips') drip(socket, requests[sent++ % REQUESTS]!);
    else if (sent < MOST) socket.write(requests[sent++ % REQUESTS]!);
    if (noise.manner === 'unread') setTimeout(() => socket.pause(), 0);
  });
  const next = () => {
    left = null;
    if (noise.manner === 'reads' && !ending && sent < MOST) socket.write(requests[sent++ % REQUESTS]!);
  };
  socket.on('data', (bytes: Buffer) => {
    let rest = bytes;
    while (rest.length > 0) {
      if (left === null) {
        head += rest.toString('latin1');
        const end = head.indexOf('\r\n\r\n');
        if (end < 0) return;
        rest = Buffer.from(head.slice(end + 4), 'latin1');
        const status = head.slice(9, 12);
        count(status);
        // A refusal that waiting does not help says so instead.
        if (status === '429' && !/\r\nretry-after: /i.test(head) && !rest.includes('"retryable":false'))
          count('429 without Retry-After');
        const none = status === '204' || status === '304' ? 0 : Number.POSITIVE_INFINITY;
        left = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? none);
        tail = /\r\ntransfer-encoding: chunked/i.test(head) ? '' : null;
        head = '';
      }
      if (tail !== null) {
        tail = `${tail}${rest.toString('latin1', Math.max(0, rest.length - LAST_CHUNK.length))}`.slice(
          -LAST_CHUNK.length,
        );
        // A client that asks one thing after the other gets nothing behind it.
        if (tail === LAST_CHUNK) next();
        return;
      }
      const taken = Math.min(left, rest.length);
      left -= taken;
      rest = rest.subarray(taken);
      if (left === 0) next();
    }
  });
  socket.on('error', () => {});
  socket.once('close', () => {
    if (ending) return;
    count('closed');
    setTimeout(open, AGAIN_MS);
  });
}

/** Sends the head at once, unless that is all there is, and then a byte a second. */
function drip(socket: Socket, bytes: Buffer): void {
  const head = bytes.indexOf('\r\n\r\n') + 4;
  let at = head < bytes.length ? head : 4;
  socket.write(bytes.subarray(0, at));
  const timer = setInterval(() => {
    if (!socket.writable || at >= bytes.length - 4) clearInterval(timer);
    else socket.write(bytes.subarray(at, ++at));
  }, 1_000);
  socket.once('close', () => clearInterval(timer));
}

process.stdout.write('ready\n');
for (let i = 0; i < noise.connections; i++) open();
setTimeout(() => {
  ending = true;
  process.stdout.write(`${JSON.stringify(counts)}\n`, () => process.exit(0));
}, seconds * 1_000);
