import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';

/** A DNS server over UDP that answers what a test tells it and remembers what it was asked. */
export interface NameServer extends AsyncDisposable {
  /** As `Resolver.setServers` takes it. */
  readonly address: string;
  /** `A hook.example`, in the order they came. */
  readonly asked: string[];
  /** Addresses of a name: one list for every question, or a list per question about that type, the last one staying. */
  readonly names: Map<string, { A?: string[][]; AAAA?: string[][] }>;
  /** Names that get no answer at all. */
  readonly silent: Set<string>;
}

const TYPES: Readonly<Record<number, 'A' | 'AAAA'>> = { 1: 'A', 28: 'AAAA' };

function bytesOf(address: string): Buffer {
  if (!address.includes(':')) return Buffer.from(address.split('.').map(Number));
  const mapped = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const hex = (high: string, low: string) => ((Number(high) << 8) | Number(low)).toString(16);
  const text = mapped ? `${mapped[1]}${hex(mapped[2]!, mapped[3]!)}:${hex(mapped[4]!, mapped[5]!)}` : address;
  const [head = '', tail] = text.split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':').map(group => Number.parseInt(group, 16)));
  const [first, last] = [groups(head), groups(tail ?? '')];
  const words = [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
  return Buffer.from(words.flatMap(word => [word >> 8, word & 0xff]));
}

/** Opens one on a free port of this machine. */
export async function openNameServer(): Promise<NameServer> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  const names: NameServer['names'] = new Map();
  const silent = new Set<string>();
  socket.on('message', (query, from) => {
    const labels: string[] = [];
    let at = 12;
    while (query[at] !== 0) {
      labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!));
      at += 1 + query[at]!;
    }
    const name = labels.join('.').toLowerCase();
    const type = TYPES[query.readUInt16BE(at + 1)];
    asked.push(`${type} ${name}`);
    if (silent.has(name)) return;
    const lists = (type && names.get(name)?.[type]) ?? [];
    const addresses = (lists.length > 1 ? lists.shift() : lists[0]) ?? [];
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    // A response, recursion available; no such name where it has none of either type.
    header.writeUInt16BE(names.has(name) ? 0x8180 : 0x8183, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(addresses.length, 6);
    const records = addresses.flatMap(address => {
      const bytes = bytesOf(address);
      // The name of the question, its type, IN, time to live 0.
      const fixed = Buffer.from([0xc0, 12, 0, bytes.length === 4 ? 1 : 28, 0, 1, 0, 0, 0, 0, 0, bytes.length]);
      return [fixed, bytes];
    });
    socket.send(Buffer.concat([header, query.subarray(12, at + 5), ...records]), from.port, from.address);
  });
  await new Promise<void>(bound => socket.bind(0, '127.0.0.1', bound));
  const { port } = socket.address() as AddressInfo;
  return {
    address: `127.0.0.1:${port}`,
    asked,
    names,
    silent,
    [Symbol.asyncDispose]: () => new Promise<void>(closed => void socket.close(() => closed())),
  };
}
