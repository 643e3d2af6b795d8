import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openFixture } from '../test/server/service-fixture.ts';
import { answersByType, codesOf, type Document, type Operation } from './api-document.ts';
import { renderPython } from './python/client.ts';
import { comment, objectOf, typeOf, unique, united } from './schema-type.ts';

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

/** Whether an operation takes no body, or one of JSON: the client sends no files. */
const sendsJson = ({ requestBody }: Operation): boolean =>
  !requestBody || requestBody.content['application/json'] !== undefined;

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

/** The names that a text of types refers to. */
const namesIn = (text: string, names: Iterable<string>): string[] =>
  [...names].filter(name => new RegExp(`\\b${name}\\b`).test(text)).sort();

const HEAD = '// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.\n\n';

/** The name of an operation's types: FetchBatch of fetchBatch, ProximityMatrix of proximity_matrix. */
const typeName = (id: string): string => id.replace(/(?:^|_)([a-z])/g, (_, first: string) => first.toUpperCase());
/** The name of an operation's file: fetch-batch. */
const fileName = (id: string): string => id.replace(/[A-Z]/g, upper => `-${upper.toLowerCase()}`).replaceAll('_', '-');

/** What each operation answers, as types. */
const answersOf = (operation: Operation): string[] =>
  unique(answersByType(operation).map(([, { schema }]) => typeOf(schema)));

/** A file of what one operation takes and answers. @param elsewhere names of answers that are whole what another gives. */
function renderOperation(
  operation: Operation,
  schemas: readonly string[],
  elsewhere: ReadonlyMap<string, string>,
): string {
  const name = typeName(operation.operationId);
  const others = new Set<string>();
  const parts = answersByType(operation).flatMap(([, { schema }]) => schema.anyOf ?? [schema]);
  const answer = united(
    parts.map(typeOf).map(text => {
      const other = elsewhere.get(text);
      if (other === undefined || other === operation.operationId) return text;
      others.add(other);
      return `${typeName(other)}['answer']`;
    }),
  );
  const text = `${comment(operation.summary)}export interface ${name} {
  readonly input: ${inputOf(operation)};
  readonly answer: ${answer};
}
`;
  const named = namesIn(text, schemas);
  return `${HEAD}${[...others].map(other => `import type { ${typeName(other)} } from './${fileName(other)}.ts';\n`).join('')}${
    named.length > 0 ? `import type { ${named.join(', ')} } from './schemas.ts';\n` : ''
  }
${text}`;
}

/**
 * The generated files of client/, by path: api/ with a file of each operation, the schemas that they share and the codes
 * of refusals, and api.ts, which says how each is sent. Not in their final layout.
 * @param document what GET /v1/openapi.json answers.
 */
function renderClient(document: Document): Map<string, string> {
  const operations = Object.entries(document.paths)
    .flatMap(([path, item]) => Object.entries(item).map(([method, operation]) => ({ path, method, operation })))
    .filter(({ operation }) => sendsJson(operation))
    .sort((a, b) => (a.operation.operationId < b.operation.operationId ? -1 : 1));
  const ids = operations.map(({ operation }) => operation.operationId);
  const schemas = document.components.schemas;
  const named = Object.keys(schemas).sort();
  // An answer of one object, so that what may give several refers to those.
  const elsewhere = new Map(
    operations.flatMap(({ operation }) => {
      const answers = answersOf(operation);
      return answers.length === 1 && answers[0]!.startsWith('{') ? [[answers[0]!, operation.operationId] as const] : [];
    }),
  );
  const codes = unique(operations.flatMap(({ operation }) => codesOf(operation))).sort();
  return new Map([
    ...operations.map(
      ({ operation }) =>
        [`api/${fileName(operation.operationId)}.ts`, renderOperation(operation, named, elsewhere)] as const,
    ),
    [
      'api/schemas.ts',
      `${HEAD}${named
        .map(name => `${comment(schemas[name]!.description)}export type ${name} = ${typeOf(schemas[name]!)};\n`)
        .join('\n')}`,
    ],
    [
      'api/error-code.ts',
      `${HEAD}/** Every code that a refusal may have. */\nexport type ErrorCode = ${codes.map(code => `| '${code}'`).join('')};\n`,
    ],
    [
      'api.ts',
      `${HEAD}${ids.map(id => `import type { ${typeName(id)} } from './api/${fileName(id)}.ts';\n`).join('')}
export type { ErrorCode } from './api/error-code.ts';
export type * from './api/schemas.ts';

/** Version of the API description, and of this client. */
export const VERSION = '${document.info.version}';

/** What every operation takes and answers. */
export interface Operations {
${ids.map(id => `readonly ${id}: ${typeName(id)};`).join('\n')}
}

/** How every operation is sent. */
export const OPERATIONS = {
${operations.map(({ path, method, operation }) => `${operation.operationId}: ${sentAs(method, path, operation)},`).join('\n')}
} as const;
`,
    ],
  ]);
}

/** Source files laid out as all are. @param files texts by path. */
function laidOut(files: ReadonlyMap<string, string>): Map<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'plat-client-'));
  try {
    const names = [...files.keys()].map((path, i) => [path, `${i}.ts`] as const);
    for (const [path, name] of names) writeFileSync(join(folder, name), files.get(path)!);
    const root = fileURLToPath(new URL('../', import.meta.url));
    const config = `--config-path=${join(root, 'biome.json')}`;
    execFileSync(join(root, 'node_modules/.bin/biome'), ['check', '--write', '--vcs-enabled=false', config, folder], {
      stdio: 'pipe',
    });
    return new Map(names.map(([path, name]) => [path, readFileSync(join(folder, name), 'utf8')]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The generated files of client/ of the routes as they are, by path from there. */
export async function renderClientFiles(): Promise<Map<string, string>> {
  await using fixture = await openFixture();
  const document = (await fixture.app.inject('/v1/openapi.json')).json();
  return laidOut(renderClient(document)).set(PYTHON, renderPython(document));
}

/** The client in Python, from client/. */
const PYTHON = 'python/plat.py';

/** The folder of the client. */
export const CLIENT = new URL('../client/', import.meta.url);

/** Paths of the generated files that are there, from client/. */
export function clientFiles(): string[] {
  const api = readdirSync(new URL('api', CLIENT));
  return ['api.ts', PYTHON, ...api.map(name => `api/${name}`)].sort();
}
