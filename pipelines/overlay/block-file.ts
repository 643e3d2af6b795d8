import { closeSync, openSync, readFileSync, readSync, renameSync, writeFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Value } from '../../datasets/dataset.ts';
import type { Reason } from '../../query/parcel/reason.ts';
import type { StoredType } from '../../query/parcel/record-page.ts';

/** Parcels of a block: the size of a DuckDB chunk. */
export const BLOCK_PARCELS = 2048;

/** The findings of one field for the parcels of a block, in order. */
export interface BlockField {
  readonly name: string;
  readonly type: StoredType;
  /** Index of each finding's reason in `reasons`. */
  readonly codes: Uint32Array;
  /** Null if the reason is not that of a value. */
  readonly values: readonly Value[];
  readonly reasons: readonly Reason[];
}

/** The findings of one overlay in a block. */
export interface OverlayBlock {
  readonly dataset: string;
  readonly fields: readonly BlockField[];
}

interface Entry {
  readonly dataset: string;
  readonly offset: number;
  readonly length: number;
  readonly crc: number;
}

/** Writes a block so that the file is complete or absent. Its checksums show whether a power cut damaged it. */
export function writeBlock(path: string, overlays: readonly OverlayBlock[]): void {
  const entries: Entry[] = [];
  const parts: Buffer[] = [];
  let offset = 0;
  for (const { dataset, fields } of overlays) {
    const bytes = deflateRawSync(serialize(fields), { level: 1 });
    entries.push({ dataset, offset, length: bytes.length, crc: crc32(bytes) });
    parts.push(bytes);
    offset += bytes.length;
  }
  const head = Buffer.from(JSON.stringify(entries));
  const size = Buffer.alloc(8);
  size.writeUInt32LE(head.length, 0);
  size.writeUInt32LE(crc32(head), 4);
  writeFileSync(`${path}.partial`, Buffer.concat([size, head, ...parts]));
  renameSync(`${path}.partial`, path);
}

function entriesOf(bytes: Buffer): { entries: readonly Entry[]; start: number } | null {
  if (bytes.length < 8) return null;
  const length = bytes.readUInt32LE(0);
  const head = bytes.subarray(8, 8 + length);
  if (head.length !== length || crc32(head) !== bytes.readUInt32LE(4)) return null;
  return { entries: JSON.parse(head.toString('utf8')) as Entry[], start: 8 + length };
}

/** Whether a block exists and is complete. */
export function isWhole(path: string): boolean {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    return false;
  }
  const block = entriesOf(bytes);
  if (!block) return false;
  return block.entries.every(({ offset, length, crc }) => {
    const part = bytes.subarray(block.start + offset, block.start + offset + length);
    return part.length === length && crc32(part) === crc;
  });
}

/** Reads the findings of one overlay from a complete block. @throws Error when the block lacks that overlay. */
export function readOverlayBlock(path: string, dataset: string): OverlayBlock {
  const fd = openSync(path, 'r');
  try {
    const size = Buffer.alloc(8);
    readSync(fd, size, 0, 8, 0);
    const head = Buffer.alloc(size.readUInt32LE(0));
    readSync(fd, head, 0, head.length, 8);
    const entry = (JSON.parse(head.toString('utf8')) as Entry[]).find(e => e.dataset === dataset);
    if (!entry) throw new Error(`${path} holds nothing of ${dataset}`);
    const bytes = Buffer.alloc(entry.length);
    readSync(fd, bytes, 0, bytes.length, 8 + head.length + entry.offset);
    return { dataset, fields: deserialize(inflateRawSync(bytes)) as BlockField[] };
  } finally {
    closeSync(fd);
  }
}
