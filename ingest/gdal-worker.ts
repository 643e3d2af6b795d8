import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { workerData } from 'piscina';
import { answerCrs, type GdalModule } from './crs/proj.ts';
import {
  type CrsAnswer,
  type CrsQuestion,
  chosenLayer,
  conversionArgs,
  type GdalAnswer,
  type GdalConversion,
  type GdalGeodatabase,
  type GdalJob,
  type GdalLayer,
  GEODATABASE_ARGS,
  gridArgs,
} from './gdal-job.ts';

const require = createRequire(import.meta.url);

/** The members of the library that this file uses; the library's own types lack the file system of the module. */
interface Gdal {
  readonly Module: GdalModule & {
    readonly FS: {
      readonly ErrnoError: new (code: number) => Error;
      mkdir(path: string): void;
      rmdir(path: string): void;
      mount(type: FileSystem, options: { root: string }, at: string): void;
      unmount(at: string): void;
    };
    readonly NODEFS: FileSystem;
    ccall(name: string, result: 'number' | 'string', types: readonly string[], values: readonly unknown[]): number;
    _malloc(bytes: number): number;
    _free(pointer: number): void;
    setValue(pointer: number, value: number, type: '*'): void;
    stringToUTF8(text: string, pointer: number, bytes: number): void;
    lengthBytesUTF8(text: string): number;
  };
  ogrinfo(dataset: OpenDataset): Promise<Listing>;
  close(dataset: OpenDataset): Promise<void>;
  ogr2ogr(dataset: OpenDataset, args: readonly string[], name: string): Promise<unknown>;
  gdal_translate(dataset: OpenDataset, args: readonly string[], name: string): Promise<unknown>;
}

/** A kind of file system of the module, and the operations of a folder. */
interface FileSystem {
  mount(options: unknown): { node_ops: FolderOps };
}
interface FolderOps {
  lookup(parent: unknown, name: string): unknown;
  readdir(node: unknown): string[];
}

/** A dataset as the functions of the library take it. */
interface OpenDataset {
  readonly pointer: number;
  readonly path: string;
}

/** What ogrinfo says of a dataset. */
interface Listing {
  readonly layers: readonly Listed[];
}

interface Listed {
  readonly name: string;
  readonly featureCount: number;
  readonly fidColumnName?: string;
  readonly geometryFields: readonly unknown[];
}

/** The library is CommonJS; its types describe only the build for browsers. */
const initGdalJs = require('gdal3.js/node.js') as (config: object) => Promise<Gdal>;

/** Where the module sees the folder of the operator's grids. */
const GRIDS = '/grids';

let gdal: Promise<Gdal> | null = null;
let jobs = 0;
/** First error of the current job: the last message of GDAL often only says that something failed before. */
let complaint: string | null = null;
/** The message about a name that GDAL changed because a geodatabase cannot have it. */
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

/**
 * Mounts two folders of the machine and runs `work`. Each job gets new names for them, because GDAL remembers the directory of a
 * zip by its name. The library writes below /output.
 * @param names files of the input folder that GDAL sees; null for all.
 */
async function mounted<T>(
  { Module }: Gdal,
  input: string,
  names: readonly string[] | null,
  output: string,
  work: (name: string) => Promise<T>,
) {
  const { FS, NODEFS } = Module;
  const name = `job${++jobs}`;
  const folders = [
    [`/input/${name}`, input, names ? onlyFiles(Module, names) : NODEFS],
    [`/output/${name}`, output, NODEFS],
  ] as const;
  for (const [at, root, type] of folders) {
    FS.mkdir(at);
    FS.mount(type, { root }, at);
  }
  const done: T = await work(name);
  for (const [at] of folders) {
    FS.unmount(at);
    FS.rmdir(at);
  }
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

const layersOf = ({ layers }: Listing) =>
  layers.map(
    (listed): GdalLayer => ({
      name: listed.name,
      count: listed.featureCount,
      fid: listed.fidColumnName || null,
      geometry: listed.geometryFields.length > 0,
    }),
  );

/** Converts the grid, or lists the layers and converts the chosen one, into the job's folder. */
async function convert(lib: Gdal, job: GdalConversion): Promise<GdalAnswer> {
  // A link is followed here, because its target is not in the mounted folder.
  const path = realpathSync(resolve(job.path));
  const names = [basename(path), ...(job.beside ?? [])];
  return mounted(lib, dirname(path), names, resolve(job.folder), async name => {
    const inside = job.member ? `/${job.member}` : '';
    const packed = job.member !== null ? '/vsizip/' : path.toLowerCase().endsWith('.gz') ? '/vsigzip/' : '';
    const dataset = openDataset(lib, `${packed}/input/${name}/${basename(path)}${inside}`, job.driver, job.open);
    const { take } = job;
    let layers: GdalLayer[] = [];
    if ('gridCrs' in take) await lib.gdal_translate(dataset, gridArgs(take.gridCrs), `${name}/grid`);
    else {
      layers = layersOf(await lib.ogrinfo(dataset));
      const layer = chosenLayer(layers, take.layer);
      // GDAL reports a table that it cannot read as empty.
      if (layer?.count === 0 && complaint !== null) throw new Error(complaint);
      if (layer) await lib.ogr2ogr(dataset, conversionArgs(layer), `${name}/layer`);
      // GDAL delivers the rows before a damaged place and only reports the rest. The reader of geodatabases counts its rows.
      if (complaint !== null && job.driver !== 'OpenFileGDB') throw new Error(complaint);
    }
    await lib.close(dataset);
    return { layers };
  });
}

async function build(lib: Gdal, job: GdalGeodatabase): Promise<GdalAnswer> {
  const folder = resolve(job.folder);
  return mounted(lib, folder, null, folder, async name => {
    const dataset = openDataset(lib, `/input/${name}/${job.layers}`, 'OGR_VRT');
    const layers = layersOf(await lib.ogrinfo(dataset));
    await lib.ogr2ogr(dataset, GEODATABASE_ARGS, `${name}/${job.name}`);
    await lib.close(dataset);
    return renamed === null ? { layers } : { error: `a geodatabase cannot have that name: ${renamed}` };
  });
}

/** Does one job in the thread. An error is returned as an answer; the thread is then not used again. */
export default async function work(job: GdalJob | CrsQuestion): Promise<GdalAnswer | CrsAnswer> {
  complaint = null;
  renamed = null;
  try {
    gdal ??= load();
    const lib = await gdal;
    if ('describe' in job || 'from' in job) return answerCrs(lib.Module, job, () => complaint);
    return await ('take' in job ? convert(lib, job) : build(lib, job));
  } catch (error) {
    const first = (Array.isArray(error) ? error[0] : error) as { message?: string } | undefined;
    return { error: complaint ?? (first?.message || String(error)) };
  }
}
