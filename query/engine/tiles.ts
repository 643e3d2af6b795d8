import { MAP_LAYERS, type MapLayerId } from '../../datasets/map-layers.ts';
import { settled } from '../evaluate/evaluate.ts';
import { createCache } from '../release/cache.ts';
import { Fault } from '../release/fault.ts';
import type { Release } from '../release/open-release.ts';
import { ARCHIVE_BYTES, TileArchive } from '../tile/tile-archive.ts';
import type { TileName } from '../tile/tile-grid.ts';

/** Megabytes of opened archives: those of two releases and more. */
const MEMORY_MB = 96;

/** A tile cannot be read: its archive is missing, damaged or being checked. */
export class TileFailed extends Error {
  override readonly name = 'TileFailed';
}

/** The map layers that a release has archives of, in the order in which they are drawn. */
export const archivedLayers = (release: Release | null): readonly MapLayerId[] =>
  (Object.keys(MAP_LAYERS) as MapLayerId[]).filter(id => Object.hasOwn(release?.manifest.tiles ?? {}, id));

/** Reads tiles in the serving thread: a place in a directory, and some kilobytes of a file. */
export class Tiles {
  readonly #cache = createCache(MEMORY_MB);

  /** A tile in gzip, null where nothing lies in it. @throws TileFailed when the archive is not what the release says. */
  async read(release: Release | null, layer: MapLayerId, tile: TileName): Promise<Uint8Array | null> {
    const file = release?.manifest.tiles?.[layer]?.file;
    return settled(
      async layers => {
        if (!layers || !file) throw new Fault(`the release has no tiles of ${layer}`);
        const archive = await layers.open(file, async path => ({
          value: await TileArchive.open(path),
          bytes: ARCHIVE_BYTES,
        }));
        return archive.tile(tile);
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
