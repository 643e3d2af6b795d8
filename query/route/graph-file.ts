import { crc32 } from 'node:zlib';
import { DamagedFile } from '../format/damaged-file.ts';
import type { Arcs, GraphFacts, RoadGraph } from './graph.ts';

/** The file begins with eight letters, the format's number, the checksum of all that follows, and the header's length. */
const MAGIC = 'PLATROAD';
const FORMAT = 3;
const CHECKSUM_AT = 12;
const SUMMED_FROM = 16;
const HEADER_AT = 20;
const ALIGNMENT = 8;
/** Bytes summed at once, so that whoever sums can let others between. */
export const SUM_BYTES = 1 << 20;

type Column = Uint32Array | Int32Array | Uint8Array | Float64Array;
const TYPES = { u32: Uint32Array, i32: Int32Array, u8: Uint8Array, f64: Float64Array } as const;

interface Header {
  readonly facts: GraphFacts;
  /** Type, place behind the header, and numbers in it, by name. */
  readonly columns: Readonly<Record<string, readonly [type: keyof typeof TYPES, at: number, length: number]>>;
}

const padded = (bytes: number) => Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
const ROWS = ['first', 'node', 'time', 'length'] as const;

function columnsOf(graph: RoadGraph): Record<string, Column> {
  const { nodes, tail, forward, backward, shapeFirst, shape, ferry, joined, boxes, component } = graph;
  const columns: Record<string, Column> = {
    ...{ nodes, tail, forward, backward, shapeFirst, shape, ferry, joined, boxes, component },
  };
  for (const name of ['arcs', 'up', 'down'] as const)
    for (const row of ROWS) columns[`${name}.${row}`] = graph[name][row];
  return columns;
}

const typeOf = (column: Column): keyof typeof TYPES =>
  column instanceof Uint32Array
    ? 'u32'
    : column instanceof Int32Array
      ? 'i32'
      : column instanceof Float64Array
        ? 'f64'
        : 'u8';

/** The bytes of a graph's file: a header in JSON, then its columns as they lie in memory, little-endian. */
export function graphBytes(graph: RoadGraph): Uint8Array {
  const columns = columnsOf(graph);
  let at = 0;
  const placed: Record<string, [keyof typeof TYPES, number, number]> = {};
  for (const [name, column] of Object.entries(columns)) {
    placed[name] = [typeOf(column), at, column.length];
    at += padded(column.byteLength);
  }
  const header = Buffer.from(JSON.stringify({ facts: graph.facts, columns: placed } satisfies Header));
  const start = padded(HEADER_AT + 4 + header.length);
  const bytes = Buffer.alloc(start + at);
  bytes.write(MAGIC, 0, 'latin1');
  bytes.writeUInt32LE(FORMAT, 8);
  bytes.writeUInt32LE(header.length, HEADER_AT);
  header.copy(bytes, HEADER_AT + 4);
  for (const [name, { buffer, byteOffset, byteLength }] of Object.entries(columns))
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), start + placed[name]![1]);
  bytes.writeUInt32LE(crc32(bytes.subarray(SUMMED_FROM)), CHECKSUM_AT);
  return bytes;
}

/** Steps of the checksum over a file's bytes; the last is the sum. */
export function* sumOf(bytes: Uint8Array): Generator<number> {
  let sum = 0;
  for (let at = SUMMED_FROM; at < bytes.length; at += SUM_BYTES) {
    sum = crc32(bytes.subarray(at, at + SUM_BYTES), sum);
    yield sum;
  }
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** @throws DamagedFile unless the bytes are of this format and have the checksum. */
export function requireSum(bytes: Uint8Array, sum: number | undefined, path: string): void {
  const start = Buffer.from(bytes.subarray(0, MAGIC.length)).toString('latin1');
  if (bytes.length < HEADER_AT + 4 || start !== MAGIC)
    throw new DamagedFile(path, `it is no road graph: it begins with ${JSON.stringify(start)}, expected "${MAGIC}"`);
  const format = viewOf(bytes).getUint32(8, true);
  if (format !== FORMAT)
    throw new DamagedFile(path, `it has format ${format}, expected ${FORMAT}; ingest the roads again`);
  if (viewOf(bytes).getUint32(CHECKSUM_AT, true) !== sum)
    throw new DamagedFile(path, 'its bytes do not have its checksum; ingest the roads again');
}

/**
 * The graph that a file's bytes hold, not copied: threads that share the memory share the graph.
 * @param bytes beginning at a multiple of 8 of their buffer; `requireSum` has found them sound.
 */
export function graphOf(bytes: Uint8Array): RoadGraph {
  const length = viewOf(bytes).getUint32(HEADER_AT, true);
  // A decoder takes no shared memory.
  const text = Buffer.from(bytes.slice(HEADER_AT + 4, HEADER_AT + 4 + length)).toString('utf8');
  const { facts, columns } = JSON.parse(text) as Header;
  const start = bytes.byteOffset + padded(HEADER_AT + 4 + length);
  const column = <T extends Column>(name: string): T => {
    const [type, at, count] = columns[name]!;
    return new TYPES[type](bytes.buffer as ArrayBuffer, start + at, count) as T;
  };
  const arcs = (name: string): Arcs => ({
    first: column(`${name}.first`),
    node: column(`${name}.node`),
    time: column(`${name}.time`),
    length: column(`${name}.length`),
  });
  return {
    facts,
    nodes: column('nodes'),
    arcs: arcs('arcs'),
    tail: column('tail'),
    up: arcs('up'),
    down: arcs('down'),
    forward: column('forward'),
    backward: column('backward'),
    shapeFirst: column('shapeFirst'),
    shape: column('shape'),
    ferry: column('ferry'),
    joined: column('joined'),
    boxes: column('boxes'),
    component: column('component'),
  };
}
