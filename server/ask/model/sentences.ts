import type { Sentence } from '../backend.ts';
import type { Piece } from './protocol.ts';

/** The boundary between two sentences: not after an abbreviation, and only when the second one has begun. */
const BOUNDARY =
  /(?<!\b(?:St|Ave|Rd|Dr|Mt|Ft|No|Co|Inc|Mr|Mrs|vs|approx|e\.g|i\.e|\p{Lu}))[.!?][”"’')\]]*\s+(?=["“(]?[\p{Lu}\d])|\s*\n+\s*/u;
/** List marks and emphasis that a model writes against its instructions. */
const MARKUP = /^\s*(?:[-*•]\s+|#+\s*|\d+[.)]\s+(?=\p{L}))|\*\*|`/gu;

const tidy = (text: string): string => text.replace(MARKUP, '').replace(/\s+/g, ' ').trim();

/** Splits the first sentence from some pieces. */
function cut(pieces: readonly Piece[], end: number): { readonly fields: string[]; readonly rest: Piece[] } {
  const fields = new Set<string>();
  const rest: Piece[] = [];
  let at = 0;
  for (const { text, fields: cited } of pieces) {
    const mine = text.slice(0, Math.max(0, end - at));
    const left = text.slice(mine.length);
    if (/[\p{L}\p{N}]/u.test(mine)) for (const field of cited) fields.add(field);
    if (left !== '') rest.push({ text: left, fields: cited });
    at += text.length;
  }
  return { fields: [...fields], rest };
}

/** Yields each sentence as soon as it is complete, with the fields that any of its pieces cites. */
export async function* sentencesOf(pieces: AsyncIterable<Piece>): AsyncGenerator<Sentence> {
  let held: Piece[] = [];
  const told = (end: number): Sentence | null => {
    const text = held.map(piece => piece.text).join('');
    const { fields, rest } = cut(held, end);
    held = rest;
    const sentence = tidy(text.slice(0, end));
    return sentence === '' ? null : { text: sentence, fields };
  };
  for await (const piece of pieces) {
    held.push(piece);
    for (;;) {
      const match = BOUNDARY.exec(held.map(({ text }) => text).join(''));
      if (!match) break;
      const sentence = told(match.index + match[0].length);
      if (sentence) yield sentence;
    }
  }
  const last = told(Number.POSITIVE_INFINITY);
  if (last) yield last;
}
