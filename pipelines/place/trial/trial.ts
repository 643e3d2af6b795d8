import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { catalog, layerOf } from '../../../datasets/catalog.ts';
import type { Place, PlaceLayer } from '../../../datasets/place/place.ts';
import { openSource } from '../../../ingest/format.ts';
import { isParcelLayer } from '../../release/parcel-layer.ts';
import { countyGrounds } from '../../steps/ground/county-ground.ts';
import type { LayerJob, LayerResult } from '../../steps/layer-job.ts';
import { carryOut } from '../../steps/layer-worker.ts';
import { partitionKey } from '../../steps/partition.ts';
import { rowsIn } from '../../steps/thinned.ts';

/** The result of a trial ingest of one layer. */
export interface LayerTrial {
  readonly layer: PlaceLayer;
  /** Every n-th row was read. */
  readonly every: number;
  /** Null if the layer failed as a whole. */
  readonly result: LayerResult | null;
  /** Why it failed. */
  readonly error: string | null;
}

/** Receives the result of a layer while its files exist; they are removed when the function has returned. */
type Visit = (trial: LayerTrial, job: LayerJob) => Promise<void>;

export interface TrialOptions {
  readonly place: Place;
  readonly sources: string;
  /** Number of rows of a layer to read, spread over its file; null for all. */
  readonly rows: number | null;
  readonly signal?: AbortSignal;
  readonly progress?: (line: string) => void;
}

/** Returns the step n (every n-th row) that reads about `rows` rows of a file. A raster is read completely. */
async function stepOf(layer: PlaceLayer, sources: string, rows: number | null, signal?: AbortSignal): Promise<number> {
  if (rows === null || layerOf(catalog.datasets, layer.dataset, layer.layer).kind === 'raster') return 1;
  const { format, options, file } = layer;
  const source = await openSource(join(sources, file), { format, options: options ?? {} });
  try {
    return Math.max(1, Math.ceil((await rowsIn(source, signal)) / rows));
  } finally {
    await source.close();
  }
}

/** Builds one layer; parcels are built as a county that holds only their file. */
function buildOne(job: LayerJob, signal: AbortSignal = new AbortController().signal): Promise<LayerResult> {
  const { layer, ...common } = job;
  if (!isParcelLayer(layer)) return carryOut(job, () => {}, signal);
  const key = partitionKey('county', job.place, layer.national ?? false, null);
  return carryOut({ ...common, key, layers: [layer], before: [] }, () => {}, signal);
}

/**
 * Builds the layers of a valid place in a temporary folder, as an ingest would. It publishes nothing and leaves no files behind.
 * If a layer fails, the others are still tried.
 * @throws the reason with which `signal` was aborted.
 */
export async function tryPlace(options: TrialOptions, visit: Visit): Promise<LayerTrial[]> {
  const { place, sources, signal } = options;
  const { layers, ...head } = place;
  const asOf = new Date().toISOString().slice(0, 10);
  const counties = await countyGrounds(place, sources, asOf);
  const folder = await mkdtemp(join(tmpdir(), 'plat-place-'));
  const trials: LayerTrial[] = [];
  try {
    for (const [i, layer] of layers.entries()) {
      signal?.throwIfAborted();
      options.progress?.(`${layer.dataset}:${layer.layer} ${layer.file}`);
      let every = 1;
      // A sample has fewer rows than the file, so the expected number of rows does not apply.
      const { expectRows: _, ...rest } = layer;
      const job = {
        place: { ...head, state: layer.state ?? head.state, county: layer.county ?? head.county },
        layer: rest,
        sources,
        folder: join(folder, String(i)),
        asOf,
        countyBox: counties.get(layer.county ?? head.county ?? ''),
        mapped: layers.map(({ file }) => file),
      };
      let trial: LayerTrial;
      try {
        every = await stepOf(layer, sources, options.rows, signal);
        const result = await buildOne({ ...job, every }, signal);
        trial = { layer, every, result, error: null };
      } catch (error) {
        signal?.throwIfAborted();
        trial = { layer, every, result: null, error: (error as Error).message };
      }
      trials.push(trial);
      await visit(trial, { ...job, every });
      await rm(job.folder, { recursive: true, force: true });
    }
    return trials;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
