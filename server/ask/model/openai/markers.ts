import type { Evidence } from '../../backend.ts';
import type { Piece } from '../protocol.ts';

/** Numbers of records in square brackets, with the space before them. */
const MARKER = /\s*\[(\d{1,3}(?:\s*[,;]\s*\d{1,3})*)\]/;
/** Text that may become a marker when more of it arrives. */
const OPEN = /\s*(?:\[[\d\s,;]*)?$/;
/** A marker belongs to the sentence before it. This matches earlier sentences. */
const EARLIER = /^[\s\S]*[.!?\n]["”’)]*\s+(?=\S)/;

/**
 * Splits an answer into pieces whose markers name records by number.
 * @param evidence that the numbers count, from 1. Other numbers are ignored.
 */
export async function* citedPieces(words: AsyncIterable<string>, evidence: readonly Evidence[]): AsyncGenerator<Piece> {
  let held = '';
  for await (const word of words) {
    held += word;
    for (let match = MARKER.exec(held); match; match = MARKER.exec(held)) {
      const before = held.slice(0, match.index);
      const earlier = EARLIER.exec(before)?.[0] ?? '';
      if (earlier !== '') yield { text: earlier, fields: [] };
      const numbers = match[1]!.split(/\D+/).map(Number);
      yield { text: before.slice(earlier.length), fields: numbers.flatMap(n => evidence[n - 1]?.field ?? []) };
      held = held.slice(match.index + match[0].length);
    }
    // Complete sentences without a marker are passed on, except the last, whose marker may follow its full stop.
    const rest = OPEN.exec(held)!.index;
    const whole = /^[\s\S]*[.!?]["”’)]*\s+(?=[^\s[])/.exec(held.slice(0, rest))?.[0] ?? '';
    if (whole !== '') {
      yield { text: whole, fields: [] };
      held = held.slice(whole.length);
    }
  }
  if (held !== '') yield { text: held, fields: [] };
}
