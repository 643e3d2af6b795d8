import type { Media } from '../api-document.ts';
import { type Schema, unique } from '../schema-type.ts';
import { literal, remark } from './layout.ts';

/** Types of more letters get a name, or are told less closely. */
const LONGEST = 50;
const PYTHON_NAME = /^[A-Za-z_]\w*$/;
const KEYWORDS = new Set(['from', 'class', 'global', 'in', 'is', 'not', 'pass', 'with', 'as', 'lambda', 'def', 'None']);

const PLAIN: Readonly<Record<string, string>> = {
  string: 'str',
  number: 'float',
  integer: 'int',
  boolean: 'bool',
  null: 'None',
};

/** A name with its first letter large: Preset of preset, AreaOfInterest of area_of_interest. */
const large = (name: string): string => name.replace(/(?:^|[_-])([a-z])/g, (_, first: string) => first.toUpperCase());

/** The values of a schema that has so many texts to choose from; null for any other. */
function textsOf(schema: Schema): string[] | null {
  const either = schema.anyOf?.map(textsOf);
  if (either?.length && either.every(texts => texts !== null)) return either.flat() as string[];
  const values = 'const' in schema ? [schema.const] : schema.enum?.filter(value => value !== null);
  return values?.length && values.every(value => typeof value === 'string') ? (values as string[]) : null;
}

const isNullable = (schema: Schema): boolean =>
  schema.type === 'null' ||
  (Array.isArray(schema.type) && schema.type.includes('null')) ||
  (schema.enum?.includes(null) ?? false) ||
  ((schema.anyOf ?? schema.oneOf)?.some(isNullable) ?? false);

/** Types of Python for the schemas of the API: what methods refer to is told before them, in the order of the names. */
export class Types {
  readonly #schemas: Readonly<Record<string, Schema>>;
  /** Texts of named types, by name. */
  readonly #named = new Map<string, string>();
  /** Names of types, by what they stand for. */
  readonly #names = new Map<string, string>();

  constructor(schemas: Readonly<Record<string, Schema>>) {
    this.#schemas = schemas;
  }

  /** A type or None. */
  optional(type: string): string {
    return type === 'Any' || / \| None$/.test(type) ? type : `${type} | None`;
  }

  /** One of several texts; many of them have a name. @param of the operation, for a name that is taken. */
  literals(texts: readonly string[], of: string, name: string): string {
    const own = literal(texts);
    if (own.length <= LONGEST && !own.includes('\n')) return own;
    const there = this.#names.get(own);
    if (there !== undefined) return there;
    const chosen = this.#named.has(large(name)) ? `${of}${large(name)}` : large(name);
    this.#names.set(own, chosen);
    this.#named.set(chosen, `${chosen} = ${literal(texts, 0, chosen.length + 3)}`);
    return chosen;
  }

  /** The type of an argument. @param of the operation. */
  input(schema: Schema, of: string, name: string): string {
    return this.#type(schema, of, name, { list: 'Sequence', object: 'Mapping[str, Any]' });
  }

  /** The type of an argument that stands in the address, where numbers are text. */
  asked(schema: Schema, of: string, name: string): string {
    const texts = textsOf(schema);
    if (texts)
      return texts.every(text => text === 'true' || text === 'false') ? 'bool' : this.literals(texts, of, name);
    const { pattern } = schema as { readonly pattern?: string };
    if (schema.type === 'array') return this.input(schema, of, name);
    if (pattern?.startsWith('^([1-9]') || schema.type === 'integer') return 'int';
    return pattern?.startsWith('^-?[0-9]') ? 'float' : 'str';
  }

  /** The type of what an operation answers. */
  answer(answers: readonly (readonly [type: string, Media])[], of: string): string {
    const types = answers.map(([type, { schema }]) => {
      if (/[/+]json$/.test(type)) return this.#answerType(schema, of);
      return type.startsWith('text/') ? 'str' : 'bytes';
    });
    if (types.length === 0) return 'None';
    const all = unique(types);
    return all.length > 1 && all.every(type => /^[A-Z]/.test(type)) ? 'dict[str, Any]' : all.join(' | ');
  }

  /** The text of all named types. */
  text(): string {
    const texts = [...this.#named].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
    const aliases = texts.filter(text => !text.startsWith('class'));
    const classes = texts.filter(text => text.startsWith('class'));
    return [`${aliases.join('\n')}\n`, ...classes].join('\n\n');
  }

  #answerType(schema: Schema, of: string): string {
    if (schema.$ref !== undefined) return this.#type(schema, of, '', ANSWER);
    const isObject = schema.type === 'object' && Object.keys(schema.properties ?? {}).length > 0;
    return isObject ? this.#dictionary(schema, `${of}Answer`) : this.#type(schema, of, 'answer', ANSWER);
  }

  /** An object as a class of the keys that it has. */
  #dictionary(schema: Schema, name: string): string {
    const properties = Object.entries(schema.properties ?? {});
    if (properties.some(([key]) => !PYTHON_NAME.test(key) || KEYWORDS.has(key))) return 'dict[str, Any]';
    const there = this.#names.get(JSON.stringify(schema));
    if (there !== undefined) return there;
    this.#names.set(JSON.stringify(schema), name);
    this.#named.set(name, '');
    const isWhole = properties.every(([key]) => schema.required?.includes(key));
    const lines = properties.map(
      ([key, one]) =>
        `${one.description ? remark(one.description, 4) : ''}    ${key}: ${this.#type(one, name.replace(/Answer$/, ''), key, ANSWER)}\n`,
    );
    const described = schema.description ? `    """${schema.description}"""\n\n` : '';
    this.#named.set(name, `class ${name}(TypedDict${isWhole ? '' : ', total=False'}):\n${described}${lines.join('')}`);
    return name;
  }

  #type(schema: Schema, of: string, name: string, forms: Forms): string {
    const type = this.#plainType(schema, of, name, forms);
    const whole = isNullable(schema) ? this.optional(type) : type;
    return whole.length > LONGEST ? 'Any' : whole;
  }

  /** A type without its None. */
  #plainType(schema: Schema, of: string, name: string, forms: Forms): string {
    const { $ref, anyOf, oneOf, items } = schema;
    if ($ref !== undefined) {
      const called = $ref.split('/').at(-1)!;
      const referred = this.#schemas[called]!;
      return referred.type === 'object' && referred.properties ? this.#dictionary(referred, called) : 'dict[str, Any]';
    }
    const texts = textsOf(schema);
    if (texts) return this.literals(texts, of, name);
    const either = (anyOf ?? oneOf)?.filter(one => one.type !== 'null');
    if (either) return unique(either.map(one => this.#type(one, of, name, forms))).join(' | ');
    const kinds = [schema.type ?? []].flat().filter(kind => kind !== 'null');
    if ('const' in schema || schema.enum || kinds.length === 0) return 'Any';
    const typed = kinds.map(kind => {
      if (kind === 'array') {
        const item = items && !Array.isArray(items) ? this.#type(items as Schema, of, name, forms) : 'Any';
        return `${forms.list}[${item}]`;
      }
      return kind === 'object' ? this.#objectType(schema, of, name, forms) : PLAIN[kind]!;
    });
    return unique(typed).join(' | ');
  }

  #objectType(schema: Schema, of: string, name: string, forms: Forms): string {
    const { additionalProperties: more, patternProperties, properties } = schema;
    const values = [...Object.values(patternProperties ?? {}), ...(typeof more === 'object' ? [more] : [])];
    if (properties || values.length !== 1) return forms.object;
    return `dict[str, ${this.#type(values[0]!, of, name, forms)}]`;
  }
}

/** Names of lists and objects: arguments may be of any such kind, answers are plain. */
interface Forms {
  readonly list: string;
  readonly object: string;
}
const ANSWER: Forms = { list: 'list', object: 'dict[str, Any]' };
