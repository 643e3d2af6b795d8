import { enrichCatalogOf } from '../../datasets/enrich/enrich.ts';
import type { NamedParcel } from '../../query/parcel/parcel-match.ts';
import { requirePresetFields } from '../auth/guest.ts';
import { type Ctx, termsOf } from '../context.ts';
import { engineRefusal } from '../engine-refusal.ts';
import { ServiceError } from '../errors/registry.ts';
import { LOCATION_LIMIT_MS } from '../fetch/location.ts';
import { resolveLocator } from '../geocode/resolver.ts';
import { isStreetGrade, loweredOnStreet } from '../geocoder/street-grade.ts';
import { chooseRelease } from '../release/choice.ts';
import { readEnrichLocator } from './locator.ts';
import type { EnrichBody, EnrichRecord, EnrichResult, MatchedParcel } from './schema.ts';
import { selectEnrichFields } from './selection.ts';

const UTF8 = new TextDecoder();

const named = (parcel: NamedParcel): MatchedParcel => ({
  parcel_id: parcel.parcelId,
  apn: parcel.apn,
  address: parcel.address,
  source: parcel.source,
  match_type: parcel.matchType,
  match_distance_m: parcel.metres,
});

/**
 * POST /v1/enrich: the parcel at a place and every requested field for it, free of charge. Checks the locator's form,
 * then the fields, then the place. Fields are answered only when exactly one parcel matches.
 * @param body already of the right shape.
 * @param outlined whether an outline is wanted beside the body.
 * @throws ShapeError for both locators, neither or half a coordinate; ServiceError fields_unknown, release_not_kept, coord_out_of_bounds,
 * fetch_busy, worker_stopped, auth_invalid of a guest beyond the presets, and those of an address; AbortError when the client has gone.
 */
export async function enrichPlace(ctx: Ctx, body: EnrichBody, outlined = false): Promise<EnrichResult> {
  const locator = readEnrichLocator(body);
  const names = selectEnrichFields(ctx.catalog, body);
  requirePresetFields(ctx, enrichCatalogOf(ctx.catalog).presets, names);
  chooseRelease(ctx, body);
  const { point, resolved_location, geocode, rooftopAddress, otherLot } = await resolveLocator(ctx, locator);
  // The time to resolve an address comes on top of the time for the location.
  const deadline = geocode === null ? ctx.deadline : ctx.clock.now() + LOCATION_LIMIT_MS;
  const answer = await ctx.engine
    .enrich({ point, address: rooftopAddress, names, outline: outlined }, { ...termsOf(ctx), deadline })
    .catch((error: unknown) => {
      throw engineRefusal(error, () => new ServiceError('fetch_busy'));
    });
  const place = {
    lat: point.lat,
    lng: point.lng,
    fetched_at: new Date(ctx.clock.now()).toISOString(),
    resolved_location,
    ...(geocode === null ? {} : { geocode }),
  };
  const without = (parcel_match: Omit<EnrichResult['parcel_match'], 'parcel'>) => ({
    ...place,
    analysis_point: null,
    parcel_match: { ...parcel_match, parcel: null },
    fields: {},
    partial_failures: [],
  });
  // A neighbour's parcel is never answered, neither as the match nor as a candidate.
  if (otherLot && answer.status !== 'unavailable')
    if (answer.status !== 'matched' || !otherLot.isSitus(answer.parcel.address))
      return without({ status: 'no_match', candidates: [], reason: otherLot.reason });
  if (answer.status !== 'matched') {
    const candidates = answer.status === 'ambiguous' ? answer.candidates.map(named) : [];
    return without({ status: answer.status, candidates, reason: answer.reason });
  }
  const { parcel, enriched } = answer;
  const parsed = (text: Uint8Array) => JSON.parse(UTF8.decode(text)) as Record<string, EnrichRecord>;
  const fields = isStreetGrade(geocode)
    ? loweredOnStreet(ctx.catalog, geocode, parsed(enriched.fields))
    : enriched.fields;
  const first = () => (fields instanceof Uint8Array ? parsed(enriched.outline!) : fields);
  return {
    ...place,
    analysis_point: {
      lat: enriched.point.lat,
      lng: enriched.point.lng,
      method: enriched.method,
      source: enriched.source,
    },
    parcel_match: { status: 'matched', parcel: named(parcel), candidates: [], reason: null },
    fields,
    partial_failures: enriched.failures,
    ...(outlined ? { outline: { count: names.length, first: first() } } : {}),
  };
}

/** The response as JSON text in UTF-8. Records that a worker wrote as text (250 kB) are copied, not parsed again. */
export function enrichText({ fields, partial_failures, outline: _, ...rest }: EnrichResult): Buffer {
  const records = fields instanceof Uint8Array ? fields : Buffer.from(JSON.stringify(fields));
  return Buffer.concat([
    Buffer.from(`${JSON.stringify(rest).slice(0, -1)},"fields":`),
    records,
    Buffer.from(`,${JSON.stringify({ partial_failures }).slice(1)}`),
  ]);
}
