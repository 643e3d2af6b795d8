import { join } from 'node:path';
import { catalog, layerOf } from '../../datasets/catalog.ts';
import type { TableLayer, VectorLayer } from '../../datasets/dataset.ts';
import { type Box, boxOf, union } from '../../datasets/geometry.ts';
import type { OutputRow } from '../../ingest/writer.ts';
import { addressSourceOf } from '../../query/geocode/index/address-row.ts';
import { loadGeos } from '../../query/geometry/geos.ts';
import { NATIONAL } from '../release/manifest.ts';
import { Dissolve } from './dissolve.ts';
import { stageCoverage } from './ground/coverage.ts';
import { Group } from './group.ts';
import { Intake } from './intake.ts';
import { checkIntake, countOf } from './intake-count.ts';
import { Latest } from './latest.ts';
import { filledByIngest } from './layer-columns.ts';
import type { LayerJob, LayerResult, StagedPartition } from './layer-job.ts';
import { partitionKey } from './partition.ts';
import { PartitionFiles } from './partition-files.ts';
import { Rejects } from './rejected/rejects.ts';

/** Routes finished rows into their partitions. */
class Sink {
  readonly partitions = new Map<string, PartitionFiles>();
  readonly #job: LayerJob;
  readonly #layer: VectorLayer | TableLayer;
  /** Columns that the place maps or the refresh computes. */
  readonly #filled: ReadonlySet<string>;

  constructor(job: LayerJob, layer: VectorLayer | TableLayer) {
    this.#job = job;
    this.#layer = layer;
    this.#filled = new Set([...Object.keys(job.layer.columns), ...filledByIngest(job.layer, layer)]);
  }

  async write(row: OutputRow): Promise<void> {
    const box = row.geometry && boxOf(row.geometry);
    const files = await this.#open(
      partitionKey(this.#layer.partition, this.#job.place, this.#job.layer.national ?? false, box),
    );
    await files.write(row);
  }

  /** A layer without rows still says where there is nothing: it gets one empty partition, which its coverage bounds. */
  async ensureOne(): Promise<void> {
    if (this.partitions.size > 0) return;
    const { partition } = this.#layer;
    const by = typeof partition === 'string' ? partition : 'county';
    await this.#open(partitionKey(by, this.#job.place, this.#job.layer.national ?? false, null));
  }

  async #open(key: string): Promise<PartitionFiles> {
    const { layer } = this.#job;
    let files = this.partitions.get(key);
    if (!files) {
      const source = addressSourceOf(layer.dataset, layer.layer);
      files = await PartitionFiles.open(join(this.#job.folder, String(this.partitions.size)), this.#layer, {
        name: `${layer.dataset}:${layer.layer}`,
        inputOrder: false,
        filled: this.#filled,
        addresses: source && { source, key },
      });
      this.partitions.set(key, files);
    }
    return files;
  }
}

/** Rows that are neither skipped nor rejected, on their way into partitions. */
async function fill(job: LayerJob, intake: Intake, sink: Sink): Promise<number | null> {
  if (job.layer.distinct) {
    const seen = new Set<string>();
    for await (const row of intake.rows()) {
      const values = JSON.stringify(Object.values(row.properties));
      if (seen.has(values)) continue;
      seen.add(values);
      await sink.write(row);
    }
    return seen.size;
  }
  const layer = layerOf(catalog.datasets, job.layer.dataset, job.layer.layer);
  if (job.layer.latest !== undefined && layer.kind === 'vector' && layer.joinKey !== null) {
    const latest = new Latest(layer.joinKey, job.layer.latest);
    for await (const row of intake.rows()) latest.add(row);
    for (const row of latest.rows()) await sink.write(row);
    return latest.size;
  }
  if (job.layer.group !== undefined && layer.kind === 'vector' && layer.joinKey !== null) {
    const group = new Group(layer.joinKey, job.layer.group);
    for await (const row of intake.rows())
      if (!group.add(row)) await intake.reject(row, null, `column ${layer.joinKey}: nothing to group by`);
    for (const row of group.rows()) await sink.write(row);
    return group.size;
  }
  if (job.layer.dissolve === undefined) {
    for await (const row of intake.rows()) await sink.write(row);
    return null;
  }
  const dissolve = new Dissolve(job.layer.dissolve);
  for await (const row of intake.rows())
    if (!dissolve.add(row)) await intake.reject(row, null, `column ${job.layer.dissolve}: nothing to dissolve by`);
  let groups = 0;
  for (const row of dissolve.rows(await loadGeos())) {
    await sink.write(row);
    groups++;
  }
  return groups;
}

/**
 * Builds a layer of features or of rows into staged files: reads, normalises, projects to WGS84, validates, dissolves, partitions, writes.
 * @param report called with the rows read so far, about once a batch.
 * @throws ReadError or LayerError naming file, row and cause; what it wrote stays in `job.folder` for the run to remove.
 */
export async function buildLayer(
  job: LayerJob,
  layer: VectorLayer | TableLayer,
  report: (rows: number) => void,
  signal?: AbortSignal,
): Promise<LayerResult> {
  const coverage = await stageCoverage(job);
  const rejects = new Rejects(job.folder, `${job.layer.dataset}:${job.layer.layer}`, layer);
  const intake = await Intake.open(job, layer, rejects, coverage.ground, report, signal);
  const sink = new Sink(job, layer);
  try {
    const dissolvedTo = await fill(job, intake, sink);
    await sink.ensureOne();
    const place = job.layer.national ? NATIONAL : job.place.name;
    const partitions: StagedPartition[] = [];
    let box: Box | null = null;
    for (const [key, files] of sink.partitions) {
      const done = await files.finish();
      box = union(box, done.box);
      partitions.push({
        key,
        place,
        rows: done.rows,
        box: done.box,
        files: [...done.files, ...coverage.files],
        coverage: coverage.kind,
      });
    }
    checkIntake(job, intake, box, coverage);
    // One partition has what was left out of all: who asks for it looks in every partition of the place.
    const left = await rejects.finish();
    if (partitions[0]) partitions[0] = { ...partitions[0], files: [...partitions[0].files, ...left] };
    const stored = partitions.reduce((sum, p) => sum + p.rows, 0);
    return {
      partitions,
      columns: Object.keys(layer.columns),
      samples: rejects.first,
      counts: [countOf(job, intake, stored, dissolvedTo)],
      examples: [intake.measure.examples()],
    };
  } catch (error) {
    for (const files of sink.partitions.values()) await files.abort();
    await rejects.abort();
    throw error;
  } finally {
    await intake.close();
  }
}
