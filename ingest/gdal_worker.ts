import { createRequire } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { chosenLayer, conversionArgs, type GdalAnswer, type GdalJob, type GdalLayer, gridArgs } from './gdal.ts';

const require = createRequire(import.meta.url);

/** What this file uses of the library; its own types lack the file system of the module. */
interface Gdal {
  readonly Module: {
    readonly FS: { mount(type: unknown, options: { root: string }, at: string): void };
    readonly NODEFS: unknown;
  };
  open(path: string, options: string[], handlers: string[]): Promise<{ datasets: { info: { layers: Listed[] } }[] }>;
  ogr2ogr(dataset: object, args: string[], name: string): Promise<unknown>;
  gdal_translate(dataset: object, args: string[], name: string): Promise<unknown>;
}

interface Listed {
  readonly name: string;
  readonly featureCount: number;
  readonly fidColumnName?: string;
  readonly geometryFields: readonly unknown[];
}

/** Loaded as CommonJS, which it is; its types describe the browser's build alone. */
const initGdalJs = require('gdal3.js/node.js') as (config: object) => Promise<Gdal>;

async function load(folder: string): Promise<Gdal> {
  const dist = join(dirname(require.resolve('gdal3.js/package.json')), 'dist/package');
  const silent = () => {};
  // The library puts "./" before the path of its own files.
  const config = { path: relative(process.cwd(), dist), dest: folder, logHandler: silent, errorHandler: silent };
  return initGdalJs(config);
}

/** Converts the grid, or lists the layers and converts the chosen one, into the job's folder. */
async function work(job: GdalJob): Promise<GdalAnswer> {
  const gdal = await load(job.folder);
  const path = resolve(job.path);
  gdal.Module.FS.mount(gdal.Module.NODEFS, { root: dirname(path) }, '/input');
  const inside = job.member ? `/${job.member}` : '';
  const packed = job.member !== null ? ['vsizip'] : path.toLowerCase().endsWith('.gz') ? ['vsigzip'] : [];
  const opened = await gdal.open(`/input/${basename(path)}${inside}`, [], packed);
  const dataset = opened.datasets[0]!;
  const { take } = job;
  if ('gridCrs' in take) {
    await gdal.gdal_translate(dataset, gridArgs(take.gridCrs), 'grid');
    return { layers: [] };
  }
  const layers = dataset.info.layers.map(
    (listed): GdalLayer => ({
      name: listed.name,
      count: listed.featureCount,
      fid: listed.fidColumnName || null,
      geometry: listed.geometryFields.length > 0,
    }),
  );
  const layer = chosenLayer(layers, take.layer);
  if (layer) await gdal.ogr2ogr(dataset, conversionArgs(layer), 'layer');
  return { layers };
}

try {
  parentPort!.postMessage(await work(workerData as GdalJob));
} catch (error) {
  const first = (Array.isArray(error) ? error[0] : error) as { message?: string } | undefined;
  parentPort!.postMessage({ error: first?.message || String(error) } satisfies GdalAnswer);
}
