import { isUtf8 } from 'node:buffer';
import { ShapeError } from './shape.ts';

/**
 * Deepest nesting that is read. No valid body nests deeper, and recursion over a deeper one could exhaust the stack.
 */
const MAX_DEPTH = 64;

/** A body that is not valid JSON, or breaks one of the stricter rules of parseJson. */
export class JsonError extends ShapeError {
  /** What is wrong with the body, without quoting any of it. */
  readonly problem: string;

  constructor(reason: string, problem = reason) {
    const msg = `JSON decode error: ${reason}`;
    super([{ loc: ['body'], msg, type: 'json_invalid', input: null, ctx: { error: reason } }]);
    this.problem = problem;
  }
}

const [QUOTE, COLON, BACKSLASH] = [0x22, 0x3a, 0x5c];
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];

const SPACE = new Uint8Array(256);
for (const ch of ' \t\r\n') SPACE[ch.charCodeAt(0)] = 1;

/** Finds the end of the string whose opening quote is at `start`, and whether the string is the name of a member. */
function stringAt(bytes: Buffer, start: number): { readonly end: number; readonly named: boolean } {
  let end = start + 1;
  for (; bytes[end] !== QUOTE; end++) if (bytes[end] === BACKSLASH) end++;
  let next = ++end;
  while (SPACE[bytes[next] ?? 0] === 1) next++;
  return { end, named: bytes[next] === COLON };
}

/** Bytes that are compared one by one before indexOf takes over: the next string mostly starts within them. */
const NEAR = 16;

/** The position of the next quote, or -1. indexOf skips long runs of coordinates at next to no cost. */
function quoteFrom(bytes: Buffer, start: number): number {
  const end = start + NEAR;
  for (let at = start; at < end; at++) if (bytes[at] === QUOTE) return at;
  return bytes.indexOf(QUOTE, end);
}

/** Counts the member names in a JSON text. */
function namesIn(bytes: Buffer): number {
  let count = 0;
  for (let at = quoteFrom(bytes, 0); at >= 0; ) {
    const { end, named } = stringAt(bytes, at);
    if (named) count++;
    at = quoteFrom(bytes, end);
  }
  return count;
}

/** Counts the members of all objects in a value. @throws JsonError when it nests too deep. */
function membersOf(value: unknown, depth = 1): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth > MAX_DEPTH)
    throw new JsonError(`nested more than ${MAX_DEPTH} deep`, `it nests more than ${MAX_DEPTH} deep`);
  if (Array.isArray(value))
    return typeof value.at(0) === 'number' ? membersBehind(value, depth) : membersIn(value, depth);
  let count = 0;
  const object = value as Record<string, unknown>;
  for (const name of Object.keys(object)) count += 1 + membersOf(object[name], depth + 1);
  return count;
}

function membersIn(list: readonly unknown[], depth: number): number {
  let count = 0;
  for (let i = 0; i < list.length; i++) if (typeof list[i] === 'object') count += membersOf(list[i], depth + 1);
  return count;
}

/**
 * Does what membersOf does, for lists that begin with a number. V8 stores positions as doubles; code that reads both
 * those and lists of objects would first box every number.
 */
function membersBehind(list: readonly unknown[], depth: number): number {
  for (let i = 1; i < list.length; i++) if (typeof list[i] !== 'number') return membersIn(list, depth);
  return 0;
}

/** The first name that an object of a JSON text gives twice, or null. @param bytes valid JSON in UTF-8. */
function repeatedName(bytes: Buffer): string | null {
  const open: Set<string>[] = [];
  for (let i = 0; i < bytes.length; i++) {
    const ch = bytes[i]!;
    if (ch === OPEN_OBJECT || ch === OPEN_LIST) open.push(new Set());
    else if (ch === CLOSE_OBJECT || ch === CLOSE_LIST) open.pop();
    if (ch !== QUOTE) continue;
    const { end, named } = stringAt(bytes, i);
    const name = JSON.parse(bytes.toString('utf8', i, end)) as string;
    i = end - 1;
    if (!named) continue;
    const names = open.at(-1)!;
    if (names.has(name)) return name;
    names.add(name);
  }
  return null;
}

/** Whether all texts in a value are whole characters of Unicode. @param value no deeper than MAX_DEPTH. */
function isWhole(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isWhole);
  return Object.entries(value).every(([name, member]) => name.isWellFormed() && isWhole(member));
}

/**
 * Parses a request body strictly. It must be UTF-8 without a byte order mark, one JSON text, with bounded depth, without
 * repeated names and without halves of surrogate pairs (JSON.parse accepts those, and RFC 8259 does not say what they
 * mean; a store would change them).
 * @returns undefined for an empty body, which validation then reports as missing.
 * @throws JsonError that says what is wrong.
 */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  if (!isUtf8(bytes)) throw new JsonError('the body is not valid UTF-8', 'it is not valid UTF-8');
  const text = bytes.toString('utf8');
  if (text.startsWith('\uFEFF'))
    throw new JsonError('the body starts with a byte order mark', 'it starts with a byte order mark');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new JsonError((error as Error).message.slice(0, 200), 'it is not valid JSON');
  }
  // JSON.parse keeps only the last of several members with the same name.
  if (membersOf(value) !== namesIn(bytes))
    throw new JsonError(
      `the name ${JSON.stringify(repeatedName(bytes)!.slice(0, 100))} is given twice`,
      'an object in it gives a name twice',
    );
  // Only an escape can be half of a pair.
  if (/\\u[dD][89a-fA-F]/.test(text) && !isWhole(value))
    throw new JsonError(
      'a text holds half of a surrogate pair; send whole characters of Unicode',
      'a text in it holds half of a surrogate pair',
    );
  return value;
}
