import { distance } from '../../../query/geometry/geodesic.ts';
import { type Ctx, termsOf } from '../../context.ts';
import { creditsOf } from '../../credits/price.ts';
import { fetchAt } from '../../fetch/location.ts';
import { LOOKUP_LIMIT_MS, lookUpNear } from '../../lookup/operation.ts';
import { LookupBody, type LookupResult } from '../../lookup/schema.ts';
import { valueText } from '../../operation/value-text.ts';
import { parcelStates } from '../holdings.ts';
import { nextOfNeighborhood, sameNumber } from '../next-call.ts';
import type { NextCall } from '../refused-call.ts';
import { shortText } from '../text.ts';
import { form, type Tool } from '../tool.ts';

/** Keys whose values are geometries, which the text leaves out. */
const SHAPES: ReadonlySet<string> = new Set(['geometry', 'geometry_wkt']);

const lineOf = (name: string, value: unknown) =>
  `${name}: ${valueText(
    typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).filter(([key]) => !SHAPES.has(key)))
      : value,
  )}`;

/** The place of a candidate, beside the address that it shares with others. */
async function placeOf(ctx: Ctx, { lat, lng }: { readonly lat: number; readonly lng: number }) {
  const point = { lng, lat };
  const [{ fields }, match] = await Promise.all([
    fetchAt(ctx, ['county_name'], {
      point,
      resolved_location: { ...point, source: 'coordinate' },
      geocode: null,
      rooftopAddress: null,
      otherLot: null,
    }),
    ctx.engine.matchParcel(point, null, termsOf(ctx)),
  ]);
  const parcel = match.status === 'matched' ? match.parcel : null;
  return {
    county: fields.county_name?.value ?? null,
    parcel: parcel && { parcel_id: parcel.parcelId, apn: parcel.apn, address: parcel.address },
  };
}

/** Differences of places that fit alike: county, parcel, and the distance from the first; none of one place. */
async function toldApart(ctx: Ctx, result: LookupResult) {
  if (result.disposition !== 'clarify') return {};
  const [first] = result.candidates;
  const places = result.candidates.map(async candidate => ({
    ...(await placeOf(ctx, candidate)),
    meters_from_first: Math.round(distance(first!.lng, first!.lat, candidate.lng, candidate.lat)),
  }));
  // The answer is charged already: where this cannot be told now, it comes without it.
  const apart = await Promise.all(places).catch((error: unknown) => {
    if (ctx.signal.aborted) throw error;
    return null;
  });
  return apart === null ? {} : { apart };
}

/** One word with digits and a hyphen, as many counties number parcels, such as R57-003: a lookup reads it as an address. */
const LETTERED_NUMBER = /^(?=\S*\d)[\w.]+(?:[-/][\w.]+)+$/;

/** Whether somebody looked for a parcel number, which a lookup does not take. */
const isNumber = (result: LookupResult, input: string): boolean =>
  result.disposition === 'no_match' &&
  (result.reason === 'apn_not_supported_in_v1' || LETTERED_NUMBER.test(input.trim()));

/** The search that looks for a parcel number, in the states of which the release has parcels; null where it has none. */
function searchForNumber({ engine }: Ctx, number: string): NextCall | null {
  const states = parcelStates(engine);
  if (states.length === 0) return null;
  const filters = [
    { field: 'state', op: 'in', value: states },
    { field: 'apn', op: 'eq', value: number.trim() },
  ];
  return { tool: 'service_search', arguments: { req: { filters } } };
}

/** POST /v1/lookup. */
export const lookupTool: Tool = {
  name: 'lookup',
  title: 'The join keys of a place',
  description: () =>
    `County, tract, block, district, metro area, timezone, county market and parcel of an address or a lat,lng pair. clarify offers up to 3 candidates, with what tells them apart, and picks none. ${creditsOf('POST /v1/lookup')} credits.`,
  when: 'The parcel and the areas of an address, a coordinate or what somebody typed: {tool}.',
  readOnly: true,
  isMapped: true,
  forms: [
    form({
      schema: LookupBody,
      route: 'POST /v1/lookup',
      limitMs: LOOKUP_LIMIT_MS,
      async answer({ ctx, services }, body) {
        const { result, near } = await lookUpNear(ctx, services.lookup, body);
        const lines = Object.entries(result).map(([name, value]) => lineOf(name, value));
        const isUnknown = result.disposition === 'no_match' && near.nearest_addresses === undefined;
        const next = isNumber(result, body.input)
          ? searchForNumber(ctx, body.input)
          : ((isUnknown ? sameNumber(body.input, parcelStates(ctx.engine)) : null) ?? nextOfNeighborhood(near));
        const beside = { ...near, ...(await toldApart(ctx, result)), ...(next === null ? {} : { next }) };
        return { structured: result, text: shortText(lines), beside };
      },
    }),
  ],
};
