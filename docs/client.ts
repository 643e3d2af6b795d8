import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { openFixture } from '../test/server/service-fixture.ts';

/** What of an OpenAPI 3.1 document a client is made of. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly {
    readonly in: 'path' | 'query' | 'header';
    readonly name: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}

interface Media {
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

/** A schema as Plat's own routes have them. */
interface Schema {
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

const unique = (types: readonly string[]): string[] => [...new Set(types)];
const united = (types: readonly string[]): string =>
  types.includes('unknown') ? 'unknown' : unique(types).join(' | ') || 'never';
const key = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));
/** As a comment that no text can end. */
const comment = (text: string | undefined): string =>
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

function objectOf(schema: Schema): string {
  const { properties, additionalProperties: more, patternProperties } = schema;
  const values = [...Object.values(patternProperties ?? {}), ...(typeof more === 'object' ? [more] : [])].map(typeOf);
  if (values.length === 0 && (more === true || properties === undefined)) values.push('unknown');
  const map = `{ readonly [name: string]: ${united(values)} }`;
  if (properties === undefined || Object.keys(properties).length === 0) return more === false ? 'object' : map;
  const own = `{\n${membersOf(schema)}\n}`;
  return values.length === 0 ? own : `${own} & ${map}`;
}

/** A schema as a type. @throws RangeError for what no schema of Plat has. */
function typeOf(schema: Schema): string {
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

/** What an operation takes, its path, query and body as one. */
function inputOf({ parameters = [], requestBody }: Operation): string {
  const named = parameters.filter(({ in: where }) => where !== 'header');
  const properties = Object.fromEntries(
    named.map(({ name, description, schema }) => [name, { description, ...schema }]),
  );
  const required = named.filter(one => one.required).map(({ name }) => name);
  const body = requestBody?.content['application/json']?.schema;
  const parts = [
    ...(named.length > 0 ? [objectOf({ properties, required, additionalProperties: false })] : []),
    ...(body ? [typeOf(body)] : []),
  ];
  return parts.join(' & ') || 'object';
}

const successOf = ({ responses }: Operation): Media[] =>
  Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([, { content = {} }]) => Object.values(content));

/** The codes that the examples of an operation's refusals show. */
function codesOf({ responses }: Operation): string[] {
  const text = JSON.stringify(Object.entries(responses).filter(([status]) => !status.startsWith('2')));
  return unique([...text.matchAll(/"error":"(\w+)"/g)].map(([, code]) => code!)).sort();
}

/** How an operation is sent, see client/sending.ts. */
function sentAs(method: string, path: string, { parameters = [], requestBody }: Operation): string {
  const query = parameters.filter(one => one.in === 'query').map(({ name }) => name);
  const header = parameters.some(one => one.in === 'header' && one.name.toLowerCase() === 'idempotency-key');
  const body = requestBody?.content['application/json']?.schema.properties;
  const inBody = body !== undefined && 'idempotency_key' in body;
  return [
    `{ method: '${method.toUpperCase()}', path: '${path}'`,
    ...(query.length > 0 ? [`query: ${JSON.stringify(query)}`] : []),
    ...(requestBody ? ['body: true'] : []),
    ...(header || inBody ? [`key: '${header ? 'header' : 'body'}'`] : []),
  ]
    .join(', ')
    .concat(' }');
}

/** The named schemas that a text of types refers to, with those that they refer to, by name. */
function referenced(text: string, schemas: Document['components']['schemas']): [string, Schema][] {
  const found = new Map<string, Schema>();
  const look = (types: string) => {
    for (const [name, schema] of Object.entries(schemas))
      if (!found.has(name) && new RegExp(`\\b${name}\\b`).test(types)) {
        found.set(name, schema);
        look(typeOf(schema));
      }
  };
  look(text);
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * client/api.ts: types of what every operation takes and answers, the codes of refusals, and how each is sent. Not in
 * its final layout.
 * @param document what GET /v1/openapi.json answers.
 */
function renderClient(document: Document): string {
  const operations = Object.entries(document.paths)
    .flatMap(([path, item]) => Object.entries(item).map(([method, operation]) => ({ path, method, operation })))
    .sort((a, b) => (a.operation.operationId < b.operation.operationId ? -1 : 1));
  const types = operations.map(
    ({ operation }) => `${comment(operation.summary)}readonly ${operation.operationId}: {
      readonly input: ${inputOf(operation)};
      readonly answer: ${united(successOf(operation).map(({ schema }) => typeOf(schema)))};
    };`,
  );
  const named = referenced(types.join('\n'), document.components.schemas);
  const schemas = named.map(
    ([name, schema]) => `${comment(schema.description)}export type ${name} = ${typeOf(schema)};\n`,
  );
  const codes = unique(operations.flatMap(({ operation }) => codesOf(operation))).sort();
  return `// Generated from the API description (/v1/openapi.json) by \`make docs\`; do not edit.

${schemas.join('\n')}
/** Every code that a refusal may have. */
export type ErrorCode = ${codes.map(code => `| '${code}'`).join('')};

/** What every operation takes and answers. */
export interface Operations {
${types.join('\n')}
}

/** How every operation is sent. */
export const OPERATIONS = {
${operations.map(({ path, method, operation }) => `${operation.operationId}: ${sentAs(method, path, operation)},`).join('\n')}
} as const;
`;
}

/** client/api.ts of the routes as they are, laid out as all sources are. */
export async function renderClientApi(): Promise<string> {
  await using fixture = await openFixture();
  const document: Document = (await fixture.app.inject('/v1/openapi.json')).json();
  const biome = fileURLToPath(new URL('../node_modules/.bin/biome', import.meta.url));
  return execFileSync(biome, ['format', '--stdin-file-path=client/api.ts'], {
    input: renderClient(document),
    encoding: 'utf8',
    cwd: fileURLToPath(new URL('../', import.meta.url)),
  });
}
