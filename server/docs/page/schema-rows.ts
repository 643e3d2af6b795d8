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

/** The fields of a schema and of what lies in them, each once. */
export function rowsOf(given: Schema, schemas: Schemas, prefix = '', depth = 0): SchemaRow[] {
  const schema = resolved(given, schemas);
  if (schema.anyOf) {
    const rows = schema.anyOf.flatMap(one => rowsOf(one, schemas, prefix, depth));
    return [...new Map(rows.map(row => [row.name, row])).values()];
  }
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
