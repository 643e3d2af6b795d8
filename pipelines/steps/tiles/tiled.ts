import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Box } from '../../../datasets/geometry.ts';
import { MAP_LAYERS, type MapLayerId } from '../../../datasets/map-layers.ts';
import type { Manifest, Partition, TileArchive } from '../../../datasets/release.ts';
import { hashFile } from '../../../query/format/file-hash.ts';
import type { Store } from '../../../query/release/home/store.ts';
import { withChanges } from '../../../query/release/lists/sharded-manifest.ts';
import { releaseOf } from '../../../query/release/open-release.ts';
import { mapLayersIn, sourcesOf } from '../../../query/tile/tile.ts';
import type { Progress } from '../../progress.ts';
import { canonical } from '../../release/lists.ts';
import { identified } from '../../release/manifest.ts';
import type { Workforce } from '../workforce.ts';
import type { ArchiveJob } from './archive-job.ts';

/** Raise this number when a tile is drawn in another way than before: every archive is then made anew. */
const REVISION = 2;

/** What became of the tiles of a release. */
export interface TilesReport {
  /** Map layers whose archive was made, and those whose files could not be read. */
  readonly made: readonly string[];
  readonly failed: readonly string[];
  /** Number of archives that were up to date. */
  readonly kept: number;
  /** Bytes of all archives. */
  readonly bytes: number;
}

interface TilesOptions {
  /** PLAT_HOME. */
  readonly home: string;
  readonly workforce: Workforce;
  readonly progress: Progress;
  readonly signal?: AbortSignal | undefined;
}

const hashOf = (value: unknown): string => createHash('sha256').update(canonical(value)).digest('hex').slice(0, 32);

/** A file that a map layer is drawn from, and where its features lie. */
interface Drawn {
  readonly sha256: string | null;
  readonly box: Box | null;
}

/** The files of a map layer, in the order in which they are drawn; a change of any, or of the order, changes tiles. */
function filesOf(id: MapLayerId, { datasets }: Manifest): Drawn[] {
  const drawn = ({ files, box }: Partition) => ({
    sha256: files.find(({ role }) => role === 'features')?.sha256 ?? null,
    box,
  });
  return sourcesOf(id).flatMap(({ dataset, layer }) => (datasets[dataset]?.[layer]?.partitions ?? []).map(drawn));
}

/** What the archive of a layer rests on. zlib counts: another version may compress to other bytes. */
function groundsOf(id: MapLayerId, manifest: Manifest): Pick<TileArchive, 'drawing' | 'inputs'> {
  const drawing = hashOf([REVISION, process.versions.zlib, MAP_LAYERS[id]]);
  return { drawing, inputs: hashOf([drawing, filesOf(id, manifest)]) };
}

/** Where tiles may differ between two lists of files; null where they may differ anywhere. */
function changedBetween(before: readonly Drawn[], after: readonly Drawn[]): Box[] | null {
  const [old, fresh] = [new Set(before.map(d => d.sha256)), new Set(after.map(d => d.sha256))];
  const stayed = (list: readonly Drawn[], other: ReadonlySet<string | null>) =>
    list.flatMap(({ sha256 }) => (other.has(sha256) ? [sha256] : []));
  if (canonical(stayed(before, fresh)) !== canonical(stayed(after, old))) return null;
  const gone = before.filter(({ sha256 }) => !fresh.has(sha256));
  const come = after.filter(({ sha256 }) => !old.has(sha256));
  return [...gone, ...come].flatMap(({ box }) => (box ? [box] : []));
}

/** The part of a manifest that a map layer is drawn from. */
function partOf(id: MapLayerId, manifest: Manifest): Manifest {
  const datasets: Record<string, Manifest['datasets'][string]> = {};
  for (const { dataset, layer } of sourcesOf(id)) {
    const version = manifest.datasets[dataset]?.[layer];
    if (version) datasets[dataset] = { ...datasets[dataset], [layer]: version };
  }
  const { format, createdAt, asOf, previous } = manifest;
  return { format, id: manifest.id, createdAt, asOf, previous, datasets, ingests: [] };
}

/**
 * Draws the map layers of a manifest that no archive of the release before holds, and moves the archives into the store. Where no
 * file changed, tiles are taken from the earlier archive. Call it only under the lock.
 * @returns the manifest with its archives; the same object if all were up to date.
 */
export async function tiled(
  store: Store,
  manifest: Manifest,
  before: Manifest | null,
  { home, workforce, progress, signal }: TilesOptions,
): Promise<{ manifest: Manifest; report: TilesReport }> {
  const ids = mapLayersIn(releaseOf(home, manifest));
  const tiles: Record<string, TileArchive> = {};
  const wanted: { readonly id: MapLayerId; readonly grounds: Pick<TileArchive, 'drawing' | 'inputs'> }[] = [];
  for (const id of ids) {
    const grounds = groundsOf(id, manifest);
    const held = before?.tiles?.[id];
    if (held?.inputs === grounds.inputs) tiles[id] = held;
    else wanted.push({ id, grounds });
  }
  const kept = ids.length - wanted.length;
  const failed: string[] = [];
  if (wanted.length > 0) {
    const folder = await store.stage();
    try {
      const jobs: ArchiveJob[] = [];
      for (const { id, grounds } of wanted)
        jobs.push({
          map: id,
          home,
          manifest: partOf(id, manifest),
          path: join(folder, `${id}.pmtiles`),
          before: await earlierOf(store, id, grounds.drawing, before, manifest),
        });
      const results = await workforce.draw(jobs, progress, signal);
      for (const [i, { file }] of results.entries()) {
        const { id, grounds } = wanted[i]!;
        if (file) tiles[id] = { ...grounds, file: await store.adopt(file) };
        else failed.push(id);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  const inOrder = Object.fromEntries(ids.flatMap(id => (tiles[id] ? [[id, tiles[id]]] : [])));
  const bytes = Object.values(inOrder).reduce((sum, { file }) => sum + file.bytes, 0);
  const isSame = canonical(inOrder) === canonical(manifest.tiles ?? {});
  return {
    manifest: isSame ? manifest : identified(withChanges(manifest, { tiles: inOrder })),
    report: { made: wanted.flatMap(({ id }) => (tiles[id] ? [id] : [])), failed, kept, bytes },
  };
}

/** The archive of the release before, if its tiles were drawn alike and it is sound. */
async function earlierOf(
  store: Store,
  id: MapLayerId,
  drawing: string,
  before: Manifest | null,
  manifest: Manifest,
): Promise<ArchiveJob['before']> {
  const held = before?.tiles?.[id];
  if (!before || held?.drawing !== drawing) return null;
  const changed = changedBetween(filesOf(id, before), filesOf(id, manifest));
  if (changed === null) return null;
  const path = join(store.releases, held.file.path);
  const sha256 = await hashFile(path).catch(() => null);
  return sha256 === held.file.sha256 ? { path, changed } : null;
}
