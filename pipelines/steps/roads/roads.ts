import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RoadsLayer } from '../../../datasets/dataset.ts';
import type { Geometry } from '../../../datasets/geometry.ts';
import type { PlaceLayer } from '../../../datasets/place/place.ts';
import type { IngestCount } from '../../../datasets/release.ts';
import { projectRows, resolveCrs, statedCrs } from '../../../ingest/crs.ts';
import { openSource } from '../../../ingest/format.ts';
import type { Row } from '../../../ingest/reader.ts';
import { missingColumns } from '../../../ingest/reader.ts';
import { distance } from '../../../query/geometry/geodesic.ts';
import { buildGraph, NoRoads } from '../../../query/route/graph-builder.ts';
import { graphBytes } from '../../../query/route/graph-file.ts';
import { RoadLines, UNITS } from '../../../query/route/road-lines.ts';
import { NATIONAL } from '../../release/manifest.ts';
import { stageCoverage } from '../ground/coverage.ts';
import { columnsNeeded } from '../layer-columns.ts';
import { LayerError, type LayerJob, type LayerResult } from '../layer-job.ts';
import { compileColumns, compileTest } from '../normalise.ts';
import { partitionKey } from '../partition.ts';
import { type Examples, Measure } from '../quality/measure.ts';
import { osm } from './osm.ts';
import { tiger } from './tiger.ts';
import type { RoadModel, RoadRow, Way } from './way.ts';

const MODELS: Readonly<Record<RoadsLayer['model'], RoadModel>> = { osm, tiger };

const isLine = ({ type }: Geometry) => type === 'LineString' || type === 'MultiLineString';

function kilometres(xy: Float64Array): number {
  let metres = 0;
  for (let i = 0; i + 3 < xy.length; i += 2) metres += distance(xy[i]!, xy[i + 1]!, xy[i + 2]!, xy[i + 3]!);
  return metres / 1000;
}

/** The roads of a place, file after file; turns name roads that may stand anywhere, so they come last. */
class Gathered {
  readonly lines = new RoadLines();
  readonly #model: RoadModel;
  /** Pieces of each road by its name. */
  readonly #named = new Map<string, number[]>();
  readonly #turns: { row: RoadRow; at: Float64Array }[] = [];

  constructor(model: RoadModel) {
    this.#model = model;
  }

  /** @returns whether it is something that cars meet with. */
  add(row: RoadRow, geometry: Geometry | null): boolean {
    if (!geometry) return false;
    if (geometry.type === 'Point') {
      if (this.#model.turn(row) === null) return false;
      this.#turns.push({ row, at: geometry.xy });
      return true;
    }
    const way = isLine(geometry) ? this.#model.way(row) : null;
    if (!way) return false;
    const id = this.#model.id(row);
    let start = 0;
    for (const end of geometry.ends) {
      const road = this.#line(geometry.xy.subarray(2 * start, 2 * end), way);
      start = end;
      if (id !== null) this.#named.set(id, [...(this.#named.get(id) ?? []), road]);
    }
    return true;
  }

  #line(xy: Float64Array, { forward, backward, ferryHours }: Way): number {
    if (ferryHours === undefined || ferryHours === null)
      return this.lines.add(xy, forward, backward, ferryHours === null);
    const speed = Math.max(1, kilometres(xy) / ferryHours);
    return this.lines.add(xy, forward && speed, backward && speed, true);
  }

  finish(): RoadLines {
    for (const { row, at } of this.#turns) {
      const turn = this.#model.turn(row)!;
      const [lng, lat] = [Math.round(at[0]! * UNITS), Math.round(at[1]! * UNITS)];
      // A road cut in pieces by the extract's edge meets the junction with one of them.
      for (const from of this.#named.get(turn.from) ?? [])
        for (const to of this.#named.get(turn.to) ?? []) this.lines.forbid({ from, to, lng, lat, only: turn.only });
    }
    return this.lines;
  }
}

/** Reads one file. @returns what became of its rows. */
async function gather(
  job: LayerJob,
  layer: PlaceLayer,
  target: RoadsLayer,
  into: Gathered,
  report: (rows: number) => void,
  signal?: AbortSignal,
): Promise<{ count: IngestCount; examples: Examples }> {
  const { file, format, options } = layer;
  const source = await openSource(join(job.sources, file), { format, options: options ?? {} });
  const measure = new Measure(Object.keys(layer.columns), target.columns, null);
  let [read, written] = [0, 0];
  try {
    const missing = columnsNeeded(layer).filter(name => !source.columns.includes(name));
    if (source.columns.length > 0 && missing.length > 0)
      throw new LayerError(`${file}: ${missingColumns(missing, source.columns)}`);
    const crs = await resolveCrs(statedCrs(source.crs, options ?? {}), file);
    const normalise = compileColumns(layer.columns, target.columns, job.asOf, name => measure.tallyOf(name));
    const where = layer.where ? compileTest(layer.where, job.asOf) : null;
    const take = (row: Row) => {
      if (where && !where(row.properties)) return;
      const values = normalise(row.properties, true);
      if (!into.add(values, row.geometry)) return;
      written++;
      measure.row(row.number, values);
    };
    for await (const rows of source.rows(signal)) {
      for (const row of await projectRows(crs, rows)) take(row);
      read += rows.length;
      report(read);
    }
  } finally {
    await source.close();
  }
  const { dataset, layer: name, provenance } = layer;
  const count: IngestCount = {
    place: job.place.name,
    dataset,
    layer: name,
    file,
    read,
    written,
    skipped: read - written,
    rejected: 0,
    repaired: 0,
    dissolvedTo: null,
    quality: measure.quality(provenance.vintage),
  };
  return { count, examples: measure.examples() };
}

/**
 * Makes one road graph of all files that a place brings of a layer. What cars do not drive on is skipped; of a road that
 * the extract cuts, the pieces inside are kept.
 * @throws LayerError when nothing is left; ReadError naming the file.
 */
export async function stageRoads(
  job: LayerJob,
  target: RoadsLayer,
  report: (rows: number) => void,
  signal?: AbortSignal,
): Promise<LayerResult> {
  mkdirSync(job.folder, { recursive: true });
  const layers = [job.layer, ...(job.also ?? [])];
  const gathered = new Gathered(MODELS[target.model]);
  const done: Awaited<ReturnType<typeof gather>>[] = [];
  for (const layer of layers) done.push(await gather(job, layer, target, gathered, report, signal));
  const coverage = await stageCoverage(job);
  const counts = done.map(({ count }) => count);
  const rows = counts.reduce((sum, { written }) => sum + written, 0);
  const path = join(job.folder, 'roads.graph');
  let box: readonly [number, number, number, number];
  try {
    const graph = buildGraph(gathered.finish(), () => signal?.throwIfAborted());
    writeFileSync(path, graphBytes(graph));
    ({ box } = graph.facts);
  } catch (error) {
    if (!(error instanceof NoRoads)) throw error;
    throw new LayerError(`${layers.map(({ file }) => file).join(', ')}: ${error.message}`);
  }
  return {
    columns: Object.keys(target.columns),
    samples: [],
    examples: done.map(({ examples }) => examples),
    counts,
    partitions: [
      {
        key: partitionKey(target.partition, job.place, job.layer.national ?? false, null),
        place: job.layer.national ? NATIONAL : job.place.name,
        rows,
        box,
        files: [{ role: 'graph', path, rows }, ...coverage.files],
        coverage: coverage.kind,
      },
    ],
  };
}
