import type { ChangesPosition, Gap, LayerChange } from '../../query/changes/page.ts';
import type { ParcelChange } from '../../query/changes/parcel-changes.ts';
import { type Command, type Terminal, UsageError } from '../../query/engine/command.ts';
import { withNearest } from '../../query/format/name/nearest-names.ts';
import { chosenRelease } from './chosen-release.ts';

/** Parcels that are compared and printed at once. */
const PAGE = 1000;
/** MB that opened files may take. */
const CACHE_MB = 256;

const shown = (value: ParcelChange['fields'][string]['before']) =>
  value === null ? 'none' : value.status === 'ok' ? JSON.stringify(value.value) : value.status;

function tellParcel({ parcel_key, change, by_rank, fields }: ParcelChange, terminal: Terminal): void {
  const doubt = by_rank ? '  (told from others of its stack by the order of the rows alone)' : '';
  for (const [field, { before, after }] of Object.entries(fields))
    terminal.out(`${parcel_key}  ${change}  ${field}: ${shown(before)} → ${shown(after)}${doubt}`);
}

/** `plat ingest diff A B`: prints the differences between two releases. */
export const ingestDiffCommand: Command = {
  name: 'ingest diff',
  example: 'plat ingest diff 20261128-788309ea --state ME',
  summary:
    'Show the differences between two releases: rows added, removed and changed of each layer, and values of parcels.',
  args: ['<a>', '[b]'],
  options: [
    { flags: '--state <code>', description: 'Only partitions of this state, and national ones.' },
    {
      flags: '--fields <name...>',
      description: 'Attributes and calculations of parcels to compare; shows the old and the new value of each parcel.',
    },
  ],
  async run([a, b], { state, fields }, terminal) {
    if (typeof state === 'string' && !/^[A-Z]{2}$/.test(state))
      throw new UsageError(`--state ${state}: expected a two-letter state code`);
    const [{ changesPage }, { comparableNames }, { Work }, { catalog }, { createCache }, { Layers }, { releaseOf }] =
      await Promise.all([
        import('../../query/changes/page.ts'),
        import('../../query/changes/names.ts'),
        import('../../query/changes/work.ts'),
        import('../../datasets/catalog.ts'),
        import('../../query/release/cache.ts'),
        import('../../query/release/layers.ts'),
        import('../../query/release/open-release.ts'),
      ]);
    const wanted = typeof fields === 'string' ? fields.split(',') : [];
    const comparable = comparableNames(catalog);
    const unknown = wanted.filter(field => !comparable.has(field));
    if (unknown.length > 0)
      throw new UsageError(
        `--fields: no attribute of parcels and no field of the catalog: ${withNearest(unknown, comparable)}`,
      );
    const [was, now] = [await chosenRelease(a), await chosenRelease(b)];
    const cache = createCache(CACHE_MB);
    const layersOf = ({ home, manifest }: typeof was) => new Layers(releaseOf(home, manifest), cache);
    const compared = { before: layersOf(was), after: layersOf(now), catalog };
    const question = { state: typeof state === 'string' ? state : null, fields: wanted, limit: PAGE };
    const never = { deadline: Infinity, softDeadline: Infinity, rows: Infinity, stopped: () => false };
    const [layers, parcels, gaps]: [LayerChange[], ParcelChange[], Gap[]] = [[], [], []];
    let from: ChangesPosition | null = null;
    do {
      const page = await changesPage(compared, { ...question, from }, new Work(never));
      layers.push(...page.layers);
      gaps.push(...page.gaps);
      if (terminal.json) parcels.push(...page.parcels);
      else for (const parcel of page.parcels) tellParcel(parcel, terminal);
      from = page.next;
    } while (from);
    cache.clear();
    const [before, after] = [was.manifest.id, now.manifest.id];
    if (terminal.json) terminal.out(JSON.stringify({ from: before, to: after, layers, parcels, gaps }));
    else {
      for (const { dataset, layer, added, removed, changed } of layers)
        terminal.out(`${dataset}:${layer}  ${added} added, ${removed} removed, ${changed} changed`);
      for (const { dataset, layer, partition, reason } of gaps)
        terminal.err(`${dataset}:${layer}  ${partition} not compared: ${reason}`);
      if (layers.length + gaps.length === 0) terminal.err(`${before} and ${after} hold the same rows`);
    }
    return gaps.some(gap => gap.field === null) ? 1 : 0;
  },
};
