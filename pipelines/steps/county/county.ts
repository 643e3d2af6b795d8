import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalog, layerOf } from '../../../datasets/catalog.ts';
import type { VectorLayer } from '../../../datasets/dataset.ts';
import { type Box, boxOf, union } from '../../../datasets/geometry.ts';
import type { IngestCount } from '../../../datasets/release.ts';
import { encodeNeighbours } from '../../../query/assemblage/neighbour-file.ts';
import { neighboursOf } from '../../../query/assemblage/neighbours.ts';
import { FeatureFile } from '../../../query/format/flatgeobuf.ts';
import { addressSourceOf } from '../../../query/geocode/index/address-row.ts';
import type { StagedFile } from '../../../query/release/home/store.ts';
import { NameIndexBuilder } from '../../../query/suggest/name-index-builder.ts';
import { NATIONAL } from '../../release/manifest.ts';
import { PARCEL_LAYER } from '../../release/parcel-layer.ts';
import { AddressFile } from '../address-file.ts';
import { type StagedCoverage, stageCoverage } from '../ground/coverage.ts';
import { Intake } from '../intake.ts';
import { checkIntake, countOf } from '../intake-count.ts';
import { type CountyJob, LayerError, type LayerJob, type LayerResult, type StagedPart } from '../layer-job.ts';
import { PartitionFiles } from '../partition-files.ts';
import { Rejects } from '../rejected/rejects.ts';
import { Parcels } from './parcels.ts';
import type { StoredParcels } from './stored-parcels.ts';

/** A file that fills a county, before its rows are counted. */
type Source = Pick<StagedPart, 'layer' | 'kept' | 'place'>;

/** Returns every file that fills the county, sorted by place, so that the order of ingests does not matter. */
function sourcesOf({ place, layers, before }: CountyJob): Source[] {
  const kept = before.flatMap(file => file.parts.filter(part => part.kept).map(({ part }) => part));
  const sources: Source[] = [
    ...kept.map(part => ({ layer: null, kept: part, place: part.place })),
    ...layers.map((layer, i) => ({ layer: i, kept: null, place: layer.national ? NATIONAL : place.name })),
  ];
  return sources.sort((a, b) => Number(a.place > b.place) - Number(a.place < b.place));
}

function storedOf({ key, before }: CountyJob, sources: readonly Source[], several: boolean): StoredParcels[] {
  const kept = [...new Set(sources.filter(source => source.kept).map(({ place }) => place))].join(', ');
  return before.map(({ path, parts }) => ({
    path,
    of: `The parcels of ${kept} in ${key}`,
    parts: parts.map(({ part, kept }) =>
      kept ? { number: several ? sources.findIndex(source => source.kept === part) : null } : null,
    ),
  }));
}

/** What was read of one layer while the files are written. */
interface Read {
  readonly job: LayerJob;
  readonly intake: Intake;
  readonly coverage: StagedCoverage;
  readonly box: Box | null;
}

/** Returns the columns that at least one file fills. */
function filledOf(layer: VectorLayer, { layers }: CountyJob, sources: readonly Source[]): Set<string> {
  const unpublished = sources.map(source => source.kept?.unpublished ?? layers[source.layer!]!.unpublished ?? []);
  return new Set(Object.keys(layer.columns).filter(name => !unpublished.every(list => list.includes(name))));
}

/**
 * Builds the parcels of one county into staged files: those of every layer of the place, and the stored ones of other places. All
 * have one order and one numbering, because a row number must mean one parcel of a county.
 * @param report called with the number of rows read so far, about once for each batch.
 * @throws ReadError or LayerError naming file, row and cause; what it wrote stays in `job.folder` for the run to remove.
 */
export async function buildCounty(
  job: CountyJob,
  report: (rows: number) => void = () => {},
  signal?: AbortSignal,
): Promise<LayerResult> {
  mkdirSync(job.folder, { recursive: true });
  const layer = layerOf(catalog.datasets, PARCEL_LAYER.dataset, PARCEL_LAYER.layer) as VectorLayer;
  const sources = sourcesOf(job);
  const several = sources.length > 1;
  const stored = storedOf(job, sources, several);
  const ended = job.before.flatMap(file => file.ended ?? []);
  const stacks = job.before.flatMap(file => file.stacks ?? []);
  const parcels = await Parcels.create(join(job.folder, 'spool'), job.place, stored, ended, stacks);
  const read: Read[] = [];
  const numbers = sources.map((_, i) => i);
  const addresses = numbers.map(
    i =>
      new AddressFile(
        join(job.folder, `${i}.adr`),
        addressSourceOf(PARCEL_LAYER.dataset, PARCEL_LAYER.layer)!,
        job.key,
      ),
  );
  const files = await PartitionFiles.open(job.folder, layer, {
    name: `${PARCEL_LAYER.dataset}:${PARCEL_LAYER.layer}`,
    inputOrder: true,
    filled: filledOf(layer, job, sources),
    addresses: null,
  });
  try {
    let before = 0;
    for (const [i, own] of job.layers.entries()) {
      const { key: _key, layers: _layers, before: _before, ...common } = job;
      const part = { ...common, layer: own, folder: join(job.folder, String(i)) };
      mkdirSync(part.folder, { recursive: true });
      const number = sources.findIndex(source => source.layer === i);
      const taken = await take(part, layer, parcels, several ? number : null, rows => report(before + rows), signal);
      read.push(taken);
      checkIntake(part, taken.intake, taken.box, taken.coverage);
      before += taken.intake.read;
    }
    const names = new NameIndexBuilder();
    const rows = numbers.map(() => 0);
    for await (const row of parcels.rows()) {
      const part = Number(row.properties.part ?? 0);
      rows[part]!++;
      await files.write(row);
      addresses[part]!.write(row);
      names.add(row.properties);
    }
    const done = await files.finish();
    const called = { role: 'names' as const, path: join(job.folder, 'parcels.nam'), rows: done.rows };
    writeFileSync(called.path, names.finish());
    const beside = [
      called,
      await adjacency(done.files, join(job.folder, 'parcels.nbr')),
      await parcels.ended(join(job.folder, 'ended.ndjson')),
      await parcels.stacks(join(job.folder, 'stacks.ndjson')),
    ].filter(file => file !== null);
    const parts: StagedPart[] = [];
    for (const [i, source] of sources.entries()) {
      const { path } = await addresses[i]!.finish();
      const index = { role: 'addresses' as const, path, rows: rows[i]! };
      parts.push(await partOf(source, read, { rows: rows[i]!, index }));
    }
    const counts: IngestCount[] = read.map(({ job: own, intake }, i) =>
      countOf(own, intake, rows[sources.findIndex(source => source.layer === i)]!, null),
    );
    const { place, coverage } = parts[0]!;
    return {
      partitions: [
        {
          place,
          coverage,
          key: job.key,
          rows: done.rows,
          box: done.box,
          files: [...done.files, ...beside],
          parts,
        },
      ],
      columns: Object.keys(layer.columns),
      counts,
      examples: read.map(({ intake }) => intake.measure.examples()),
      samples: read.flatMap(({ intake }) => intake.rejects.first),
    };
  } catch (error) {
    await files.abort();
    for (const file of addresses) await file.abort().catch(() => {});
    for (const { intake } of read) await intake.rejects.abort();
    throw error;
  } finally {
    parcels.close();
    for (const { intake } of read) await intake.close();
  }
}

/** Reads one layer's file into the county. */
async function take(
  job: LayerJob,
  layer: VectorLayer,
  parcels: Parcels,
  part: number | null,
  report: (rows: number) => void,
  signal?: AbortSignal,
): Promise<Read> {
  const coverage = await stageCoverage(job);
  const rejects = new Rejects(job.folder, `${PARCEL_LAYER.dataset}:${PARCEL_LAYER.layer}`, layer);
  const intake = await Intake.open(job, layer, rejects, coverage.ground, report, signal);
  let box: Box | null = null;
  try {
    for await (const row of intake.rows()) {
      const noted = parcels.add(row, row.objectId, part);
      const id = row.properties.apn ?? null;
      if (noted?.action === 'rejected') await intake.reject(row, id, noted.reason);
      else {
        if (noted) await rejects.repair({ file: job.layer.file, row: row.number, id, reason: noted.reason });
        box = union(box, boxOf(row.geometry!));
      }
    }
    return { job, intake, coverage, box };
  } catch (error) {
    await intake.close();
    await rejects.abort();
    throw error;
  }
}

/** Writes which of the county's parcels are neighbours. @param files of the county, its features among them. */
async function adjacency(files: readonly StagedFile[], path: string): Promise<StagedFile> {
  const features = new FeatureFile(files.find(({ role }) => role === 'features')!.path);
  try {
    writeFileSync(path, encodeNeighbours(await neighboursOf(features)));
    return { role: 'neighbours', path, rows: features.count };
  } finally {
    features.close();
  }
}

/** Returns what a file contributed, with its own staged files. */
async function partOf(
  { layer, kept, place }: Source,
  read: readonly Read[],
  { rows, index }: { readonly rows: number; readonly index: StagedPart['files'][number] },
): Promise<StagedPart> {
  if (kept) {
    if (rows !== kept.rows)
      throw new LayerError(`${kept.rows} parcels of ${place} were stored, ${rows} were read back`);
    return { layer, kept, place, rows, box: kept.box, files: [index], coverage: kept.coverage };
  }
  const { intake, coverage, box } = read[layer!]!;
  const rejects = await intake.rejects.finish();
  return { layer, kept, place, rows, box, files: [index, ...coverage.files, ...rejects], coverage: coverage.kind };
}
