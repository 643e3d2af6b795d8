import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import type { Catalog } from '../../datasets/catalog.ts';
import type { Holdings } from './holdings.ts';
import { PREFIX, type Tool } from './tool.ts';
import { inToolWords, toolWords } from './view/tool-words.ts';
import { LEAST_TOKENS, MOST_TOKENS } from './view/view.ts';

/** Properties that stand in many bodies and are said in one place, the description of the service: their shape is enough. */
const SAID_ONCE = ['release'];

/** Patterns that tell a model nothing: not only spaces, no control characters. */
const SILENT = /^\\S$|u0000/;
/** Characters that no model writes in one text. */
const LONG = 250;

/**
 * Removes from a schema its examples and what only a validator needs. Models read the descriptions, and each
 * conversation pays for every word of a tool. Calls are checked with the whole schema.
 */
function trimmed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(trimmed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const silent = ([key, value]: readonly [string, unknown]) =>
    (key === 'examples' && Array.isArray(value)) ||
    (key === 'pattern' && typeof value === 'string' && SILENT.test(value)) ||
    (key === 'minLength' && value === 1) ||
    (key === 'maxLength' && Number(value) >= LONG) ||
    (key === 'additionalProperties' && value === false);
  return Object.fromEntries(
    Object.entries(schema)
      .filter(entry => !silent(entry))
      .map(([key, value]) => [key, SAID_ONCE.includes(key) ? { type: 'string' } : trimmed(value)]),
  );
}

/** Characters from which on a repeated part of a schema gets a name. */
const WORTH_A_NAME = 120;

/** Moves repeated parts of a schema to `$defs`, such as locators, of which some bodies have many. */
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

/** What every tool takes beside its body. */
const VIEW = {
  view: { enum: ['slim', 'full'] },
  max_tokens: { type: 'integer', minimum: LEAST_TOKENS, maximum: MOST_TOKENS },
};

/** Slim answers. It is short, and lets full ones pass, because clients refuse what it does not. */
const OUTPUT = { type: 'object', properties: { next: { type: 'object', description: '{tool, arguments}' } } };
/** Those with records of fields. */
const CITED = {
  type: 'object',
  properties: {
    fields: { description: '{NAME: {value, unit, status, confidence, source: n, notes?, error?, retryable?}}' },
    sources: { description: 'By n; each once, in the part that names it first.' },
    ...OUTPUT.properties,
  },
};

/** Hints for clients. What only reads destroys nothing by definition (the protocol reads the one hint without the other). */
const READING = { readOnlyHint: true, openWorldHint: false };
const WRITING = { destructiveHint: false, openWorldHint: false };

/**
 * The list of tools for clients: it names tools and no routes, and says what the open release cannot answer.
 * @param page that shows the places of an answer (MCP Apps); null where there is none.
 */
export function listTools(
  tools: readonly Tool[],
  catalog: Catalog,
  holdings: Holdings,
  page: string | null = null,
): ListedTool[] {
  const listed = tools.map(({ name, title, description, lack, readOnly, isCited, isMapped, forms }) => {
    const lacking = lack?.(holdings) ?? null;
    const bodies = [...new Set(forms.map(({ schema }) => schema))].map(trimmed);
    return {
      name: PREFIX + name,
      title,
      description: lacking === null ? description(catalog) : `${description(catalog)} ${lacking}`,
      inputSchema: withNames({
        type: 'object',
        properties: { req: bodies.length === 1 ? bodies[0]! : { anyOf: bodies }, ...VIEW },
        required: ['req'],
        additionalProperties: false,
      }),
      outputSchema: isCited ? CITED : OUTPUT,
      annotations: readOnly ? READING : WRITING,
      ...(isMapped && page !== null ? { _meta: { ui: { resourceUri: page } } } : {}),
    };
  });
  return JSON.parse(inToolWords(JSON.stringify(listed), toolWords(tools))) as ListedTool[];
}
