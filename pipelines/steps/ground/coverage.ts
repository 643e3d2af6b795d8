import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { STATE_BOXES } from '../../../datasets/codes/state-boxes.ts';
import type { Column } from '../../../datasets/dataset.ts';
import { type Box, boxOf, type Geometry, union } from '../../../datasets/geometry.ts';
import type { Coverage } from '../../../datasets/place/place.ts';
import type { Partition, Placed } from '../../../datasets/release.ts';
import { projectRows, resolveCrs, statedCrs } from '../../../ingest/crs.ts';
import { openSource } from '../../../ingest/format.ts';
import { createFlatGeobuf } from '../../../ingest/writers/flatgeobuf.ts';
import { loadGeos } from '../../../query/geometry/geos.ts';
import type { StagedFile } from '../../../query/release/home/store.ts';
import { LayerError, type LayerJob } from '../layer-job.ts';
import { compileTest } from '../normalise.ts';
import { Locator, misplacement } from '../quality/location.ts';
import { judge } from '../validity.ts';

/** The coverage of a layer, as it is stored with its partitions. */
export interface StagedCoverage {
  readonly kind: Partition['coverage'];
  /** lng,lat degrees; null when it is everywhere or not known before the raster is read. */
  readonly box: Box | null;
  readonly files: readonly StagedFile[];
  /** Where features are expected; null if the layer reaches everywhere, or if only the layer itself is known. */
  readonly ground: Ground | null;
}

/**
 * Where the features of a layer are expected: on its coverage. If the coverage is the layer's own extent or file, they are expected
 * in the county that the place names, else on the coverage of the place, else in its state.
 */
export interface Ground {
  readonly of: NonNullable<Placed['within']>;
  /** lng,lat degrees. */
  readonly box: Box;
}

/** Returns the coverage of a layer: its own, everywhere for a national file, else the place's. */
export function coverageOf(job: Pick<LayerJob, 'layer' | 'place'>): Coverage {
  return job.layer.coverage ?? (job.layer.national ? { everywhere: true } : job.place.coverage);
}

type FileCoverage = Extract<Coverage, { readonly file: string }>;

const COLUMNS: Readonly<Record<string, Column>> = {};

/** Numbers of a coverage that is remembered (2 MB), and how many are. */
const REMEMBERED_NUMBERS = 250_000;
const REMEMBERED = 4;
const remembered = new Map<string, readonly Geometry[]>();

/** Called for a rejected polygon, which then covers nothing; its geometry is in lng,lat degrees by the file's CRS. */
type LeftOut = (row: number, reason: string, geometry: Geometry | null) => void;

/**
 * The judged polygons of a coverage in WGS84. Most layers of a place share its boundary, so a small one is read and judged
 * once a thread, and again when its file changes.
 */
export async function* polygons(coverage: FileCoverage, job: LayerJob, leftOut?: LeftOut): AsyncGenerator<Geometry> {
  const path = join(job.sources, coverage.file);
  const mapped = job.mapped?.includes(coverage.file) ?? false;
  const { mtimeMs, size } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: 0, size: 0 };
  const key = JSON.stringify([path, mtimeMs, size, coverage.options, coverage.where, mapped]);
  const cached = remembered.get(key);
  if (cached) {
    yield* cached;
    return;
  }
  const geos = await loadGeos();
  const meets = coverage.where === undefined ? null : compileTest(coverage.where, job.asOf);
  const source = await openSource(path, { options: coverage.options ?? {} });
  const kept: Geometry[] = [];
  let numbers = 0;
  try {
    const crs = await resolveCrs(statedCrs(source.crs, coverage.options ?? {}), coverage.file);
    for await (const batch of source.rows())
      for (const row of await projectRows(crs, batch)) {
        if (meets && !row.unread?.isLost && !meets(row.properties)) continue;
        const verdict = judge(row.geometry, 'polygon', geos);
        // The layer of this file counts its rejected polygons; they cover nothing.
        if (verdict.kind === 'rejected' && mapped) {
          leftOut?.(row.number, row.unread?.reason ?? verdict.reason, row.geometry);
          continue;
        }
        if (verdict.kind === 'rejected')
          throw new LayerError(
            `${coverage.file}, row ${row.number}: as a coverage polygon: ${row.unread?.reason ?? verdict.reason}`,
          );
        numbers += verdict.geometry.xy.length;
        if (numbers <= REMEMBERED_NUMBERS) kept.push(verdict.geometry);
        yield verdict.geometry;
      }
  } finally {
    await source.close();
  }
  if (numbers > REMEMBERED_NUMBERS) return;
  if (remembered.size >= REMEMBERED) remembered.delete(remembered.keys().next().value!);
  remembered.set(key, kept);
}

/** Returns the ground with which a layer is compared if it is its own coverage: never its own file. */
async function groundOf(job: LayerJob): Promise<Ground | null> {
  if (job.countyBox) return { of: 'county', box: job.countyBox };
  const { coverage, state } = job.place;
  if ('everywhere' in coverage) return null;
  let box: Box | null = null;
  if ('file' in coverage && coverage.file !== job.layer.file)
    for await (const geometry of polygons(coverage, job)) box = union(box, boxOf(geometry));
  if (box) return { of: 'place', box };
  const around = STATE_BOXES[state];
  return around ? { of: 'state', box: around } : null;
}

/**
 * Writes the coverage polygons of a layer as a small FlatGeobuf (WGS84).
 * @throws LayerError when a polygon of the coverage is invalid: what is mapped must not be guessed. Only of files that the place
 * makes a layer of are those left out, because that layer counts them as rejected.
 */
export async function stageCoverage(job: LayerJob): Promise<StagedCoverage> {
  const coverage = coverageOf(job);
  if ('everywhere' in coverage) return { kind: 'everywhere', box: null, files: [], ground: null };
  if ('extent' in coverage) return { kind: 'extent', box: null, files: [], ground: await groundOf(job) };
  mkdirSync(job.folder, { recursive: true });
  const path = join(job.folder, 'coverage.fgb');
  const writer = await createFlatGeobuf(path, { name: 'coverage', columns: COLUMNS, durable: false });
  try {
    const locator = new Locator(null, 0);
    let first = '';
    const leftOut: LeftOut = (row, reason, geometry) => {
      if (geometry?.xy.length) locator.add(geometry);
      first ||= `; row ${row}: ${reason}`;
    };
    for await (const geometry of polygons(coverage, job, leftOut)) await writer.write({ properties: {}, geometry });
    const { rows, box } = await writer.finish();
    if (rows === 0) {
      const cause = misplacement(locator.placed);
      throw new LayerError(
        `${coverage.file}: the coverage has no polygon${first}${cause === null ? '' : `; ${cause}`}`,
      );
    }
    // Against its own polygons a file that lies elsewhere would lie within its place.
    const own = coverage.file === job.layer.file && !job.layer.national;
    const ground: Ground | null = own ? await groundOf(job) : box && { of: 'coverage', box };
    return { kind: 'polygon', box, files: [{ role: 'coverage', path, rows, ...(box ? { box } : {}) }], ground };
  } catch (error) {
    await writer.abort();
    throw error;
  }
}
