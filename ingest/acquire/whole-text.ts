import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { ReadError } from '../reader.ts';

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSED_LIST, OPEN_OBJECT, CLOSED_OBJECT] = [...'"\\[]{}'].map(sign =>
  sign.charCodeAt(0),
) as [number, number, number, number, number, number];
/** Bytes in which the end tag of a document stands, with whatever comments follow it. */
const TAIL_BYTES = 4096;

const cutOff = (path: string, why: string) => new ReadError('file_truncated', path, null, why);

/**
 * Checks that every object and list of a JSON text, or of lines of it, is closed: cut after a feature it would still end in a bracket.
 * @throws ReadError file_truncated.
 */
export async function wholeJson(path: string, signal: AbortSignal | undefined): Promise<void> {
  let depth = 0;
  let isText = false;
  let isEscaped = false;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20, signal }) as AsyncIterable<Buffer>)
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i]!;
      if (isEscaped) isEscaped = false;
      else if (isText) {
        if (byte === QUOTE) isText = false;
        else if (byte === BACKSLASH) isEscaped = true;
      } else if (byte === QUOTE) isText = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) depth++;
      else if (byte === CLOSED_OBJECT || byte === CLOSED_LIST) depth--;
    }
  if (isText || depth > 0) throw cutOff(path, 'its JSON has no end');
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
