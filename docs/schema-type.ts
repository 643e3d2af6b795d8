/** A schema as Plat's own routes have them. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema | readonly Schema[];
  readonly prefixItems?: readonly Schema[];
  readonly description?: string;
}

const PLAIN: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** Each once, in their order. */
export const unique = (types: readonly string[]): string[] => [...new Set(types)];
/** A union of types. */
export const united = (types: readonly string[]): string =>
  types.includes('unknown') ? 'unknown' : unique(types).join(' | ') || 'never';
const key = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));
/** As a comment that no text can end. */
export const comment = (text: string | undefined): string =>
  text === undefined ? '' : `/** ${text.replaceAll('*/', '* /').replace(/\s*\n\s*/g, ' ')} */\n`;

function tuple(items: readonly Schema[]): string {
  return `readonly [${items.map(typeOf).join(', ')}]`;
}

function arrayOf({ items, prefixItems }: Schema): string {
  if (prefixItems) return tuple(prefixItems);
  if (Array.isArray(items)) return tuple(items);
  return items === undefined ? 'readonly unknown[]' : `readonly (${typeOf(items as Schema)})[]`;
}

/** Lines of the properties of an object. */
function membersOf({ properties = {}, required = [] }: Schema): string {
  return Object.entries(properties)
    .map(
      ([name, schema]) =>
        `${comment(schema.description)}readonly ${key(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)};`,
    )
    .join('\n');
}

/** The type of an object's properties, in whatever order they are declared. */
export function objectOf(schema: Schema): string {
  const { properties, additionalProperties: more, patternProperties } = schema;
  const values = [...Object.values(patternProperties ?? {}), ...(typeof more === 'object' ? [more] : [])].map(typeOf);
  if (values.length === 0 && (more === true || properties === undefined)) values.push('unknown');
  const map = `{ readonly [name: string]: ${united(values)} }`;
  if (properties === undefined || Object.keys(properties).length === 0) return more === false ? 'object' : map;
  const own = `{\n${membersOf(schema)}\n}`;
  return values.length === 0 ? own : `${own} & ${map}`;
}

/** A schema as a type. @throws RangeError for what no schema of Plat has. */
export function typeOf(schema: Schema): string {
  const { $ref, type, anyOf, oneOf, allOf } = schema;
  if ($ref !== undefined) return $ref.split('/').at(-1)!;
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return united(schema.enum.map(value => JSON.stringify(value)));
  const either = anyOf ?? oneOf;
  if (either) return united(either.map(typeOf));
  if (allOf) return allOf.map(typeOf).join(' & ');
  if (Array.isArray(type)) return united(type.map(one => typeOf({ ...schema, type: one })));
  if (type === 'array') return arrayOf(schema);
  if (type === 'object') return objectOf(schema);
  if (type === undefined) return 'unknown';
  const plain = PLAIN[type as string];
  if (plain === undefined) throw new RangeError(`a client: no type for ${JSON.stringify(schema)}`);
  return plain;
}
