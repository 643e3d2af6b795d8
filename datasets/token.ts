/** One lexical token of the operator grammar. */
export interface Token {
  readonly kind: 'name' | 'quoted' | 'string' | 'number' | 'today' | 'punctuation';
  /** Its text without quotes; for `today` the number of years back. */
  readonly text: string;
}

const PATTERN =
  /\s+|`([^`]+)`|'((?:[^']|'')*)'|@today-(\d+)y|((?<![\w)])-?\d+(?:\.(?!\.)\d+)?(?:e[+-]?\d+)?)|([A-Za-z_@][\w.]*)|(\.\.|!=|<=|>=|[=<>(),;+\-*/[\]])/gy;

/**
 * Splits operator, condition and formula text into tokens.
 * @throws SyntaxError at the first character that begins no token.
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
    else if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name });
    else if (punctuation !== undefined) tokens.push({ kind: 'punctuation', text: punctuation });
  }
  return tokens;
}
