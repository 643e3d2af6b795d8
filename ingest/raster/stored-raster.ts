import type { RasterLayer } from '../../datasets/dataset.ts';
import type { FormatOptions } from '../../datasets/place/place.ts';
import { type Cells, CogWriter, TILE } from '../../query/format/cog.ts';
import { ReadError } from '../reader.ts';
import { type CellChange, changeOf } from './cell-change.ts';
import type { StoredCrs } from './raster-info.ts';
import type { RasterBlock, RasterSource } from './raster-source.ts';

/** A tile that is being filled. */
interface Open {
  readonly cells: Cells;
  /** Cells of the raster in it that did not come so far. */
  left: number;
}

/** Fills the tiles of a stored raster from blocks of any size and order, and writes each when it is full. */
class Tiles {
  readonly #writer: CogWriter;
  readonly #changes: readonly CellChange[];
  readonly #open = new Map<string, Open>();

  constructor(writer: CogWriter, changes: readonly CellChange[]) {
    this.#writer = writer;
    this.#changes = changes;
  }

  add(block: RasterBlock): void {
    const { band, column, row, width, height } = block;
    for (let y = Math.floor(row / TILE); y * TILE < row + height; y++)
      for (let x = Math.floor(column / TILE); x * TILE < column + width; x++) {
        const key = `${band} ${x} ${y}`;
        const tile = this.#open.get(key) ?? this.#begin(x, y);
        this.#open.set(key, tile);
        tile.left -= this.#fill(tile.cells, x * TILE, y * TILE, block);
        if (tile.left > 0) continue;
        this.#writer.write(band, x, y, tile.cells);
        this.#open.delete(key);
      }
  }

  #begin(x: number, y: number): Open {
    const { width, height } = this.#writer.header;
    const left = Math.min(TILE, width - x * TILE) * Math.min(TILE, height - y * TILE);
    return { cells: this.#writer.emptyTile(), left };
  }

  /** @returns how many cells of the block lie in the tile. */
  #fill(cells: Cells, left: number, top: number, { band, column, row, width, height, values }: RasterBlock): number {
    const { factor, offset, empty, nodata } = this.#changes[band - 1]!;
    const [x0, x1] = [Math.max(left, column), Math.min(left + TILE, column + width)];
    const [y0, y1] = [Math.max(top, row), Math.min(top + TILE, row + height)];
    const isSame = factor === 1 && offset === 0;
    for (let y = y0; y < y1; y++) {
      const from = (y - row) * width - column;
      const to = (y - top) * TILE - left;
      for (let x = x0; x < x1; x++) {
        const value = values[from + x]!;
        if (Number.isNaN(value) || empty.includes(value)) cells[to + x] = nodata!;
        else cells[to + x] = isSame ? value : value * factor + offset;
      }
    }
    return (x1 - x0) * (y1 - y0);
  }
}

/**
 * Writes a published raster in the one stored form: scale and offset applied, in the unit of the layer, without data wherever the
 * file, the place or the layer says so. Every value keeps its digits: numbers that are changed become Float32 or, where that would
 * lose, Float64. Memory does not grow with the raster.
 * @param each called with every block before it is stored.
 * @returns the number of blocks.
 * @throws ReadError when a block cannot be read or the raster cannot be stored so.
 */
export async function storeRaster(
  file: string,
  source: Pick<RasterSource, 'info' | 'blocks'>,
  layer: Pick<RasterLayer, 'unit' | 'nodata' | 'bands'>,
  options: FormatOptions,
  crs: StoredCrs,
  path: string,
  each: (block: RasterBlock) => Promise<void> | void = () => {},
  signal?: AbortSignal,
): Promise<number> {
  const { info } = source;
  if (info.bands.length < layer.bands)
    throw new ReadError(
      'format_unsupported',
      file,
      null,
      `has ${info.bands.length} bands; ${layer.bands} were expected`,
    );
  const changes = info.bands.slice(0, layer.bands).map(band => changeOf(file, band, layer, options));
  const { type, nodata } = changes[0]!;
  if (changes.some(change => change.type !== type || !Object.is(change.nodata, nodata)))
    throw new ReadError(
      'format_unsupported',
      file,
      null,
      'has bands of several types; write each into a file of its own',
    );
  const header = {
    width: info.width,
    height: info.height,
    bands: layer.bands,
    type,
    nodata,
    transform: info.transform,
    crs: crs.text,
  };
  const writer = new CogWriter(path, header, crs.keys, layer.unit ?? null);
  try {
    const tiles = new Tiles(writer, changes);
    let blocks = 0;
    for await (const block of source.blocks(layer.bands, signal)) {
      await each(block);
      tiles.add(block);
      blocks++;
    }
    writer.finish();
    return blocks;
  } finally {
    writer.close();
  }
}
