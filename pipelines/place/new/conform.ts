import type { Conform, ConformFunction, ConformValue, DirectoryLayer } from '../../../datasets/directory/definition.ts';
import type { ColumnExpression } from '../../../datasets/place/place.ts';
import { patternOf, replacementOf } from './python-pattern.ts';
import { Untranslatable } from './untranslatable.ts';

/** An expression, or null for what is empty in every row. */
type Term = ColumnExpression | null;
type Whole = Exclude<ColumnExpression, string>;
/** What names in a chain stand for, beside the columns of the source. */
type Names = ReadonlyMap<string, Term>;

/** Stands between two values that one pattern compares, and occurs in none. */
const BETWEEN = '␟';

// The patterns of the reference implementation for a line such as "123-A Main St Apt 4".
const NUMBER = '\\d+(?:[ -]\\d/\\d)?|\\d+-\\d+|\\d+-?[A-Za-z]';
const UNIT = String.raw`(?:(?:UNIT|APARTMENT|APT\.?|SUITE|STE\.?|BUILDING|BLDG\.?|LOT)\s+|#).+`;
const STREET_AND_UNIT = patternOf(`(?i)^(?:\\s*(?:${NUMBER})\\s+)?(.+?)(?:\\s+${UNIT})?$`);
const LINE = {
  prefixed_number: { source: `^\\s*(${NUMBER})\\s+`, groups: 1 },
  postfixed_street: { source: `^(?:\\s*(?:${NUMBER})\\s+)?(.*)`, groups: 1 },
  postfixed_unit: patternOf(`(?i)\\s(${UNIT})$`),
} as const;

/** Miles in kilometres, as the reference implementation has it. */
const KM_PER_MILE = 1.609_34;

const parts = (terms: readonly Term[]) => terms.filter(term => term !== null);

/** An expression as what another one is made from. */
const source = (term: ColumnExpression): Pick<Whole, 'from'> => ({ from: typeof term === 'string' ? term : [term] });

/** A published column as a function of the reference implementation finds it, which takes no white space off. */
const published = (term: ColumnExpression): Pick<Whole, 'from' | 'spaces'> =>
  typeof term === 'string' ? { from: term, spaces: true } : source(term);

function joined(terms: readonly Term[], separator = ' '): Term {
  const from = parts(terms);
  if (from.length === 0) return null;
  if (from.length === 1) return from[0]!;
  return separator === ' ' ? { from } : { from, join: separator };
}

/** The first of several values that is there. */
function coalesced(terms: readonly Term[]): Term {
  const from = parts(terms);
  if (from.length < 2) return from[0] ?? null;
  return { from, join: BETWEEN, patterns: [{ match: `^([^${BETWEEN}]+)`, value: '$1' }] };
}

/** Whether an expression ends with replacements, so that another one can follow them. */
const endsWithReplace = (term: ColumnExpression): term is Whole & { replace: NonNullable<Whole['replace']> } =>
  typeof term === 'object' &&
  Object.keys(term).every(key => ['from', 'join', 'spaces', 'replace'].includes(key)) &&
  !!term.replace;

function replaced(term: ColumnExpression, match: string, value: string): Term {
  if (endsWithReplace(term)) return { ...term, replace: [...term.replace, { match, value }] };
  return { ...published(term), replace: [{ match, value }] };
}

/** A value, the mark and the other value, which is the group: after the group comes what is left, or before it. */
const PREFIX = { match: `^([^${BETWEEN}]+?) *([^${BETWEEN}]*)${BETWEEN}\\1$`, value: '$2' };
const POSTFIX = { match: `^([^${BETWEEN}]*?) *([^${BETWEEN}]+)${BETWEEN}\\2$`, value: '$1' };

/** The value without another one at its begin or end, and without the blanks between them. */
function removed(term: Term, other: Term, pattern: typeof PREFIX): Term {
  if (term === null || other === null) return term;
  // The mark comes with the other value, which may be the only one that is there.
  const marked = { ...source(other), replace: [{ match: '^', value: BETWEEN }] };
  return { from: [term, marked], join: '', patterns: [pattern, { match: `^([^${BETWEEN}]+)`, value: '$1' }] };
}

/** Miles an hour as whole kilometres an hour; nothing where the value is no number. */
function speed(term: Term): Term {
  if (term === null) return null;
  const number = [{ match: '^([-+]?(?:\\d+\\.?\\d*|\\.\\d+))$', value: '$1' }];
  return { ...source(term), patterns: number, type: 'integer', scale: KM_PER_MILE };
}

/** Whether a function gives something for every value that is not empty. */
const isNeverEmpty = ({ function: name, replace }: ConformFunction): boolean =>
  name === 'postfixed_street' ||
  (name === 'regexp' && typeof replace === 'string' && replace.replace(/\$\{?\d+\}?|\s/g, '') !== '');

class Translator {
  readonly #names: Map<string, Term>;

  constructor(names: Names = new Map()) {
    this.#names = new Map(names);
  }

  #field(name: unknown): Term {
    if (typeof name !== 'string' || name === '') throw new Untranslatable('a function names no column');
    if (this.#names.has(name)) return this.#names.get(name)!;
    if (name.startsWith('oa:')) throw new Untranslatable(`${name} is made for another attribute`);
    return name;
  }

  #fields({ fields }: ConformFunction): readonly Term[] {
    if (!Array.isArray(fields)) throw new Untranslatable('a function lists no columns');
    return fields.map(name => this.#field(name));
  }

  #regexp({ field, pattern, replace }: ConformFunction): Term {
    const term = this.#field(field);
    if (typeof pattern !== 'string') throw new Untranslatable('a regexp has no pattern');
    const { source: match, groups } = patternOf(pattern);
    if (term === null) return null;
    if (typeof replace === 'string' && replace !== '') return replaced(term, match, replacementOf(replace));
    // Without a replacement the groups are the value, and a pattern without groups has none.
    if (groups === 0) return null;
    if (groups > 9) throw new Untranslatable(`the regular expression ${pattern} has more than nine groups`);
    const value = Array.from({ length: groups }, (_, i) => `$${i + 1}`).join('');
    return { ...published(term), patterns: [{ match, value }] };
  }

  #line(name: keyof typeof LINE, { field, may_contain_units: units }: ConformFunction): Term {
    const term = this.#field(field);
    const { source: match } = name === 'postfixed_street' && units === true ? STREET_AND_UNIT : LINE[name];
    return term === null ? null : { ...published(term), patterns: [{ match, value: '$1' }] };
  }

  #map({ field, mapping, else: otherwise }: ConformFunction): Term {
    const term = this.#field(field);
    if (term === null) return null;
    const lookup = { ...(otherwise ? { '': otherwise } : {}), ...(mapping as object) } as Whole['lookup'] & object;
    return { ...source(term), lookup, ...(otherwise ? { otherwise: otherwise as string } : {}) };
  }

  /** Text stands before a value if one stands before the text; the text at the begin and the end stands around any value. */
  #format({ format, ...call }: ConformFunction): Term {
    if (typeof format !== 'string') throw new Untranslatable('a format has no text');
    const terms = this.#fields(call as ConformFunction);
    const texts = format.split(/\$\d+/);
    const numbers = [...format.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n));
    let term: Term = null;
    for (const [i, n] of numbers.entries()) {
      const next = terms[n - 1];
      if (next === undefined || next === null) throw new Untranslatable(`the format ${format} names no field ${n}`);
      const whole = { ...source(next), strip: '\\.0$' };
      term = term === null ? whole : joined([term, whole], texts[i]);
    }
    const [before, after] = [texts[0]!, texts.at(-1)!];
    if (term === null || (before === '' && after === '')) return term;
    return { ...source(term), patterns: [{ match: '^([\\s\\S]*)$', value: `${before}$1${after}` }] };
  }

  /** @param attribute that the chain is for; its own name is a variable where the chain names none. */
  #chain({ functions, variable }: ConformFunction, attribute: string): Term {
    if (!Array.isArray(functions)) throw new Untranslatable('a chain has no functions');
    const name = typeof variable === 'string' && variable !== '' ? variable : attribute;
    const chain = new Translator(this.#names);
    let last: Term = null;
    for (const call of functions as ConformFunction[]) {
      last = chain.call(call, attribute);
      chain.#names.set(`oa:${name}`, last);
      // The name without the prefix goes on with the last value that was not empty.
      const before = chain.#names.get(name) ?? null;
      chain.#names.set(name, isNeverEmpty(call) ? last : coalesced([last, before]));
    }
    return last;
  }

  /** Translates one function. @throws Untranslatable */
  call(call: ConformFunction, attribute: string): Term {
    const other = () => this.#field(call.field_to_remove);
    switch (call.function) {
      case 'regexp':
        return this.#regexp(call);
      case 'prefixed_number':
      case 'postfixed_street':
      case 'postfixed_unit':
        return this.#line(call.function, call);
      case 'join':
        return joined(this.#fields(call), typeof call.separator === 'string' ? call.separator : ' ');
      case 'format':
        return this.#format(call);
      case 'remove_prefix':
        return removed(this.#field(call.field), other(), PREFIX);
      case 'remove_postfix':
        return removed(this.#field(call.field), other(), POSTFIX);
      case 'map':
        return this.#map(call);
      case 'chain':
        return this.#chain(call, attribute);
      case 'first_non_empty':
        return coalesced(this.#fields(call));
      case 'constant':
        return call.value === '' || call.value === undefined ? null : { const: String(call.value) };
      case 'mph_to_kph':
        return speed(this.#field(call.field));
      default:
        throw new Untranslatable(`the function ${call.function} is not one of OpenAddresses' that are translated`);
    }
  }
}

/** Attributes of the definitions by layer, in the order in which the reference implementation makes them. */
const ATTRIBUTES = {
  addresses: ['number', 'street', 'unit', 'city', 'district', 'region', 'postcode', 'id'],
  parcels: ['pid'],
  buildings: ['height', 'levels'],
  centerlines: [
    ...['id', 'name', 'oneway', 'speed', 'classification', 'surface'],
    ...['addr_from_left', 'addr_to_left', 'addr_from_right', 'addr_to_right', 'zip_left', 'zip_right'],
  ],
} as const satisfies Record<DirectoryLayer, readonly string[]>;

/** Translates the value of one attribute. @throws Untranslatable */
function termOf(value: ConformValue, attribute: string): Term {
  // Some definitions write so that there is no such column.
  if (typeof value === 'string') return /^(?:n\/a)?$/i.test(value) ? null : value;
  if (isList(value)) return joined(value);
  return new Translator().call(value, attribute);
}

const isList = (value: ConformValue): value is readonly string[] => Array.isArray(value);

/**
 * The expressions that make the attributes of a definition. They give what the reference implementation of OpenAddresses
 * (openaddresses/batch-machine, openaddr/conform.py) gives, with white space around resulting values left out, and around
 * published ones where no regular expression reads them.
 * @returns by attribute; those that are empty in every row are left out.
 * @throws Untranslatable naming the attribute and what is not translated.
 */
export function expressionsOf(conform: Conform, layer: DirectoryLayer): Readonly<Record<string, ColumnExpression>> {
  const out: Record<string, ColumnExpression> = {};
  for (const attribute of ATTRIBUTES[layer]) {
    const value = conform[attribute];
    if (typeof value !== 'string' && (typeof value !== 'object' || value === null)) continue;
    try {
      const term = termOf(value, attribute);
      // House numbers that were stored as decimal numbers.
      if (term !== null) out[attribute] = attribute === 'number' ? { ...source(term), strip: '\\.0$' } : term;
    } catch (error) {
      if (!(error instanceof Untranslatable)) throw error;
      throw new Untranslatable(`${attribute}: ${error.message}`);
    }
  }
  return out;
}
