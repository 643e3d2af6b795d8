import { createHash } from 'node:crypto';
import { canonicalJson } from '../idempotency/canonical-json.ts';

/** What an answer says beside its content: when it was given, to which request, and where it goes on. It differs from call to call. */
const PASSING: ReadonlySet<string> = new Set([
  'fetched_at',
  'answered_at',
  'request_id',
  'next_cursor',
  'expires_at',
  'replayed',
  'tiles',
]);

/** Parts of an answer that have a digest of their own, at most: whatever has more is told apart less finely. */
const MOST_PARTS = 1_024;
/** Containers within containers that are told apart, at most. */
const DEEPEST = 5;
/** Hexadecimal digits of the digest of a part, which says only where answers differ. */
const PART_DIGITS = 16;

/** The digests of the content of an answer. */
export interface ContentDigest {
  /** Of its canonical JSON text: names in order, without what differs from call to call. */
  readonly content_sha256: string;
  /** How deep parts were told apart. */
  readonly depth: number;
  /** Path of each part (`fields.elevation.value`, `matches[0].apn`) → the first digits of its digest. */
  readonly parts: Readonly<Record<string, string>>;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** SHA-256 of a value's canonical JSON text. */
export const digestOf = (value: unknown): string => sha256(canonicalJson(value));

/** An answer without what differs from call to call. */
export function contentOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.every(one => typeof one === 'number') ? value : value.map(contentOf);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, of]) => (PASSING.has(name) ? [] : [[name, contentOf(of)]])),
  );
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The parts of a value at some depth; numbers beside numbers are one. Ends when there are too many. */
function* partsAt(value: unknown, path: string, depth: number): Generator<readonly [path: string, value: unknown]> {
  const isList = Array.isArray(value);
  if (depth === 0 || !isContainer(value) || (isList && value.every(one => typeof one === 'number'))) {
    yield [path, value];
    return;
  }
  const within = (name: string) => (isList ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`);
  for (const [name, one] of Object.entries(value)) yield* partsAt(one, within(name), depth - 1);
}

/** The first parts of a content at a depth, one more than there may be at most. */
function someParts(content: unknown, depth: number): (readonly [path: string, value: unknown])[] {
  const parts: (readonly [string, unknown])[] = [];
  for (const part of partsAt(content, '', depth)) if (parts.push(part) > MOST_PARTS) break;
  return parts;
}

/** How deep a content is told apart: as deep as it has not too many parts. */
function depthOf(content: unknown): number {
  for (let depth = DEEPEST; depth > 1; depth--) if (someParts(content, depth).length <= MOST_PARTS) return depth;
  return 1;
}

/** The parts of a content at a depth, in their order. */
export const partsOf = (content: unknown, depth: number): readonly (readonly [path: string, value: unknown])[] =>
  someParts(content, depth).slice(0, MOST_PARTS);

/** The digests of an answer. @param depth of another one that it is held against. */
export function contentDigest(answer: unknown, depth?: number): ContentDigest {
  const content = contentOf(answer);
  const at = depth ?? depthOf(content);
  const parts = partsOf(content, at).map(([path, value]) => [path, digestOf(value).slice(0, PART_DIGITS)]);
  return { content_sha256: digestOf(content), depth: at, parts: Object.fromEntries(parts) };
}
