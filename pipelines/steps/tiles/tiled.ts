import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Box, union } from '../../../datasets/geometry.ts';
import { MAP_LAYERS, type MapLayerId } from '../../../datasets/map-layers.ts';
import type { Manifest, Partition, TileArchive } from '../../../datasets/release.ts';
import { hashFile } from '../../../query/format/file-hash.ts';
import type { Store } from '../../../query/release/home/store.ts';
import { partitionsOf } from '../../../query/release/lists/layer-lists.ts';
import { withChanges } from '../../../query/release/lists/sharded-manifest.ts';
import { releaseOf } from '../../../query/release/open-release.ts';
import { layerOfArchive } from '../../../query/tile/map-archives.ts';
import { mapLayersIn, sourcesOf } from '../../../query/tile/tile.ts';
import type { Progress } from '../../progress.ts';
import { canonical, listsFrom, US } from '../../release/lists.ts';
import { identified } from '../../release/manifest.ts';
import type { Workforce } from '../workforce.ts';
import type { ArchiveJob } from './archive-job.ts';

/** Raise this number when a tile is drawn in another way than before: every archive is then made anew. */
const REVISION = 2;

/** Map layers with tiles of lower zooms are cut by state alone: such a tile meets the ground of too many counties. */
const FAR_ZOOM = 8;

/** What became of the tiles of a release. */
export interface TilesReport {
  /** Map layers of which an archive was made, and those of which one could not be, because a file could not be read. */
  readonly made: readonly string[];
  readonly failed: readonly string[];
  /** Number of map layers whose archives were all up to date. */
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
  /** Releases that were made and not published, whose archives are in the store. */
  readonly drafts?: readonly Manifest[];
}

const hashOf = (value: unknown): string => createHash('sha256').update(canonical(value)).digest('hex').slice(0, 32);

/** A file that is drawn, and where its features lie. */
interface Drawn {
  readonly sha256: string | null;
  readonly box: Box | null;
}

/** What one archive holds: the partitions of a map layer on one ground, by the layers that they are of, in drawing order. */
type Ground = readonly {
  readonly dataset: string;
  readonly layer: string;
  readonly partitions: readonly Partition[];
}[];

/**
 * The ground of a partition: its county where it has one, otherwise what its place has of its state; so that new data of a county
 * make anew what is the county's and nothing else.
 */
function groundOf(id: MapLayerId, { key, place }: Partition): string {
  const [state, part = ''] = key.split('/') as [string, string?];
  if (MAP_LAYERS[id].minZoom < FAR_ZOOM || key === US) return state;
  return /^\d{5}$/.test(part) ? key : `${state}/${place.replaceAll(', ', '+')}`;
}

/** The grounds of a map layer in some states, sorted, by the keys that their archives have. */
function groundsOf(id: MapLayerId, { datasets }: Manifest, isStale: (state: string) => boolean): Map<string, Ground> {
  const grounds = new Map<string, Ground>();
  for (const { dataset, layer } of sourcesOf(id)) {
    const version = datasets[dataset]?.[layer];
    const lists = version ? listsFrom(version).filter(({ shard }) => isStale(shard)) : [];
    for (const [ground, partitions] of Map.groupBy(lists.flatMap(partitionsOf), one => groundOf(id, one))) {
      const key = `${id}/${ground}`;
      grounds.set(key, [...(grounds.get(key) ?? []), { dataset, layer, partitions }]);
    }
  }
  return new Map([...grounds].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Hash over the lists of a map layer by state: while it is the same nothing of the state changed, and its lists need not be read. */
function statesOf(id: MapLayerId, { datasets }: Manifest): Map<string, string> {
  const lists = sourcesOf(id).flatMap(({ dataset, layer }) => {
    const version = datasets[dataset]?.[layer];
    return version ? listsFrom(version).map(({ shard, version }) => ({ shard, said: [dataset, layer, version] })) : [];
  });
  const states = Map.groupBy(lists, ({ shard }) => shard);
  return new Map([...states].map(([state, own]) => [state, hashOf(own.map(({ said }) => said))]));
}

const stateOf = (key: string) => key.split('/')[1]!;

/** The archives of a release of the states of a map layer in which nothing changed since, by their keys. */
function unchangedOf(
  id: MapLayerId,
  drawing: string,
  before: Manifest | null,
  manifest: Manifest,
): [string, TileArchive][] {
  if (!before) return [];
  const own = Object.entries(before.tiles ?? {}).filter(([key]) => key.startsWith(`${id}/`));
  const [then, now] = [statesOf(id, before), statesOf(id, manifest)];
  const isWhole = (archives: readonly [string, TileArchive][]) =>
    archives.every(([, archive]) => archive.drawing === drawing && archive.file);
  return [...Map.groupBy(own, ([key]) => stateOf(key))].flatMap(([state, archives]) =>
    now.has(state) && now.get(state) === then.get(state) && isWhole(archives) ? archives : [],
  );
}

/** The files of a ground, in the order in which they are drawn; a change of any, or of the order, changes tiles. */
const filesOf = (ground: Ground): Drawn[] =>
  ground.flatMap(({ partitions }) =>
    partitions.map(({ files, box }) => ({
      sha256: files.find(({ role }) => role === 'features')?.sha256 ?? null,
      box,
    })),
  );

/** What how tiles of a layer are drawn rests on. zlib counts: another version may compress to other bytes. */
const drawingOf = (id: MapLayerId) => hashOf([REVISION, process.versions.zlib, MAP_LAYERS[id]]);

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

/** A release of one ground of a map layer and nothing else. */
function releaseOfGround(ground: Ground, { format, id, createdAt, asOf, previous, datasets: all }: Manifest): Manifest {
  const datasets: Record<string, Manifest['datasets'][string]> = {};
  for (const { dataset, layer, partitions } of ground) {
    const { version, columns } = all[dataset]![layer]!;
    datasets[dataset] = { ...datasets[dataset], [layer]: { version, columns, partitions } };
  }
  return { format, id, createdAt, asOf, previous, datasets, ingests: [] };
}

/** An archive that must be made. */
interface Wanted {
  readonly id: MapLayerId;
  readonly key: string;
  readonly ground: Ground;
  readonly archive: Omit<TileArchive, 'file'>;
  /** What the release before had of the same ground. */
  readonly earlier: { readonly archive: TileArchive; readonly ground: Ground } | null;
}

/** The archives of a map layer: those of the release before that stand as they are, and what must be made. */
function plannedOf(
  id: MapLayerId,
  before: Manifest | null,
  manifest: Manifest,
  drafts: readonly Manifest[],
): { readonly kept: readonly [string, TileArchive][]; readonly wanted: readonly Wanted[] } {
  const drawing = drawingOf(id);
  const kept = unchangedOf(id, drawing, before, manifest);
  const states = new Set(kept.map(([key]) => stateOf(key)));
  const isStale = (state: string) => !states.has(state);
  const earlier = before ? groundsOf(id, before, isStale) : new Map<string, Ground>();
  const wanted: Wanted[] = [];
  for (const [key, ground] of groundsOf(id, manifest, isStale)) {
    const drawn = filesOf(ground);
    const inputs = hashOf([drawing, drawn]);
    const archive = before?.tiles?.[key];
    const same = [archive, ...drafts.map(draft => draft.tiles?.[key])].find(one => one?.inputs === inputs && one.file);
    if (same) {
      kept.push([key, same]);
      continue;
    }
    const box = drawn.reduce<Box | null>((all, one) => union(all, one.box), null);
    const then = earlier.get(key);
    wanted.push({
      ...{ id, key, ground, archive: { drawing, inputs, box } },
      earlier: archive && then ? { archive, ground: then } : null,
    });
  }
  return { kept, wanted };
}

/**
 * Draws what no archive of the release before holds of the map layers of a manifest, and moves the archives into the store. Where no
 * file changed, tiles are taken from the earlier archive. Call it only under the lock.
 * @returns the manifest with its archives; the same object if all were up to date.
 */
export async function tiled(
  store: Store,
  manifest: Manifest,
  before: Manifest | null,
  { home, workforce, progress, signal, drafts = [] }: TilesOptions,
): Promise<{ manifest: Manifest; report: TilesReport }> {
  const ids = mapLayersIn(releaseOf(home, manifest));
  const plans = ids.map(id => plannedOf(id, before, manifest, drafts));
  const tiles = new Map<string, TileArchive>(plans.flatMap(({ kept }) => kept));
  const wanted = plans.flatMap(plan => plan.wanted);
  const [made, failed] = [new Set<MapLayerId>(), new Set<MapLayerId>()];
  if (wanted.length > 0) {
    const folder = await store.stage();
    try {
      const jobs: ArchiveJob[] = [];
      for (const [i, { id, ground, archive, earlier }] of wanted.entries())
        jobs.push({
          map: id,
          home,
          manifest: releaseOfGround(ground, manifest),
          path: join(folder, `${i}.pmtiles`),
          before: earlier && (await earlierOf(store, earlier, archive.drawing, ground)),
        });
      const results = await workforce.draw(jobs, progress, signal);
      for (const [i, { file }] of results.entries()) {
        const { id, key, archive } = wanted[i]!;
        tiles.set(key, { ...archive, file: file && (await store.adopt(file)) });
        (file ? made : failed).add(id);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  const inOrder = Object.fromEntries(
    ids.flatMap(id => [...tiles].filter(([key]) => layerOfArchive(key) === id).sort(([a], [b]) => (a < b ? -1 : 1))),
  );
  const bytes = Object.values(inOrder).reduce((sum, { file }) => sum + (file?.bytes ?? 0), 0);
  const isSame = canonical(inOrder) === canonical(manifest.tiles ?? {});
  const kept = plans.filter(plan => plan.wanted.length === 0).length;
  return {
    manifest: isSame ? manifest : identified(withChanges(manifest, { tiles: inOrder })),
    report: { made: [...made], failed: [...failed], kept, bytes },
  };
}

/** The archive of the release before, if its tiles were drawn alike and it is sound. */
async function earlierOf(
  store: Store,
  { archive, ground }: NonNullable<Wanted['earlier']>,
  drawing: string,
  after: Ground,
): Promise<ArchiveJob['before']> {
  if (!archive.file || archive.drawing !== drawing) return null;
  const changed = changedBetween(filesOf(ground), filesOf(after));
  if (changed === null) return null;
  const path = join(store.releases, archive.file.path);
  const sha256 = await hashFile(path).catch(() => null);
  return sha256 === archive.file.sha256 ? { path, changed } : null;
}
