import type { Point } from '../../query/evaluate/answer.ts';
import { accountOf, type Ctx, isGuest } from '../context.ts';
import { creditsOf } from '../credits/price.ts';
import { blockOf, type GeocodeBlock } from '../geocoder/block.ts';
import { type OtherLot, otherLotOf } from '../geocoder/other-lot.ts';
import { rooftopAddressOf } from '../geocoder/rooftop.ts';
import { requireMatch } from '../geocoder/verdict.ts';
import { type Locator, requireEnvelope } from '../locator.ts';

/** Credits of one geocode. */
export const GEOCODE_CREDITS = creditsOf('POST /v1/geocode');

/** The place that a locator stands for, inside the envelope. */
export interface Place {
  readonly point: Point;
  readonly resolved_location: { readonly lat: number; readonly lng: number; readonly source: 'coordinate' | 'address' };
  /** Null for a coordinate. */
  readonly geocode: GeocodeBlock | null;
  /** The matched address with the unit asked for, where the coordinate is a rooftop: what a parcel may be matched by. Null otherwise. */
  readonly rooftopAddress: string | null;
  /** Set when the coordinate is the rooftop of a neighbour. */
  readonly otherLot: OtherLot | null;
}

/** A locator that passed the checks and can be resolved. */
export interface OpenLocator {
  /** The same key for the same address; null for a coordinate. */
  readonly key: string | null;
  /** What resolving costs on endpoints that charge for it: 0 for coordinates and for repeats within 30 days. */
  readonly credits: number;
  /**
   * @throws ServiceError address_not_found, address_too_coarse, coord_out_of_bounds (the address lies outside the
   * envelope) and every geocode_* code; AbortError when the client has gone.
   */
  resolve(): Promise<Place>;
}

/**
 * Checks a locator before anything is reserved or looked up.
 * @throws ServiceError coord_out_of_bounds, address_form_unsupported.
 */
export async function openLocator(ctx: Ctx, locator: Locator): Promise<OpenLocator> {
  if ('point' in locator) {
    const { point } = locator;
    requireEnvelope(point);
    const resolved_location = { lat: point.lat, lng: point.lng, source: 'coordinate' } as const;
    const place: Place = { point, resolved_location, geocode: null, rooftopAddress: null, otherLot: null };
    return { key: null, credits: 0, resolve: async () => place };
  }
  const open = await ctx.geocoder.open(isGuest(ctx) ? null : accountOf(ctx).id, locator.address);
  return {
    key: open.key,
    credits: open.repeat ? 0 : GEOCODE_CREDITS,
    async resolve() {
      const answer = await open.answer({ deadline: ctx.deadline, signal: ctx.signal });
      const match = requireMatch(answer, locator.address);
      const geocode = blockOf(match, answer.provider);
      const { lat, lng } = geocode;
      const point = { lng, lat };
      requireEnvelope(point);
      return {
        point,
        resolved_location: { lat, lng, source: 'address' },
        geocode,
        rooftopAddress: rooftopAddressOf(locator.address, match),
        otherLot: otherLotOf(locator.address, match),
      };
    },
  };
}

/**
 * Checks and resolves a locator, on endpoints where geocodes are free (enrich).
 * @throws ServiceError as openLocator and OpenLocator.resolve.
 */
export async function resolveLocator(ctx: Ctx, locator: Locator): Promise<Place> {
  return (await openLocator(ctx, locator)).resolve();
}
