import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { MapLayerId } from '../../datasets/map-layers.ts';
import type { ReleaseFile } from '../../datasets/release.ts';
import { settled } from '../evaluate/evaluate.ts';
import { createCache } from '../release/cache.ts';
import { Fault } from '../release/fault.ts';
import type { Layers } from '../release/layers.ts';
import type { Release } from '../release/open-release.ts';
import { lacksFile } from '../release/pack/pack.ts';
import { archivedIn, archivesAt } from '../tile/map-archives.ts';
import { ARCHIVE_BYTES, TileArchive } from '../tile/tile-archive.ts';
import type { TileName } from '../tile/tile-grid.ts';
import { tileUnion } from '../tile/tile-union.ts';

const unzip = promisify(gunzip);
const zip = promisify(gzip);

/** Megabytes of opened archives: those of two releases and more. */
const MEMORY_MB = 96;

/** A tile cannot be read: its archive is missing, damaged or being checked. */
export class TileFailed extends Error {
  override readonly name = 'TileFailed';
}

/** The map layers that a release has archives of, in the order in which they are drawn. */
export const archivedLayers = (release: Release | null): readonly MapLayerId[] =>
  release ? archivedIn(release.manifest) : [];

/** Reads tiles in the serving thread: a place in a directory, and some kilobytes of a file. */
export class Tiles {
  readonly #cache = createCache(MEMORY_MB);

  /**
   * A tile in gzip, null where nothing lies in it. Where several grounds meet it has what lies on each; of a pack what it has.
   * @throws TileFailed when an archive is not what the release says.
   */
  async read(release: Release | null, layer: MapLayerId, tile: TileName): Promise<Uint8Array | null> {
    return settled(
      async layers => {
        if (!layers || !archivedLayers(release).includes(layer))
          throw new Fault(`the release has no tiles of ${layer}`);
        const all = archivesAt(layers.release.manifest, layer, tile);
        const archives = all.filter(({ file }) => !file || !lacksFile(layers.release, file));
        const tiles = await Promise.all(archives.map(({ file }) => stored(layers, layer, file, tile)));
        const there = tiles.filter(bytes => bytes !== null);
        if (there.length < 2) return there[0] ?? null;
        return zip(tileUnion(await Promise.all(there.map(bytes => unzip(bytes)))));
      },
      { release, cache: this.#cache },
    ).catch((error: Error) => {
      throw new TileFailed(error.message);
    });
  }

  /** Closes the archives. */
  close(): void {
    this.#cache.clear();
  }
}

/** A tile as an archive holds it. */
async function stored(layers: Layers, layer: MapLayerId, file: ReleaseFile | null, tile: TileName) {
  if (!file) throw new Fault(`tiles of ${layer} could not be drawn there`);
  const archive = await layers.open(file, async path => ({
    value: await TileArchive.open(path),
    bytes: Math.min(ARCHIVE_BYTES, file.bytes),
  }));
  return archive.tile(tile);
}
