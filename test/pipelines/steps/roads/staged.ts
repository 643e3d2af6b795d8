import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { catalog, layerOf } from '../../../../datasets/catalog.ts';
import type { RoadsLayer } from '../../../../datasets/dataset.ts';
import type { PlaceLayer } from '../../../../datasets/place/place.ts';
import type { LayerJob } from '../../../../pipelines/steps/layer-job.ts';
import { stageRoads } from '../../../../pipelines/steps/roads/roads.ts';
import { graphIn, readGraphMemory } from '../../../../query/route/shared-graph.ts';

/** Real extracts, where the published files are there. */
export const EXTRACTS = fileURLToPath(new URL('../../../../../shared/data/osm/', import.meta.url));
export const hasExtracts = existsSync(EXTRACTS);

const target = (dataset: string) => layerOf(catalog.datasets, dataset, 'road_graph') as RoadsLayer;
const provenance = {
  source: 'test',
  title: 'Test',
  publisher: 'Test',
  url: null,
  licence: 'CC0-1.0',
  vintage: '2026',
  note: null,
};

/** A file whose columns have the names of the layer's. */
export const layerFor = (dataset: string, file: string, rest: Partial<PlaceLayer> = {}): PlaceLayer => ({
  dataset,
  layer: 'road_graph',
  file,
  columns: Object.fromEntries(Object.keys(target(dataset).columns).map(name => [name, name])),
  provenance,
  ...rest,
});

let jobs = 0;

/** Makes the graph of some files as an ingest does. @param scratch folder that it is written below. */
export async function staged(scratch: string, sources: string, layer: PlaceLayer, ...also: PlaceLayer[]) {
  const place = { name: 'here', title: 'Here', state: 'PA', county: '42043', coverage: { extent: true } } as const;
  const job: LayerJob = { place, sources, folder: join(scratch, String(jobs++)), asOf: '2026-11-24', layer, also };
  const result = await stageRoads(job, target(layer.dataset), () => {});
  const { path } = result.partitions[0]!.files.find(({ role }) => role === 'graph')!;
  return { result, path, graph: graphIn(await readGraphMemory(path)) };
}

/** The graph of a real extract. */
export const stagedExtract = (scratch: string, name: string) =>
  staged(scratch, EXTRACTS, layerFor('osm_roads', `${name}.osm.pbf`, { options: { layer: 'road' } }));
