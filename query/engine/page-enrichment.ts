import { enrichCatalogOf } from '../../datasets/enrich/enrich.ts';
import { type AnsweredParcel, answerParcel, type EnrichEnvironment } from '../enrich/enrich.ts';
import { RecordMap } from '../enrich/record-map.ts';
import { recordTails } from '../enrich/record-tails.ts';
import { failed, joinedCitation } from '../evaluate/finding.ts';
import { type JsonBytes, utf8 } from '../format/json-bytes.ts';
import { Fault, Interrupted } from '../release/fault.ts';
import type { ToEnrich } from '../search/page/page-writer.ts';

/**
 * Enriches the matches of one page, one after another: each its own parcel at its own point, with all fields of the enrich
 * catalog. Records are written into the page as they are answered, because a page of them weighs megabytes.
 */
export class PageEnrichment {
  readonly #environment: EnrichEnvironment;
  readonly #records: RecordMap;
  #failures = 0;

  constructor(environment: EnrichEnvironment) {
    this.#environment = environment;
    this.#records = new RecordMap(enrichCatalogOf(environment.catalog).list);
  }

  /** Records so far that failed. */
  get failures(): number {
    return this.#failures;
  }

  /**
   * Writes the enrichment of a match as a JSON object. What cannot be answered, because the parcel cannot be read again or
   * the time is up, is in failed records; it never rejects for that.
   * @throws Interrupted once nobody waits.
   */
  async write(match: ToEnrich, out: JsonBytes): Promise<void> {
    const { catalog, deadline, stopped, pause } = this.#environment;
    const pausing = pause?.();
    if (pausing) await pausing;
    if (stopped?.()) throw new Interrupted('nobody waits for the answer');
    const fetchedAt = new Date().toISOString();
    let answered: AnsweredParcel;
    try {
      if (Date.now() >= deadline) throw new Fault('the time for this page was up', true);
      answered = await answerParcel(this.#environment, match.ref, enrichCatalogOf(catalog).names);
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      answered = this.#allFailed(match, error, fetchedAt);
    }
    const { point, method, source, values, tails, failures } = answered;
    this.#failures += failures.length;
    const place = { lat: point.lat, lng: point.lng, method, source };
    const head = JSON.stringify({ fetched_at: fetchedAt, analysis_point: place });
    out.raw(utf8(`${head.slice(0, -1)},"fields":`));
    this.#records.write(values, tails, out);
    out.raw(utf8(`,${JSON.stringify({ partial_failures: failures }).slice(1)}`));
  }

  #allFailed({ point, source }: ToEnrich, error: unknown, at: string): AnsweredParcel {
    const { catalog } = this.#environment;
    const fields = enrichCatalogOf(catalog).list;
    const finding = failed(error);
    const cited = joinedCitation(finding.citations)?.source;
    const why = { error: finding.error ?? 'failed', retryable: finding.retryable ?? false };
    return {
      point,
      method: 'stored_parcel_centroid',
      source,
      values: new Array<null>(fields.length).fill(null),
      tails: fields.map(field => recordTails(field, catalog.datasets.get(field.dataset)?.url ?? '').of(finding, at)),
      failures: fields.map(({ name, dataset }) => ({ field: name, source: cited ?? dataset, ...why })),
    };
  }
}
