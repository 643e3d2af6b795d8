import { randomUUID } from 'node:crypto';
import { freeMemory } from '../../query/format/freed-memory.ts';
import { sentOnce } from './sending.ts';

/** Stands for a text inside a longer one. No client knows it, so that nothing that was sent is taken for it. */
const MARK = `written-json-${randomUUID()}`;
const QUOTED = Buffer.from(JSON.stringify(MARK));

/** Texts that the value which is being written holds, in their order; null while none is written. */
let held: WrittenJson[] | null = null;

/**
 * A part of an answer that was written as JSON before: a megabyte of it would keep the serving thread busy for ten milliseconds.
 * Its memory is freed when the answer is written.
 */
export class WrittenJson {
  /** In UTF-8. */
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** What JSON.stringify writes: a mark for jsonOf, for others the value itself. */
  toJSON(): unknown {
    if (held === null) return JSON.parse(Buffer.from(this.bytes).toString('utf8'));
    held.push(this);
    return MARK;
  }
}

/**
 * Writes a value as JSON.stringify does, with what was written already.
 * @param most bytes of each such text, for who reads only the beginning. Without it a value is written once: its texts are freed.
 * @returns a text, or bytes in UTF-8 to be sent once where the value holds such texts.
 */
export function jsonOf(value: unknown, most = Number.POSITIVE_INFINITY): string | Buffer {
  const before = held;
  held = [];
  let text: string;
  let parts: readonly WrittenJson[];
  try {
    text = JSON.stringify(value);
    parts = held;
  } finally {
    held = before;
  }
  if (parts.length === 0) return text;
  const frame = Buffer.from(text);
  const pieces: Uint8Array[] = [];
  let at = 0;
  for (const { bytes } of parts) {
    const next = frame.indexOf(QUOTED, at);
    pieces.push(frame.subarray(at, next), bytes.subarray(0, most));
    at = next + QUOTED.length;
  }
  const all = Buffer.concat([...pieces, frame.subarray(at)]);
  if (most < Number.POSITIVE_INFINITY) return all;
  for (const { bytes } of new Set(parts)) freeMemory(bytes);
  return sentOnce(all);
}
