import type { Point } from '../../query/evaluate/answer.ts';
import { accountOf, type Ctx } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import type { Neighborhood } from '../geocoder/neighborhood.ts';
import { requireMatch } from '../geocoder/verdict.ts';
import { withinEnvelope } from '../locator.ts';
import { CANADA_EXTENT, isInCanada, mayBeCanada } from './canada.ts';
import type { Placed } from './provider/provider.ts';
import { invalidRequest, type RequestIssue } from './reading.ts';
import type { LocatorSchema } from './schema.ts';

/** A locator that could not be placed on a road, with the reason. */
export interface Unresolved {
  /** `origins`, `destinations`, `origin`, `candidates`, or `to` of a rule. */
  readonly role: string;
  readonly index: number;
  readonly id?: string;
  readonly error: string;
  readonly message: string;
}

/** A locator with its point. */
export interface Located {
  readonly role: string;
  readonly index: number;
  readonly id: string | undefined;
  readonly point: Point | null;
  readonly byAddress: boolean;
  /** Why it has no point; null when it has one. */
  readonly fault: Pick<Unresolved, 'error' | 'message'> | null;
  /** The keys of the refusal of its address that say what is known near it. */
  readonly near?: Neighborhood;
}

/** Addresses that are looked up at once. */
const AT_ONCE = 4;

/** Faults of one address. Any other fault ends the request, because every address would have it. */
const OF_ADDRESS = new Set(['address_form_unsupported', 'address_not_found', 'address_too_coarse']);

const outOfBounds = ({ lng, lat }: Point) => {
  const { message } = new ServiceError('coord_out_of_bounds', { lat, lng, hint: `, or ${CANADA_EXTENT}` });
  return {
    error: 'coord_out_of_bounds',
    message: message.replace('the United States', 'the United States and Canada'),
  };
};

async function pointOf(ctx: Ctx, { lat, lng, address }: LocatorSchema): Promise<Point> {
  if (address === undefined) return { lng: lng!, lat: lat! };
  const open = await ctx.geocoder.open(accountOf(ctx).id, address);
  const match = requireMatch(await open.answer({ deadline: ctx.deadline, signal: ctx.signal }), address);
  return { lng: match.lng, lat: match.lat };
}

async function locate(ctx: Ctx, role: string, index: number, locator: LocatorSchema): Promise<Located> {
  const common = { role, index, id: locator.id, byAddress: locator.address !== undefined };
  try {
    const point = await pointOf(ctx, locator);
    const inside = withinEnvelope(point) || mayBeCanada(point);
    return inside ? { ...common, point, fault: null } : { ...common, point: null, fault: outOfBounds(point) };
  } catch (error) {
    if (!(error instanceof ServiceError) || !OF_ADDRESS.has(error.code)) throw error;
    const { code, message, context } = error;
    return { ...common, point: null, fault: { error: code, message }, near: context as Neighborhood };
  }
}

/**
 * Finds the points of locators, in their order.
 * @throws ServiceError geocode_busy, geocode_upstream_error, geocode_timeout, geocode_forbidden,
 * geocode_budget_exhausted, geocode_unconfigured; AbortError when the client has gone.
 */
export async function locateAll(ctx: Ctx, role: string, locators: readonly LocatorSchema[]): Promise<Located[]> {
  const out: Located[] = new Array(locators.length);
  const queue = locators.entries();
  const work = async () => {
    for (const [index, locator] of queue) out[index] = await locate(ctx, role, index, locator);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return out;
}

/**
 * The fault of a located place, once a provider has looked for its road. Without `placed`, straight distances count.
 */
function faultOf(located: Located, placed: Placed | null): Located['fault'] {
  if (located.fault || placed === null || !('problem' in placed)) return located.fault;
  if (placed.problem === 'outside')
    return {
      error: 'proximity_data_unavailable',
      message: 'No road graph that answers this request covers the place.',
    };
  const message =
    placed.nearestRoad === null
      ? 'No road that cars may drive on lies within 1 km.'
      : 'The roads within 1 km are joined to no network, so it cannot be said where one drives from here.';
  return { error: 'unresolvable_input', message };
}

/** Lists the locators that have no place on a road. */
export const unresolvedOf = (all: readonly Located[], placed: readonly (Placed | null)[]): Unresolved[] =>
  all.flatMap((one, i) => {
    const fault = faultOf(one, placed[i] ?? null);
    const id = one.id === undefined ? {} : { id: one.id };
    return fault ? [{ role: one.role, index: one.index, ...id, ...fault }] : [];
  });

function noRoads(placed: readonly (Placed | null)[]): ServiceError {
  const regions = placed.flatMap(place => (place && 'regions' in place ? [place.regions] : []))[0] ?? [];
  const reason = 'no road graph of this release covers the place';
  return new ServiceError('proximity_data_unavailable', { reason }, { regions });
}

/**
 * Checks that a required role has at least one place.
 * @throws ServiceError proximity_data_unavailable where all lie outside the roads, else unresolvable_input.
 */
export function requireSome(role: string, all: readonly Located[], placed: readonly (Placed | null)[]): void {
  const unresolved = unresolvedOf(all, placed);
  if (unresolved.length < all.length) return;
  if (unresolved.every(({ error }) => error === 'proximity_data_unavailable')) throw noRoads(placed);
  const first = unresolved[0]!.message.replace(/\.$/, '');
  // Of a role with one place it is plain which address they are near.
  const near = all.length === 1 ? all[0]!.near : undefined;
  throw new ServiceError('unresolvable_input', { role, first }, { unresolved: unresolved.slice(0, 50), ...near });
}

/** Checks, before anything is asked, that there are points to ask about. @throws as requireSome. */
export const requirePoints = (role: string, all: readonly Located[]): void => requireSome(role, all, []);

/** Refuses places in Canada for operations other than drive times. @throws ServiceError invalid_request. */
export function refuseCanada(operation: string, all: readonly Located[], one = false): void {
  const errors = all.flatMap(({ role, index, point }): RequestIssue[] =>
    point && isInCanada(point)
      ? [
          {
            loc: one ? [role] : [...role.split('.'), index],
            msg: `The place is in Canada, where ${operation} is not answered: only matrix and isochrone are`,
            type: 'outside_region',
          },
        ]
      : [],
  );
  if (errors.length > 0) throw invalidRequest(errors);
}

const tenth = (metres: number | null): number | null => metres && Math.round(metres * 10) / 10;

/** Makes the entry of a place in an answer. */
export function entryOf(located: Located, placed: Placed | null) {
  const id = located.id === undefined ? {} : { id: located.id };
  const { point, byAddress } = located;
  const snapped = placed && 'metres' in placed ? placed.metres : null;
  const nearest = placed && 'nearestRoad' in placed ? placed.nearestRoad : null;
  return {
    index: located.index,
    ...id,
    resolved_location: point && { lat: point.lat, lng: point.lng, source: byAddress ? 'address' : 'coordinate' },
    snapped_m: tenth(snapped),
    nearest_road_m: tenth(nearest),
  };
}
