import { JsonBytes } from '../../format/json-bytes.ts';
import type { SharedColumns } from '../columns/shared-columns.ts';
import type { Issue } from '../request/issue.ts';
import type { Position } from '../request/position.ts';
import type { CompletionReason } from '../request/request.ts';
import type { Notice } from './notices.ts';

/**
 * JSON text in UTF-8 in memory of its own, with room around it. Such memory changes hands between threads without a
 * copy, and what the response has around the text is written beside it.
 */
export interface PageText {
  readonly memory: Uint8Array<ArrayBuffer>;
  readonly start: number;
  readonly end: number;
}

/** What a short text about a page is made from, so that nobody parses megabytes for it. */
export interface PageOutline {
  /** Matches of the whole page. */
  readonly count: number;
  /** JSON array of the first matches, without what they are enriched with. */
  readonly first: string;
}

/** One page of a search: its matches are JSON text already, and the thread that serves everybody has but to send it. */
export interface WrittenPage {
  /** JSON array of matches as the response has them. */
  readonly matches: PageText;
  readonly status: 'complete' | 'limited' | 'partial';
  readonly reason: CompletionReason;
  readonly next: Position | null;
  /** Of a page that ends a walk: what its filters could not tell. */
  readonly notices?: readonly Notice[];
  /** Where the request asked for it. */
  readonly outline?: PageOutline;
  /** Where the request asked for it. */
  readonly columnsRead?: SharedColumns;
}

/** A page, or what GEOS and the size limit found wrong with its areas before anything was read. */
export type WrittenResult = WrittenPage | { readonly issues: readonly Issue[] };

const UTF8 = new TextEncoder();

/** Bytes that stay free before and after a text: what a response has around its matches, a long cursor among it. */
const BEFORE = 32;
const AFTER = 2048;

/** Copies parts, one after another, into memory with room around them. */
export function pageText(parts: readonly Uint8Array[], before = BEFORE, after = AFTER): PageText {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  // Clearing it first would take as long as writing it.
  const memory = Buffer.allocUnsafeSlow(before + length + after);
  let at = before;
  for (const part of parts) {
    memory.set(part, at);
    at += part.length;
  }
  return { memory, start: before, end: at };
}

/** Takes what is written of a page straight into the memory that `textIn` hands over. */
export const pageBytes = (): JsonBytes => JsonBytes.own(BEFORE);

/** The text that was written into pageBytes, which are not to be used afterwards. */
export function textIn(out: JsonBytes): PageText {
  const end = out.length;
  return { memory: out.memory(AFTER), start: BEFORE, end };
}

/** Matches of a page that has none. */
export const noMatches = (): PageText => pageText([UTF8.encode('[]')]);

/** The text itself. */
const textOf = ({ memory, start, end }: PageText): Uint8Array => memory.subarray(start, end);

/** The text between two others, in memory of its own: in that of the text where they fit. */
export function framed(text: PageText, before: string, after: string): Buffer<ArrayBuffer> {
  const start = text.start - Buffer.byteLength(before);
  const end = text.end + Buffer.byteLength(after);
  if (start < 0 || end > text.memory.length)
    return framed(pageText([textOf(text)], before.length * 3, after.length * 3), before, after);
  const { buffer, byteOffset, length } = text.memory;
  const bytes = Buffer.from(buffer, byteOffset, length);
  bytes.write(before, start);
  bytes.write(after, text.end);
  return bytes.subarray(start, end) as Buffer<ArrayBuffer>;
}
