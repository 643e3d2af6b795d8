import type { Catalog } from '../../../datasets/catalog.ts';
import { Interrupted } from '../../release/fault.ts';
import { Layers } from '../../release/layers.ts';
import type { SearchEnvironment } from '../../search/page/environment.ts';
import { judgeAreas } from '../../search/request/area.ts';
import type { PreparedTest } from '../../search/request/filter.ts';
import type { Issue } from '../../search/request/issue.ts';
import type { SearchRequest } from '../../search/request/request.ts';
import { areasOf, type SetFilter } from '../set-filter.ts';

/** What every question about a set of parcels has, plain data. */
export interface SetRequest extends Pick<SearchRequest, 'outputs' | 'countyByFips' | 'budget'> {
  /** In the order of the request. */
  readonly filters: readonly SetFilter[];
}

/** What a set is made with. */
export interface SetGround {
  readonly layers: Layers;
  readonly catalog: Catalog;
  /** The area of each area filter, sound. */
  readonly areas: ReadonlyMap<SetFilter, PreparedTest>;
  /** Lets others between. @throws when the work must stop. */
  readonly step: () => Promise<void> | undefined;
  /** @throws when the work must stop. */
  readonly check: () => void;
}

/** The time was up; what was found by then is no lie. */
export class TimeUp extends Error {
  override readonly name = 'TimeUp';
}

/**
 * Does some work on a set of parcels, once its areas are judged.
 * @param work gets null where there is no release.
 * @throws Interrupted when `stopped` says so; what `work` throws.
 */
export async function onGround<T>(
  { filters, budget }: SetRequest,
  { cache, release, catalog, deadline, stopped, pause }: SearchEnvironment,
  work: (ground: SetGround | null) => Promise<T>,
): Promise<T | { readonly issues: readonly Issue[] }> {
  const areas = areasOf(filters);
  const { issues, prepared } = await judgeAreas(areas, budget.maxSquareKm);
  if (issues.length) return { issues };
  const check = () => {
    if (stopped()) throw new Interrupted('nobody waits for the answer');
    if (Date.now() >= deadline) throw new TimeUp();
  };
  const step = () => {
    check();
    return pause?.();
  };
  const byFilter = new Map<SetFilter, PreparedTest>(areas.map((area, i) => [area, prepared[i]!]));
  cache.enter();
  try {
    return await work(release ? { layers: new Layers(release, cache), catalog, areas: byFilter, step, check } : null);
  } finally {
    cache.leave();
  }
}
