import type { TaskEnvironment } from '../../evaluate/environment.ts';
import { settled } from '../../evaluate/evaluate.ts';
import { Fault } from '../../release/fault.ts';
import type { Layers } from '../../release/layers.ts';
import { type LandmarksNear, landmarksNear } from '../../route/places/landmarks.ts';
import { type ShedTotals, shedTotals } from '../../route/places/shed-totals.ts';
import { type TractPoint, tractsNear } from '../../route/places/tract-points.ts';
import { type Failure, failureOf } from '../failure.ts';

/** A question about the places of layers of the release that can be driven to. Distances in metres. */
export type PlacesQuestion =
  | {
      readonly kind: 'landmarks';
      readonly set: string;
      readonly lng: number;
      readonly lat: number;
      readonly most: number;
      readonly metres: number;
    }
  | { readonly kind: 'tracts'; readonly lng: number; readonly lat: number; readonly metres: number }
  | { readonly kind: 'totals'; readonly geoids: readonly string[] };

/** Tracts near a place with where their people are from. */
interface Tracts {
  readonly tracts: readonly TractPoint[];
  readonly source: string;
  readonly source_url: string | null;
  readonly dataset_vintage: string;
}

export type PlacesAnswer =
  | { readonly set: LandmarksNear }
  | { readonly near: Tracts }
  | { readonly totals: ShedTotals }
  /** `lacking` where the release has no such layer: asking again cannot help. */
  | { readonly unavailable: string; readonly lacking?: boolean }
  | Failure;

async function answer(question: PlacesQuestion, layers: Layers | null): Promise<PlacesAnswer> {
  if (!layers) return { unavailable: 'nothing was published yet' };
  if (question.kind === 'totals') return { totals: await shedTotals(layers, question.geoids) };
  const { lng, lat, metres } = question;
  if (question.kind === 'landmarks')
    return { set: await landmarksNear(layers, question.set, lng, lat, question.most, metres) };
  const { tracts, partitions, covers } = await tractsNear(layers, lng, lat, metres);
  if (!covers) return { unavailable: 'the census blocks of this release do not cover the place' };
  const joined = (texts: readonly (string | null)[]) => [...new Set(texts.filter(text => text !== null))].join('; ');
  const of = partitions.map(({ provenance }) => provenance);
  const near: Tracts = {
    tracts,
    source: joined(of.map(({ source }) => source)),
    source_url: joined(of.map(({ url }) => url)) || null,
    dataset_vintage: joined(of.map(({ vintage }) => vintage)),
  };
  return { near };
}

/** Answers a question about places. Never throws but Interrupted; what is not installed or damaged is `unavailable`. */
export async function placesTask(question: PlacesQuestion, environment: TaskEnvironment): Promise<PlacesAnswer> {
  const failed = (error: unknown): PlacesAnswer =>
    error instanceof Fault
      ? { unavailable: error.message, lacking: !error.retryable }
      : failureOf(error, environment.deadline);
  return settled(layers => answer(question, layers).catch(failed), environment);
}
