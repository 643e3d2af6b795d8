import { readFileSync } from 'node:fs';
import type { ReleaseFile } from '../../datasets/release.ts';
import { DamagedFile } from '../format/damaged-file.ts';
import type { Layers } from '../release/layers.ts';

/** Widest gap between parcels that are stored as neighbours, metres: roads with their verges. */
export const MOST_GAP_M = 30;
/** Widths are centimetres; this one means that both have ground in common. */
export const OVERLAPS = 0xffff;

/** Which parcels of a county are neighbours. Each pair stands in it twice. */
export interface NeighbourContent {
  /** By row where its neighbours begin, and after the last row where they end. */
  readonly starts: Uint32Array;
  /** Rows of neighbours, ascending for each row. */
  readonly rows: Uint32Array;
  /** Of each of them: 0 where both share a boundary, centimetres of the gap between them, or OVERLAPS. */
  readonly widths: Uint16Array;
}

const MAGIC = 'PLATNBR1';
const HEAD = MAGIC.length + 8;

/**
 * Writes a file of neighbours: magic, number of parcels, number of entries, starts, rows, widths; integers little-endian, widths
 * filled up to a multiple of four bytes.
 */
export function encodeNeighbours({ starts, rows, widths }: NeighbourContent): Uint8Array {
  const wide = Math.ceil(widths.length / 2) * 4;
  const bytes = Buffer.alloc(HEAD + starts.byteLength + rows.byteLength + wide);
  bytes.write(MAGIC, 'latin1');
  bytes.writeUInt32LE(starts.length - 1, MAGIC.length);
  bytes.writeUInt32LE(rows.length, MAGIC.length + 4);
  let to = HEAD;
  for (const array of [starts, rows, widths]) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), to);
    to += array.byteLength;
  }
  return bytes;
}

/** Reads what encodeNeighbours wrote. @throws RangeError when the bytes are no file of neighbours. */
function decodeNeighbours(bytes: Uint8Array<ArrayBuffer>): NeighbourContent {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(HEAD, bytes.length));
  if (head.length < HEAD || head.toString('latin1', 0, MAGIC.length) !== MAGIC)
    throw new RangeError(`it does not begin with ${MAGIC}`);
  const [parcels, entries] = [head.readUInt32LE(MAGIC.length), head.readUInt32LE(MAGIC.length + 4)];
  if (bytes.length !== HEAD + 4 * (parcels + 1) + 4 * entries + 4 * Math.ceil(entries / 2))
    throw new RangeError('its header does not fit its size');
  let at = bytes.byteOffset + HEAD;
  const starts = new Uint32Array(bytes.buffer, at, parcels + 1);
  at += starts.byteLength;
  const rows = new Uint32Array(bytes.buffer, at, entries);
  const widths = new Uint16Array(bytes.buffer, at + rows.byteLength, entries);
  if (starts[0] !== 0 || starts[parcels] !== entries || starts.some((from, i) => i > 0 && from < starts[i - 1]!))
    throw new RangeError('the neighbors of its parcels do not follow one another');
  if (rows.some(row => row >= parcels)) throw new RangeError('a neighbor of it is no parcel');
  return { starts, rows, widths };
}

/** @throws DamagedFile when it cannot be read or is no file of neighbours. */
export function readNeighbours(path: string): NeighbourContent {
  try {
    // A file is read into memory of its own: a piece of a pool need not begin at a multiple of four.
    return decodeNeighbours(Uint8Array.from(readFileSync(path)));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new DamagedFile(path, `it is no file of neighbors (${code ?? message})`, { cause: error });
  }
}

/** The stored neighbours of a county's parcels. @throws Fault or DamagedFile when their file is missing or damaged. */
export function openNeighbours(layers: Layers, file: ReleaseFile): NeighbourContent | Promise<NeighbourContent> {
  return layers.open(file, path => {
    const value = readNeighbours(path);
    return { value, bytes: value.starts.byteLength + value.rows.byteLength + value.widths.byteLength };
  });
}
