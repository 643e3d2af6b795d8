import type { Answer, Point } from '../../query/evaluate/answer.ts';
import { type Ctx, termsOf } from '../context.ts';
import { engineRefusal } from '../engine-refusal.ts';
import { ServiceError } from '../errors/registry.ts';
import type { Place } from '../geocode/resolver.ts';
import { loweredOnStreet } from '../geocoder/street-grade.ts';
import { partialFailures, toRecord } from './record.ts';
import type { FetchResult } from './schema.ts';

/** Milliseconds one location may take. */
export const LOCATION_LIMIT_MS = 20_000;

/** Answers from the cache where it can, otherwise from the engine. */
async function answers(ctx: Ctx, names: readonly string[], point: Point): Promise<Map<string, Answer>> {
  // Read the versions before the engine reads, so that no answer is filed under a release newer than its own.
  // They are those of the current release: what another one says is not cached.
  const terms = termsOf(ctx);
  const cache = terms.release === (ctx.engine.status().release ?? undefined) ? ctx.cache : null;
  const versions = new Map(cache ? names.map(name => [name, ctx.engine.versionOf(name)]) : []);
  const found = cache?.get(versions, point) ?? new Map<string, Answer>();
  const missing = names.filter(name => !found.has(name));
  if (missing.length === 0) return found;
  const mark = cache ? ctx.engine.listsMark() : null;
  const fresh = await ctx.engine.fetch(missing, point, terms).catch((error: unknown) => {
    throw engineRefusal(error, () => new ServiceError('fetch_busy'));
  });
  // Else it could be an answer without what was corrected or withheld meanwhile, or with what was taken back, and stay for a day.
  if (mark !== null && ctx.engine.listsMark() === mark) cache?.set(versions, point, fresh);
  for (const [name, answer] of Object.entries(fresh)) found.set(name, answer);
  return found;
}

/**
 * Reads named fields at one place, each with its provenance. Charges nothing.
 * @throws ServiceError fetch_busy, worker_stopped; AbortError when the client has gone.
 */
export async function fetchAt(ctx: Ctx, names: readonly string[], place: Place): Promise<FetchResult> {
  const { point, geocode } = place;
  const found = await answers(ctx, names, point);
  const fetchedAt = new Date(ctx.clock.now()).toISOString();
  const fields = Object.fromEntries(
    names.map(name => {
      const field = ctx.catalog.fields.get(name)!;
      const answer = found.get(name) ?? {
        status: 'failed',
        value: null,
        notes: null,
        confidence: 'low',
        source: field.dataset,
        sourceUrl: null,
        vintage: null,
        fetchedAt,
        error: 'The engine gave no answer for this field.',
        retryable: true,
      };
      return [name, toRecord(field, answer)];
    }),
  );
  return {
    lat: point.lat,
    lng: point.lng,
    fetched_at: fetchedAt,
    fields: loweredOnStreet(ctx.catalog, geocode, fields, place.otherLot !== null),
    partial_failures: partialFailures(fields),
    resolved_location: place.resolved_location,
    ...(geocode === null ? {} : { geocode }),
  };
}
