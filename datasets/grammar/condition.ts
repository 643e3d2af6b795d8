import { type Token, tokenize } from './token.ts';

/** A literal in a condition. `today` means the as-of date of the release. */
export type Literal = string | number | boolean | { readonly todayMinusYears: number };

/** Filters rows before an operator sees them: the `where[...]` of an expression as immutable nodes. */
export type Condition =
  | { readonly kind: 'and' | 'or'; readonly terms: readonly Condition[] }
  | {
      readonly kind: 'compare';
      readonly column: string;
      readonly op: '=' | '!=' | '<' | '<=' | '>' | '>=';
      readonly value: Literal;
    }
  | {
      readonly kind: 'in';
      readonly column: string;
      readonly items: readonly (Literal | { readonly low: number; readonly high: number })[];
    }
  | { readonly kind: 'like'; readonly column: string; readonly pattern: string }
  | { readonly kind: 'null'; readonly column: string; readonly negated: boolean }
  | Unknown;

/**
 * Matches the rows for which it is unknown whether they meet `of`. No text expresses it: query/evaluate/vector/doubt.ts
 * makes it to find out what is unknown about a condition.
 */
export interface Unknown {
  readonly kind: 'unknown';
  readonly of: Condition;
  /** By column: codes for an unknown value, and the rows in which an empty value means "none". */
  readonly meanings: Readonly<
    Record<string, { readonly unknown: readonly Literal[]; readonly none: Condition | null }>
  >;
}

const COMPARISONS = ['=', '!=', '<', '<=', '>', '>='];

/**
 * Parses the text inside `where[...]`.
 * Grammar: terms joined by `and`/`or` (`and` binds tighter), parentheses, `=` `!=` `<` `<=` `>` `>=`,
 * `in (a, b, 1..9)`, `like 'x%'`, `is [not] null`; odd column names go in backticks.
 * @throws SyntaxError naming the text and the token that does not fit.
 */
export function parseCondition(text: string): Condition {
  const tokens = tokenize(text);
  let at = 0;
  const fail = (wanted: string): never => {
    throw new SyntaxError(`Condition "${text}": expected ${wanted} at "${tokens[at]?.text ?? 'end'}"`);
  };
  // A string literal may contain these characters, so check the kind of the token too.
  const isMark = (mark: string) => tokens[at]?.kind === 'punctuation' && tokens[at]!.text === mark;
  const isWord = (word: string) => tokens[at]?.kind === 'name' && tokens[at]!.text === word;
  const take = (wanted: string, test: (t: Token) => boolean): Token => {
    const token = tokens[at];
    if (!token || !test(token)) return fail(wanted);
    at++;
    return token;
  };
  const literal = (): Literal => {
    const token = take(
      'a value',
      t => t.kind === 'string' || t.kind === 'number' || t.kind === 'today' || t.kind === 'name',
    );
    if (token.kind === 'string') return token.text;
    if (token.kind === 'number') return Number(token.text);
    if (token.kind === 'today') return { todayMinusYears: Number(token.text) };
    if (token.text === 'true' || token.text === 'false') return token.text === 'true';
    at--;
    return fail('a value');
  };
  const item = () => {
    const low = literal();
    if (!isMark('..')) return low;
    at++;
    const high = literal();
    if (typeof low !== 'number' || typeof high !== 'number') return fail('a numeric range');
    return { low, high };
  };
  const term = (): Condition => {
    if (isMark('(')) {
      at++;
      const inner = any();
      take(')', () => isMark(')'));
      return inner;
    }
    const column = take('a column name', t => t.kind === 'name' || t.kind === 'quoted').text;
    if (isWord('in')) {
      at++;
      take('(', () => isMark('('));
      const items = [item()];
      while (isMark(',')) {
        at++;
        items.push(item());
      }
      take(')', () => isMark(')'));
      return { kind: 'in', column, items };
    }
    if (isWord('like')) {
      at++;
      return { kind: 'like', column, pattern: take('a pattern', t => t.kind === 'string').text };
    }
    if (isWord('is')) {
      at++;
      const negated = isWord('not');
      if (negated) at++;
      take('null', () => isWord('null'));
      return { kind: 'null', column, negated };
    }
    const op = take('a comparison', t => t.kind === 'punctuation' && COMPARISONS.includes(t.text)).text;
    return { kind: 'compare', column, op: op as '=', value: literal() };
  };
  const joined = (kind: 'and' | 'or', next: () => Condition): Condition => {
    const terms = [next()];
    while (isWord(kind)) {
      at++;
      terms.push(next());
    }
    return terms.length === 1 ? terms[0]! : { kind, terms };
  };
  const all = () => joined('and', term);
  const any = (): Condition => joined('or', all);
  const condition = any();
  if (at < tokens.length) fail('the end');
  return condition;
}

/** Every column that a condition reads, each once, in order of appearance. */
export function columnsOf(condition: Condition | null): readonly string[] {
  if (!condition) return NONE;
  let columns = named.get(condition);
  if (!columns) {
    if (condition.kind === 'unknown') columns = columnsOf(condition.of);
    else columns = 'terms' in condition ? [...new Set(condition.terms.flatMap(columnsOf))] : [condition.column];
    named.set(condition, columns);
  }
  return columns;
}
const NONE: readonly string[] = [];
/** Computed once for each condition, because every request needs it. */
const named = new WeakMap<Condition, readonly string[]>();
