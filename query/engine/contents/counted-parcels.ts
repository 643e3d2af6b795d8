import type { ParcelCounts } from '../../parcel/parcel-counts.ts';
import type { Release } from '../../release/open-release.ts';
import { lacksRows } from '../../release/pack/pack.ts';
import { countiesOf } from '../../search/predicate/counties.ts';
import type { RequestTerms } from '../engine-interface.ts';
import type { Failure } from '../failure.ts';

/** Counts of the parcels of the open release: each county's are made once, by a worker, when they are first asked for. */
export class CountedParcels {
  readonly #ask: (fips: string) => Promise<ParcelCounts | Failure>;
  #release: Release | null = null;
  #counties = new Map<string, Promise<ParcelCounts | Failure>>();

  /** @param ask has a worker count the parcels of a county. */
  constructor(ask: (fips: string) => Promise<ParcelCounts | Failure>) {
    this.#ask = ask;
  }

  /**
   * The counts of a county, or of all together.
   * @param terms how long somebody waits; others may wait for the same counts, which go on.
   * @returns null where they could not be made, or not in that time: the next time they are tried again.
   */
  async of(
    release: Release | null,
    fips: string | null,
    { deadline, signal }: RequestTerms,
  ): Promise<ParcelCounts | null> {
    let timer: NodeJS.Timeout | undefined;
    let leave = () => {};
    const late = new Promise<null>(resolve => {
      leave = () => resolve(null);
      timer = setTimeout(leave, signal?.aborted ? 0 : Math.max(0, deadline - Date.now()));
      signal?.addEventListener('abort', leave, { once: true });
    });
    return Promise.race([this.#count(release, fips), late]).finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
    });
  }

  async #count(release: Release | null, fips: string | null): Promise<ParcelCounts | null> {
    if (release !== this.#release) this.#counties = new Map();
    this.#release = release;
    const all: ParcelCounts[] = [];
    // One after another: a nation's counties would fill the queue.
    for (const county of countiesOf(release))
      if (!lacksRows(release!, county.partition) && (fips === null || county.fips === fips)) {
        const counts = await this.#county(county.fips);
        if (!counts) return null;
        all.push(counts);
      }
    return all.length === 1 ? all[0]! : sumOf(all);
  }

  async #county(fips: string): Promise<ParcelCounts | null> {
    const counties = this.#counties;
    const counting = counties.get(fips) ?? this.#ask(fips);
    counties.set(fips, counting);
    try {
      const counts = await counting;
      if (!('failed' in counts)) return counts;
    } catch {
      // The queue is full, or the worker ended.
    }
    counties.delete(fips);
    return null;
  }
}

function sumOf(all: readonly ParcelCounts[]): ParcelCounts {
  const values: Record<string, number> = {};
  let parcels = 0;
  for (const counts of all) {
    parcels += counts.parcels;
    for (const [name, count] of Object.entries(counts.values)) values[name] = (values[name] ?? 0) + count;
  }
  const reasons = Object.assign({}, ...all.map(counts => counts.reasons)) as Record<string, string>;
  const without = Object.entries(reasons).filter(([name]) => !values[name]);
  return { parcels, values, reasons: Object.fromEntries(without) };
}
