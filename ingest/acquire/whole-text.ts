import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { ReadError } from '../reader.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Steps that each byte goes into objects and lists, or out of them. */
const STEP = Int8Array.from({ length: 256 }, (_, byte) => {
  const sign = String.fromCharCode(byte);
  return '{['.includes(sign) ? 1 : ']}'.includes(sign) ? -1 : 0;
});
/** Bytes in which the end tag of a document stands, with whatever comments follow it. */
const TAIL_BYTES = 4096;

const cutOff = (path: string, why: string) => new ReadError('file_truncated', path, null, why);

/** Brackets of a JSON text that comes in pieces. */
class Brackets {
  #depth = 0;
  #isText = false;
  /** Bytes of the next piece that belong to an escape of this one. */
  #escaped = 0;

  get areOpen(): boolean {
    return this.#isText || this.#depth > 0;
  }

  /** Counts those of a piece. The loop works on variables, as every byte of a download passes here. */
  read(piece: Buffer): void {
    let depth = this.#depth;
    let isText = this.#isText;
    let i = this.#escaped;
    for (; i < piece.length; i++) {
      const byte = piece[i]!;
      if (isText) {
        if (byte === QUOTE) isText = false;
        else if (byte === BACKSLASH) i++;
      } else if (byte === QUOTE) isText = true;
      else depth += STEP[byte]!;
    }
    this.#depth = depth;
    this.#isText = isText;
    this.#escaped = i - piece.length;
  }
}

/**
 * Checks that every object and list of a JSON text, or of lines of it, is closed: cut after a feature it would still end in a bracket.
 * @throws ReadError file_truncated.
 */
export async function wholeJson(path: string, signal: AbortSignal | undefined): Promise<void> {
  const brackets = new Brackets();
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20, signal }) as AsyncIterable<Buffer>)
    brackets.read(chunk);
  if (brackets.areOpen) throw cutOff(path, 'its JSON has no end');
}

/** Checks that the first element of an XML document is closed. @throws ReadError file_truncated. */
export async function wholeXml(path: string): Promise<void> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const read = async (from: number) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(TAIL_BYTES), 0, TAIL_BYTES, from);
      return buffer.toString('latin1', 0, bytesRead);
    };
    const head = (await read(0)).replace(/<!--[\s\S]*?-->|<\?[\s\S]*?\?>/g, '');
    const [, name, empty] = /<([A-Za-z_][\w.:-]*)[^>]*?(\/?)>/.exec(head) ?? [];
    if (name === undefined && size <= TAIL_BYTES) throw cutOff(path, 'it has no element');
    // A longer head tells nothing, nor does one that declares elements.
    if (name === undefined || empty === '/' || /<!DOCTYPE[^>]*\[/.test(head)) return;
    const tail = await read(Math.max(0, size - TAIL_BYTES));
    const end = tail.lastIndexOf(`</${name}`);
    if (end < 0 || !/^\s*>/.test(tail.slice(end + name.length + 2)))
      throw cutOff(path, `its element ${name} has no end`);
  } finally {
    await file.close();
  }
}
