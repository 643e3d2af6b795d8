import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { workerData } from 'piscina';
import { answerCrs } from './crs/proj.ts';
import {
  type CrsAnswer,
  type CrsQuestion,
  chosenLayer,
  conversionArgs,
  type GdalAnswer,
  type GdalConversion,
  type GdalCreation,
  type GdalJob,
  type GdalLayer,
  rastersMarked,
} from './gdal-job.ts';
import type { FileSystem, Gdal, LayerListing, OpenDataset } from './gdal-library.ts';
import { rasterAnswer } from './raster/gdal-raster.ts';
import type { RasterJob } from './raster/raster-info.ts';

const require = createRequire(import.meta.url);

/** The library is CommonJS; its types describe only the build for browsers. */
const initGdalJs = require('gdal3.js/node.js') as (config: object) => Promise<Gdal>;

/** Where the module sees the folder of the operator's grids. */
const GRIDS = '/grids';

const PROJ_DATABASE = '/usr/share/proj/proj.db';
let gdal: Promise<Gdal> | null = null;
let jobs = 0;
/** First error of the current job: the last message of GDAL often only says that something failed before. */
let complaint: string | null = null;
/** The message about a name that GDAL changed because the format cannot have it. */
let renamed: string | null = null;

async function load(): Promise<Gdal> {
  const dist = join(dirname(require.resolve('gdal3.js/package.json')), 'dist/package');
  const { grids, ...environment } = workerData as Readonly<Record<string, string>>;
  const lib = await initGdalJs({
    // The library puts "./" before the path of its own files.
    path: relative(process.cwd(), dist),
    logHandler: () => {},
    errorHandler: (line: string) => {
      complaint ??= /^ERROR \d+: (.*)/.exec(line)?.[1] ?? null;
      renamed ??= /laundered (?:field|layer) name: (.*)/.exec(line)?.[1] ?? null;
    },
    // The identifiers inside a geodatabase then depend on how many this thread made before, not on the time.
    env: {
      OPENFILEGDB_REPRODUCIBLE_UUID: 'YES',
      // A code means the system that it names, as in every other spelling, and not the one that replaced it.
      OSR_USE_NON_DEPRECATED: 'NO',
      ...environment,
      ...(grids ? { PROJ_LIB: `/usr/share/proj:${GRIDS}` } : {}),
      // Megabytes of blocks of rasters, so that a block which two windows share is unpacked once.
      GDAL_CACHEMAX: '128',
      // By default GDAL says nothing any more after a thousand errors and warnings: the next damaged file would pass for a whole one.
      CPL_MAX_ERROR_REPORTS: '0',
    },
  });
  if (grids) {
    lib.Module.FS.mkdir(GRIDS);
    lib.Module.FS.mount(lib.Module.NODEFS, { root: resolve(grids) }, GRIDS);
  }
  return lib;
}

/** Numbers of the module for "no such file" and "read-only file system". */
const NO_FILE = 44;
const READ_ONLY = 69;

/** Returns a file system that shows the named files of a folder and creates none: a dataset cannot name a file of others. */
function onlyFiles({ FS, NODEFS }: Gdal['Module'], names: readonly string[]): FileSystem {
  const refuse = () => {
    throw new FS.ErrnoError(READ_ONLY);
  };
  return {
    mount(options) {
      const root = NODEFS.mount(options);
      const ops = root.node_ops;
      root.node_ops = {
        ...ops,
        lookup(parent, name) {
          if (!names.includes(name)) throw new FS.ErrnoError(NO_FILE);
          return ops.lookup(parent, name);
        },
        readdir: node => ops.readdir(node).filter(name => names.includes(name)),
        ...{ mknod: refuse, rename: refuse, unlink: refuse, rmdir: refuse, symlink: refuse },
      };
      return root;
    },
  };
}

/** A folder that GDAL sees. */
interface Mount {
  readonly path: string;
  leave(): void;
}

/** Makes a folder of the machine visible to GDAL. @param names files of it that GDAL sees; null for all. */
function mount({ Module }: Gdal, path: string, folder: string, names: readonly string[] | null): Mount {
  const { FS, NODEFS } = Module;
  FS.mkdir(path);
  FS.mount(names ? onlyFiles(Module, names) : NODEFS, { root: folder }, path);
  const leave = () => {
    FS.unmount(path);
    FS.rmdir(path);
  };
  return { path, leave };
}

/**
 * Mounts two folders of the machine and runs `work`. Each job gets new names for them, because GDAL remembers the directory of a
 * zip by its name. The library writes below /output.
 * @param names files of the input folder that GDAL sees; null for all.
 */
async function mounted<T>(
  lib: Gdal,
  input: string,
  names: readonly string[] | null,
  output: string,
  work: (name: string) => Promise<T>,
) {
  const name = `job${++jobs}`;
  const mounts = [mount(lib, `/input/${name}`, input, names), mount(lib, `/output/${name}`, output, null)];
  const done: T = await work(name);
  for (const { leave } of mounts) leave();
  return done;
}

/** Writes texts as a null-terminated list of C into the module's memory, for one call. */
function withList<T>(module: Gdal['Module'], texts: readonly string[], call: (list: number) => T): T {
  const width = 4;
  const list = module._malloc(width * (texts.length + 1));
  const copies = texts.map(text => {
    const bytes = module.lengthBytesUTF8(text) + 1;
    const copy = module._malloc(bytes);
    module.stringToUTF8(text, copy, bytes);
    return copy;
  });
  for (const [i, copy] of [...copies, 0].entries()) module.setValue(list + width * i, copy, '*');
  try {
    return call(list);
  } finally {
    for (const pointer of [...copies, list]) module._free(pointer);
  }
}

/** Flag of GDALOpenEx: say why a file is not opened. */
const VERBOSE_ERROR = 0x40;

/** Opens a dataset with one driver and no other. The library's own function would let any driver try. */
function openDataset({ Module }: Gdal, path: string, driver: string, options: readonly string[] = []): OpenDataset {
  const pointer = withList(Module, [driver], drivers =>
    withList(Module, options, open =>
      Module.ccall(
        'GDALOpenEx',
        'number',
        ['string', 'number', 'number', 'number', 'number'],
        [path, VERBOSE_ERROR, drivers, open, 0],
      ),
    ),
  );
  if (pointer === 0) throw new Error(complaint ?? `it is no file of the kind "${driver}"`);
  return { pointer, path };
}

const layersOf = ({ layers }: LayerListing) =>
  rastersMarked(
    layers.map((listed): GdalLayer => {
      const [field] = listed.geometryFields;
      return {
        name: listed.name,
        count: listed.featureCount,
        fid: listed.fidColumnName || null,
        geometry: field !== undefined,
        crs: field?.coordinateSystem?.wkt ?? null,
        ...(field?.extent && { extent: field.extent }),
      };
    }),
  );

/** Lists the layers and converts the chosen one into the job's folder. */
async function convert(lib: Gdal, job: GdalConversion): Promise<GdalAnswer> {
  // A link is followed here, because its target is not in the mounted folder.
  const path = realpathSync(resolve(job.path));
  const names = [basename(path), ...(job.beside ?? [])];
  return mounted(lib, dirname(path), names, resolve(job.folder), async name => {
    const inside = job.member ? `/${job.member}` : '';
    const packed = job.member !== null ? '/vsizip/' : path.toLowerCase().endsWith('.gz') ? '/vsigzip/' : '';
    const dataset = openDataset(lib, `${packed}/input/${name}/${basename(path)}${inside}`, job.driver, job.open);
    const layers = layersOf(await lib.ogrinfo(dataset));
    const layer = chosenLayer(layers, job.take.layer);
    // GDAL reports a table that it cannot read as empty.
    if (layer?.count === 0 && complaint !== null) throw new Error(complaint);
    if (layer) await lib.ogr2ogr(dataset, conversionArgs(layer), `${name}/layer`);
    // GDAL delivers the rows before a damaged place and only reports the rest. The reader of geodatabases counts its rows.
    if (complaint !== null && job.driver !== 'OpenFileGDB') throw new Error(complaint);
    await lib.close(dataset);
    return { layers };
  });
}

async function create(lib: Gdal, job: GdalCreation): Promise<GdalAnswer> {
  const folder = resolve(job.folder);
  return mounted(lib, folder, null, folder, async name => {
    const dataset = openDataset(lib, `/input/${name}/${job.virtual}`, job.isRaster ? 'VRT' : 'OGR_VRT');
    if (job.isRaster) await lib.gdal_translate(dataset, job.args, `${name}/${job.name}`);
    else await lib.ogr2ogr(dataset, job.args, `${name}/${job.name}`);
    await lib.close(dataset);
    return renamed === null ? { layers: [] } : { error: `the format cannot have that name: ${renamed}` };
  });
}

/** Answers a job about a raster. What GDAL itself refuses is an answer too: it can go on. */
async function answerRaster(lib: Gdal, job: RasterJob): Promise<GdalAnswer> {
  const mountFile = (file: string, beside: readonly string[]) => {
    const path = realpathSync(resolve(file));
    const { path: folder, leave } = mount(lib, `/input/job${++jobs}`, dirname(path), [basename(path), ...beside]);
    return { path: `${folder}/${basename(path)}`, leave };
  };
  try {
    const raster = await rasterAnswer(lib, job, mountFile, (path, driver) => openDataset(lib, path, driver));
    // Cells behind an error are not those of the file.
    return { layers: [], raster: 'values' in raster && complaint !== null ? { refused: complaint } : raster };
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) throw error;
    const first = (Array.isArray(error) ? error[0] : error) as { message?: string } | undefined;
    return { layers: [], raster: { refused: complaint ?? (first?.message || String(error)) } };
  }
}

/** Does one job in the thread. An error is returned as an answer; the thread is then not used again. */
export default async function work(job: GdalJob | CrsQuestion): Promise<GdalAnswer | CrsAnswer> {
  complaint = null;
  renamed = null;
  try {
    gdal ??= load();
    const lib = await gdal;
    if ('database' in job) return { database: lib.Module.FS.readFile(PROJ_DATABASE) };
    if ('describe' in job || 'from' in job) return answerCrs(lib.Module, job, () => complaint);
    if ('raster' in job) return await answerRaster(lib, job);
    return await ('take' in job ? convert(lib, job) : create(lib, job));
  } catch (error) {
    const first = (Array.isArray(error) ? error[0] : error) as { message?: string } | undefined;
    return { error: complaint ?? (first?.message || String(error)) };
  }
}
