import { TaskFailed } from '../../query/engine/failure.ts';
import type { FeatureQuestion } from '../../query/engine/map/features-task.ts';
import { accountOf, type Ctx, termsOf } from '../context.ts';
import { engineRefusal } from '../engine-refusal.ts';
import { ServiceError } from '../errors/registry.ts';
import { requireKept } from '../release/choice.ts';
import type { Collection } from './collection.ts';
import type { FeatureCursors } from './cursor.ts';
import { invalid, itemQuery, itemsQuery, type Parameters, questionText } from './query.ts';

/** Milliseconds that a page may take. */
export const ITEMS_LIMIT_MS = 30_000;
/** Characters of features from which on a page is full: the serving thread sends what a worker wrote. */
const MOST_TEXT = 2 * 1024 * 1024;

const unavailable = (reason: string) => new ServiceError('ogc_unavailable', { reason });

/** Asks a worker. @throws ServiceError ogc_invalid_request, ogc_unavailable, worker_stopped; AbortError. */
async function askFeatures(
  ctx: Pick<Ctx, 'engine' | 'deadline' | 'signal' | 'account' | 'release'>,
  question: FeatureQuestion,
) {
  const answer = await ctx.engine.features(question, termsOf(ctx)).catch((error: unknown) => {
    if (error instanceof TaskFailed) throw unavailable(error.late ? 'the time was up' : error.message);
    throw engineRefusal(error, () => unavailable('all workers are busy and their queue is full'));
  });
  if ('problem' in answer) throw invalid(answer.problem);
  return answer;
}

/** An answer of features: its JSON text, and whether its coordinates are meters of EPSG:3857. */
interface FeatureText {
  readonly text: string;
  readonly mercator: boolean;
}

/**
 * GET /v1/ogc/collections/{id}/items: features in stored order.
 * @param base address of the OGC API, for links.
 * @throws ServiceError ogc_invalid_request, release_not_kept, ogc_unavailable, worker_stopped; AbortError.
 */
export async function itemsOf(
  ctx: Ctx,
  { cursors, base }: { readonly cursors: FeatureCursors; readonly base: string },
  { id, title, dataset, layer }: Collection,
  parameters: Parameters,
): Promise<FeatureText> {
  const { limit, boxes, filter, mercator, cursor } = itemsQuery(parameters);
  const account = accountOf(ctx).id;
  const question = questionText(id, parameters);
  const continuation = cursor === null ? null : cursors.judge(account, question, cursor);
  if (typeof continuation === 'string')
    throw invalid(`The cursor cannot be used: ${continuation}. Begin again without it.`);
  if (continuation) {
    requireKept(ctx.engine, continuation.release);
    ctx.release.choose(continuation.release);
  }
  const of = { dataset, layer, boxes, filter, mercator, limit, most: MOST_TEXT, after: continuation?.after ?? null };
  const answer = await askFeatures(ctx, { kind: 'page', of });
  if (!('page' in answer)) throw new Error('A worker was asked for a page of features and answered something else');
  const { features, count, next, total } = answer.page;
  const path = `${base}/collections/${id}/items`;
  const href = (more: Readonly<Record<string, string>>) => {
    const query = new URLSearchParams({ ...(parameters as Record<string, string>), ...more }).toString();
    return query === '' ? path : `${path}?${query}`;
  };
  const geoJson = 'application/geo+json';
  const matched = total ?? (next === null && continuation === null ? count : null);
  const release = ctx.release.id;
  const links = [
    { rel: 'self', type: geoJson, title: 'This page', href: href({}) },
    ...(next && release !== null
      ? [
          {
            rel: 'next',
            type: geoJson,
            title: 'The next page',
            href: href({ cursor: cursors.issue(account, question, { release, after: next }) }),
          },
        ]
      : []),
    { rel: 'collection', type: 'application/json', title, href: `${base}/collections/${id}` },
  ];
  const head = {
    type: 'FeatureCollection',
    timeStamp: new Date(ctx.clock.now()).toISOString(),
    ...(matched !== null && { numberMatched: matched }),
    numberReturned: count,
    links,
  };
  // The features are text already.
  return { text: `${JSON.stringify(head).slice(0, -1)},"features":${features}}`, mercator };
}

/** GET /v1/ogc/collections/{id}/items/{featureId}: one feature. @throws ServiceError ogc_not_found, and as itemsOf. */
export async function itemOf(
  ctx: Ctx,
  base: string,
  { id, title, dataset, layer }: Collection,
  featureId: string,
  parameters: Parameters,
): Promise<FeatureText> {
  const { mercator } = itemQuery(parameters);
  const answer = await askFeatures(ctx, { kind: 'feature', of: { dataset, layer, id: featureId, mercator } });
  if (!('feature' in answer) || answer.feature === null) {
    const advice = 'Its collection lists features with their ids.';
    throw new ServiceError('ogc_not_found', { what: 'feature', advice });
  }
  const path = `${base}/collections/${id}`;
  const links = [
    {
      rel: 'self',
      type: 'application/geo+json',
      title: 'This feature',
      href: `${path}/items/${encodeURIComponent(featureId)}`,
    },
    { rel: 'collection', type: 'application/json', title, href: path },
  ];
  return { text: `${answer.feature.slice(0, -1)},"links":${JSON.stringify(links)}}`, mercator };
}
