import { endOverlayProgress, tellOverlayProgress } from '../../query/release/overlay-progress.ts';
import type { Rate } from './rate.ts';

/** How often servers are told, also while nothing gets done: milliseconds. */
const EVERY_MS = 2_000;

/** Tells servers of the home how far a run has come, until the returned function is called. @param rate of all its parcels. */
export function keepTelling(home: string, rate: Rate, total: number, fields: readonly string[]): () => void {
  const tell = () => tellOverlayProgress(home, { done: rate.done, total, perSecond: rate.perSecond, fields });
  tell();
  const timer = setInterval(tell, EVERY_MS);
  return () => {
    clearInterval(timer);
    endOverlayProgress(home);
  };
}
