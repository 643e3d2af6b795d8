import { SETTINGS } from '../../../query/engine/settings.ts';
import { PREFIX, type Tool } from '../tool.ts';

/** Names of operations for models, by the routes that answer them over HTTP. */
export type ToolWords = Readonly<Record<string, string>>;

/** Routes whose answer a tool gives that is not made from them, and those that are named without a form of their own. */
const ALIKE: ToolWords = {
  'GET /v1/meta/fields': `${PREFIX}catalog`,
  'GET /v1/meta/coverage': `${PREFIX}coverage`,
  'GET /v1/users/me/usage': `${PREFIX}quote`,
  'POST /v1/ask/stream': `${PREFIX}ask`,
  'POST /v1/parcels/search': `${PREFIX}search`,
};

/** The words of all tools. An operation that shares its tool is named with its word there. */
export function toolWords(tools: readonly Tool[]): ToolWords {
  const words: Record<string, string> = { ...ALIKE };
  for (const { name, forms } of tools)
    for (const { route, operation } of forms)
      if (route !== null) words[route] ??= `${PREFIX}${name}${operation === undefined ? '' : ` (${operation})`}`;
  return words;
}

const ROUTE = /\b(?:GET|POST|DELETE) \/v1\/(?:[\w/-]|\{\w+\})+/g;
/** The variable of a setting, in brackets or not. Books of plats are data: PLAT_BOOK is no setting. */
const SETTING = / \((PLAT_[A-Z\d_]+)\)|\bPLAT_[A-Z\d_]+/g;
const VARIABLES: ReadonlySet<string> = new Set(Object.values(SETTINGS).map(({ variable }) => variable));

/**
 * A text for models: operations by their tools instead of routes, and no settings, which only an operator has. What it puts in needs no
 * escapes, so that it takes JSON text too.
 */
export const inToolWords = (text: string, words: ToolWords): string =>
  text
    .replace(ROUTE, route => words[route] ?? route)
    .replace(SETTING, (said: string, aside?: string) => {
      if (!VARIABLES.has(aside ?? said)) return said;
      return aside === undefined ? 'a setting of the server' : '';
    });
