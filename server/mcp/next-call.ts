import { parseAddress } from '../../query/geocode/address/address.ts';
import type { ErrorCode, ServiceError } from '../errors/registry.ts';
import type { Neighborhood } from '../geocoder/neighborhood.ts';
import type { ShapeIssue } from '../http/shape.ts';
import { isObject, type JsonObject } from '../search/body-reader.ts';
import {
  again,
  catalogFor,
  listOf,
  type NextCall,
  type NextGround,
  type Refused,
  toolCall,
  without,
} from './refused-call.ts';
import { forSearch } from './search-next.ts';
import { PREFIX } from './tool.ts';

/** Places of one call of enrichment. */
export const MOST_PLACES = 10;
/** The same place with latitude and longitude the other way round, where that lies in the country. */
function turned(refused: Refused): NextCall {
  const { req } = refused;
  const { lat, lng } = req;
  const swapped = typeof lat === 'number' && typeof lng === 'number' && lat < -60 && lng > 17;
  return swapped ? again(refused, { ...req, lat: lng, lng: lat }) : toolCall('coverage', {});
}

/** Driving that the release has no roads for: straight lines, where they were asked about the nearest, otherwise what there is. */
function undriven(refused: Refused): NextCall {
  const { req, message, lackingSets } = refused;
  const isLacking = typeof req.candidates === 'string' && lackingSets.includes(req.candidates);
  if (req.operation === 'nearest' && req.by !== 'straight_line' && message.includes('road graph') && !isLacking)
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

/** A coordinate in the place of an address. */
const COORDINATE = /^\s*(-?\d{1,3}(?:\.\d+)?)\s*[,\s]\s*(-?\d{1,3}(?:\.\d+)?)\s*$/;

/** The call for a coordinate that was sent as an address: look-up tells what a geocoder would, other tools take it as it is. */
function coordinate(refused: Refused, address: string): NextCall | null {
  const [, lat, lng] = COORDINATE.exec(address) ?? [];
  if (lat === undefined) return null;
  const { tool, req } = refused;
  if (tool === `${PREFIX}geocode`) return toolCall('lookup', { input: `${lat},${lng}` });
  return req.address === address
    ? again(refused, { ...without(req, 'address'), lat: Number(lat), lng: Number(lng) })
    : null;
}

/** What is known near an address; of one that fits several places lookup lists them. */
function unknownAddress(refused: Refused): NextCall | null {
  const { message, req, context, states } = refused;
  const [address, ...others] = new Set(addressesIn(req));
  const isOne = address !== undefined && others.length === 0;
  const place = isOne ? coordinate(refused, address) : null;
  if (place) return place;
  if (message.includes('equally well')) return isOne ? toolCall('lookup', { input: address }) : null;
  const near = context as Neighborhood;
  return (
    (near.nearest_addresses === undefined && isOne ? sameNumber(address, states) : null) ?? nextOfNeighborhood(near)
  );
}

const BOX = /\bp(?:ost)?\.?\s*o(?:ffice)?\.?\s*box\s+\S+?(?=[,;\s]|$)[,;\s]*/i;

/** The address without the post office box beside its street; what is covered, where nothing else was sent. */
function withoutBox(refused: Refused): NextCall {
  const { req } = refused;
  const key = ['address', 'input'].find(name => typeof req[name] === 'string');
  const street =
    key === undefined
      ? ''
      : String(req[key])
          .replace(BOX, '')
          .replace(/[,;\s]+$/, '');
  const isStreet = /^\d+\s+\p{L}/u.test(street) && street !== req[key!];
  return isStreet ? again(refused, { ...req, [key!]: street }) : toolCall('coverage', {});
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
  address_form_unsupported: withoutBox,
  // A set that there is not: fields may tell the nearest of its kind.
  unknown_set: refused => {
    const names = listOf(refused.context.suggestions).map(one =>
      String((one as JsonObject).name).replace('@', 'nearest '),
    );
    return catalogFor(refused, names);
  },
  credits_exhausted: priced,
  token_budget_exhausted: priced,
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
 * The call that helps after a refusal: one that a model can make as it stands. What can be tried again is the same call, unless it
 * would be refused for as long as nothing else has changed.
 * @param given the arguments that were refused.
 * @returns null where nothing that is known helps.
 */
export function nextCall(tool: string, given: JsonObject, error: ServiceError, ground: NextGround): NextCall | null {
  const req = isObject(given.req) ? given.req : {};
  const refused = { ...ground, tool, given, req, message: error.message, context: error.context as JsonObject };
  const own = NEXT[error.code];
  if (own) return own(refused);
  return error.retryable ? again(refused, req) : null;
}

/** The call that follows a preset that there is not: the nearest one, or what the catalog has in its words. */
export function presetCall(tool: string, given: JsonObject, issues: readonly ShapeIssue[]): NextCall | null {
  const req = isObject(given.req) ? given.req : {};
  const [issue, ...others] = issues;
  if (others.length > 0 || issue?.loc.at(-1) !== 'preset' || typeof req.preset !== 'string') return null;
  const refused = { tool, given, req, message: '', context: {}, states: [], lackingSets: [] };
  const [nearest] = listOf(issue.ctx.suggestions);
  return nearest === undefined ? catalogFor(refused, [req.preset]) : again(refused, { ...req, preset: nearest });
}

/** A call whose body stood beside `req`, with the body in it; null where that is not what was wrong. */
export function bodyAside(tool: string, given: JsonObject): NextCall | null {
  const { req, view, max_tokens, ...body } = given;
  if (req !== undefined || Object.keys(body).length === 0) return null;
  return { tool, arguments: JSON.parse(JSON.stringify({ req: body, view, max_tokens })) as JsonObject };
}
