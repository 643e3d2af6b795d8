import type { Geometry } from '../../datasets/geometry.ts';
import type { AreaRecord } from '../../query/engine/site/ground-task.ts';
import type { NamedAnswer } from '../../query/enrich/parcel-answers.ts';
import type { Point } from '../../query/evaluate/answer.ts';
import { readArea } from '../../query/search/page/geojson.ts';
import type { SetPlace } from '../../query/sets/part/set-part.ts';
import { type Ctx, termsOf } from '../context.ts';
import { askSet } from '../sets/answer.ts';
import { MOST_MATCHES } from './limits.ts';
import type { SetLimits, WatchSubject } from './subject.ts';

/** Parcels that are asked about at once, and matches that are walked through at once. */
const PARCELS_AT_ONCE = 250;
const MATCHES_AT_ONCE = 2_000;

/** Statement of a release under a name; of a site also about its whole ground. */
export type WatchedAnswer = NamedAnswer & {
  readonly area?: Pick<AreaRecord, 'status' | 'statistics' | 'retryable'> | null;
};

/** Statements of a release about a site or a parcel. */
export interface WatchedPlace {
  /** Place of the question. */
  readonly point: Point;
  readonly answers: Readonly<Record<string, WatchedAnswer>>;
}

/** By the id of a site or a parcel; those that the release does not have are missing. */
export type WatchedPlaces = ReadonlyMap<string, WatchedPlace>;

/** A question that could not be answered now. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
}

/** The polygon of a site. @throws Error where what is stored is none. */
export function polygonOf({ geometry: text }: Extract<WatchSubject, { of: 'site' }>): Geometry {
  const geometry = readArea(JSON.parse(text), 'site', Number.POSITIVE_INFINITY);
  if ('description' in geometry) throw new Error(`the stored polygon cannot be read: ${geometry.description}`);
  return geometry;
}

/** Statements of a release about a site, at its interior point and over all of it. @throws SiteUnscreened, EngineBusy, AbortError. */
export async function siteAnswers(
  ctx: Ctx,
  subject: Extract<WatchSubject, { of: 'site' }>,
  names: readonly string[],
): Promise<WatchedPlaces> {
  const terms = termsOf(ctx);
  const { point, areas } = await ctx.engine.screenGround(polygonOf(subject), { ...terms, names });
  const found = await ctx.engine.fetch(names, point, terms);
  const answers = names.map((name): readonly [string, WatchedAnswer] => {
    const { value, status, source, sourceUrl, vintage, error, retryable } = found[name]!;
    const area = areas[name];
    return [
      name,
      {
        ...{ value: status === 'ok' ? value : null, status, source, source_url: sourceUrl, dataset_vintage: vintage },
        ...(status === 'failed' ? { error, retryable } : {}),
        area: area ? { status: area.status, statistics: area.statistics, retryable: area.retryable } : null,
      },
    ];
  });
  return new Map([[subject.siteId, { point, answers: Object.fromEntries(answers) }]]);
}

/** Statements of a release about parcels. @throws Unanswered, EngineBusy, AbortError. */
export async function parcelAnswers(
  ctx: Ctx,
  { parcels, limits }: Pick<Extract<WatchSubject, { of: 'parcels' }>, 'parcels' | 'limits'>,
  names: readonly string[],
): Promise<WatchedPlaces> {
  const places = new Map<string, WatchedPlace>();
  for (let start = 0; start < parcels.length; start += PARCELS_AT_ONCE) {
    const some = parcels.slice(start, start + PARCELS_AT_ONCE);
    const request = { filters: [], outputs: [], countyByFips: false, budget: limits, parcels: some, names };
    const answer = await ctx.engine.parcelAnswers(request, termsOf(ctx));
    if (!('parcels' in answer)) throw new Unanswered('uncounted' in answer ? answer.uncounted : 'it has wrong areas');
    for (const [i, place] of answer.parcels.entries()) if (place) places.set(some[i]!.id, place);
  }
  return places;
}

/** The parcels that pass the filters of a search in a release. */
export interface WatchedMatches {
  /** By their ids the keys of their counties. */
  readonly counties: ReadonlyMap<string, string>;
  /** Whether some could not be read, or are not in the release. */
  readonly unread: boolean;
  /** Whether more pass than may be watched. */
  readonly tooMany: boolean;
}

/** Walks through the parcels that pass filters. @throws ServiceError as askSet; Unanswered; AbortError. */
export async function matchesOf(
  ctx: Ctx,
  { filters, limits }: { readonly filters: readonly unknown[]; readonly limits: SetLimits },
): Promise<WatchedMatches> {
  const stored = () => Promise.reject(new Error('a watch makes no areas and no maps'));
  const services = {
    ...limits,
    cursors: null,
    drive: stored,
    siteShape: stored,
    sitingTemplate: stored,
    keepMap: stored,
    upload: stored,
  };
  const counties = new Map<string, string>();
  let unread = false;
  let after: SetPlace | null = null;
  do {
    const body = { filters, ...(ctx.release.id === null ? {} : { release: ctx.release.id }) };
    const part: Awaited<ReturnType<typeof ctx.engine.setPart>> = await askSet(
      { ctx, services, body },
      (reader, read) => reader.readSet(read, [], () => ({})),
      (engine, request, terms) =>
        engine.setPart({ ...request, after, limit: MATCHES_AT_ONCE, located: true, table: null }, terms),
    );
    if (!('places' in part)) throw new Unanswered('its parcels cannot be walked through');
    if (part.late) throw new Unanswered('the time for a part of its parcels was up');
    for (const { id, county } of part.places) counties.set(id, county);
    unread ||= part.unread;
    after = part.next;
  } while (after && counties.size <= MOST_MATCHES);
  return { counties, unread, tooMany: counties.size > MOST_MATCHES };
}
