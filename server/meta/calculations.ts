import type { Catalog } from '../../datasets/catalog.ts';
import type { Engine } from '../../query/engine/engine-interface.ts';
import { durationOf } from '../../query/release/overlay-progress.ts';
import { judgeName } from '../../query/search/request/name.ts';
import { filterNames } from '../../query/search/request/surface.ts';

/** Names that a search cannot filter by yet, because their values for the parcels are not calculated. */
export interface Calculations {
  readonly fields: readonly string[];
  /** Parcels that are done, of how many; null where nothing is known to calculate. */
  readonly done: number | null;
  readonly total: number | null;
  /** Seconds at the pace so far; null before the first parcels are done. Writing and publishing the values comes on top. */
  readonly seconds_left: number | null;
}

/** What the open release can answer at a point and not filter parcels by yet; null where there is no such name. */
export function calculationsOf(
  catalog: Catalog,
  engine: Pick<Engine, 'parcelColumns' | 'availability' | 'overlayProgress'>,
): Calculations | null {
  const columns = engine.parcelColumns();
  const progress = engine.overlayProgress();
  if (columns.size === 0) return null;
  const availability = engine.availability();
  const isCalculating = progress ? (name: string) => progress.fields.includes(name) : () => true;
  const fields = [...filterNames(catalog)].filter(
    name =>
      judgeName(catalog, columns, name, 'filter').status === 'not_built' &&
      isCalculating(name) &&
      availability.lackOf(name) === null,
  );
  if (fields.length === 0) return null;
  if (!progress) return { fields, done: null, total: null, seconds_left: null };
  const { done, total, perSecond } = progress;
  return { fields, done, total, seconds_left: perSecond > 0 ? Math.ceil((total - done) / perSecond) : null };
}

/** The sentence about it for people. */
export function calculationsText({ fields, done, total, seconds_left }: Calculations): string {
  const [named, whose] = fields.length === 1 ? ['field', 'its'] : ['fields', 'their'];
  const what = `${fields.length} ${named} cannot be searched yet, because ${whose} values for the parcels are not calculated`;
  // A run that has just begun has not told how far it is.
  if (done === null) return `${what}; plat ingest overlay calculates them, if it has not begun already.`;
  const left = seconds_left === null ? 'how long it takes is not known yet' : `about ${durationOf(seconds_left)} left`;
  return `${what}: ${done} of ${total} parcels are done, ${left}.`;
}
