import type { Catalog } from '../../datasets/catalog.ts';
import type { Engine, RequestTerms } from '../../query/engine/engine-interface.ts';
import type { Point } from '../../query/evaluate/answer.ts';
import type { Said } from '../state/corrections/row.ts';

/** Present answer, as records have it. */
export type PresentAnswer = Omit<Said, 'release'>;

const UNREAD: PresentAnswer = {
  value: null,
  status: 'failed',
  source: null,
  source_url: null,
  dataset_vintage: null,
};

/**
 * What anybody is answered for a field at a place: by fetch, or by enrichment where it is a column of parcels.
 * @throws AbortError, EngineBusy, WorkerStopped as the engine does.
 */
export async function presentAnswer(
  { engine, catalog }: { readonly engine: Pick<Engine, 'fetch' | 'enrich'>; readonly catalog: Catalog },
  field: string,
  point: Point,
  terms: RequestTerms,
): Promise<PresentAnswer> {
  const at = { lng: point.lng, lat: point.lat };
  if (catalog.fields.has(field)) {
    const answer = (await engine.fetch([field], at, terms))[field];
    if (!answer) return UNREAD;
    const { value, status, source, sourceUrl, vintage } = answer;
    return { value, status, source, source_url: sourceUrl, dataset_vintage: vintage };
  }
  const answer = await engine.enrich({ point: at, address: null, names: [field] }, terms);
  if (answer.status !== 'matched') return UNREAD;
  const records = JSON.parse(Buffer.from(answer.enriched.fields).toString('utf8')) as Record<string, PresentAnswer>;
  const { value, status, source, source_url, dataset_vintage } = records[field]!;
  return { value, status, source, source_url, dataset_vintage };
}
