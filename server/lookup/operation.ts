import { randomUUID } from 'node:crypto';
import type { Point } from '../../query/evaluate/answer.ts';
import { accountOf, type Ctx } from '../context.ts';
import { reserveCredits, settleCredits } from '../credits/charge.ts';
import { creditsOf } from '../credits/price.ts';
import { ServiceError } from '../errors/registry.ts';
import type { OpenAddress } from '../geocoder/geocoder.ts';
import { type Neighborhood, neighborhoodOf } from '../geocoder/neighborhood.ts';
import { otherLotOf } from '../geocoder/other-lot.ts';
import { rooftopAddressOf } from '../geocoder/rooftop.ts';
import type { TierMatch } from '../geocoder/tier.ts';
import { gradeOf } from '../geocoder/verdict.ts';
import type { Gate } from '../lease/gate.ts';
import { chooseRelease } from '../release/choice.ts';
import { confidenceOf } from './confidence.ts';
import { untilDeadline } from './deadline.ts';
import { type LookupInput, readInput } from './input.ts';
import { judged, noMatch } from './judgement.ts';
import { BELOW_PARCEL_GRADE, NO_PARCEL, parcelAt } from './parcel.ts';
import type { LookupBody, LookupResult } from './schema.ts';
import { valuesAt } from './values.ts';

/** Milliseconds one lookup may take. */
export const LOOKUP_LIMIT_MS = 20_000;
/** Milliseconds for parcel and values, less than geocoding leaves. Values that take longer are null. */
const VALUES_LIMIT_MS = 10_000;
const LOOKUP_CREDITS = creditsOf('POST /v1/lookup');

/** The services that a lookup needs beside those of every request. */
export interface LookupServices {
  /** Limits how many lookups run at once. */
  readonly gate: Gate;
}

/** The answer of a lookup, with what is known near an address that it does not know: the interface has no key for that. */
interface Looked {
  readonly result: LookupResult;
  readonly near: Neighborhood;
}

/** An address and the one place it was matched to. */
interface Matched {
  readonly input: string;
  readonly match: TierMatch;
}

/** Makes the answer for one place. @param address with its match; null for a coordinate. */
async function resolved(ctx: Ctx, point: Point, address: Matched | null, parcel: boolean): Promise<LookupResult> {
  const match = address?.match ?? null;
  const timed = { ...ctx, deadline: Math.min(ctx.deadline, ctx.clock.now() + VALUES_LIMIT_MS) };
  const { lat, lng } = point;
  const resolved_location = { lat, lng, source: match === null ? 'coordinate' : 'address' } as const;
  const onParcel = match === null || gradeOf(match.accuracyType) === 'parcel';
  const rooftopAddress = address && rooftopAddressOf(address.input, address.match);
  const otherLot = address && otherLotOf(address.input, address.match);
  const place = { point, resolved_location, geocode: null, rooftopAddress, otherLot };
  const [values, part] = await Promise.all([
    valuesAt(timed, place),
    !parcel ? NO_PARCEL : onParcel ? parcelAt(timed, place) : BELOW_PARCEL_GRADE,
  ]);
  const { county_market, in_opportunity_zone, opportunity_zone_tract_geoid, timezone, ...rest } = values;
  return {
    disposition: 'resolved',
    lat,
    lng,
    resolved_address: match?.normalizedAddress ?? null,
    resolved_location,
    ...rest,
    county_market,
    in_opportunity_zone,
    opportunity_zone_tract_geoid,
    timezone,
    ...part,
    match_method: match?.accuracyType ?? 'coordinate',
    confidence: address === null ? 1 : confidenceOf(address.input, address.match),
  };
}

/** Replaces the overload and deadline errors of called operations by those of lookup. */
function inItsWords(error: unknown): unknown {
  if (!(error instanceof ServiceError)) return error;
  if (error.code === 'geocode_busy' || error.code === 'fetch_busy') return new ServiceError('resolve_busy');
  return error.code === 'geocode_timeout' ? new ServiceError('resolve_timeout') : error;
}

async function answered(ctx: Ctx, input: LookupInput, open: OpenAddress | null, parcel: boolean): Promise<Looked> {
  if (input.kind === 'coord') return { result: await resolved(ctx, input.point, null, parcel), near: {} };
  if (input.kind === 'apn' || !open)
    return {
      result: noMatch(
        'apn_not_supported_in_v1',
        'Parcel numbers are not looked up: send an address or a coordinate, or filter POST /v1/search by `apn`.',
      ),
      near: {},
    };
  const { address } = input;
  const answer = await open.answer({ deadline: ctx.deadline, signal: ctx.signal });
  const verdict = judged(address, answer);
  if (!('match' in verdict)) return { result: verdict, near: neighborhoodOf(answer, address) };
  const { match } = verdict;
  const point = { lng: match.lng, lat: match.lat };
  return { result: await resolved(ctx, point, { input: address, match }, parcel), near: {} };
}

/** POST /v1/lookup, as lookUpNear. */
export const lookUp = async (ctx: Ctx, services: LookupServices, body: LookupBody): Promise<LookupResult> =>
  (await lookUpNear(ctx, services, body)).result;

/**
 * Finds an address, coordinate or parcel number. The answer is one place with its join keys, up to
 * three candidates, or a reason why there is no match.
 * @param body already of the right shape.
 * @throws ServiceError resolve_invalid_input, resolve_coord_bounds, release_not_kept, address_form_unsupported, credits_exhausted,
 * resolve_busy, resolve_timeout, geocode_upstream_error, geocode_forbidden, geocode_budget_exhausted,
 * geocode_unconfigured; AbortError when the client has gone. None of them is charged.
 */
export async function lookUpNear(ctx: Ctx, { gate }: LookupServices, body: LookupBody): Promise<Looked> {
  const input = readInput(body.input, body.kind ?? null);
  chooseRelease(ctx, body);
  const open = input.kind === 'address' ? await ctx.geocoder.open(accountOf(ctx).id, input.address) : null;
  const visit = await gate.enter(accountOf(ctx).id, ctx.signal);
  if (!visit) throw new ServiceError('resolve_busy');
  try {
    const reservation = await reserveCredits(ctx, randomUUID(), 'lookup', [LOOKUP_CREDITS]);
    const looked = await untilDeadline(ctx, timed => answered(timed, input, open, body.include_parcel ?? true)).catch(
      async (error: unknown) => {
        await settleCredits(ctx, reservation, 0);
        throw inItsWords(error);
      },
    );
    await settleCredits(ctx, reservation, LOOKUP_CREDITS);
    return looked;
  } finally {
    visit.release();
  }
}
