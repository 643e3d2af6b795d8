import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import type { Catalog } from '../../datasets/catalog.ts';
import type { Tool } from './tool.ts';

/** What names of tools begin with. */
export const PREFIX = 'service_';

/** Patterns that say nothing to a model: not only spaces, no control characters. */
const SILENT = /^\\S$|u0000/;

/**
 * A schema without its examples and what only a validator needs: models read the descriptions, and every word of a tool is
 * paid for in each conversation. Calls are judged by the whole schema.
 */
function trimmed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(trimmed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const silent = ([key, value]: readonly [string, unknown]) =>
    (key === 'examples' && Array.isArray(value)) ||
    (key === 'pattern' && typeof value === 'string' && SILENT.test(value)) ||
    (key === 'minLength' && value === 1);
  return Object.fromEntries(
    Object.entries(schema)
      .filter(entry => !silent(entry))
      .map(([key, value]) => [key, trimmed(value)]),
  );
}

/** Characters of a part of a schema from which on it is worth a name. */
const WORTH_A_NAME = 120;

/** A schema whose repeated parts stand once, under `$defs`: locators, of which some bodies have many. */
function withNames(schema: object): object {
  const texts = new Map<string, number>();
  const count = (part: unknown) => {
    if (typeof part !== 'object' || part === null) return;
    const text = JSON.stringify(part);
    const times = (texts.get(text) ?? 0) + 1;
    texts.set(text, times);
    if (times === 1) for (const value of Object.values(part)) count(value);
  };
  count(schema);
  const names = new Map<string, string>();
  const definitions: Record<string, unknown> = {};
  const isSchema = (part: object) => 'type' in part || 'anyOf' in part;
  const refer = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null) return part;
    const inside = () =>
      Array.isArray(part)
        ? part.map(refer)
        : Object.fromEntries(Object.entries(part).map(([key, value]) => [key, refer(value)]));
    const text = JSON.stringify(part);
    if (texts.get(text) === 1 || text.length < WORTH_A_NAME || !isSchema(part)) return inside();
    if (!names.has(text)) {
      const name = `d${names.size + 1}`;
      names.set(text, name);
      definitions[name] = inside();
    }
    return { $ref: `#/$defs/${names.get(text)}` };
  };
  const whole = refer(schema) as object;
  return names.size === 0 ? whole : { ...whole, $defs: definitions };
}

/** Tools as clients are told of them. */
export function listTools(tools: readonly Tool[], catalog: Catalog): ListedTool[] {
  const listed = tools.map(({ name, title, description, readOnly, forms }) => {
    const bodies = forms.map(({ schema }) => trimmed(schema));
    return {
      name: PREFIX + name,
      title,
      description: description(catalog),
      inputSchema: withNames({
        type: 'object',
        properties: { req: bodies.length === 1 ? bodies[0]! : { anyOf: bodies } },
        required: ['req'],
        additionalProperties: false,
      }),
      annotations: { readOnlyHint: readOnly, destructiveHint: false, openWorldHint: false },
    };
  });
  return listed as unknown as ListedTool[];
}
