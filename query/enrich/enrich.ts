import type { Catalog } from '../../datasets/catalog.ts';
import { type EnrichField, enrichCatalogOf } from '../../datasets/enrich.ts';
import type { EnrichOnlyName } from '../../datasets/enrich-only.ts';
import type { Point } from '../answer.ts';
import { Calculated } from '../calculated/calculated.ts';
import { type Asking, askAt, type Evaluation } from '../evaluate.ts';
import { Interrupted } from '../fault.ts';
import type { Finding } from '../finding.ts';
import type { Layers } from '../layer.ts';
import { type BoundParcel, bindParcel, type MatchedAs } from './bound-parcel.ts';
import type { EnrichFinding } from './finding.ts';
import type { ParcelRef } from './match.ts';
import { calculateOnly, isOnly } from './only.ts';
import { type FieldFailure, type RecordWriter, recordMap, recordWriter, valueText } from './record-text.ts';
import { storedAttributes } from './stored-attribute.ts';
import { uninstalled } from './uninstalled.ts';

/** What enrichment works with: one opened release. */
export interface EnrichEnvironment extends Evaluation {
  readonly layers: Layers;
}

/** Everything that is known of one parcel; plain data. */
export interface EnrichedParcel {
  /** Where point values were taken. */
  readonly point: Point;
  /** The interior point that ingest stored, or, where the row has none, the point that was asked about. */
  readonly method: 'stored_parcel_centroid' | 'input_fallback';
  /** Product that the parcel, and so its stored point, comes from. */
  readonly source: string;
  /** JSON text in UTF-8 of the map of records, in the order of the catalog. */
  readonly fields: Uint8Array;
  /** The failed ones, in the same order. */
  readonly failures: readonly FieldFailure[];
}

const calculations = new WeakMap<Layers, Map<object, Calculated>>();

/** The stored calculations of a parcel's county, opened once for all parcels of a request. */
function calculatedOf({ layers, catalog }: EnrichEnvironment, { partition }: BoundParcel): Calculated {
  let ofLayers = calculations.get(layers);
  if (!ofLayers) {
    ofLayers = new Map();
    calculations.set(layers, ofLayers);
  }
  let calculated = ofLayers.get(partition);
  if (!calculated) {
    calculated = new Calculated(layers, catalog, partition);
    ofLayers.set(partition, calculated);
  }
  return calculated;
}

/** Runs one calculation of enrichment alone; a fault is its own failure. @throws Interrupted. */
async function only(asking: Asking, name: EnrichOnlyName, parcel: BoundParcel): Promise<EnrichFinding> {
  let value: EnrichFinding['value'] = null;
  // What a finding of the engine may hold is scalar: the value goes beside it.
  const finding = await asking.within(async () => {
    const found = await calculateOnly(asking.ctx, name, parcel);
    value = found.value;
    return { ...found, value: null };
  });
  return { ...finding, value: finding.status === 'ok' ? value : null };
}

/**
 * Answers fields of the enrich catalog for one stored parcel at its stored interior point: from what was calculated at
 * ingest where the release has it, from the parcel's row, and otherwise live with the parcel bound, whatever else lies at
 * that point. A fault fails its own field.
 *
 * How the parcel was matched shows in the fields that read the parcel: stored calculations are of the parcel as such, so
 * for a match by nearness or address those are calculated anew.
 * @param names of the enrich catalog, each once, in its order.
 * @param as how the parcel was matched; null when it was not by a point (search).
 * @throws Fault or DamagedFile when the parcel itself cannot be read, Interrupted when `stopped` says so.
 */
export async function enrichParcel(
  environment: EnrichEnvironment,
  ref: ParcelRef,
  names: readonly string[],
  as: MatchedAs | null = null,
): Promise<EnrichedParcel> {
  const { layers, catalog } = environment;
  const parcel = await bindParcel(layers, ref, as);
  const plan = planOf(catalog, names);
  const contains = parcel.match.type === 'contains';
  const lasting = contains ? names : names.filter(name => !catalog.parcelRecord.has(name) && !isOnly(name));
  const { index, writers } = plan;
  const values = new Array<string>(names.length);
  const tails = new Array<Uint8Array | undefined>(names.length);
  const failures: [at: number, failure: FieldFailure][] = [];
  const write = (i: number, finding: EnrichFinding, at: string) => {
    values[i] = valueText(finding);
    tails[i] = writers[i]!.tail(finding, at);
    if (finding.status !== 'failed') return;
    const { name, dataset } = plan.fields[i]!;
    const { error = 'failed', retryable = false } = finding;
    failures.push([i, { field: name, source: dataset, error, retryable }]);
  };
  await readStored(environment, parcel, lasting, (name, finding, at) => {
    const i = index.get(name)!;
    write(i, finding, at);
    // Lists and objects are stored as the JSON text that they are answered as.
    if (plan.whole[i] && finding.status === 'ok') values[i] = finding.value as string;
  });

  let asking: Asking | null = null;
  const live = () => {
    asking ??= askAt(parcel.point, environment, layers, parcel.match);
    return asking;
  };
  const attribute = storedAttributes(layers, parcel);
  const readAt = parcel.partition.provenance.retrievedAt;
  for (const [i, { kind, name }] of plan.fields.entries()) {
    if (tails[i]) continue;
    if (kind === 'stored') {
      write(i, attribute(name), readAt);
      continue;
    }
    const finding =
      kind === 'only'
        ? await only(live(), name as EnrichOnlyName, parcel)
        : ((await uninstalled(live().ctx, name)) ?? (await live().within(() => live().ctx.field(name))));
    write(i, finding, new Date().toISOString());
  }
  return {
    point: parcel.point,
    method: parcel.stored ? 'stored_parcel_centroid' : 'input_fallback',
    source: parcel.partition.provenance.source,
    fields: recordMap(writers, values, tails as Uint8Array[]),
    failures: failures.sort(([a], [b]) => a - b).map(([, failure]) => failure),
  };
}

/** How the records of some names are written. */
interface Plan {
  readonly fields: readonly EnrichField[];
  /** Place of each name in the list. */
  readonly index: ReadonlyMap<string, number>;
  readonly writers: readonly RecordWriter[];
  /** Whether its value is a list or an object. */
  readonly whole: readonly boolean[];
}

const plans = new WeakMap<Catalog, WeakMap<readonly string[], Plan>>();

/** The plan of a list of names, made once for all parcels that are asked with it. @throws RangeError for an unknown name. */
function planOf(catalog: Catalog, names: readonly string[]): Plan {
  const ofCatalog = plans.get(catalog) ?? new WeakMap<readonly string[], Plan>();
  plans.set(catalog, ofCatalog);
  let plan = ofCatalog.get(names);
  if (!plan) {
    const known = enrichCatalogOf(catalog).fields;
    const fields = names.map(name => {
      const field = known.get(name);
      if (!field) throw new RangeError(`No field ${name} in the enrich catalog`);
      return field;
    });
    const writers = fields.map(field => recordWriter(field, catalog.datasets.get(field.dataset)?.url ?? ''));
    plan = {
      fields,
      index: new Map(names.map((name, i) => [name, i])),
      writers,
      whole: fields.map(({ type }) => type === 'array' || type === 'object'),
    };
    ofCatalog.set(names, plan);
  }
  return plan;
}

/**
 * Tells what was calculated at ingest, where it can be read; what cannot, or failed then and may be answered now, is
 * calculated anew by whoever asks.
 * @throws Interrupted.
 */
async function readStored(
  environment: EnrichEnvironment,
  parcel: BoundParcel,
  names: readonly string[],
  take: (name: string, finding: Finding, at: string) => void,
): Promise<void> {
  try {
    await calculatedOf(environment, parcel).each(parcel.ord, names, (name, finding, at) => {
      if (finding.status !== 'failed' || !finding.retryable) take(name, finding, at);
    });
  } catch (error) {
    if (error instanceof Interrupted) throw error;
  }
}
