import type { JsonObject } from '../search/body-reader.ts';
import { PREFIX } from './tool.ts';

/** A call that a model can make as it stands. */
export interface NextCall {
  readonly tool: string;
  readonly arguments: JsonObject;
}

/** What the release has, as far as calls depend on it. */
export interface NextGround {
  /** Of which it has parcels. */
  readonly states: readonly string[];
  /** Sets of places that it lacks. */
  readonly lackingSets: readonly string[];
}

/** A call that was refused. */
export interface Refused extends NextGround {
  /** With its prefix. */
  readonly tool: string;
  readonly given: JsonObject;
  readonly req: JsonObject;
  readonly message: string;
  readonly context: JsonObject;
}

/** A call of a tool. @param tool without its prefix. */
export const toolCall = (tool: string, req: object): NextCall => ({ tool: PREFIX + tool, arguments: { req } });

/** The same call with another body. */
export const again = ({ tool, given }: Refused, req: object): NextCall => ({ tool, arguments: { ...given, req } });

/** A body without some of its keys. */
export const without = (body: JsonObject, ...keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([key]) => !keys.includes(key)));

/** A list, or an empty one in the place of anything else. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Characters of names that a catalog is asked for. */
const MOST_QUERY = 300;
/** The surface of the catalog whose names a tool takes. */
const SURFACES: Readonly<Record<string, string>> = {
  [`${PREFIX}enrich`]: 'enrich',
  [`${PREFIX}search`]: 'filter',
  [`${PREFIX}sets`]: 'filter',
};

/** Asks the catalog for wrong names, in their words. */
export function catalogFor({ tool }: Refused, names: readonly string[]): NextCall | null {
  const query = names
    .join(' ')
    .replace(/[_\s]+/g, ' ')
    .trim()
    .slice(0, MOST_QUERY);
  return query === '' ? null : toolCall('catalog', { query, surface: SURFACES[tool] ?? 'fetch' });
}
