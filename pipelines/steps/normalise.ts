import type { Column, ScalarType, Value } from '../../datasets/dataset.ts';
import { columnsOf, parseCondition } from '../../datasets/grammar/condition.ts';
import type { ColumnExpression } from '../../datasets/place/place.ts';
import type { Row } from '../../ingest/reader.ts';
import { compile } from '../../query/evaluate/condition/condition.ts';
import { looksUp, type Tally } from './quality/tally.ts';
import { coerce, Misfit } from './value.ts';

/** What a source row holds, joined columns under their prefixed names. */
export type Properties = Row['properties'];
type Fill = (row: Properties) => Value;
type ExpressionObject = Exclude<ColumnExpression, string>;
export type Test = (row: Properties) => boolean;

/** Whether text begins and ends with printable ASCII, as most does: then there is nothing to take off. */
function isTrimmed(text: string): boolean {
  const first = text.charCodeAt(0);
  const last = text.charCodeAt(text.length - 1);
  return first > 0x20 && first < 0x7f && last > 0x20 && last < 0x7f;
}

/**
 * A published value as a scalar; text loses surrounding white space and the NUL padding of old DBF writers; '' is
 * missing.
 * @throws Misfit naming the column when it holds binary data.
 */
export function scalar(value: Properties[string] | undefined, column: string): Value {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') {
    if (isTrimmed(value)) return value;
    // Some DBF writers pad text with NUL.
    const text = value.replace(/^[\s\0]+|[\s\0]+$/g, '');
    return text === '' ? null : text;
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'boolean') return value;
  throw new Misfit(`column ${column} holds binary data, not a value`);
}

/**
 * Compiles a condition over source columns, read as the mapping reads them.
 * @param asOf YYYY-MM-DD that `@today` stands for.
 * @throws SyntaxError when the text is no condition.
 */
export function compileTest(text: string, asOf: string): Test {
  const condition = parseCondition(text);
  const columns = columnsOf(condition);
  const test = compile(condition, asOf);
  return row => {
    const read: Record<string, Value> = {};
    for (const column of columns) read[column] = scalar(row[column], column);
    return test(read);
  };
}

/** Source columns that an expression reads. */
export function columnsOfExpression(expression: ColumnExpression): string[] {
  if (typeof expression === 'string') return [expression];
  const { from, template, sum, when } = expression;
  const read = from === undefined ? [] : typeof from === 'string' ? [from] : from.flatMap(columnsOfExpression);
  const filled = [...(template ?? '').matchAll(/\{([^{}]+)\}/g)].map(m => m[1]!);
  return [...new Set([...read, ...filled, ...(sum ?? []), ...(when ? columnsOf(parseCondition(when)) : [])])];
}

/** Numbers compare as numbers, also with text that reads as one; text compares as text. */
function sentinelTest(sentinels: readonly (string | number)[]): (value: Value) => boolean {
  const texts = new Set(sentinels.filter(s => typeof s === 'string'));
  const numbers = new Set(sentinels.filter(s => typeof s === 'number'));
  return value => {
    if (value === null || typeof value === 'boolean') return false;
    return (texts.size > 0 && texts.has(String(value))) || (numbers.size > 0 && numbers.has(Number(value)));
  };
}

/** First steps: the value of one column, several joined, a template or a constant; null sentinels already missing. */
function reading(e: ExpressionObject, asOf: string, tally?: Tally): Fill {
  const isNull = sentinelTest(e.null ?? []);
  const column =
    (name: string): Fill =>
    row => {
      const value = scalar(row[name], name);
      if (isNull(value)) return null;
      // Blank text is missing also where the white space counts; NUL is padding, which nobody wrote.
      return e.spaces && typeof value === 'string' ? String(row[name]).replaceAll('\0', '') : value;
    };
  if (e.const !== undefined) {
    const constant = e.const;
    return () => constant;
  }
  if (e.template !== undefined) {
    const pieces = e.template.split(/\{([^{}]+)\}/).map((text, i) => (i % 2 ? column(text) : text));
    return row => {
      let out = '';
      for (const piece of pieces) {
        const value = typeof piece === 'string' ? piece : piece(row);
        if (value === null) return null;
        out += value;
      }
      return out;
    };
  }
  if (e.sum !== undefined) {
    const terms = e.sum.map(column);
    return row => {
      let total = 0;
      for (const term of terms) {
        const value = term(row);
        if (value === null) return null;
        total += Number(coerce(value, 'number'));
      }
      return total;
    };
  }
  if (typeof e.from === 'string') return column(e.from);
  const parts = (e.from ?? []).map(part =>
    typeof part === 'string' ? column(part) : compileExpression(part, 'string', asOf, tally),
  );
  const separator = e.join ?? ' ';
  return row => {
    const present = parts.map(p => p(row)).filter(v => v !== null);
    return present.length === 0 ? null : present.join(separator);
  };
}

/** Capitalises each word; letters after an apostrophe stay small. */
function titleCase(text: string): string {
  return text
    .toLowerCase()
    .replace(/(^|[^\p{L}\p{N}'’])(\p{L})/gu, (_, before, letter) => before + letter.toUpperCase());
}

const CASES = {
  upper: (s: string) => s.toUpperCase(),
  lower: (s: string) => s.toLowerCase(),
  title: titleCase,
} as const;

/** The text in which `$1` to `$9` stand for the groups of a match; a group that took no part is empty. */
const withGroups = (text: string, groups: readonly (string | undefined)[]): string =>
  text.replace(/\$([1-9])/g, (_, n) => groups[Number(n)] ?? '');

/** Replacements as one step: every match of each, one after the other; nothing where no text is left. */
function replaceStep(replacements: NonNullable<ExpressionObject['replace']>): (text: string) => Value {
  const steps = replacements.map(({ match, value }) => ({ pattern: new RegExp(match, 'g'), value }));
  return text => {
    let out = text;
    for (const { pattern, value } of steps)
      out = out.replace(pattern, (...all: (string | number | undefined)[]) => {
        // Behind the groups stand the position and the text.
        const groups = all.slice(
          0,
          all.findIndex(part => typeof part === 'number'),
        );
        return withGroups(value, groups as (string | undefined)[]);
      });
    return scalar(out, '');
  };
}

/** Patterns as one step: the first that matches gives its value, `$1`…`$9` filled from its groups. */
function patternStep(e: ExpressionObject, tally: Tally | undefined): (value: string) => Value {
  const patterns = e.patterns!.map(p => ({ pattern: new RegExp(p.match), value: p.value }));
  const otherwise = e.otherwise ?? null;
  return text => {
    for (const { pattern, value } of patterns) {
      const match = pattern.exec(text);
      if (!match) continue;
      tally?.count(text, true);
      return typeof value === 'string' ? scalar(withGroups(value, match), '') : value;
    }
    tally?.count(text, false);
    return otherwise;
  };
}

/** A missing value is looked up as '': it stays missing unless the table says what a blank means. */
function lookupStep(e: ExpressionObject, tally: Tally | undefined): (value: Value) => Value {
  const table = new Map(Object.entries(e.lookup!));
  const otherwise = e.otherwise ?? null;
  return value => {
    const hit = table.get(value === null ? '' : String(value));
    if (hit === undefined && value === null) return null;
    tally?.count(value ?? '', hit !== undefined);
    return hit !== undefined ? hit : otherwise;
  };
}

/**
 * Compiles one column expression; datasets/place/place.ts gives the order of its steps.
 * @param type type of the target column, where the expression names none.
 * @param asOf YYYY-MM-DD that `@today` in `when` stands for.
 * @param tally counts what its lookups and patterns find, and the nulls that its `otherwise` does not fill.
 * @returns a closure that throws Misfit when a value does not fit the type.
 * @throws SyntaxError when a pattern is no regular expression or `when` is no condition.
 */
export function compileExpression(expression: ColumnExpression, type: ScalarType, asOf: string, tally?: Tally): Fill {
  const e: ExpressionObject = typeof expression === 'string' ? { from: expression } : expression;
  const when = e.when === undefined ? null : compileTest(e.when, asOf);
  const read = reading(e, asOf, tally);
  const strip = e.strip === undefined ? null : new RegExp(e.strip, 'g');
  const replace = e.replace && replaceStep(e.replace);
  const patterns = e.patterns && patternStep(e, tally);
  const lookup = e.lookup && lookupStep(e, tally);
  const passed = e.otherwise !== undefined && e.otherwise !== null ? tally : undefined;
  const target = e.type ?? type;
  return row => {
    if (when && !when(row)) return null;
    let value = read(row);
    if (strip && value !== null) value = String(value).replace(strip, '') || null;
    if (replace && value !== null) value = replace(String(value));
    const blank = value === null;
    if (patterns && value !== null) value = patterns(String(value));
    if (lookup) value = lookup(value);
    if (value === null) {
      if (blank && passed) passed.blanks++;
      return null;
    }
    if (e.slice) value = String(value).slice(e.slice[0], e.slice[1]);
    if (e.spaces) value = scalar(value, '');
    if (value === '' || value === null) return null;
    if (e.pad !== undefined) value = String(value).padStart(e.pad, '0');
    if (e.case) value = CASES[e.case](String(value));
    const coerced = coerce(value, target, e.dateFormat, e.scale);
    return target === type ? coerced : coerce(coerced, type);
  };
}

/**
 * Turns a source row into the layer's normal schema.
 * @param lenient leaves out values that do not fit, instead of throwing.
 */
export type Normalise = (row: Properties, lenient?: boolean) => Record<string, Value>;

/**
 * Compiles all column expressions of a layer.
 * @param columns the layer's normal schema; columns without an expression do not occur in the rows, which is what null is.
 * @param tallyOf the tally of a column that looks something up; none is kept without it.
 * @returns a closure that throws Misfit naming the column when a value does not fit.
 */
export function compileColumns(
  expressions: Readonly<Record<string, ColumnExpression>>,
  columns: Readonly<Record<string, Column>>,
  asOf: string,
  tallyOf?: (column: string) => Tally,
): Normalise {
  const fills = Object.keys(columns).flatMap(name => {
    const expression = expressions[name];
    if (expression === undefined) return [];
    const tally = looksUp(expression) ? tallyOf?.(name) : undefined;
    const fill = compileExpression(expression, columns[name]!.type, asOf, tally);
    return [{ name, fill: tally ? tally.byRow(fill) : fill }];
  });
  return (row, lenient = false) => {
    const out: Record<string, Value> = {};
    for (const { name, fill } of fills) {
      try {
        out[name] = fill(row);
      } catch (error) {
        if (!(error instanceof Misfit)) throw error;
        if (!lenient) throw new Misfit(`column ${name}: ${error.message}`);
      }
    }
    return out;
  };
}
