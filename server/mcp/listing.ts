import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import type { Catalog } from '../../datasets/catalog.ts';
import type { Tool } from './tool.ts';

/** What names of tools begin with. */
export const PREFIX = 'service_';

/** A schema without its examples: models read the descriptions, and every word of a tool is paid for in each conversation. */
function withoutExamples(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutExamples);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => key !== 'examples' || !Array.isArray(value))
      .map(([key, value]) => [key, withoutExamples(value)]),
  );
}

/** Tools as clients are told of them. */
export function listTools(tools: readonly Tool[], catalog: Catalog): ListedTool[] {
  const listed = tools.map(({ name, title, description, readOnly, forms }) => {
    const bodies = forms.map(({ schema }) => withoutExamples(schema));
    return {
      name: PREFIX + name,
      title,
      description: description(catalog),
      inputSchema: {
        type: 'object',
        properties: { req: bodies.length === 1 ? bodies[0]! : { anyOf: bodies } },
        required: ['req'],
        additionalProperties: false,
      },
      annotations: { readOnlyHint: readOnly, destructiveHint: false, openWorldHint: false },
    };
  });
  return listed as unknown as ListedTool[];
}
