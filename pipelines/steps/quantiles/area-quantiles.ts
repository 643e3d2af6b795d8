import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Catalog } from '../../../datasets/catalog.ts';
import type { Manifest, QuantileFile } from '../../../datasets/release.ts';
import { settled } from '../../../query/evaluate/evaluate.ts';
import { countyQuantiles, numericNames } from '../../../query/parcel/county-quantiles.ts';
import { type AreaQuantiles, readQuantiles, together } from '../../../query/parcel/quantiles.ts';
import { createCache } from '../../../query/release/cache.ts';
import type { Store } from '../../../query/release/home/store.ts';
import { withChanges } from '../../../query/release/lists/sharded-manifest.ts';
import { type Release, releaseOf } from '../../../query/release/open-release.ts';
import { type County, countiesOf } from '../../../query/search/predicate/counties.ts';
import type { Progress } from '../../progress.ts';
import { canonical } from '../../release/lists.ts';
import { identified } from '../../release/manifest.ts';

/** Raise this number when quantiles are taken in another way than before: all are then taken anew. */
const REVISION = 1;
/** Megabytes of files that are kept open. */
const MEMORY_MB = 64;
/** The key of the whole release. */
const ALL = 'US';

interface QuantilesOptions {
  /** PLAT_HOME. */
  readonly home: string;
  readonly progress: Progress;
  readonly signal?: AbortSignal | undefined;
  readonly catalog: Catalog;
}

const hashOf = (value: unknown): string => createHash('sha256').update(canonical(value)).digest('hex').slice(0, 32);

/** What the quantiles of a county rest on: its columns, and the tables that are looked up by its area keys. */
function inputsOf(catalog: Catalog, release: Release, { partition, file }: County): string {
  const { overlays = {}, datasets, asOf } = release.manifest;
  const columns = Object.values(overlays[file] ?? {}).flatMap(overlay =>
    overlay.files.filter(({ role }) => role === 'columns').map(({ sha256 }) => sha256),
  );
  const rows = partition.files.filter(({ role }) => role === 'rows').map(({ sha256 }) => sha256);
  const tables = [...catalog.fields.values()]
    .filter(({ expression }) => expression.op === 'area_key_attr')
    .map(({ expression }) => expression.sources[0]!)
    .map(({ dataset, layer }) => datasets[dataset]?.[layer]?.version ?? null);
  return hashOf([REVISION, numericNames(catalog), rows, columns.sort(), [...new Set(tables)].sort(), asOf]);
}

/**
 * Takes the quantiles of a release that the one before does not have: of each county from the columns of its parcels, of states and
 * of the release from those of their counties. Call it only under the lock.
 * @returns the manifest with them; the same object if all were up to date.
 */
export async function withQuantiles(
  store: Store,
  manifest: Manifest,
  before: Manifest | null,
  { home, progress, signal, catalog }: QuantilesOptions,
): Promise<Manifest> {
  const release = releaseOf(home, manifest);
  const counties = countiesOf(release).filter(({ partition }) => partition.rows > 0);
  const areas: Record<string, QuantileFile> = {};
  const folder = await store.stage();
  const cache = createCache(MEMORY_MB);
  const task = progress.start('quantiles of parcels', counties.length);
  /** Those of an area: as they stand in the store, or made and put there. */
  const put = async (key: string, inputs: string, make: () => Promise<AreaQuantiles>) => {
    const held = before?.quantiles?.[key];
    if (held?.inputs === inputs && (await store.holds(held.file))) {
      areas[key] = held;
      return;
    }
    const quantiles = await make();
    const path = join(folder, `${key}.json`);
    await writeFile(path, JSON.stringify(quantiles));
    const rows = Object.keys(quantiles.fields).length;
    areas[key] = { inputs, file: await store.adopt({ role: 'quantiles', path, rows }) };
  };
  /** Those of several areas together; none where one of them has none, because a part is not the whole. */
  const putTogether = async (key: string, parts: readonly string[]) => {
    const own = parts.flatMap(part => areas[part] ?? []);
    if (own.length === 0 || own.length < parts.length) return;
    await put(key, hashOf([REVISION, own.map(({ file }) => file.sha256)]), async () =>
      together(await Promise.all(own.map(({ file }) => readQuantiles(join(store.releases, file.path))))),
    );
  };
  let failed = 0;
  try {
    for (const [i, county] of counties.entries()) {
      signal?.throwIfAborted();
      const taken = () => settled(layers => countyQuantiles(layers!, catalog, county.partition), { release, cache });
      await put(county.fips, inputsOf(catalog, release, county), taken).catch((error: unknown) => {
        if (signal?.aborted) throw error;
        // Its files are damaged: plat release verify tells which.
        failed++;
      });
      task.advance(i + 1);
    }
    const states = Map.groupBy(counties, ({ state }) => state);
    for (const [state, own] of states)
      await putTogether(
        state,
        own.map(({ fips }) => fips),
      );
    await putTogether(ALL, [...states.keys()]);
  } finally {
    cache.clear();
    task.done(
      failed === 0 ? `${counties.length} counties` : `${failed} of ${counties.length} counties could not be read`,
    );
    await rm(folder, { recursive: true, force: true });
  }
  const quantiles = Object.fromEntries(Object.entries(areas).sort(([a], [b]) => (a < b ? -1 : 1)));
  const isSame = canonical(quantiles) === canonical(manifest.quantiles ?? {});
  return isSame ? manifest : identified(withChanges(manifest, { quantiles }));
}
