import { setImmediate as turn } from 'node:timers/promises';
import { type Catalog, inputFields, walk } from '../../datasets/catalog.ts';
import type { Geometry } from '../../datasets/geometry.ts';
import type { Partition } from '../../datasets/release.ts';
import { isOnly, ONLY } from '../../query/enrich/only.ts';
import { type BatchPoint, evaluateBatch } from '../../query/evaluate/batch-evaluate.ts';
import type { Batch } from '../../query/evaluate/context.ts';
import { absent, type Finding, failed, found } from '../../query/evaluate/finding.ts';
import { areaKeysOf } from '../../query/evaluate/operators/area-key-attr.ts';
import { coverageOf } from '../../query/evaluate/vector/batch-search.ts';
import { coverText } from '../../query/parcel/area-value.ts';
import { areaKeyOf, COVER } from '../../query/parcel/built-columns.ts';
import type { Cache } from '../../query/release/cache.ts';
import { Fault } from '../../query/release/fault.ts';
import { Layers } from '../../query/release/layers.ts';
import type { Release } from '../../query/release/open-release.ts';
import { labelsOf } from './attributes.ts';
import type { OverlayBlock } from './block-file.ts';
import { Coder, storedTypeOf } from './coder.ts';
import { onlyFindings, onlyType } from './only.ts';
import type { OverlayPlan } from './plan.ts';
import { publishedByOthers, tellPublished } from './published.ts';
import { isSiting, sitingFindings } from './siting.ts';

/**
 * Points that are evaluated together. They are near one another, because parcels are stored in Hilbert order. What is found of
 * them is held until their end: a thread takes 120 MB less than with 1,024, and no more time (0.9 times, all fields).
 */
const BATCH_POINTS = 256;

/** A run of parcels of one partition whose overlays are to be computed. */
export interface BlockWork {
  readonly parcels: Partition;
  readonly overlays: readonly OverlayPlan[];
  /** Area key → tables whose coverage is stored with it. */
  readonly tables: ReadonlyMap<string, readonly string[]>;
  /** `ord` of the first parcel and how many there are. */
  readonly first: number;
  readonly count: number;
}

interface BlockEnvironment {
  readonly catalog: Catalog;
  readonly release: Release;
  readonly cache: Cache;
  readonly stopped: () => boolean;
}

/** Returns the fields that read a stored column of the parcel, directly or through an input: parcels of one shape may differ. */
function ownFields(catalog: Catalog, names: readonly string[]): Set<string> {
  const memo = new Map<string, boolean>();
  const reads = (name: string): boolean => {
    let own = memo.get(name);
    if (own === undefined) {
      const { expression } = catalog.fields.get(name)!;
      own = false;
      walk(expression, call => {
        if (call.op === 'parcel_attr' && !call.argument!.startsWith('@')) own = true;
      });
      own ||= inputFields(expression).some(reads);
      memo.set(name, own);
    }
    return own;
  };
  return new Set(names.filter(reads));
}

const sameArray = (a: ArrayLike<number>, b: ArrayLike<number>): boolean => {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
};

const sameGeometry = (a: Geometry, b: Geometry): boolean =>
  sameArray(a.xy, b.xy) && sameArray(a.ends, b.ends) && sameArray(a.parts, b.parts);

/** The analysis points of the parcels, and the distinct geometry of each parcel. */
interface Shapes {
  readonly points: readonly BatchPoint[];
  /** By parcel: index of its geometry in `distinct`. */
  readonly shapeOf: Uint32Array;
  /** Index in `points` of the first parcel of each geometry. */
  readonly distinct: readonly number[];
}

async function shapesOf(layers: Layers, { parcels, first, count }: BlockWork): Promise<Shapes> {
  const features = await layers.features(parcels);
  const points: BatchPoint[] = [];
  const geometries: Geometry[] = [];
  const shapeOf = new Uint32Array(count);
  const distinct: number[] = [];
  const at = new Map<string, number[]>();
  for (let i = 0; i < count; i++) {
    const ord = first + i;
    const { geometry, properties } = features.feature(ord);
    const { centroid_lon: lng, centroid_lat: lat } = properties;
    if (typeof lng !== 'number' || typeof lat !== 'number')
      throw new Fault(`parcel ${ord} of ${parcels.key} has no analysis point: ingest it again`);
    points.push({ lng, lat, parcel: { partition: parcels, ord } });
    geometries.push(geometry);
    const shapesAt = at.get(`${lng} ${lat}`) ?? [];
    at.set(`${lng} ${lat}`, shapesAt);
    let shape = shapesAt.find(s => sameGeometry(geometries[distinct[s]!]!, geometry));
    if (shape === undefined) {
      shape = distinct.push(i) - 1;
      shapesAt.push(shape);
    }
    shapeOf[i] = shape;
  }
  return { points, shapeOf, distinct };
}

/** Name for the coverage of an area key. Its findings have the name of the overlay, because some keys are named like a field. */
const coverNameOf = (overlay: string): string => `${overlay} ${COVER}`;

/** Returns the findings of an area key for a batch, and those of the coverage of its tables. */
async function keyFindings(
  batch: Batch,
  overlay: string,
  tables: readonly string[],
): Promise<Map<string, readonly Finding[]>> {
  const keys = (await areaKeysOf(batch, areaKeyOf(overlay)!)).map(at => {
    if ('error' in at) return failed(at.error);
    const finding = 'reason' in at ? absent(at.reason, 'high', at.covering) : found(at.key, 'high', at.partitions);
    return at.near ? { ...finding, near: at.near } : finding;
  });
  const covers: { id: string; ats: Awaited<ReturnType<typeof coverageOf>> }[] = [];
  for (const id of tables) {
    const [dataset, layer] = id.split(':') as [string, string];
    covers.push({ id, ats: await coverageOf(batch, { dataset, layer, where: null }) });
  }
  const texts = batch.contexts.map((_, i) => {
    const broken = covers.map(({ ats }) => ats[i]!).find(at => 'status' in at);
    if (broken && 'status' in broken) return broken;
    const areas = covers.map(({ id, ats }) => {
      const at = ats[i]!;
      return { id, covering: 'status' in at ? [] : at.covering };
    });
    return found(coverText(areas), 'high', []);
  });
  return new Map([
    [overlay, keys],
    [coverNameOf(overlay), texts],
  ]);
}

/**
 * Computes the overlays of consecutive parcels and returns them. It evaluates at the analysis point or over the boundary of the
 * parcel itself, once for parcels of equal geometry. If a source fails, the findings are `failed`.
 * @throws Interrupted when stopped, Fault or DamagedFile when the parcels themselves cannot be read.
 */
export async function computeBlock(work: BlockWork, environment: BlockEnvironment): Promise<OverlayBlock[]> {
  const { catalog, release, cache, stopped } = environment;
  const { points, shapeOf, distinct } = await shapesOf(new Layers(release, cache), work);
  const values = work.overlays.filter(({ dataset }) => areaKeyOf(dataset) === null);
  const keyed = work.overlays.filter(({ dataset }) => areaKeyOf(dataset) !== null);
  const names = values.flatMap(overlay => overlay.fields);
  const only = names.filter(isOnly);
  const siting = names.filter(isSiting);
  const fields = names.filter(name => !isOnly(name) && !isSiting(name));
  const stacked = distinct.length < points.length;
  const own = stacked ? ownFields(catalog, fields) : new Set<string>();
  // Parcels of one shape may have different owners, but not different constraints.
  if (stacked) for (const name of only) if (ONLY[name].neighbours) own.add(name);
  const layers = new Layers(release, cache);
  const told = publishedByOthers(layers, work.parcels, fields);
  // Parcels of one shape may also come from different sources.
  if (stacked) for (const name of told) own.add(name);
  const coders = new Map<string, Coder>();
  for (const name of only) coders.set(name, new Coder(onlyType(name), own.has(name) ? points.length : distinct.length));
  for (const name of siting) coders.set(name, new Coder('number', distinct.length));
  for (const name of fields) {
    const { type } = catalog.fields.get(name)!;
    const labels = labelsOf(name);
    coders.set(
      name,
      new Coder(labels ? 'string' : storedTypeOf(type), own.has(name) ? points.length : distinct.length, labels),
    );
  }
  for (const { dataset } of keyed)
    for (const name of [dataset, coverNameOf(dataset)]) coders.set(name, new Coder('string', distinct.length));

  const evaluate = async (wanted: (name: string) => boolean, at: readonly BatchPoint[], withKeys: boolean) => {
    for (let start = 0; start < at.length; start += BATCH_POINTS) {
      // What a weak reference reaches (see Features) lives until a turn of the event loop ends, and none ends while no file is
      // awaited. Without this, a thread kept 31 KB more with each parcel.
      await turn();
      const some = at.slice(start, start + BATCH_POINTS);
      const beside = new Map<string, readonly Finding[]>();
      const first = async (batch: Batch) => {
        const told: Iterable<readonly [string, readonly Finding[]]>[] = [];
        for (const { dataset } of withKeys ? keyed : [])
          told.push(await keyFindings(batch, dataset, work.tables.get(areaKeyOf(dataset)!) ?? []));
        told.push(await onlyFindings(batch, only.filter(wanted), some));
        if (withKeys) told.push(await sitingFindings(batch, siting, some, { ...environment, deadline: Infinity }));
        for (const findings of told) for (const [name, list] of findings) beside.set(name, list);
      };
      const found = await evaluateBatch(fields.filter(wanted), some, { release, catalog, cache, stopped, first });
      for (const name of told) if (wanted(name)) await tellPublished(layers, name, some, found.get(name)!);
      for (const [name, findings] of [...found, ...beside]) coders.get(name)!.add(findings, start);
    }
  };
  const reps = distinct.map(i => points[i]!);
  await evaluate(name => !own.has(name), reps, true);
  if (own.size) await evaluate(name => own.has(name), points, false);

  return work.overlays.map(({ dataset, fields }) => ({
    dataset,
    fields:
      areaKeyOf(dataset) === null
        ? fields.map(name => coders.get(name)!.field(name, own.has(name) ? null : shapeOf))
        : [coders.get(dataset)!.field(fields[0]!, shapeOf), coders.get(coverNameOf(dataset))!.field(COVER, shapeOf)],
  }));
}
