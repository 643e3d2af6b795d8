import type { Point } from '../answer.ts';
import { askAt, type Evaluation, settled } from '../evaluate.ts';
import { Fault } from '../fault.ts';
import { matchAt, type ParcelVerdict, unavailable, verdictOf } from './match.ts';

/** A place whose parcel is asked for. */
export interface MatchRequest {
  readonly point: Point;
  /** Of the point when it was geocoded to a rooftop; null for a coordinate. */
  readonly address: string | null;
  /** Whether the boundary is wanted. */
  readonly geometry: boolean;
}

/**
 * The parcel of a point or address. What cannot be read is `unavailable` with the reason.
 * @throws Interrupted when `stopped` says so.
 */
export function matchParcel(
  { point, address, geometry }: MatchRequest,
  evaluation: Evaluation,
): Promise<ParcelVerdict> {
  return settled(
    async layers => {
      try {
        if (!layers) throw new Fault('no release is installed; nothing was published yet');
        return verdictOf(await matchAt(askAt(point, evaluation, layers).ctx, address), geometry);
      } catch (error) {
        return unavailable(error);
      } finally {
        evaluation.cache.sweep();
      }
    },
    evaluation,
    unavailable,
  );
}
