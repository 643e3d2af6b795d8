import { type GeoKeys, geoKeysOf } from '../../query/format/cog.ts';
import type { Gdal, OpenDataset, Opening } from '../gdal-library.ts';
import type { BandInfo, RasterAnswer, RasterInfo, RasterJob, RasterListing, RasterWindow } from './raster-info.ts';

/** What gdalinfo says in JSON, as far as it is used here. */
interface Listing {
  readonly size: readonly [number, number];
  readonly coordinateSystem?: { readonly wkt: string };
  readonly geoTransform?: RasterInfo['transform'];
  readonly gcps?: { readonly gcpList?: readonly unknown[] };
  readonly metadata?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly bands: readonly {
    readonly type: string;
    readonly block: readonly [number, number];
    readonly noDataValue?: number | string;
    readonly unit?: string;
    readonly scale?: number;
    readonly offset?: number;
    readonly mask?: unknown;
  }[];
}

/** Cells as GDAL writes them, by the names of its types. What is not here has no order, such as complex numbers. */
const ARRAYS: Readonly<Record<string, new (buffer: ArrayBuffer) => ArrayLike<number> | ArrayLike<bigint>>> = {
  Byte: Uint8Array,
  Int8: Int16Array,
  UInt16: Uint16Array,
  Int16: Int16Array,
  UInt32: Uint32Array,
  Int32: Int32Array,
  UInt64: BigUint64Array,
  Int64: BigInt64Array,
  Float32: Float32Array,
  Float64: Float64Array,
};

/** The part of WKT that says where columns and rows lie; what it says of heights is left out. */
function horizontal(wkt: string): string {
  if (!wkt.startsWith('COMPOUNDCRS')) return wkt;
  const start = wkt.search(/(PROJCRS|GEOGCRS|GEODCRS|BOUNDCRS)\[/);
  let depth = 0;
  for (let i = start; i < wkt.length; i++) {
    if (wkt[i] === '[') depth++;
    if (wkt[i] === ']' && --depth === 0) return wkt.slice(start, i + 1);
  }
  return wkt;
}

function crsOf(listing: Listing): string | null {
  const wkt = horizontal(listing.coordinateSystem?.wkt.replace(/\n\s*/g, '') ?? '');
  if (wkt.startsWith('ENGCRS')) return null;
  const code = /ID\["EPSG",(\d+)\]\]$/.exec(wkt)?.[1];
  return code ? `EPSG:${code}` : wkt || null;
}

function listingOf(listing: Listing): RasterListing {
  const { size, bands, geoTransform, metadata = {} } = listing;
  const names = Object.keys(metadata.SUBDATASETS ?? {}).filter(name => name.endsWith('_NAME'));
  return {
    width: size[0],
    height: size[1],
    transform: geoTransform ?? null,
    crs: crsOf(listing),
    block: bands[0]?.block ?? [1, 1],
    hasPoints: (listing.gcps?.gcpList?.length ?? 0) > 0,
    rasters: Math.max(1, names.length),
    bands: bands.map(
      ({ type, scale = 1, offset = 0, unit, noDataValue, mask }): BandInfo => ({
        type,
        scale,
        offset,
        unit: unit?.trim() || null,
        nodata: typeof noDataValue === 'number' ? noDataValue : null,
        isMasked: mask !== undefined,
      }),
    ),
  };
}

/** The raster that is open in this thread. */
interface Open {
  readonly path: string;
  readonly dataset: OpenDataset;
  readonly opened: RasterListing;
  readonly leave: () => void;
}

let open: Open | null = null;

async function close(lib: Gdal): Promise<void> {
  const last = open;
  open = null;
  if (!last) return;
  await lib.close(last.dataset);
  last.leave();
}

/** Takes the output of GDAL from its memory: the named file, and removes what GDAL wrote beside it. */
function taken({ Module: { FS } }: Gdal, name: string): Uint8Array<ArrayBuffer> {
  const folder = '/output';
  let bytes: Uint8Array<ArrayBuffer> | null = null;
  for (const file of FS.readdir(folder)) {
    if (!file.startsWith(`${name}.`)) continue;
    const path = `${folder}/${file}`;
    if (file === `${name}.` || file === `${name}.tif`) bytes = FS.readFile(path);
    FS.unlink(path);
  }
  if (!bytes) throw new Error('GDAL wrote nothing');
  return bytes;
}

async function valuesOf(lib: Gdal, { dataset, opened }: Open, window: RasterWindow, band: number) {
  const { type } = opened.bands[band - 1]!;
  const array = ARRAYS[type];
  if (!array) throw new Error(`cells of the type ${type} are no numbers that can be compared`);
  const count = window.width * window.height;
  const place = [window.column, window.row, window.width, window.height].map(String);
  // A format of bare numbers. GDAL's mask knows values that mean no data, masks within and beside the file, and opacity.
  const args = [
    '-of',
    'ENVI',
    '-co',
    'INTERLEAVE=BSQ',
    '-mask',
    'none',
    '-b',
    `${band}`,
    '-b',
    `mask,${band}`,
    '-srcwin',
    ...place,
    // ENVI writes no rotated grid; where the cells lie is known already.
    '-a_ullr',
    ...['0', '1', '1', '0'],
  ];
  await lib.gdal_translate(dataset, type === 'Int8' ? [...args, '-ot', 'Int16'] : args, 'cells');
  const cells = new array(taken(lib, 'cells').buffer);
  if (cells.length !== 2 * count) throw new Error(`GDAL gave ${cells.length / 2} cells instead of ${count}`);
  const values = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const cell = cells[i]!;
    values[i] = Number(cells[count + i]) === 0 ? Number.NaN : Number(cell);
    if (typeof cell === 'bigint' && !Number.isNaN(values[i]) && !Number.isSafeInteger(values[i]))
      throw new Error(`the value ${cell} has more digits than 2^53, up to which whole numbers are kept`);
  }
  return values;
}

async function keysOf(lib: Gdal, crs: string, openWith: Opening): Promise<GeoKeys> {
  const { FS } = lib.Module;
  const path = '/input/cell.asc';
  FS.writeFile(path, 'ncols 1\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\n1\n');
  try {
    const dataset = openWith(path, 'AAIGrid');
    await lib.gdal_translate(dataset, ['-of', 'GTiff', '-co', 'BIGTIFF=YES', '-a_srs', crs], 'keys');
    await lib.close(dataset);
    return geoKeysOf(Buffer.from(taken(lib, 'keys').buffer));
  } finally {
    FS.unlink(path);
  }
}

/**
 * Does a job about a raster.
 * @param mount makes a file, and named ones of its folder, visible to GDAL: its path there, and a function that takes it away.
 * @throws what GDAL says, as an array of messages.
 */
export async function rasterAnswer(
  lib: Gdal,
  job: RasterJob,
  mount: (path: string, beside: readonly string[]) => { readonly path: string; readonly leave: () => void },
  openWith: Opening,
): Promise<RasterAnswer> {
  if (job.raster === null) return { keys: await keysOf(lib, job.ask.crs, openWith) };
  if (job.ask === 'close') {
    if (open?.path === job.raster) await close(lib);
    return { closed: true };
  }
  if (job.ask === 'open' || open?.path !== job.raster) {
    await close(lib);
    const { path, leave } = mount(job.raster, job.beside);
    try {
      const dataset = openWith(path, 'GTiff');
      const listing = (await lib.gdalinfo(dataset, ['-json', '-wkt_format', 'WKT2_2019'])) as Listing;
      open = { path: job.raster, dataset, opened: listingOf(listing), leave };
    } catch (error) {
      leave();
      throw error;
    }
  }
  if (!('band' in job)) return { opened: open!.opened };
  return { values: await valuesOf(lib, open!, job.ask, job.band) };
}
