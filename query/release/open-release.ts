import { readFileSync, statSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { LayerVersion, Manifest, Partition, ReleaseFile } from '../../datasets/release.ts';
import { COG_ENDING } from '../format/cog.ts';
import { listsOf, partitionsOf } from './lists/layer-lists.ts';
import { ReleaseError, readManifestFile } from './manifest.ts';
import { type Pack, packOf, readPack } from './pack/pack.ts';

/** An opened release: its manifest and where its files are. Nothing in it changes while it is open. */
export interface Release {
  readonly id: string;
  /** PLAT_HOME. */
  readonly home: string;
  readonly manifest: Manifest;
  /** Set where a caller named an earlier release: its values are told as they were published, without later corrections. */
  readonly asPublished?: true;
  /** Where the home is a pack: for which ground, and which files of the release it was made without. */
  readonly pack?: Pack | null;
  /** Absolute path of a file of the manifest. @throws Error when the manifest points outside its folder. */
  pathOf(file: ReleaseFile): string;
  /** A layer of a dataset, or null when this release does not hold it. */
  layer(dataset: string, layer: string): LayerVersion | null;
}

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
/** A server serves one release and finishes old requests on the previous ones. */
const openReleases = new LRUCache<string, Release>({ max: 8 });
/** Milliseconds after which an earlier release that nobody asks for is let go of. */
const IDLE_MS = 5 * 60_000;
/** Earlier releases that callers name: apart, so that they push none of the others out, and only while somebody asks for them. */
const pastReleases = new LRUCache<string, Release>({
  max: 2,
  ttl: IDLE_MS,
  updateAgeOnGet: true,
  ttlAutopurge: true,
});

const folderOf = (home: string) => resolve(home, 'releases');

/**
 * The id that PLAT_HOME/releases/current names; null when nothing was published yet.
 * @throws Error when the file holds no release id or cannot be read.
 */
export function currentId(home: string): string | null {
  const path = join(folderOf(home), 'current');
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  if (!ID.test(text))
    throw new ReleaseError(
      `${path} holds ${JSON.stringify(text.slice(0, 40))}, expected the id of a release; \`plat release list\` shows those there are`,
    );
  return text;
}

/**
 * Refuses a release of an earlier build in which several files of parcels share a county: there a row number means several
 * parcels, which answers would mix up. Builds that write shards join them.
 * @throws ReleaseError
 */
export function requireWholeCounties({ id, format, datasets }: Manifest): void {
  if (format !== 1) return;
  const keys = (datasets.parcel_store?.main?.partitions ?? []).map(({ key }) => key);
  const twice = keys.find((key, i) => keys.indexOf(key) < i);
  if (twice !== undefined)
    throw new ReleaseError(
      `Release ${id} was made by an earlier build, which stored each file of parcels in ${twice} by itself; ` +
        'ingest any place again (`plat ingest run`), which joins them',
    );
}

/** The partitions of a layer. A list that cannot be read fails the fields that need it, and not the release. */
function rastersOf(layer: LayerVersion): readonly Partition[] {
  try {
    return listsOf(layer)?.flatMap(partitionsOf) ?? layer.partitions;
  } catch {
    return [];
  }
}

/**
 * Refuses a release of an earlier build that holds rasters as their publishers made them: scale, unit, masks and byte order differ
 * from file to file, and only an ingest reads all of them.
 * @throws ReleaseError naming layers and places.
 */
export function requireStoredRasters({ id, datasets }: Manifest): void {
  const old = new Set<string>();
  for (const [dataset, layers] of Object.entries(datasets))
    for (const [name, layer] of Object.entries(layers)) {
      // Rasters have no columns. Lists of other layers stay unread.
      if (layer.columns.length > 0) continue;
      for (const { place, files } of rastersOf(layer))
        if (files.some(({ role, path }) => role === 'raster' && !path.endsWith(`.${COG_ENDING}`)))
          old.add(`${dataset}:${name} of ${place}`);
    }
  if (old.size === 0) return;
  const few = [...old].slice(0, 5).join(', ');
  throw new ReleaseError(
    `Release ${id} was made by an earlier build, which stored rasters as they were published: ${few}` +
      `${old.size > 5 ? ` and ${old.size - 5} more` : ''}; ingest these places again (\`plat ingest run\`)`,
  );
}

/**
 * Opens one release by id; the same one twice is the same object.
 * @throws ReleaseError when the manifest is missing, damaged, of another format or id, or as the functions above.
 */
export function openReleaseById(home: string, id: string): Release {
  const key = keyOf(home, id);
  const cached = openReleases.get(key);
  if (cached) return cached;
  const release = readRelease(home, id);
  openReleases.set(key, release);
  return release;
}

/**
 * Opens a release that may no longer be the current one, as `openReleaseById`; two of them stay open in a thread at most, each
 * until nobody asked for it for five minutes.
 * @throws Error whose message names no path of the server.
 */
export function openPastRelease(home: string, id: string): Release {
  const key = keyOf(home, id);
  const cached = pastReleases.get(key);
  if (cached) return cached;
  let release: Release;
  try {
    release = { ...(openReleases.get(key) ?? readRelease(home, id)), asPublished: true };
  } catch {
    throw new Error(`release ${id} cannot be opened`);
  }
  pastReleases.set(key, release);
  return release;
}

const keyOf = (home: string, id: string) => `${home}\0${id}`;

function readRelease(home: string, id: string): Release {
  const folder = folderOf(home);
  if (!ID.test(id)) throw new Error(`"${id.slice(0, 40)}" is no release id`);
  const manifest = readManifestFile(join(folder, `${id}.json`), id);
  requireWholeCounties(manifest);
  const document = readPack(home);
  if (document && document.release !== id)
    throw new ReleaseError(`${home} is a pack of release ${document.release}, and has no release ${id}`);
  const pack = document && packOf(document);
  requireStoredRasters(manifest);
  return releaseOf(home, manifest, pack);
}

/**
 * The release that a manifest describes, published or about to be; its files stand in the store of `home`.
 * @throws Error naming the manifest when it names a file outside the releases folder.
 */
export function releaseOf(home: string, manifest: Manifest, pack: Pack | null = null): Release {
  const folder = folderOf(home);
  // Asked for every file of every request.
  const paths = new WeakMap<ReleaseFile, string>();
  return {
    id: manifest.id,
    home: resolve(home),
    manifest,
    pack,
    pathOf(file) {
      const cached = paths.get(file);
      if (cached !== undefined) return cached;
      const full = resolve(folder, file.path);
      if (!full.startsWith(folder + sep))
        throw new Error(`${join(folder, `${manifest.id}.json`)} names a file outside the releases folder`);
      paths.set(file, full);
      return full;
    },
    layer(dataset, layer) {
      const layers = manifest.datasets[dataset];
      return (layers && Object.hasOwn(layers, layer) && layers[layer]) || null;
    },
  };
}

/**
 * Opens the release that PLAT_HOME/releases/current names.
 * @throws Error when none was published or its manifest cannot be read.
 */
export function openRelease(home: string): Release {
  const id = currentId(home);
  if (id === null) throw new Error(`No release in ${folderOf(home)}; run plat ingest first`);
  return openReleaseById(home, id);
}

/**
 * Calls back when another release becomes current. Polls the small file's stat, which works on every file system
 * where an atomic rename does.
 * @param onChange gets the new id; when it throws, or the file cannot be read, the next poll tries again.
 * @param onProblem gets what was thrown.
 * @returns a function that ends the watch.
 */
export function watchCurrent(
  home: string,
  onChange: (id: string) => void,
  onProblem: (error: unknown) => void = () => {},
  everyMs = 500,
): () => void {
  const path = join(folderOf(home), 'current');
  const stamp = () => {
    const s = statSync(path, { throwIfNoEntry: false });
    return s ? `${s.ino}:${s.mtimeMs}:${s.size}` : '';
  };
  let seen = stamp();
  const timer = setInterval(() => {
    try {
      const now = stamp();
      if (now === seen) return;
      const id = currentId(home);
      if (id === null)
        throw new ReleaseError(`${path} is missing; \`plat release rollback RELEASE\` names a release in it again`);
      onChange(id);
      seen = now;
    } catch (error) {
      // Between two states of the file system, or a release that cannot be opened: the next poll tries again.
      onProblem(error);
    }
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
