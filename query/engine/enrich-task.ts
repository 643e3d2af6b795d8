import { enrichCatalogOf } from '../../datasets/enrich/enrich.ts';
import { type EnrichedParcel, enrichParcel } from '../enrich/enrich.ts';
import { matchAt } from '../enrich/match-at.ts';
import type { Point } from '../evaluate/answer.ts';
import { type Evaluation, openPoint, settled } from '../evaluate/evaluate.ts';
import { type NamedParcel, type ParcelVerdict, unavailable, verdictOf } from '../parcel/parcel-match.ts';
import { Fault } from '../release/fault.ts';

/** A place whose parcel is to be enriched. */
export interface EnrichRequest {
  readonly point: Point;
  /** Of the point when it was geocoded to a rooftop; null for a coordinate. */
  readonly address: string | null;
  /** Of the enrich catalog, each once, in its order. */
  readonly names: readonly string[];
  /** Whether an outline comes with the record. */
  readonly outline?: boolean;
}

/** The parcel that was found and its record, or why there is none. */
export type EnrichAnswer =
  | { readonly status: 'matched'; readonly parcel: NamedParcel; readonly enriched: EnrichedParcel }
  | Exclude<ParcelVerdict, { readonly status: 'matched' }>;

/**
 * Matches a place to a parcel and answers the fields for it, from one release. Nothing is answered unless it matches.
 * @throws Interrupted when `stopped` says so, RangeError for a name the enrich catalog lacks.
 */
export function enrich(
  { point, address, names, outline }: EnrichRequest,
  evaluation: Evaluation,
): Promise<EnrichAnswer> {
  return settled<EnrichAnswer>(async layers => {
    if (!layers) throw new Fault('no release is installed; nothing was published yet');
    const match = await matchAt(openPoint(point, evaluation, layers).ctx, address);
    const verdict = verdictOf(match, false);
    if (verdict.status !== 'matched' || match.status !== 'matched')
      return verdict as Exclude<ParcelVerdict, { status: 'matched' }>;
    const { properties: _, geometry: __, ...parcel } = verdict.parcel;
    const as = { type: match.type, metres: match.metres, input: point };
    // One list for all who ask for all: how it is answered is then worked out once.
    const all = enrichCatalogOf(evaluation.catalog).names;
    const requested = names.length === all.length ? all : names;
    const enriched = await enrichParcel({ ...evaluation, layers }, parcel.ref, requested, as, outline);
    return { status: 'matched', parcel, enriched };
  }, evaluation).catch((error: unknown) => {
    if (error instanceof RangeError) throw error;
    return unavailable(error);
  });
}
