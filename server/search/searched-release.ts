import { TaskFailed } from '../../query/engine/failure.ts';
import { type Ctx, termsOf } from '../context.ts';
import { engineRefusal } from '../engine-refusal.ts';
import { ServiceError } from '../errors/registry.ts';
import { chooseRelease, RELEASE_NAME } from '../release/choice.ts';
import { isObject } from './body-reader.ts';
import type { SearchableRelease } from './name-judge.ts';

type ReleaseCtx = Pick<Ctx, 'engine' | 'release' | 'deadline' | 'signal' | 'account'>;

/** Said of a name that an earlier release has no column for. */
const LACKING = 'it was not calculated for it, or its source was not part of it';

/** What a body about parcels is judged by. */
interface Searched {
  readonly release: SearchableRelease;
  /** Why the release that it names cannot be read: said once all else is right. */
  readonly refusal: ServiceError | null;
}

/**
 * Has a body about parcels answered from the release that it names.
 * @param body as parsed, not yet checked.
 * @throws ServiceError search_unavailable, worker_stopped; AbortError when the client has gone.
 */
export async function searchedRelease(ctx: ReleaseCtx, body: unknown): Promise<Searched> {
  const { engine, release } = ctx;
  const name = isObject(body) ? body.release : undefined;
  if (typeof name !== 'string' || !RELEASE_NAME.test(name)) return { release: engine, refusal: null };
  try {
    chooseRelease(ctx, { release: name });
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { release: engine, refusal: error };
  }
  if (!release.isPast) return { release: engine, refusal: null };
  const columns = await engine.parcelColumnsOf(release.take()!, termsOf(ctx)).catch((error: unknown) => {
    const refused = (reason: string) => new ServiceError('search_unavailable', { reason });
    if (error instanceof TaskFailed) throw refused(error.message);
    throw engineRefusal(error, () => refused('all workers are busy and their queue is full'));
  });
  const lackOf = (field: string) => (columns.has(field) ? null : LACKING);
  const past = { parcelColumns: () => columns, availability: () => ({ lackOf }), overlayProgress: () => null };
  return { release: past, refusal: null };
}

/** Why a name has no values; null where that is not known, as of an earlier release. @param county null: anywhere. */
export const lackOf = ({ engine, release }: Pick<Ctx, 'engine' | 'release'>, name: string, county: string | null) =>
  release.isPast ? null : engine.availability(county).lackOf(name);
