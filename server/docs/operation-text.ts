import { bodyOf, type Call, callsOf, type DescribedApi, type Schema } from './page/described.ts';
import { rowsOf, type SchemaRow } from './page/schema-rows.ts';

type Schemas = Readonly<Record<string, Schema>>;

/** The address of an operation's page. */
export const operationPath = (operationId: string): string => `/v1/docs/${operationId}.md`;

const lineOf = ({ name, type, required, description }: SchemaRow): string =>
  `- \`${name}\` (${type}${required ? ', required' : ''})${description ? `: ${description}` : ''}`;

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length > 0 ? [`## ${title}`, lines.join('\n')] : [];

/** The first body that a schema gives as an example. */
function exampleIn(schema: Schema | undefined): unknown {
  const { examples } = (schema ?? {}) as { readonly examples?: readonly unknown[] };
  return Array.isArray(examples) ? examples[0] : undefined;
}

function operationText(call: Call, schemas: Schemas): string {
  const { method, path, summary, description, parameters = [], responses } = call;
  const body = bodyOf(call);
  const example = exampleIn(body?.schema);
  const told = parameters.map(({ name, in: place, required, description: says, schema }) =>
    lineOf({ name, type: place, required: required ?? false, description: says ?? schema?.description ?? '' }),
  );
  const [[status, answer] = ['200', undefined]] = Object.entries(responses).filter(([each]) => each.startsWith('2'));
  const [media] = Object.values(answer?.content ?? {});
  const refused = Object.entries(responses).filter(([each]) => Number(each) >= 400);
  const codes = refused.map(([each, { description: says }]) => {
    const names = [...says.matchAll(/^`(\w+)`: /gm)].map(([, code]) => `\`${code}\``);
    return `- ${each}: ${names.join(', ') || 'see the API description'}`;
  });
  return [
    `# ${method} ${path}`,
    ...(summary ? [`> ${summary}`] : []),
    ...(description ? [description] : []),
    ...section('Parameters', told),
    ...section('Body', body?.schema ? rowsOf(body.schema, schemas).map(lineOf) : []),
    ...(example === undefined
      ? []
      : section('Example of a body', ['```json', JSON.stringify(example, null, 2), '```'])),
    ...section(`Answer ${status}`, media?.schema ? rowsOf(media.schema, schemas).map(lineOf) : []),
    ...section('Errors', codes),
    '',
  ].join('\n\n');
}

/** The page of each operation of an API description, in Markdown for language models, by its path. */
export function operationPages(api: DescribedApi): ReadonlyMap<string, string> {
  return new Map(
    callsOf(api).map(call => [operationPath(call.operationId), operationText(call, api.components.schemas)]),
  );
}
