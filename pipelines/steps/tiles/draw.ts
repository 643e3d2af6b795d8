import { gzipSync } from 'node:zlib';
import { tileIdToZxy, zxyToTileId } from 'pmtiles';
import type { Box } from '../../../datasets/geometry.ts';
import { MAP_LAYERS, type MapLayerId } from '../../../datasets/map-layers.ts';
import { PmtilesWriter } from '../../../ingest/writers/pmtiles.ts';
import { DamagedFile } from '../../../query/format/damaged-file.ts';
import { type Cache, createCache } from '../../../query/release/cache.ts';
import { Fault } from '../../../query/release/fault.ts';
import { Layers } from '../../../query/release/layers.ts';
import { type Release, releaseOf } from '../../../query/release/open-release.ts';
import { fieldsOf, isMet, sourcesOf, tileOf } from '../../../query/tile/tile.ts';
import { TileArchive } from '../../../query/tile/tile-archive.ts';
import { boxOfTile, type TileName } from '../../../query/tile/tile-grid.ts';
import type { ArchiveJob, ArchiveResult } from './archive-job.ts';

/** Megabytes of opened files that are kept. */
const MEMORY_MB = 128;
/** Tiles for which files stay open once they were opened; then those that the cache has let go of are closed. */
const BATCH = 512;

const meets = (a: Box, b: Box) => a[0] <= b[2] && a[2] >= b[0] && a[1] <= b[3] && a[3] >= b[1];

/** Everything that the layer shows, degrees; null when it shows nothing. */
function boxOf(id: MapLayerId, release: Release): Box | null {
  const boxes = sourcesOf(id).flatMap(({ dataset, layer }) =>
    (release.layer(dataset, layer)?.partitions ?? []).flatMap(({ box }) => (box ? [box] : [])),
  );
  if (boxes.length === 0) return null;
  const side = (i: 0 | 1 | 2 | 3, pick: (...values: number[]) => number) =>
    boxes.map(box => box[i]).reduce((a, b) => pick(a, b));
  return [side(0, Math.min), side(1, Math.min), side(2, Math.max), side(3, Math.max)];
}

/** Gives tile after tile the files that it is drawn from, which stay open for a batch of tiles. */
class Batches {
  readonly #release: Release;
  readonly #cache: Cache;
  #layers: Layers | null = null;
  #left = 0;

  constructor(release: Release, cache: Cache) {
    this.#release = release;
    this.#cache = cache;
  }

  /** The files for the next tile. */
  next(): Layers {
    if (this.#left-- <= 0) {
      this.drop();
      this.#left = BATCH;
      this.#cache.enter();
      this.#layers = new Layers(this.#release, this.#cache);
    }
    return this.#layers!;
  }

  /** Lets go of the files. */
  drop(): void {
    if (this.#layers) this.#cache.leave();
    this.#layers = null;
    this.#left = 0;
  }
}

/**
 * Draws the tiles of a map layer into an archive, zoom after zoom along the Hilbert curve: only within tiles in which something
 * lies are deeper ones looked for.
 * @param report gets the number of tiles looked at so far.
 * @returns no file when one that is drawn cannot be read. @throws the signal's reason.
 */
export async function drawArchive(
  { map: id, home, manifest, path, before }: ArchiveJob,
  report: (tiles: number) => void,
  signal: AbortSignal,
): Promise<ArchiveResult> {
  const { minZoom, maxZoom, title } = MAP_LAYERS[id];
  const release = releaseOf(home, manifest);
  const cache = createCache(MEMORY_MB);
  const batches = new Batches(release, cache);
  const writer = new PmtilesWriter(path);
  const earlier = before && (await TileArchive.open(before.path));
  let [looked, drawn] = [0, 0];
  const large = new Set<string>();
  /** The tile in gzip; null where it shows nothing. */
  const stored = async (tile: TileName, layers: Layers): Promise<Uint8Array | null> => {
    if (earlier && !before.changed.some(box => meets(box, boxOfTile(tile)))) return earlier.tile(tile);
    drawn++;
    const bytes = await tileOf(id, tile, layers);
    return bytes.length > 0 ? gzipSync(bytes) : null;
  };
  try {
    let level: number[] = [0];
    for (let z = 0; z <= maxZoom; z++) {
      const first = zxyToTileId(z, 0, 0);
      const deeper: number[] = [];
      for (const place of level) {
        signal.throwIfAborted();
        const [, x, y] = tileIdToZxy(first + place);
        const tile = { z, x, y };
        const layers = batches.next();
        report(++looked);
        if (!(await isMet(id, tile, layers, feature => large.add(feature)))) continue;
        // The curve passes through the four tiles within one before it goes on.
        if (z < maxZoom) deeper.push(4 * place, 4 * place + 1, 4 * place + 2, 4 * place + 3);
        const bytes = z < minZoom ? null : await stored(tile, layers);
        if (bytes) writer.add(first + place, bytes);
      }
      level = deeper;
    }
    const layer = { id, description: title, minzoom: minZoom, maxzoom: maxZoom, fields: fieldsOf(id) };
    const metadata = { name: title, type: 'overlay', vector_layers: [layer] };
    const rows = writer.finish({ minZoom, maxZoom, box: boxOf(id, release), metadata });
    return { file: { role: 'tiles', path, rows }, problem: null, drawn, large: large.size };
  } catch (error) {
    if (error instanceof Fault || error instanceof DamagedFile)
      return { file: null, problem: error.message, drawn, large: 0 };
    throw error;
  } finally {
    batches.drop();
    writer.close();
    earlier?.close();
    cache.clear();
  }
}
