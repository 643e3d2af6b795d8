import { join } from 'node:path';
import { catalog, layerOf } from '../../../datasets/catalog.ts';
import { type Box, boxOf, type Geometry, union } from '../../../datasets/geometry.ts';
import { projectRows, resolveCrs, statedCrs } from '../../../ingest/crs.ts';
import { openSource } from '../../../ingest/format.ts';
import type { LayerJob, LayerResult } from '../../steps/layer-job.ts';
import { rejectsOf } from '../trial/reasons.ts';
import { type LayerTrial, type TrialOptions, tryPlace } from '../trial/trial.ts';

/** A layer to draw, geometries in lng,lat. */
interface DrawnLayer {
  readonly name: string;
  readonly file: string;
  readonly kind: 'point' | 'line' | 'polygon';
  readonly national: boolean;
  readonly geometries: readonly Geometry[];
}

/** A row that was left out. */
interface DrawnReject {
  readonly layer: string;
  readonly file: string;
  readonly row: number;
  readonly reason: string;
  /** Geometry of the file in lng,lat; null if it has none that can be projected. */
  readonly geometry: Geometry | null;
}

/** The content of a map. */
export interface MapContent {
  readonly title: string;
  readonly layers: readonly DrawnLayer[];
  readonly rejects: readonly DrawnReject[];
  /** Layers that failed as a whole, with the error. */
  readonly failed: readonly { readonly layer: string; readonly error: string }[];
  /** lng,lat box of the map. */
  readonly view: Box;
}

/** Box (lng,lat degrees) of the map for a place without features. */
const NOWHERE: Box = [-125, 24, -66, 50];

/** Returns the geometries that were written, from the staged files. */
async function written(result: LayerResult): Promise<Geometry[]> {
  const geometries: Geometry[] = [];
  const files = result.partitions.flatMap(p => p.files.filter(f => f.role === 'features' && f.path.endsWith('.fgb')));
  for (const { path } of files) {
    const source = await openSource(path);
    try {
      for await (const batch of source.rows())
        for (const { geometry } of batch) if (geometry) geometries.push(geometry);
    } finally {
      await source.close();
    }
  }
  return geometries;
}

/** Returns the rejected rows of a layer with their geometries, which needs a second reading of the file. */
async function rejected(result: LayerResult, { layer, sources }: LayerJob): Promise<DrawnReject[]> {
  const reasons = new Map<number, string>();
  for await (const { row, action, reason } of rejectsOf(result)) if (action === 'rejected') reasons.set(row, reason);
  if (reasons.size === 0) return [];
  const name = `${layer.dataset}:${layer.layer}`;
  const found: DrawnReject[] = [];
  const source = await openSource(join(sources, layer.file), { format: layer.format, options: layer.options ?? {} });
  try {
    const crs = statedCrs(source.crs, layer.options ?? {});
    const system = crs === null ? null : await resolveCrs(crs, layer.file);
    for await (const batch of source.rows()) {
      const drawn = batch.filter(({ number }) => reasons.has(number));
      for (const { number, geometry } of system ? await projectRows(system, drawn) : drawn) {
        const usable = system && geometry?.xy.length && geometry.xy.every(Number.isFinite) ? geometry : null;
        found.push({ layer: name, file: layer.file, row: number, reason: reasons.get(number)!, geometry: usable });
      }
    }
  } finally {
    await source.close();
  }
  return found;
}

/** Returns the box of the local features, without the few that lie far off. */
function viewOf(layers: readonly DrawnLayer[]): Box {
  const local = layers.filter(layer => !layer.national);
  const boxes = (local.length > 0 ? local : layers).flatMap(layer => layer.geometries.map(boxOf));
  if (boxes.length === 0) return NOWHERE;
  const centre = (axis: 0 | 1) => {
    const values = boxes.map(box => (box[axis] + box[axis + 2]!) / 2).sort((x, y) => x - y);
    return values[Math.floor(values.length / 2)]!;
  };
  const [x, y] = [centre(0), centre(1)];
  const near = boxes.filter(([a, b, c, d]) => Math.abs((a + c) / 2 - x) < 1.5 && Math.abs((b + d) / 2 - y) < 1.5);
  return near.reduce<Box | null>(union, null) ?? NOWHERE;
}

/** Builds the layers of a valid place and returns the written and the rejected rows. @throws as tryPlace. */
export async function collectMap(options: TrialOptions): Promise<MapContent> {
  const layers: DrawnLayer[] = [];
  const rejects: DrawnReject[] = [];
  const trials: LayerTrial[] = await tryPlace(options, async ({ layer, result }, job) => {
    const target = layerOf(catalog.datasets, layer.dataset, layer.layer);
    if (!result || target.kind !== 'vector') return;
    layers.push({
      name: `${layer.dataset}:${layer.layer}`,
      file: layer.file,
      kind: layer.geometry ?? target.geometry,
      national: layer.national ?? false,
      geometries: await written(result),
    });
    rejects.push(...(await rejected(result, job)));
  });
  const view = viewOf(layers);
  const seen = ([a, b, c, d]: Box) => a <= view[2] && c >= view[0] && b <= view[3] && d >= view[1];
  return {
    title: options.place.title,
    view,
    // Draw only those features of a national file that reach the place.
    layers: layers.map(l => (l.national ? { ...l, geometries: l.geometries.filter(g => seen(boxOf(g))) } : l)),
    rejects,
    failed: trials.flatMap(({ layer, error }) =>
      error === null ? [] : [{ layer: `${layer.dataset}:${layer.layer} ${layer.file}`, error }],
    ),
  };
}
