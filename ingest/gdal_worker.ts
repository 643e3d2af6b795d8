import { createRequire } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { chosenLayer, conversionArgs, type GdalAnswer, type GdalJob, type GdalLayer } from './gdal.ts';

const require = createRequire(import.meta.url);

/** What this file uses of the library; its own types lack the file system of the module. */
interface Gdal {
  readonly Module: {
    readonly FS: { mount(type: unknown, options: { root: string }, at: string): void };
    readonly NODEFS: unknown;
  };
  open(path: string, options: string[], handlers: string[]): Promise<{ datasets: { info: { layers: Listed[] } }[] }>;
  ogr2ogr(dataset: object, args: string[], name: string): Promise<unknown>;
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

/** Lists the layers of a dataset and converts the chosen one to layer.fgb in the job's folder. */
async function work(job: GdalJob): Promise<GdalAnswer> {
  const gdal = await load(job.folder);
  const path = resolve(job.path);
  gdal.Module.FS.mount(gdal.Module.NODEFS, { root: dirname(path) }, '/input');
  const inside = job.member ? `/${job.member}` : '';
  const opened = await gdal.open(`/input/${basename(path)}${inside}`, [], job.member === null ? [] : ['vsizip']);
  const dataset = opened.datasets[0]!;
  const layers = dataset.info.layers.map(
    (listed): GdalLayer => ({
      name: listed.name,
      count: listed.featureCount,
      fid: listed.fidColumnName || null,
      geometry: listed.geometryFields.length > 0,
    }),
  );
  const layer = chosenLayer(layers, job.layer);
  if (layer) await gdal.ogr2ogr(dataset, conversionArgs(layer), 'layer');
  return { layers };
}

try {
  parentPort!.postMessage(await work(workerData as GdalJob));
} catch (error) {
  const first = (Array.isArray(error) ? error[0] : error) as { message?: string } | undefined;
  parentPort!.postMessage({ error: first?.message || String(error) } satisfies GdalAnswer);
}
