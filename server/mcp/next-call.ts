import { parseAddress } from '../../query/geocode/address/address.ts';
import type { ErrorCode, ServiceError } from '../errors/registry.ts';
import type { Neighborhood } from '../geocoder/neighborhood.ts';
import { isObject, type JsonObject } from '../search/body-reader.ts';
import { PREFIX } from './tool.ts';

/** A call that a model can make as it stands. */
export interface NextCall {
  readonly tool: string;
  readonly arguments: JsonObject;
}

/** A call that was refused. */
interface Refused {
  /** With its prefix. */
  readonly tool: string;
  readonly given: JsonObject;
  readonly req: JsonObject;
  readonly message: string;
  readonly context: JsonObject;
  /** Of which the release has parcels. */
  readonly states: readonly string[];
}

/** A call of a tool. @param tool without its prefix. */
export const toolCall = (tool: string, req: object): NextCall => ({ tool: PREFIX + tool, arguments: { req } });

/** The same call with another body. */
const again = ({ tool, given }: Refused, req: object): NextCall => ({ tool, arguments: { ...given, req } });

const without = (body: JsonObject, ...keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([key]) => !keys.includes(key)));

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Places of one call of enrichment. */
export const MOST_PLACES = 10;
/** Characters of names that a catalog is asked for. */
const MOST_QUERY = 300;
/** The surface of the catalog whose names a tool takes. */
const SURFACES: Readonly<Record<string, string>> = {
  [`${PREFIX}enrich`]: 'enrich',
  [`${PREFIX}search`]: 'filter',
  [`${PREFIX}sets`]: 'filter',
};

/** Asks the catalog for wrong names, in their words. */
function catalogFor({ tool }: Refused, names: readonly string[]): NextCall | null {
  const query = names
    .join(' ')
    .replace(/[_\s]+/g, ' ')
    .trim()
    .slice(0, MOST_QUERY);
  return query === '' ? null : toolCall('catalog', { query, surface: SURFACES[tool] ?? 'fetch' });
}

/** Names of a body that its issues are about: `filters[1].field`, `fields[0]`. */
function namesAt({ req }: Refused, paths: readonly string[]): string[] {
  return paths.flatMap(path => {
    let value: unknown = req;
    for (const key of path.match(/\w+/g) ?? []) value = (value as JsonObject | null | undefined)?.[key];
    return typeof value === 'string' ? [value] : [];
  });
}

const METRES: Readonly<Record<string, number>> = {
  within_m: 1,
  radius_m: 1,
  distance_m: 1,
  meters: 1,
  radius_km: 1_000,
  within_km: 1_000,
  within_miles: 1_609.344,
  radius_miles: 1_609.344,
};

/** The area that a search was asked for outside its filters; null where its parts do not make one. */
function nearIn(req: JsonObject): JsonObject | null {
  const inside = isObject(req.near) ? req.near : {};
  const all: JsonObject = { ...req, ...inside };
  const [unit] = Object.keys(METRES).filter(key => typeof all[key] === 'number');
  const place = ['lat', 'lng', 'address', 'parcel_id', 'geometry'].filter(key => all[key] !== undefined);
  if (unit === undefined || place.length === 0) return null;
  const within_m = (all[unit] as number) * METRES[unit]!;
  return { ...Object.fromEntries(place.map(key => [key, all[key]])), within_m };
}

const ORDERS = ['order_by', 'sort', 'sort_by', 'order'];
const PLACES = ['near', 'lat', 'lng', 'address', 'parcel_id', 'geometry', ...Object.keys(METRES)];

/** The fields by which a search was asked to sort, as a rank takes them. */
function orderIn(req: JsonObject): readonly object[] {
  const given = ORDERS.flatMap(key => (req[key] === undefined ? [] : [req[key]].flat()));
  return given.flatMap(one => {
    if (isObject(one)) {
      const { field, direction = one.order ?? one.dir ?? 'asc' } = one;
      return typeof field === 'string' ? [{ field, direction }] : [];
    }
    const [, minus, field, direction] = /^(-?)(\w+)(?:\s+(asc|desc))?$/i.exec(String(one)) ?? [];
    return field === undefined ? [] : [{ field, direction: direction?.toLowerCase() ?? (minus ? 'desc' : 'asc') }];
  });
}

/** The call of a set for parcels about a place or in an order, which a search does not do. */
function rankFor({ req }: Refused): NextCall | null {
  const filters = listOf(req.filters);
  const hasNear = filters.some(filter => isObject(filter) && Object.hasOwn(filter, 'near'));
  const asks = [...ORDERS, ...PLACES].some(key => Object.hasOwn(req, key));
  if (!hasNear && !asks) return null;
  const near = nearIn(req);
  if (!near && !hasNear && PLACES.some(key => Object.hasOwn(req, key))) return null;
  const order = orderIn(req);
  const { fields, limit } = req;
  return toolCall('sets', {
    operation: 'rank',
    filters: near ? [...filters, { near }] : filters,
    order_by: order.length > 0 ? order : [{ field: 'acreage', direction: 'desc' }],
    ...(fields === undefined ? {} : { fields }),
    ...(limit === undefined ? {} : { limit }),
  });
}

/** A question about a set in its own keys: an order, a reach or groups that were asked for as other services take them. */
function asSetsTake(refused: Refused): NextCall | null {
  const { req } = refused;
  if (req.operation === 'rank') {
    const order = orderIn(req);
    const { order_by: own } = req;
    const isOwn = Array.isArray(own) && own.every(isObject) && ORDERS.every(key => key === 'order_by' || !(key in req));
    return order.length === 0 || isOwn ? null : again(refused, { ...without(req, ...ORDERS), order_by: order });
  }
  if (req.operation === 'areas') {
    const near = req.within_m === undefined ? nearIn(req) : null;
    return near && again(refused, { operation: 'areas', ...near });
  }
  if (req.operation !== 'aggregate') return null;
  const { group_by: groups, measures } = req;
  const own = {
    ...(typeof groups === 'string' ? { group_by: [groups] } : {}),
    ...(listOf(measures).includes('count') || measures === 'count' ? { measures: [{ op: 'count' }] } : {}),
  };
  return Object.keys(own).length === 0 ? null : again(refused, { ...req, ...own });
}

/** The call that follows a search, or a question about a set, that cannot be run. */
function forSearch(refused: Refused): NextCall | null {
  const { tool, req, context } = refused;
  const rank = tool === `${PREFIX}search` ? rankFor(refused) : asSetsTake(refused);
  if (rank) return rank;
  // What is calculated beside the server is known by its name: nothing but time helps, which the issue says.
  const issues = listOf(context.issues).filter(
    issue => !/ is (?:being|not) calculated/.test(String((issue as JsonObject).description)),
  );
  const paths = issues.map(issue => String((issue as JsonObject).path));
  if (typeof req.query === 'string') return catalogFor(refused, [req.query]);
  const lacks = issues.some(issue => String((issue as JsonObject).description).includes('in this release:'));
  if (lacks) return toolCall('coverage', {});
  if (paths.length > 0 && paths.every(path => path === 'cursor')) return again(refused, without(req, 'cursor'));
  return catalogFor(
    refused,
    namesAt(
      refused,
      paths.filter(path => /(?:\.field|^fields\[\d+\]|_field)$/.test(path)),
    ),
  );
}

/** The same place with latitude and longitude the other way round, where that lies in the country. */
function turned(refused: Refused): NextCall {
  const { req } = refused;
  const { lat, lng } = req;
  const swapped = typeof lat === 'number' && typeof lng === 'number' && lat < -60 && lng > 17;
  return swapped ? again(refused, { ...req, lat: lng, lng: lat }) : toolCall('coverage', {});
}

/** Driving that the release has no roads for: straight lines, where they were asked about the nearest, otherwise what there is. */
function undriven(refused: Refused): NextCall {
  const { req, message } = refused;
  if (req.operation === 'nearest' && req.by !== 'straight_line' && message.includes('road graph'))
    return again(refused, { ...without(req, 'max_minutes'), by: 'straight_line' });
  return toolCall('coverage', {});
}

/**
 * The call that follows what is known near an address: the place of the nearest known number, never what was asked about the other
 * house; what the release covers, where it has no address there.
 */
export function nextOfNeighborhood({ nearest_addresses: nearest, cities }: Neighborhood): NextCall | null {
  if (nearest?.[0] !== undefined) return toolCall('geocode', { address: nearest[0] });
  return cities === undefined ? null : toolCall('coverage', {});
}

/** Every address in a body, such as that of a filter. */
function addressesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(addressesIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === 'address' && typeof inner === 'string' ? [inner] : addressesIn(inner),
  );
}

/** The house number of an address: the first word of digits. */
const NUMBER = /(?<!\S)\d{1,6}(?=\s)/;

/** States whose addresses are looked through: those of all would take minutes. */
const MOST_STATES = 3;

/** The parcels that have the number of an address, whatever their street: one of them may be meant. */
export function sameNumber(address: string, states: readonly string[]): NextCall | null {
  const [number] = NUMBER.exec(address) ?? [];
  const said = parseAddress(address).located.map(({ state }) => state);
  const there = states.filter(state => said.includes(state));
  const value = there.length > 0 ? there : states;
  if (number === undefined || value.length === 0 || value.length > MOST_STATES) return null;
  const filters = [
    { field: 'state', op: 'in', value },
    { field: 'address', op: 'starts_with', value: `${number} ` },
  ];
  return toolCall('sets', { operation: 'count', filters });
}

/** What is known near an address; of one that fits several places lookup lists them. */
function unknownAddress({ message, req, context, states }: Refused): NextCall | null {
  const [address, ...others] = new Set(addressesIn(req));
  const isOne = address !== undefined && others.length === 0;
  if (message.includes('equally well')) return isOne ? toolCall('lookup', { input: address }) : null;
  const near = context as Neighborhood;
  return (
    (near.nearest_addresses === undefined && isOne ? sameNumber(address, states) : null) ?? nextOfNeighborhood(near)
  );
}

const listing = (tool: string) => (): NextCall =>
  toolCall(tool, tool === 'sets' ? { operation: 'exports' } : { list: true });

const priced = ({ req }: Refused): NextCall | null => {
  const { fields, preset, locations } = req;
  if (fields === undefined && preset === undefined) return null;
  const count = Array.isArray(locations) ? { locations: locations.length } : {};
  return toolCall('quote', {
    ...(fields === undefined ? {} : { fields }),
    ...(preset === undefined ? {} : { preset }),
    ...count,
  });
};

/** Enrichment, where it knows every name that a fetch does not. */
function enriched({ tool, req, context }: Refused): NextCall | null {
  const advice = listOf(context.suggestions) as readonly { readonly known_by: readonly string[] }[];
  const unknown = listOf(context.fields_unknown);
  const isEnriched = advice.length === unknown.length && advice.every(one => one.known_by.includes('POST /v1/enrich'));
  if (!isEnriched || tool === `${PREFIX}enrich` || listOf(req.locations).length > MOST_PLACES) return null;
  return req.preset == null ? toolCall('enrich', req) : null;
}

/** The call that helps after a refusal, by its code. */
const NEXT: Readonly<Partial<Record<ErrorCode, (refused: Refused) => NextCall | null>>> = {
  fields_unknown: refused =>
    enriched(refused) ?? catalogFor(refused, listOf(refused.context.fields_unknown).map(String)),
  fields_too_many: refused => {
    const { req, context } = refused;
    const fields = listOf(req.fields).slice(0, Number(context.max));
    return fields.length > 0 ? again(refused, { ...without(req, 'preset'), fields }) : null;
  },
  coord_out_of_bounds: turned,
  resolve_coord_bounds: () => toolCall('coverage', {}),
  search_invalid_request: forSearch,
  search_limit_exceeded: refused => again(refused, { ...refused.req, limit: 100 }),
  release_not_kept: refused => again(refused, without(refused.req, 'release')),
  address_not_found: unknownAddress,
  unresolvable_input: unknownAddress,
  // A set that there is not: fields may tell the nearest of its kind.
  unknown_set: refused => {
    const names = listOf(refused.context.suggestions).map(one =>
      String((one as JsonObject).name).replace('@', 'nearest '),
    );
    return catalogFor(refused, names);
  },
  credits_exhausted: priced,
  proximity_data_unavailable: undriven,
  run_not_found: listing('runs'),
  run_not_ready: ({ context }) => toolCall('runs', { run_id: context.run_id }),
  site_not_found: listing('sites'),
  site_not_ready: ({ req }) => toolCall('sites', { site_id: req.site_id }),
  site_failed: listing('sites'),
  export_not_found: listing('sets'),
  field_request_not_found: listing('field_requests'),
};

/**
 * The call that helps after a refusal: one that a model can make as it stands. What can be tried again is the same call.
 * @param given the arguments that were refused. @param states of which the release has parcels.
 * @returns null where nothing that is known helps.
 */
export function nextCall(
  tool: string,
  given: JsonObject,
  error: ServiceError,
  states: readonly string[] = [],
): NextCall | null {
  const req = isObject(given.req) ? given.req : {};
  const refused = { tool, given, req, message: error.message, context: error.context as JsonObject, states };
  const own = NEXT[error.code]?.(refused) ?? null;
  return own ?? (error.retryable ? again(refused, req) : null);
}

/** A call whose body stood beside `req`, with the body in it; null where that is not what was wrong. */
export function bodyAside(tool: string, given: JsonObject): NextCall | null {
  const { req, view, max_tokens, ...body } = given;
  if (req !== undefined || Object.keys(body).length === 0) return null;
  return { tool, arguments: JSON.parse(JSON.stringify({ req: body, view, max_tokens })) as JsonObject };
}
