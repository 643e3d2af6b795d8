import { type Condition, columnsOf, parseCondition } from './condition.ts';
import { type Formula, inputsOf, parseFormula } from './formula.ts';
import { tokenize } from './token.ts';

interface Signature {
  /** Positional arguments: the source first, then the column, band, terrain kind or aggregate column. */
  readonly positional: number;
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

/** The positional arguments of each operator, and its required and optional options. */
export const OPERATORS = {
  raster_sample: { positional: 2, required: [], optional: ['scale', 'offset', 'map', 'null'] },
  raster_terrain: { positional: 2, required: ['window_m'], optional: ['stat', 'over', 'where'] },
  raster_zonal: { positional: 2, required: ['stat', 'over'], optional: ['map', 'where', 'scale'] },
  polygon_attr: { positional: 2, required: [], optional: ['where', 'map', 'scale', 'pick', 'null', 'stat', 'over'] },
  polygon_within: { positional: 1, required: [], optional: ['where', 'coverage'] },
  nearest_distance: { positional: 1, required: ['max_km'], optional: ['where'] },
  nearest_attr: { positional: 2, required: ['max_km'], optional: ['where', 'map', 'scale', 'null'] },
  count_within: { positional: 1, required: ['radius_m'], optional: ['where', 'distinct'] },
  agg_within: { positional: 2, required: ['agg', 'radius_m'], optional: ['where'] },
  overlap_fraction: { positional: 1, required: ['over'], optional: ['where'] },
  area_key_attr: { positional: 2, required: ['key'], optional: ['agg', 'where', 'scale', 'null'] },
  station_value: { positional: 2, required: ['method', 'k', 'max_km'], optional: ['scale', 'offset'] },
  parcel_attr: { positional: 1, required: [], optional: [] },
  derived: { positional: 0, required: ['expr'], optional: [] },
} as const satisfies Record<string, Signature>;

/** The name of an operator. */
export type OperatorName = keyof typeof OPERATORS;

/** A dataset layer that an operator reads; `main` for a dataset with a single layer. */
export interface SourceRef {
  readonly dataset: string;
  readonly layer: string;
  /** Condition for this source; only inside `any_of[...]`. */
  readonly where: Condition | null;
}

/** One parsed operator call: what a fetch field computes. */
export interface Expression {
  readonly op: OperatorName;
  readonly text: string;
  /** Empty for parcel_attr and derived; more than one only for `any_of[...]`. */
  readonly sources: readonly SourceRef[];
  /** The second positional argument (column, band, terrain kind), or the column of parcel_attr. */
  readonly argument: string | null;
  /** Keyword arguments, numbers where they look like numbers. */
  readonly options: Readonly<Record<string, string | number>>;
  readonly where: Condition | null;
  /** Published codes that count as missing. */
  readonly nulls: readonly (string | number)[];
  /** Only for derived: the formula, and its inputs (field names or nested calls). */
  readonly formula: Formula | null;
  readonly inputs: Readonly<Record<string, { readonly field: string } | Expression>>;
}

function splitTop(text: string, separator: string): string[] {
  const out: string[] = [];
  let depth = 0;
  let quote = '';
  let current = '';
  for (const ch of text) {
    if (quote) quote = ch === quote ? '' : quote;
    else if (ch === "'" || ch === '`') quote = ch;
    else if (ch === '(' || ch === '[') depth++;
    else if (ch === ')' || ch === ']') depth--;
    if (ch === separator && depth === 0 && !quote) {
      if (!current.trim()) throw new SyntaxError(`Nothing before "${separator}" in "${text}"`);
      out.push(current.trim());
      current = '';
    } else current += ch;
  }
  if (depth !== 0 || quote) throw new SyntaxError(`Unbalanced brackets or quotes in "${text}"`);
  if (current.trim()) out.push(current.trim());
  return out;
}

function parseSource(text: string): SourceRef {
  const [, path, condition] = /^(\S+)\s+where\s+([\s\S]+)$/.exec(text) ?? [null, text, undefined];
  const match = /^([a-z0-9_]+)(?::(\w+))?\??$/.exec(path!);
  if (!match) throw new SyntaxError(`"${path}" is no dataset[:layer]`);
  return { dataset: match[1]!, layer: match[2] ?? 'main', where: condition ? parseCondition(condition) : null };
}

function parseNulls(text: string): (string | number)[] {
  return splitTop(text, ',').map(item => {
    const tokens = tokenize(item);
    const [token] = tokens;
    if (tokens.length === 1 && token!.kind === 'number') return Number(token!.text);
    if (tokens.length === 1 && token!.kind === 'string') return token!.text;
    throw new SyntaxError(`"${item}" in null[${text}] is no number and no quoted text`);
  });
}

/** A name without its backticks and without the `?` of a name still to be confirmed. */
const nameOf = (text: string) => text.replace(/^`(.*)`$/, '$1').replace(/\?$/, '');

/**
 * Parses one operator expression, for example
 * `nearest_distance(bts_ntad:narn, max_km=300, where[NET != 'A'])`.
 * @throws SyntaxError naming the expression when no operator is called so.
 */
export function parseExpression(text: string): Expression {
  const call = /^(\w+)\(([\s\S]*)\)$/.exec(text.trim());
  const signature = call && Object.hasOwn(OPERATORS, call[1]!) && (OPERATORS as Record<string, Signature>)[call[1]!];
  if (!call || !signature)
    throw new SyntaxError(`"${text}" is no operator call; operators: ${Object.keys(OPERATORS).join(', ')}`);
  const op = call[1] as OperatorName;
  const positional: string[] = [];
  const options: Record<string, string | number> = {};
  const inputs: Record<string, { field: string } | Expression> = {};
  let where: Condition | null = null;
  let formula: Formula | null = null;
  let nulls: (string | number)[] = [];
  const seen = new Set<string>();
  for (const argument of splitTop(call[2]!, ',')) {
    const block = /^(where|null|expr)\[([\s\S]*)\]$/.exec(argument);
    const keyword = /^(\w+)=([\s\S]+)$/.exec(argument);
    if (block) {
      seen.add(block[1]!);
      if (block[1] === 'where') where = parseCondition(block[2]!);
      else if (block[1] === 'expr') formula = parseFormula(block[2]!);
      else nulls = parseNulls(block[2]!);
    } else if (keyword) {
      const [, key, value] = keyword as unknown as [string, string, string];
      if (op === 'derived') inputs[key] = value.startsWith('@') ? { field: value.slice(1) } : parseExpression(value);
      else {
        seen.add(key);
        options[key] = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(value) ? Number(value) : nameOf(value);
      }
    } else positional.push(argument);
  }
  const problem = (what: string) => new SyntaxError(`${op} ${what}: "${text}"`);
  if (positional.length !== signature.positional) throw problem(`takes ${signature.positional} positional arguments`);
  for (const key of signature.required) if (!seen.has(key)) throw problem(`needs ${key}`);
  for (const key of seen)
    if (!signature.required.includes(key) && !signature.optional.includes(key)) throw problem(`does not take ${key}`);
  if (formula) {
    const names = inputsOf(formula);
    for (const name of names) if (!Object.hasOwn(inputs, name)) throw problem(`has unbound input ${name}`);
    for (const name of Object.keys(inputs)) if (!names.includes(name)) throw problem(`never uses input ${name}`);
  }
  const sources: SourceRef[] = [];
  let argument: string | null = null;
  if (op === 'parcel_attr') argument = nameOf(positional[0]!);
  else if (op !== 'derived') {
    const anyOf = /^any_of\[([\s\S]*)\]$/.exec(positional[0]!);
    sources.push(...(anyOf ? splitTop(anyOf[1]!, ';') : [positional[0]!]).map(parseSource));
    argument = positional[1] === undefined ? null : nameOf(positional[1]);
  }
  return { op, text: text.trim(), sources, argument, options, where, nulls, formula, inputs };
}

/** Columns of its own source layer that a call reads. */
export function columnsRead(call: Expression): string[] {
  const columns = [...columnsOf(call.where)];
  if (call.argument && !call.op.startsWith('raster_') && call.op !== 'parcel_attr') columns.unshift(call.argument);
  if (typeof call.options.distinct === 'string') columns.push(call.options.distinct);
  return [...new Set(columns)].filter(c => c !== 'value');
}
