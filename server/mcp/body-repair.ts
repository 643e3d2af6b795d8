import type { ShapeIssue } from '../http/shape.ts';
import { isObject, type JsonObject } from '../search/body-reader.ts';

/** Names that models give to keys, by the key that they mean. */
const MEANT: Readonly<Record<string, readonly string[]>> = {
  lat: ['latitude', 'y'],
  lng: ['lon', 'long', 'longitude', 'x'],
  address: ['location', 'place', 'input', 'query', 'q'],
  input: ['address', 'query', 'q', 'text'],
  query: ['q', 'text', 'search', 'words', 'terms'],
  question: ['q', 'query', 'prompt', 'text'],
  fields: ['field', 'names', 'columns'],
  locations: ['places', 'points', 'addresses', 'location'],
  site: ['polygon', 'geometry', 'geojson', 'area', 'boundary'],
};
/** Keys whose object has a place in it. */
const PLACES: readonly string[] = ['location', 'place', 'point', 'origin', 'coordinates'];

/** The properties of a body, by their names. */
type Properties = Readonly<Record<string, JsonObject>>;

/** Whether a property is a list, also where it may be null. */
const isList = (property: JsonObject | undefined): boolean => [property?.type].flat().includes('array');

/** An entry of a list of places: an address alone becomes a locator. */
const located = (value: unknown): unknown => (typeof value === 'string' ? { address: value } : value);

/** Whether a property is a number. */
const isNumber = (property: JsonObject | undefined): boolean =>
  [property?.type].flat().some(type => type === 'number' || type === 'integer');

/** A value as the property takes it: one alone becomes a list of one, a number loses its quotes. */
function fitting(key: string, value: unknown, property: JsonObject | undefined): unknown {
  if (isNumber(property) && typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value)) return Number(value);
  const list = isList(property) && !Array.isArray(value) ? [value] : value;
  return key === 'locations' && Array.isArray(list) ? list.map(located) : list;
}

/** The body with its keys as they are meant: places lifted out of objects, names of other services in their own. */
function renamed(body: JsonObject, properties: Properties, required: readonly string[] = []): JsonObject {
  // No prototype: keys are a stranger's.
  const repaired: Record<string, unknown> = Object.create(null);
  for (const [key, value] of Object.entries(body)) {
    const isOwn = Object.hasOwn(properties, key);
    if (!isOwn && PLACES.includes(key) && isObject(value)) Object.assign(repaired, renamed(value, properties));
    else {
      const meant = Object.keys(properties).find(
        name => MEANT[name]?.includes(key) && !Object.hasOwn(body, name) && !Object.hasOwn(repaired, name),
      );
      const name = isOwn ? key : (meant ?? key);
      repaired[name] = fitting(name, value, properties[name]);
    }
  }
  const { filters } = repaired;
  // A search within a body, as exports have it.
  if (filters !== undefined && properties.filters === undefined && properties.search !== undefined) {
    delete repaired.filters;
    repaired.search ??= { filters };
  }
  // What can have one value alone need not be said.
  for (const name of required) {
    const only = properties[name]?.const;
    if (only !== undefined) repaired[name] ??= only;
  }
  return repaired;
}

/** The body with what is too much of it taken away: entries of a list, what a number has above its limit. */
function bounded(body: JsonObject, issues: readonly ShapeIssue[]): JsonObject {
  const repaired: Record<string, unknown> = { ...body };
  for (const { loc, type, ctx } of issues) {
    const [, key, ...deeper] = loc;
    if (typeof key !== 'string' || deeper.length > 0) continue;
    const { [key]: value } = repaired;
    if (type === 'too_long' && Array.isArray(value)) repaired[key] = value.slice(0, Number(ctx.max_length));
    if (type === 'less_than_equal' && typeof value === 'number') repaired[key] = Number(ctx.le);
  }
  return repaired;
}

/**
 * A body of the wrong shape as it was probably meant; what else is wrong with it stays. Pure.
 * @param schema of the body. @param issues with the body. @returns null where nothing is known to mend.
 */
export function bodyRepair(body: unknown, schema: object, issues: readonly ShapeIssue[]): JsonObject | null {
  const { properties, required } = schema as {
    readonly properties?: Properties;
    readonly required?: readonly string[];
  };
  if (!isObject(body) || properties === undefined) return null;
  const repaired = bounded(renamed(body, properties, required), issues);
  return JSON.stringify(repaired) === JSON.stringify(body) ? null : repaired;
}
