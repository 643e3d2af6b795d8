import { readFileSync } from 'node:fs';
import { answersByType, codesOf, type Document, type Operation } from '../api-document.ts';
import { type Schema, unique } from '../schema-type.ts';
import { docstring, listed, literal, remark } from './layout.ts';
import { Types } from './types.ts';

/** Lines of core.py that stand for what is generated. */
const VERSION = '#:: version\n';
const CODES = '#:: codes\n';
const OPERATIONS = '#:: operations\n';

/** Arguments of a method, and the part of the request that each goes into. */
interface Argument {
  readonly name: string;
  readonly goes: 'path' | 'query' | 'body';
  readonly required: boolean;
  readonly schema: Schema;
}

/** A name of the API as Python writes it: fetch_batch of fetchBatch, bbox_crs of bbox-crs. */
const pythonName = (name: string): string =>
  name.replaceAll('-', '_').replace(/[A-Z]/g, upper => `_${upper.toLowerCase()}`);

/** The name of a type: FetchBatch of fetchBatch, ProximityMatrix of proximity_matrix. */
const typeName = (id: string): string => id.replace(/(?:^|[_-])([a-z])/g, (_, first: string) => first.toUpperCase());

const jsonOf = ({ requestBody }: Operation): Schema | undefined => requestBody?.content['application/json']?.schema;
const isKey = (name: string): boolean => name.toLowerCase().replaceAll('-', '_') === 'idempotency_key';

/** The arguments of an operation, those that are needed first; its idempotency key is none of them. */
function argumentsOf(operation: Operation): Argument[] {
  const parameters = (operation.parameters ?? [])
    .filter(one => one.in !== 'header')
    .map(({ in: where, name, required = false, description, schema }) => ({
      name,
      goes: where as 'path' | 'query',
      required: where === 'path' || required,
      schema: { description, ...schema } as Schema,
    }));
  const body = jsonOf(operation);
  const properties = Object.entries(body?.properties ?? {})
    .filter(([name]) => !isKey(name))
    .map(([name, schema]) => ({
      name,
      goes: 'body' as const,
      required: body?.required?.includes(name) ?? false,
      schema,
    }));
  const all = [...parameters, ...properties];
  return [...all.filter(one => one.required), ...all.filter(one => !one.required)];
}

/** The place of an operation's idempotency key; null where it takes none. */
function keyOf(operation: Operation): 'header' | 'body' | null {
  if (operation.parameters?.some(one => one.in === 'header' && isKey(one.name))) return 'header';
  return Object.keys(jsonOf(operation)?.properties ?? {}).some(isKey) ? 'body' : null;
}

/** A body that is handed in as it is: bytes, or one of several shapes. */
function wholeBody(operation: Operation): 'bytes' | 'object' | null {
  if (!operation.requestBody) return null;
  const json = jsonOf(operation);
  if (!json) return 'bytes';
  return json.anyOf ? 'object' : null;
}

/** The terms in which an operation is sent. */
function termsOf(path: string, method: string, operation: Operation, all: readonly Argument[]): string[] {
  const entries = (where: Argument['goes']) =>
    all.filter(({ goes }) => goes === where).map(({ name }) => `"${name}": ${pythonName(name)}`);
  const key = keyOf(operation);
  const whole = wholeBody(operation);
  const [query, body] = [entries('query'), entries('body')];
  if (key === 'body') body.push('"idempotency_key": _key(idempotency_key)');
  const address = path.includes('{')
    ? `f"${path.replace(/\{([\w-]+)\}/g, (_, name: string) => `{_part(${pythonName(name)})}`)}"`
    : `"${path}"`;
  const own = all.filter(({ goes }) => goes === 'body');
  const isNullable = ({ schema }: Argument) => schema.anyOf?.some(({ type }) => type === 'null') ?? false;
  const nulls = own.some(one => one.required && isNullable(one));
  if (nulls && !own.every(one => one.required))
    throw new RangeError(`${operation.operationId}: a null that is needed stands beside what may be left out`);
  return [
    `"${method.toUpperCase()}"`,
    address,
    ...(query.length > 0 ? [listed('query={', query, '}', 12, 1)] : []),
    ...(whole ? ['body=body'] : operation.requestBody ? [listed('body={', body, '}', 12, 1)] : []),
    ...(nulls ? ['nulls=True'] : []),
    ...(whole === 'bytes' ? ['headers={"content-type": content_type}'] : []),
    ...(key === 'header' ? ['key=_key(idempotency_key)'] : []),
  ];
}

/** The method of an operation. */
function methodText(types: Types, path: string, method: string, operation: Operation): string {
  const of = typeName(operation.operationId);
  const all = argumentsOf(operation);
  const key = keyOf(operation);
  const whole = wholeBody(operation);
  const answers = answersByType(operation);
  const streams = answers.some(([type]) => type === 'text/event-stream');
  const parameter = ({ name, schema, goes, required }: Argument) => {
    const type = goes === 'body' ? types.input(schema, of, name) : types.asked(schema, of, name);
    return `${pythonName(name)}: ${required ? type : `${types.optional(type)} = None`}`;
  };
  const place = all.filter(({ goes }) => goes === 'path');
  const named = all.filter(({ goes }) => goes !== 'path');
  const kinds = types.literals(Object.keys(operation.requestBody?.content ?? {}), of, 'content_type');
  const parameters = [
    'self',
    ...place.map(parameter),
    ...(whole === 'bytes' ? ['body: bytes', `content_type: ${kinds}`] : []),
    ...(whole === 'object' ? ['body: Mapping[str, Any]'] : []),
    ...(named.length > 0 || key ? ['*'] : []),
    ...named.map(parameter),
    ...(key ? ['idempotency_key: str | None = None'] : []),
  ];
  const remarks = all.flatMap(({ name, schema }) =>
    schema.description ? [[pythonName(name), schema.description] as const] : [],
  );
  const keyRemark = [
    'idempotency_key',
    'What is sent again with the same key is carried out once. A new one by default.',
  ] as const;
  const answer = streams ? 'Iterator[Event]' : types.answer(answers, of);
  const call = `return self.${streams ? '_stream' : '_call'}(`;
  return [
    `    ${listed(`def ${pythonName(operation.operationId)}(`, parameters, `) -> ${answer}:`, 4)}`,
    docstring(operation.summary, operation.description, [...remarks, ...(key ? [keyRemark] : [])], 8),
    `        ${listed(call, termsOf(path, method, operation, all), ')', 8)}`,
    '',
  ].join('\n');
}

/** client/python/plat.py: core.py with every operation. @param document what GET /v1/openapi.json answers. */
export function renderPython(document: Document): string {
  const core = readFileSync(new URL('core.py', import.meta.url), 'utf8');
  const operations = Object.entries(document.paths)
    .flatMap(([path, item]) => Object.entries(item).map(([method, operation]) => ({ path, method, operation })))
    .sort((a, b) => (a.operation.operationId < b.operation.operationId ? -1 : 1));
  const types = new Types(document.components.schemas);
  const methods = operations.map(({ path, method, operation }) => methodText(types, path, method, operation));
  const codes = unique(operations.flatMap(({ operation }) => codesOf(operation))).sort();
  const head =
    'class Operations(_Sender):\n    """Every operation as the API description has it, with JSON as answers."""\n';
  return core
    .replace(VERSION, () => `__version__ = "${document.info.version}"\n`)
    .replace(CODES, () => `${remark('Every code that a refusal may have.', 0)}ErrorCode = ${literal(codes)}\n`)
    .replace(OPERATIONS, () => `${types.text()}\n\n${head}\n${methods.join('\n')}`);
}
