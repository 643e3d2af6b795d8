import { createWriteStream } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileSize } from '../byte-cursor.ts';
import { statedCrs } from '../crs.ts';
import { askRaster } from '../gdal.ts';
import type { RasterInfo, RasterListing, RasterWindow } from '../raster/raster-info.ts';
import { RASTER_COLUMNS, type RasterBlock, type RasterSource, rowsOf, wholeOf } from '../raster/raster-source.ts';
import { REPACKED, repackTiff } from '../raster/repacked-tiff.ts';
import { limitBytes, limitPassed } from '../read-limits.ts';
import { ReadError, type Reader, type Row } from '../reader.ts';
import { checkAborted } from '../row-batch.ts';
import { memberOf, openArchive } from '../zip.ts';
import { filesBeside } from './gdal.ts';

/** Cells of a window of a tiled raster: several rows of its tiles at once, so that GDAL unpacks each once. */
const TILED_WINDOW = [2048, 1024] as const;
/** The same of a raster in strips, which GDAL unpacks whole. */
const STRIP_WINDOW = [16_384, 256] as const;

/** Files in which GDAL writes what a GeoTIFF itself does not say: mask, georeference, scale, unit, values that mean no data. */
const BESIDE = ['.msk', '.aux.xml'].flatMap(ending => [`.tif${ending}`, `.tiff${ending}`]);
const BESIDE_STEM = ['.aux.xml', '.tfw', '.tifw', '.tiffw', '.wld', '.tab'];

async function describe(path: string, beside: readonly string[]): Promise<RasterListing> {
  const answer = await askRaster({ raster: path, beside, ask: 'open' }, path);
  if (!('opened' in answer)) throw new Error('GDAL answered something else');
  return answer.opened;
}

/** What GDAL in WASM says of a compression that it lacks. */
const LACKING = /missing codec (\w+)/;

function infoOf({ width, height, bands, transform, hasPoints, rasters, block }: RasterListing, path: string) {
  const refuse = (why: string) => new ReadError('format_unsupported', path, null, why);
  if (rasters > 1)
    throw refuse(`holds ${rasters} rasters; write the one that is meant with gdal_translate GTIFF_DIR:1:FILE`);
  if (!transform)
    throw refuse(
      hasPoints
        ? 'has ground control points and no grid; make one with gdalwarp'
        : 'has no georeference (no tie point or matrix)',
    );
  const strange = bands.find(({ type }) => type.startsWith('C'));
  if (strange) throw refuse(`holds complex numbers (${strange.type}); a raster of plain numbers was expected`);
  if (transform[1] * transform[5] === transform[2] * transform[4]) throw refuse('has cells without area');
  const bytes = block[0] * block[1] * 8;
  if (bytes > 8 * limitBytes('valueMb')) throw limitPassed('valueMb', path, null, `a block of ${bytes} bytes`);
  return { width, height, bands, transform } satisfies RasterInfo;
}

class GdalRaster implements RasterSource {
  readonly crs: string | null;
  readonly columns = RASTER_COLUMNS;
  readonly count: number;
  readonly info: RasterInfo;
  readonly #path: string;
  /** The file itself, or a copy that GDAL can read, in a folder of its own. */
  readonly #copy: string;
  readonly #beside: readonly string[];
  readonly #folder: string | null;
  readonly #window: readonly [number, number];

  constructor(
    path: string,
    copy: string,
    beside: readonly string[],
    folder: string | null,
    info: RasterInfo,
    raster: RasterListing,
    crs: string | null,
  ) {
    this.#path = path;
    this.#copy = copy;
    this.#beside = beside;
    this.#folder = folder;
    this.info = info;
    this.crs = crs;
    this.#window = raster.block[0] < info.width ? TILED_WINDOW : STRIP_WINDOW;
    const [across, down] = this.#window;
    this.count = Math.ceil(info.width / across) * Math.ceil(info.height / down) * info.bands.length;
  }

  async *blocks(
    bands: number,
    signal?: AbortSignal,
    about: RasterWindow = wholeOf(this.info),
  ): AsyncGenerator<RasterBlock> {
    const { width, height } = this.info;
    const [across, down] = this.#window;
    let number = 0;
    const [top, left] = [about.row - (about.row % down), about.column - (about.column % across)];
    for (let row = top; row < about.row + about.height; row += down)
      for (let column = left; column < about.column + about.width; column += across)
        for (let band = 1; band <= bands; band++) {
          checkAborted(signal, this.#path, ++number);
          const window = { column, row, width: Math.min(across, width - column), height: Math.min(down, height - row) };
          const answer = await askRaster({ raster: this.#copy, beside: this.#beside, ask: window, band }, this.#path);
          if (!('values' in answer)) throw new Error('GDAL answered something else');
          yield { band, ...window, values: answer.values };
        }
  }

  rows(signal?: AbortSignal): AsyncGenerator<Row[]> {
    return rowsOf(this, signal);
  }

  async close(): Promise<void> {
    await askRaster({ raster: this.#copy, ask: 'close' }, this.#path);
    if (this.#folder) await rm(this.#folder, { recursive: true, force: true });
  }
}

/** Makes a copy of a raster in a folder, with the files beside it, that GDAL in WASM can read. @throws ReadError. */
async function readableCopy(path: string, beside: readonly string[], compression: string, folder: string) {
  if (!REPACKED.includes(compression))
    throw new ReadError(
      'format_unsupported',
      path,
      null,
      `is compressed with ${compression}, which is for pictures or rare; write it anew with gdal_translate -co COMPRESS=DEFLATE`,
    );
  const copy = join(folder, basename(path));
  await repackTiff(path, copy);
  for (const name of beside) await copyFile(join(dirname(path), name), join(folder, name));
  return copy;
}

/** Unpacks a raster of a zip, and what GDAL reads beside it. @returns the path of the raster. */
async function unpacked(path: string, member: string | undefined, folder: string): Promise<string> {
  const archive = await openArchive(path);
  try {
    const name = memberOf(archive, member, ['.tif', '.tiff'], path);
    const stem = name.replace(/\.tiff?$/i, '');
    const wanted = [name, ...BESIDE.map(ending => stem + ending), ...BESIDE_STEM.map(ending => stem + ending)];
    for (const one of archive.names.filter(other => wanted.includes(other)))
      await pipeline(await archive.open(one), createWriteStream(join(folder, basename(one))));
    return join(folder, basename(name));
  } finally {
    archive.close();
  }
}

/**
 * Reads GeoTIFF and COG at full resolution, as GDAL reads it: with masks, opacity and values that mean no data, within the file and
 * beside it. A file of a compression that GDAL in WASM lacks is packed anew first. Of a zip, `options.member` names the raster if there
 * are several.
 */
export const reader: Reader = {
  name: 'geotiff',
  endings: ['.tif.zip', '.tif', '.tiff'],
  async open(path, options) {
    await fileSize(path);
    let [copy, folder]: [string, string | null] = [path, null];
    let raster: RasterListing;
    let beside: readonly string[] = [];
    try {
      if (path.toLowerCase().endsWith('.zip')) {
        folder = await mkdtemp(join(tmpdir(), 'plat-raster-'));
        copy = await unpacked(path, options.member, folder);
      }
      beside = await filesBeside(copy, [...BESIDE, ...BESIDE_STEM]);
      try {
        raster = await describe(copy, beside);
      } catch (error) {
        const lacking = error instanceof ReadError ? LACKING.exec(error.why)?.[1] : undefined;
        if (lacking === undefined) throw error;
        folder ??= await mkdtemp(join(tmpdir(), 'plat-raster-'));
        copy = await readableCopy(copy, beside, lacking, await mkdtemp(join(folder, 'packed-')));
        raster = await describe(copy, beside);
      }
      return new GdalRaster(path, copy, beside, folder, infoOf(raster, path), raster, statedCrs(raster.crs, options));
    } catch (error) {
      await askRaster({ raster: copy, ask: 'close' }, path).catch(() => {});
      if (folder) await rm(folder, { recursive: true, force: true });
      throw error;
    }
  },
};
