import type { Geometry } from '../../datasets/geometry.ts';
import {
  Budget,
  COMPARISONS,
  type Comparison,
  CqlError,
  dateOf,
  type Expression,
  RELATIONS,
  type Relation,
  relationTo,
  type Scalar,
  timestampOf,
  turned,
  unknownFunction,
} from './expression.ts';
import { boxShape, shapeOf, typeNamed } from './shape.ts';

/** One token: a name, a quoted name, a text, a number, or a sign. */
interface Token {
  readonly kind: 'name' | 'quoted' | 'text' | 'number' | 'sign' | 'end';
  readonly text: string;
  readonly start: number;
}

/** Longest filter in letters: longer ones do not fit in an address either. */
const LONGEST = 65_536;

const TOKEN =
  /(?:("(?:[^"]|"")*")|('(?:[^'\\]|''|\\[\s\S])*')|([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|([\p{L}_:][\p{L}\p{N}_.:]*)|(<>|<=|>=|[<>=(),+*/^%-]))/uy;

/** Letters behind a backslash and what they stand for; a backslash before any other is one, for patterns (OGC 21-065r2, 8.2). */
const ESCAPED: Readonly<Record<string, string>> = {
  "'": "'",
  a: '\u0007',
  b: '\b',
  t: '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
};

/** The text between quotation marks. */
const unescaped = (literal: string): string =>
  literal
    .slice(1, -1)
    .replace(/''|\\([\s\S])/g, (pair, letter?: string) => (letter === undefined ? "'" : (ESCAPED[letter] ?? pair)));

const BLANKS = /\s*/uy;

function tokensOf(text: string): Token[] {
  if (text.length > LONGEST) throw new CqlError(`The filter is longer than ${LONGEST} letters.`);
  const tokens: Token[] = [];
  let next = 0;
  const end = text.trimEnd().length;
  while (next < end) {
    BLANKS.lastIndex = next;
    const start = next + BLANKS.exec(text)![0].length;
    TOKEN.lastIndex = start;
    const match = TOKEN.exec(text);
    if (!match) throw new CqlError(`The filter cannot be read from character ${start + 1} on: ${shown(text, start)}.`);
    next = TOKEN.lastIndex;
    const [, quoted, literal, number, name, sign] = match;
    if (quoted !== undefined) tokens.push({ kind: 'quoted', text: quoted.slice(1, -1).replaceAll('""', '"'), start });
    else if (literal !== undefined) tokens.push({ kind: 'text', text: unescaped(literal), start });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number, start });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name, start });
    else tokens.push({ kind: 'sign', text: sign!, start });
  }
  tokens.push({ kind: 'end', text: '', start: end });
  return tokens;
}

/** The beginning of what could not be read. */
const shown = (text: string, start: number) => JSON.stringify(text.slice(start, start + 20).trim());

const relationNamed = (name: string): Relation | null =>
  RELATIONS.find(relation => relation === name.toLowerCase()) ?? null;

/** Reads the text form of CQL2 (OGC 21-065r2, annex B) by recursive descent. */
class TextReader {
  readonly #text: string;
  readonly #geometry: string;
  readonly #tokens: readonly Token[];
  readonly #budget = new Budget();
  #next = 0;

  constructor(text: string, geometry: string) {
    this.#text = text;
    this.#geometry = geometry;
    this.#tokens = tokensOf(text);
  }

  whole(): Expression {
    const expression = this.#either();
    if (this.#token.kind !== 'end') throw this.#wrong('AND, OR or the end of the filter');
    return expression;
  }

  get #token(): Token {
    return this.#tokens[this.#next]!;
  }

  #wrong(expected: string): CqlError {
    const { kind, start } = this.#token;
    const place = kind === 'end' ? 'at its end' : `at character ${start + 1} (${shown(this.#text, start)})`;
    return new CqlError(`The filter is no CQL2 text ${place}: expected ${expected}.`);
  }

  /** Passes a word. @returns false where another token comes next. */
  #takes(word: string): boolean {
    const { kind, text } = this.#token;
    if (kind !== 'name' || text.toUpperCase() !== word) return false;
    this.#next++;
    return true;
  }

  #takesSign(sign: string): boolean {
    const { kind, text } = this.#token;
    if (kind !== 'sign' || text !== sign) return false;
    this.#next++;
    return true;
  }

  #needSign(sign: string): void {
    if (!this.#takesSign(sign)) throw this.#wrong(`"${sign}"`);
  }

  #either(): Expression {
    return this.#joined('OR', 'or', () => this.#joined('AND', 'and', () => this.#factor()));
  }

  #joined(word: string, kind: 'and' | 'or', read: () => Expression): Expression {
    const all = [read()];
    while (this.#takes(word)) all.push(read());
    return all.length === 1 ? all[0]! : { kind, all };
  }

  #factor(): Expression {
    return this.#budget.deeper(() => {
      if (this.#takes('NOT')) return { kind: 'not', of: this.#factor() };
      if (this.#takesSign('(')) {
        const inner = this.#either();
        this.#needSign(')');
        return inner;
      }
      this.#budget.part();
      const relation = this.#token.kind === 'name' ? relationNamed(this.#token.text) : null;
      if (relation) return this.#relation(relation);
      if (this.#isConstant())
        return { kind: 'constant', value: this.#tokens[this.#next++]!.text.toUpperCase() === 'TRUE' };
      return this.#predicate();
    });
  }

  /** True where TRUE or FALSE comes next and nothing compares it. */
  #isConstant(): boolean {
    const { kind, text } = this.#token;
    if (kind !== 'name' || !/^(true|false)$/i.test(text)) return false;
    const { kind: after, text: sign } = this.#tokens[this.#next + 1]!;
    return after === 'end' || (after === 'sign' && sign === ')') || (after === 'name' && /^(and|or)$/i.test(sign));
  }

  #predicate(): Expression {
    const of = this.#scalar();
    const { kind, text } = this.#token;
    if (kind === 'sign' && (COMPARISONS as readonly string[]).includes(text)) {
      this.#next++;
      return { kind: 'comparison', op: text as Comparison, left: of, right: this.#scalar() };
    }
    if (this.#takes('IS')) {
      const isNot = this.#takes('NOT');
      if (!this.#takes('NULL')) throw this.#wrong('NULL');
      return inverted(isNot, { kind: 'null', of });
    }
    const isNot = this.#takes('NOT');
    if (this.#takes('LIKE')) return inverted(isNot, { kind: 'like', of, pattern: this.#scalar() });
    if (this.#takes('BETWEEN')) {
      const low = this.#scalar();
      if (!this.#takes('AND')) throw this.#wrong('AND');
      return inverted(isNot, { kind: 'between', of, low, high: this.#scalar() });
    }
    if (this.#takes('IN')) {
      this.#needSign('(');
      const list = [this.#scalar()];
      while (this.#takesSign(',')) list.push(this.#scalar());
      this.#needSign(')');
      return inverted(isNot, { kind: 'in', of, list });
    }
    throw this.#wrong('a comparison, LIKE, BETWEEN, IN or IS NULL');
  }

  #scalar(): Scalar {
    this.#budget.part();
    const { kind, text } = this.#token;
    if (kind === 'end' || kind === 'sign') throw this.#wrong('a property or a value');
    this.#next++;
    if (kind === 'text') return { kind: 'value', value: text };
    if (kind === 'number') return { kind: 'value', value: Number(text) };
    if (kind === 'quoted') return { kind: 'property', name: text };
    if (/^(true|false)$/i.test(text)) return { kind: 'value', value: text.toUpperCase() === 'TRUE' };
    if (!this.#takesSign('(')) return { kind: 'property', name: text };
    const scalar = this.#call(text);
    this.#needSign(')');
    return scalar;
  }

  /** The scalar of a function, from what stands between its parentheses. */
  #call(name: string): Scalar {
    const upper = name.toUpperCase();
    if (upper === 'CASEI') return this.#budget.deeper(() => ({ kind: 'caseless', of: this.#scalar() }));
    if (upper !== 'DATE' && upper !== 'TIMESTAMP') throw unknownFunction(name);
    const { kind, text } = this.#token;
    if (kind !== 'text') throw this.#wrong('a text in quotation marks');
    this.#next++;
    return upper === 'DATE' ? dateOf(text) : timestampOf(text);
  }

  #relation(op: Relation): Expression {
    this.#next++;
    this.#needSign('(');
    const first = this.#place();
    this.#needSign(',');
    const second = this.#place();
    this.#needSign(')');
    if ((first === null) === (second === null))
      throw new CqlError(
        `${op.toUpperCase()} compares the property ${this.#geometry} with one geometry of the filter.`,
      );
    return first === null ? relationTo(op, second!) : relationTo(turned(op), first);
  }

  /** The geometries of a collection. */
  #members(): Geometry[] {
    return this.#budget.deeper(() => {
      const all: Geometry[] = [];
      this.#needSign('(');
      do {
        const place = this.#place();
        if (place === null) throw new CqlError('A collection of geometries in the filter holds a property.');
        all.push(...place);
      } while (this.#takesSign(','));
      this.#needSign(')');
      return all;
    });
  }

  /** A geometry of the filter, or the members of a collection; null: that of the feature. */
  #place(): readonly Geometry[] | null {
    this.#budget.part();
    const { kind, text } = this.#token;
    if (kind !== 'name' && kind !== 'quoted') throw this.#wrong('a geometry');
    this.#next++;
    if (kind === 'quoted' || !/^[zm(]$/i.test(this.#token.text)) {
      if (text === this.#geometry) return null;
      throw new CqlError(
        `The filter compares the geometry of ${text.slice(0, 40)}; it is that of the property ${this.#geometry}.`,
      );
    }
    if (text.toUpperCase() === 'BBOX') {
      this.#needSign('(');
      const numbers = [this.#number()];
      while (this.#takesSign(',')) numbers.push(this.#number());
      this.#needSign(')');
      return [boxShape(numbers, this.#budget)];
    }
    if (text.toUpperCase() === 'GEOMETRYCOLLECTION') return this.#members();
    const type = typeNamed(text);
    if (!type) throw unknownFunction(text);
    if (!this.#takes('ZM') && !this.#takes('Z')) this.#takes('M');
    const coordinates = this.#nested();
    // WKT nests a point once, and members of a MultiPoint once or twice.
    if (type === 'Point') return [shapeOf(type, (coordinates as unknown[])[0], this.#budget)];
    if (type === 'MultiPoint')
      return [
        shapeOf(
          type,
          (coordinates as unknown[][]).map(each => (Array.isArray(each[0]) ? each[0] : each)),
          this.#budget,
        ),
      ];
    return [shapeOf(type, coordinates, this.#budget)];
  }

  /** Coordinates in parentheses as lists of positions, or lists of such lists. */
  #nested(): unknown[] {
    return this.#budget.deeper(() => {
      this.#needSign('(');
      const all: unknown[] = [];
      do {
        const isList = this.#token.kind === 'sign' && this.#token.text === '(';
        all.push(isList ? this.#nested() : this.#position());
      } while (this.#takesSign(','));
      this.#needSign(')');
      return all;
    });
  }

  #position(): number[] {
    const numbers = [this.#number()];
    while (this.#token.kind === 'number') numbers.push(this.#number());
    return numbers;
  }

  #number(): number {
    const { kind, text } = this.#token;
    if (kind !== 'number') throw this.#wrong('a number');
    this.#next++;
    return Number(text);
  }
}

const inverted = (isNot: boolean, expression: Expression): Expression =>
  isNot ? { kind: 'not', of: expression } : expression;

/**
 * A filter from the text form of CQL2.
 * @param geometry the name by which a filter means the geometry of a feature.
 * @throws CqlError when it is none, with the place and what was expected there.
 */
export const readText = (text: string, geometry: string): Expression => new TextReader(text, geometry).whole();
