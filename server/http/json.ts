import { ShapeError } from './shape.ts';

/** No body of the service nests further; recursion over deeper ones could exhaust the stack. */
const MAX_DEPTH = 64;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const invalid = (reason: string) =>
  new ShapeError([
    { loc: ['body'], msg: `JSON decode error: ${reason}`, type: 'json_invalid', input: null, ctx: { error: reason } },
  ]);

const [QUOTE, COLON, BACKSLASH, OPEN_OBJECT, OPEN_LIST] = [0x22, 0x3a, 0x5c, 0x7b, 0x5b];

/** 1 for quotes and brackets: of a boundary of ten thousand vertices all else is passed over. */
const STRUCTURE = new Uint8Array(256);
for (const ch of '"{}[]') STRUCTURE[ch.charCodeAt(0)] = 1;
const SPACE = new Uint8Array(256);
for (const ch of ' \t\r\n') SPACE[ch.charCodeAt(0)] = 1;

/**
 * Refuses what JSON.parse lets through silently: a name given twice (RFC 8259 leaves its meaning open) and deep nesting.
 * @param bytes valid JSON in UTF-8.
 */
function checkStructure(bytes: Uint8Array): void {
  const open: (Set<string> | null)[] = [];
  const { length } = bytes;
  for (let i = 0; i < length; i++) {
    const ch = bytes[i]!;
    if (STRUCTURE[ch] === 0) continue;
    if (ch === QUOTE) {
      const start = i;
      for (i++; bytes[i] !== QUOTE; i++) if (bytes[i] === BACKSLASH) i++;
      let next = i + 1;
      while (SPACE[bytes[next] ?? 0] === 1) next++;
      if (bytes[next] !== COLON) continue;
      const names = open.at(-1)!;
      const name = JSON.parse(decoder.decode(bytes.subarray(start, i + 1))) as string;
      if (names.has(name)) throw invalid(`the name ${JSON.stringify(name.slice(0, 100))} is given twice`);
      names.add(name);
    } else if (ch === OPEN_OBJECT || ch === OPEN_LIST) {
      if (open.push(ch === OPEN_OBJECT ? new Set() : null) > MAX_DEPTH)
        throw invalid(`nested more than ${MAX_DEPTH} deep`);
    } else open.pop();
  }
}

/**
 * Parses a request body strictly: UTF-8 without a byte order mark, one JSON text, unique names, bounded depth.
 * @returns undefined for an empty body, which validation then reports as missing.
 * @throws ShapeError that says what is wrong.
 */
export function parseJson(bytes: Uint8Array): unknown {
  if (bytes.length === 0) return undefined;
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw invalid('the body is not valid UTF-8');
  }
  if (text.startsWith('\uFEFF')) throw invalid('the body starts with a byte order mark');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalid((error as Error).message.slice(0, 200));
  }
  checkStructure(bytes);
  return value;
}
