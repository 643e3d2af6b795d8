import { plainLine } from '../../query/format/plain-text.ts';

/** A number, with what may stand about it. */
const NUMBER = /^[-+(\p{Sc}]*\d+(?:,\d{3})*(?:\.\d+)?[%°)\p{Sc}]*[.,;:!?]*$/u;

/** A word in which no program finds a link: a URL, the name of a host, an address of mail or a telephone. */
function inertWord(word: string): string {
  if (NUMBER.test(word)) return word;
  return word
    .replace(/[.。](?=\S)/g, '[.]')
    .replace(/:(?=\S)/g, '[:]')
    .replaceAll('@', '[at]');
}

/** Cuts a text to bytes of UTF-8, between characters. */
export function cut(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  let kept = '';
  let left = bytes - Buffer.byteLength('…');
  for (const character of text) {
    left -= Buffer.byteLength(character);
    if (left < 0) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

/** Puts a text on one line, so that it cannot look like another paragraph or code fence. */
export const oneLine = (text: string): string => plainLine(text).replace(/\s+/g, ' ').replaceAll('```', "'''").trim();

/**
 * Makes a stranger's words fit to stand in a mail of ours: on one line, no longer than that, and without anything that
 * a mail program makes a link of. @param bytes of UTF-8 at most.
 */
export const inert = (words: string, bytes: number): string =>
  cut(oneLine(words.normalize('NFKC')).split(' ').map(inertWord).join(' '), bytes);

/** The words of a requester, quoted. @param bytes as of inert, without the quotes. */
export const quoted = (words: string, bytes: number): string => `“${inert(words, bytes).replace(/[“”]/g, '"')}”`;
