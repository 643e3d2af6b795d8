import type { Schema } from './described.ts';

/** One line of a table of fields. */
export interface SchemaRow {
  /** Its path: `locations[].lat`. */
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

/** Levels of fields within fields: deeper ones are in the API description. */
const DEEPEST = 3;

type Schemas = Readonly<Record<string, Schema>>;

const nameIn = (ref: string) => ref.split('/').at(-1)!;

function resolved(schema: Schema, schemas: Schemas): Schema {
  if (schema.$ref === undefined) return schema;
  const { $ref, ...rest } = schema;
  return { ...schemas[nameIn($ref)], ...rest };
}

/** `1 to 25`, `at least 1`, `at most 25`; null where nothing bounds it. */
function boundsOf(low: number | undefined, high: number | undefined): string | null {
  if (low !== undefined && high !== undefined) return low === high ? `${low}` : `${low} to ${high}`;
  if (low !== undefined) return `at least ${low}`;
  return high === undefined ? null : `at most ${high}`;
}

/** What a value may be, in words. */
export function typeOf(given: Schema, schemas: Schemas): string {
  const schema = resolved(given, schemas);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map(value => JSON.stringify(value)).join(', ');
  if (schema.anyOf) return [...new Set(schema.anyOf.map(one => typeOf(one, schemas)))].join(', ');
  const types = [schema.type ?? 'any value'].flat();
  return types
    .map(type => {
      if (type === 'array') {
        const count = boundsOf(schema.minItems, schema.maxItems);
        return `list of ${count === null ? '' : `${count} `}${schema.items ? typeOf(schema.items, schemas) : 'values'}`;
      }
      const range =
        type === 'string'
          ? boundsOf(schema.minLength, schema.maxLength)?.concat(' characters')
          : type === 'number' || type === 'integer'
            ? boundsOf(schema.minimum, schema.maximum)
            : null;
      return range ? `${type}, ${range}` : type;
    })
    .join(' or ');
}

/** What tells an alternative of a union from others: its fields of one value, as `ok: false`. */
function markOf(given: Schema, schemas: Schemas): string {
  const { properties = {} } = resolved(given, schemas);
  const constants = Object.entries(properties).filter(([, one]) => one.const !== undefined);
  return constants.map(([key, one]) => `\`${key}: ${JSON.stringify(one.const)}\``).join(', ');
}

/** The fields of a union, each once with all of its types. One that some alternatives have alone says which. */
function unionRows(alternatives: readonly Schema[], schemas: Schemas, prefix: string, depth: number): SchemaRow[] {
  const forms = alternatives
    .map(one => ({ mark: markOf(one, schemas), rows: rowsOf(one, schemas, prefix, depth) }))
    .filter(({ rows }) => rows.length > 0);
  const names = [...new Set(forms.flatMap(({ rows }) => rows.map(({ name }) => name)))];
  return names.map(name => {
    const having = forms.flatMap(({ mark, rows }) => rows.filter(row => row.name === name).map(row => ({ mark, row })));
    const marks = [...new Set(having.map(({ mark }) => mark))];
    const isOfSome = having.length < forms.length && marks.every(mark => mark !== '');
    const { description = '' } = having.find(({ row }) => row.description !== '')?.row ?? {};
    return {
      name,
      type: [...new Set(having.map(({ row }) => row.type))].join(' or '),
      required: having.length === forms.length && having.every(({ row }) => row.required),
      description: isOfSome ? `With ${marks.join(' or ')}. ${description}`.trimEnd() : description,
    };
  });
}

/** The fields of a schema and of what lies in them, each once. */
export function rowsOf(given: Schema, schemas: Schemas, prefix = '', depth = 0): SchemaRow[] {
  const schema = resolved(given, schemas);
  if (schema.anyOf) return unionRows(schema.anyOf, schemas, prefix, depth);
  if (schema.items) return rowsOf(schema.items, schemas, `${prefix}[]`, depth);
  if (depth === DEEPEST) return [];
  const named = Object.entries(schema.properties ?? {});
  const others = Object.values(schema.patternProperties ?? {}).map(one => ['NAME', one] as const);
  return [...named, ...others].flatMap(([key, one]) => {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    const row = {
      name,
      type: typeOf(one, schemas),
      required: schema.required?.includes(key) ?? false,
      description: resolved(one, schemas).description ?? '',
    };
    return [row, ...rowsOf(one, schemas, name, depth + 1)];
  });
}
