/** One lexical token of the operator grammar. */
export interface Token {
  readonly kind: 'name' | 'quoted' | 'string' | 'number' | 'today' | 'punctuation';
  /** Its text without quotes; for `today` the number of years back. */
  readonly text: string;
}

/** A trailing `?` marks a name that was not yet compared with a published file. It is not part of the name. */
const PATTERN =
  /\s+|`([^`]+?)\??`|'((?:[^']|'')*)'|@today-(\d+)y|(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?!\w))|([A-Za-z_@]\w*(?:\.\w+)*)\??|(\.\.|!=|<=|>=|[=<>(),;+\-*/[\]])/gy;

/** Whether a token ends a value, so that a minus after it subtracts. */
const endsValue = (token: Token | undefined): boolean =>
  token !== undefined && (token.kind === 'punctuation' ? token.text === ')' || token.text === ']' : true);

/**
 * Splits the text of an operator, condition or formula into tokens. A minus directly before a digit is the sign of the
 * number, unless a value stands before it.
 * @throws SyntaxError at the first character that cannot begin a token.
 */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  PATTERN.lastIndex = 0;
  while (PATTERN.lastIndex < text.length) {
    const start = PATTERN.lastIndex;
    const match = PATTERN.exec(text);
    if (!match) throw new SyntaxError(`"${text}": unexpected character "${text[start]}" at ${start}`);
    const [, quoted, string, today, number, name, punctuation] = match;
    if (quoted !== undefined) tokens.push({ kind: 'quoted', text: quoted });
    else if (string !== undefined) tokens.push({ kind: 'string', text: string.replaceAll("''", "'") });
    else if (today !== undefined) tokens.push({ kind: 'today', text: today });
    else if (number?.startsWith('-') && endsValue(tokens.at(-1))) {
      tokens.push({ kind: 'punctuation', text: '-' });
      PATTERN.lastIndex = start + 1;
    } else if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name });
    else if (punctuation !== undefined) tokens.push({ kind: 'punctuation', text: punctuation });
  }
  return tokens;
}
