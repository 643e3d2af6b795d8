import type { PlacesAnswer, PlacesQuestion } from '../../query/engine/route/places-task.ts';
import type { Point } from '../../query/evaluate/answer.ts';
import { distance } from '../../query/geometry/geodesic.ts';
import type { LandmarksNear } from '../../query/route/places/landmarks.ts';
import { type Ctx, termsOf } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import type { Located } from './locator.ts';
import { inItsWords } from './provider/embedded.ts';

/** A place that can be driven to. */
export interface Candidate {
  /** Its position in a list; absent for a place of a set. */
  readonly index?: number;
  readonly id?: string;
  readonly name: string | null;
  readonly point: Point;
  readonly straight: number;
  /** Source of a place of a set; null for a place of a list. */
  readonly source: string | null;
  readonly source_url: string | null;
  readonly dataset_vintage: string | null;
}

/** Queries layers of the release. @throws ServiceError proximity_data_unavailable, _busy, _deadline_exceeded. */
export async function askPlaces<K extends 'set' | 'near' | 'totals'>(
  ctx: Ctx,
  question: PlacesQuestion,
  key: K,
): Promise<Extract<PlacesAnswer, Record<K, unknown>>[K]> {
  const answer = await ctx.engine.places(question, termsOf(ctx)).catch(error => {
    throw inItsWords(error);
  });
  if ('unavailable' in answer) {
    const { unavailable: reason, lacking } = answer;
    throw new ServiceError('proximity_data_unavailable', { reason }, {}, lacking ? null : undefined);
  }
  return (answer as Extract<PlacesAnswer, Record<K, unknown>>)[key];
}

/** Places of a set, sorted by straight distance, and those of which the release does not tell whether they belong to it. */
export interface SetAround {
  readonly candidates: readonly Candidate[];
  /** With metres in a straight line, nearest first; null where the release tells of all. */
  readonly doubt: LandmarksNear['doubt'];
}

/** Places of a set around a point. */
export async function ofSet(ctx: Ctx, set: string, point: Point, most: number, metres: number): Promise<SetAround> {
  const { landmarks, doubt } = await askPlaces(ctx, { kind: 'landmarks', set, ...point, most, metres }, 'set');
  const candidates = landmarks.map(
    (one): Candidate => ({
      name: one.name,
      point: { lng: one.lng, lat: one.lat },
      straight: one.metres,
      source: one.source,
      source_url: one.sourceUrl,
      dataset_vintage: one.vintage,
    }),
  );
  return { candidates, doubt };
}

/** Places of a list, sorted by straight distance. Those without a point are left out. */
export const ofList = (all: readonly Located[], from: Point, metres: number): Candidate[] =>
  all
    .flatMap(({ point, index, id }): Candidate[] => {
      const straight = point && distance(from.lng, from.lat, point.lng, point.lat);
      if (straight === null || straight > metres) return [];
      const named = id === undefined ? {} : { id };
      return [
        { index, ...named, name: null, point: point!, straight, source: null, source_url: null, dataset_vintage: null },
      ];
    })
    .sort((a, b) => a.straight - b.straight || a.index! - b.index!);
