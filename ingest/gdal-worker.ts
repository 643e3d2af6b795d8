import { createRequire } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import {
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
  readonly Module: {
    readonly FS: {
      mkdir(path: string): void;
      rmdir(path: string): void;
      mount(type: unknown, options: { root: string }, at: string): void;
      unmount(at: string): void;
    };
    readonly NODEFS: unknown;
  };
  open(path: string, options: string[], handlers: string[]): Promise<{ datasets: GdalDataset[] }>;
  close(dataset: GdalDataset): Promise<void>;
  ogr2ogr(dataset: GdalDataset, args: readonly string[], name: string): Promise<unknown>;
  gdal_translate(dataset: GdalDataset, args: readonly string[], name: string): Promise<unknown>;
}

interface GdalDataset {
  readonly info: { readonly layers: readonly Listed[] };
}

interface Listed {
  readonly name: string;
  readonly featureCount: number;
  readonly fidColumnName?: string;
  readonly geometryFields: readonly unknown[];
}

/** The library is CommonJS; its types describe only the build for browsers. */
const initGdalJs = require('gdal3.js/node.js') as (config: object) => Promise<Gdal>;

let gdal: Promise<Gdal> | null = null;
let jobs = 0;
/** First error of the current job: the last message of GDAL often only says that something failed before. */
let complaint: string | null = null;
/** The message about a name that GDAL changed because a geodatabase cannot have it. */
let renamed: string | null = null;

async function load(): Promise<Gdal> {
  const dist = join(dirname(require.resolve('gdal3.js/package.json')), 'dist/package');
  return initGdalJs({
    // The library puts "./" before the path of its own files.
    path: relative(process.cwd(), dist),
    logHandler: () => {},
    errorHandler: (line: string) => {
      complaint ??= /^ERROR \d+: (.*)/.exec(line)?.[1] ?? null;
      renamed ??= /laundered (?:field|layer) name: (.*)/.exec(line)?.[1] ?? null;
    },
    // The identifiers inside a geodatabase then depend on how many this thread made before, not on the time.
    env: { OPENFILEGDB_REPRODUCIBLE_UUID: 'YES' },
  });
}

/**
 * Mounts two folders of the machine and runs `work`. Each job gets new names for them, because GDAL remembers the directory of a
 * zip by its name. The library opens only paths below /input, and writes below /output.
 */
async function mounted<T>({ Module }: Gdal, input: string, output: string, work: (name: string) => Promise<T>) {
  const { FS, NODEFS } = Module;
  const name = `job${++jobs}`;
  const folders = [
    [`/input/${name}`, input],
    [`/output/${name}`, output],
  ] as const;
  for (const [at, root] of folders) {
    FS.mkdir(at);
    FS.mount(NODEFS, { root }, at);
  }
  const done: T = await work(name);
  for (const [at] of folders) {
    FS.unmount(at);
    FS.rmdir(at);
  }
  return done;
}

const layersOf = ({ info }: GdalDataset) =>
  info.layers.map(
    (listed): GdalLayer => ({
      name: listed.name,
      count: listed.featureCount,
      fid: listed.fidColumnName || null,
      geometry: listed.geometryFields.length > 0,
    }),
  );

/** Converts the grid, or lists the layers and converts the chosen one, into the job's folder. */
async function convert(lib: Gdal, job: GdalConversion): Promise<GdalAnswer> {
  const path = resolve(job.path);
  return mounted(lib, dirname(path), resolve(job.folder), async name => {
    const inside = job.member ? `/${job.member}` : '';
    const packed = job.member !== null ? ['vsizip'] : path.toLowerCase().endsWith('.gz') ? ['vsigzip'] : [];
    const { datasets } = await lib.open(`/input/${name}/${basename(path)}${inside}`, [], packed);
    const dataset = datasets[0]!;
    const { take } = job;
    let layers: GdalLayer[] = [];
    if ('gridCrs' in take) await lib.gdal_translate(dataset, gridArgs(take.gridCrs), `${name}/grid`);
    else {
      layers = layersOf(dataset);
      const layer = chosenLayer(layers, take.layer);
      // GDAL reports a table that it cannot read as empty.
      if (layer?.count === 0 && complaint !== null) throw new Error(complaint);
      if (layer) await lib.ogr2ogr(dataset, conversionArgs(layer), `${name}/layer`);
    }
    await lib.close(dataset);
    return { layers };
  });
}

async function build(lib: Gdal, job: GdalGeodatabase): Promise<GdalAnswer> {
  const folder = resolve(job.folder);
  return mounted(lib, folder, folder, async name => {
    const { datasets } = await lib.open(`/input/${name}/${job.layers}`, [], []);
    const dataset = datasets[0]!;
    const layers = layersOf(dataset);
    await lib.ogr2ogr(dataset, GEODATABASE_ARGS, `${name}/${job.name}`);
    await lib.close(dataset);
    return renamed === null ? { layers } : { error: `a geodatabase cannot have that name: ${renamed}` };
  });
}

/** Does one job in the thread. An error is returned as an answer; the thread is then not used again. */
export default async function work(job: GdalJob): Promise<GdalAnswer> {
  complaint = null;
  renamed = null;
  try {
    gdal ??= load();
    const lib = await gdal;
    return await ('take' in job ? convert(lib, job) : build(lib, job));
  } catch (error) {
    const first = (Array.isArray(error) ? error[0] : error) as { message?: string } | undefined;
    return { error: complaint ?? (first?.message || String(error)) };
  }
}
