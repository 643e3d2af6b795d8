import type { Engine } from '../../query/engine/engine-interface.ts';
import type { Citation } from '../formats/format.ts';

/** Sources that a column cites at most: more are those of a whole country. */
const MOST_CITED = 50;

/** Whom the columns of parcels are cited from, and the licence of every source of the release. */
export function citationsOfColumns(engine: Engine, columns: readonly string[]) {
  const availability = engine.availability();
  const cited: Record<string, Citation[]> = {};
  for (const name of columns) {
    const each = new Map<string, Citation>();
    for (const { source, url, vintage } of availability.sourcesOf(name))
      each.set(JSON.stringify([source, url, vintage]), { source, source_url: url, dataset_vintage: vintage });
    cited[name] = [...each.values()].slice(0, MOST_CITED);
  }
  const licences = Object.fromEntries(engine.installed().map(({ source, licence }) => [source, licence]));
  return { cited, licences };
}
