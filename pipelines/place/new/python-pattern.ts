import { Untranslatable } from './untranslatable.ts';

/** A regular expression as place files take it. */
export interface Pattern {
  readonly source: string;
  /** Number of its groups. */
  readonly groups: number;
}

/** Spellings of Python that JavaScript writes otherwise. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/^\\Z/, '$'],
  [/^\\A/, '^'],
  [/^\(\?P</, '(?<'],
];

/** A piece of a pattern: an escape, a whole class, the beginning of a group, or one character. */
const PIECE = /^(?:\\[\s\S]|\[\^?\]?(?:\\[\s\S]|[^\]\\])*\]|\(\?(?:P?<?[=!]|P?<\w+>|:)|[\s\S])/;

/** Both cases of the letters of a class, ranges included. */
function bothCases(text: string): string {
  const ranges = text.replace(/(\\[\s\S])|([A-Za-z])(?:-([A-Za-z]))?/g, (whole, escaped, from, to) => {
    if (escaped !== undefined) return whole;
    const other = (letter: string) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase());
    return to === undefined ? `${from}${other(from)}` : `${from}-${to}${other(from)}-${other(to)}`;
  });
  return ranges;
}

/**
 * Translates a regular expression of Python into one that needs no flags.
 * @throws Untranslatable naming what JavaScript does not have.
 */
export function patternOf(python: string): Pattern {
  const flags = /^\(\?([a-z]+)\)/.exec(python);
  const wrong = (what: string) => new Untranslatable(`the regular expression ${python} ${what}`);
  if (flags && flags[1] !== 'i') throw wrong(`has the flags ${flags[1]}`);
  let rest = flags ? python.slice(flags[0].length) : python;
  let source = '';
  while (rest !== '') {
    const spelling = SPELLINGS.find(([pattern]) => pattern.test(rest));
    const piece = spelling ? spelling[0].exec(rest)![0] : PIECE.exec(rest)![0];
    rest = rest.slice(piece.length);
    if (spelling) source += spelling[1];
    else if (piece.startsWith('[') && piece.length > 1) {
      // A bracket that comes first in a class stands for itself in Python.
      const plain = piece.replace(/^(\[\^?)\]/, '$1\\]');
      source += flags ? plain[0] + bothCases(plain.slice(1)) : plain;
    } else if (flags && /^[A-Za-z]$/.test(piece)) source += `[${piece.toUpperCase()}${piece.toLowerCase()}]`;
    else source += piece;
    if (piece === '(' && rest.startsWith('?')) throw wrong(`has (${rest.slice(0, 2)}, which is not translated`);
  }
  try {
    return { source, groups: new RegExp(`${source}|`).exec('')!.length - 1 };
  } catch (error) {
    throw wrong(`is none here: ${(error as Error).message}`);
  }
}

/**
 * Translates what takes the place of a match: `${1}` and `$1` are groups.
 * @throws Untranslatable for a group above the ninth and for escapes.
 */
export function replacementOf(python: string): string {
  const value = python.replace(/\$\{(\d+)\}/g, '$$$1');
  if (/\$0|\$\d\d|\\/.test(value)) throw new Untranslatable(`the replacement ${python} is not translated`);
  return value;
}
