import { type EnrichField, enrichCatalogOf } from '../../datasets/enrich.ts';
import { type EnrichEnvironment, type EnrichedParcel, enrichParcel } from '../enrich/enrich.ts';
import type { ParcelRef } from '../enrich/match.ts';
import { RecordMap } from '../enrich/record-map.ts';
import { type FieldFailure, recordTails } from '../enrich/record-tails.ts';
import { Fault, Interrupted } from '../fault.ts';
import { failed } from '../finding.ts';

/** Everything known of one match; plain data. */
export interface Enrichment {
  /** UTC with milliseconds and Z. */
  readonly fetchedAt: string;
  readonly analysisPoint: {
    readonly lat: number;
    readonly lng: number;
    readonly method: EnrichedParcel['method'];
    readonly source: string;
  };
  /** JSON text in UTF-8 of the map of records: made once in the worker, because a page of them weighs megabytes. */
  readonly fields: Uint8Array;
  readonly failures: readonly FieldFailure[];
}

/** A match of a page before it is enriched. */
export interface ToEnrich {
  readonly ref: ParcelRef;
  readonly point: { readonly lat: number; readonly lng: number };
  readonly source: string;
}

/**
 * Enriches one match of a search: its own parcel at its own point, with all fields of the enrich catalog. What cannot be
 * answered, because the parcel cannot be read again or the time is up, is in failed records; it never rejects for that.
 * @throws Interrupted once nobody waits.
 */
export async function enrichMatch(environment: EnrichEnvironment, match: ToEnrich): Promise<Enrichment> {
  const { fields, names } = enrichCatalogOf(environment.catalog);
  const fetchedAt = new Date().toISOString();
  try {
    if (Date.now() >= environment.deadline) throw new Fault('the time for this page was up', true);
    const enriched = await enrichParcel(environment, match.ref, names);
    const { point, method, source } = enriched;
    return {
      fetchedAt,
      analysisPoint: { lat: point.lat, lng: point.lng, method, source },
      fields: enriched.fields,
      failures: enriched.failures,
    };
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    const { lat, lng } = match.point;
    return {
      fetchedAt,
      analysisPoint: { lat, lng, method: 'stored_parcel_centroid', source: match.source },
      ...allFailed(environment, [...fields.values()], error, fetchedAt),
    };
  }
}

function allFailed(
  { catalog }: EnrichEnvironment,
  fields: readonly EnrichField[],
  error: unknown,
  at: string,
): Pick<Enrichment, 'fields' | 'failures'> {
  const finding = failed(error);
  const tails = fields.map(field => recordTails(field, catalog.datasets.get(field.dataset)?.url ?? '').of(finding, at));
  const why = { error: finding.error ?? 'failed', retryable: finding.retryable ?? false };
  return {
    fields: new RecordMap(fields).write(new Array<null>(fields.length).fill(null), tails),
    failures: fields.map(({ name, dataset }) => ({ field: name, source: dataset, ...why })),
  };
}
