import type { Catalog } from '../../datasets/catalog.ts';
import { type EnrichField, enrichCatalogOf } from '../../datasets/enrich/enrich.ts';
import type { EnrichOnlyName } from '../../datasets/enrich/enrich-only.ts';
import { memo } from '../../datasets/memo.ts';
import type { Point } from '../evaluate/answer.ts';
import { correctedOf } from '../evaluate/assurance/correction.ts';
import { type Evaluation, openPoint, type PointEvaluation } from '../evaluate/evaluate.ts';
import { joinedCitation } from '../evaluate/finding.ts';
import { distance } from '../geometry/geodesic.ts';
import { type BoundParcel, bindParcel, type MatchedAs } from '../parcel/bound-parcel.ts';
import { Calculated, type Take } from '../parcel/calculated-values.ts';
import type { ParcelRef } from '../parcel/parcel-match.ts';
import { isPublished, StoredAttributes } from '../parcel/stored-attribute.ts';
import { correctionsOf } from '../release/corrections/correction-list.ts';
import { Interrupted } from '../release/fault.ts';
import type { Layers } from '../release/layers.ts';
import type { EnrichFinding } from './enrich-finding.ts';
import { calculateOnly, isOnly } from './only.ts';
import { ReadPlace, SAME_PLACE_M } from './read-place.ts';
import { isWhole, type RecordValue, recordText } from './record-map.ts';
import { type FieldFailure, type RecordTails, recordTails } from './record-tails.ts';
import { uninstalled, uninstalledFinding } from './uninstalled.ts';

/** What enrichment works with: one opened release. */
export interface EnrichEnvironment extends Evaluation {
  readonly layers: Layers;
}

/** What all answers about one parcel say of it. */
interface ParcelAnswer {
  /** Where point values were taken. */
  readonly point: Point;
  /** The interior point that ingest stored, or, where the row has none, the point that was asked about. */
  readonly method: 'stored_parcel_centroid' | 'input_fallback';
  /** Product that the parcel, and so its stored point, comes from. */
  readonly source: string;
  /** The failed fields, in the order of the catalog. */
  readonly failures: readonly FieldFailure[];
}

/** The record of one parcel. Plain data. */
export interface EnrichedParcel extends ParcelAnswer {
  /** JSON text in UTF-8 of the map of records, in the order of the catalog. */
  readonly fields: Uint8Array<ArrayBuffer>;
  /** The first records, written likewise, where they were asked for: what a short text about the parcel is made from. */
  readonly outline?: Uint8Array<ArrayBuffer>;
}

/** Most bytes of the records in an outline, about: they are parsed in the thread that serves everybody. */
const OUTLINE_BYTES = 65_536;

/** The record of one parcel before it is written: what RecordMap writes. */
export interface AnsweredParcel extends ParcelAnswer {
  readonly values: readonly RecordValue[];
  readonly tails: readonly Uint8Array[];
}

/** The stored calculations of a parcel's county, opened once for all parcels of a request. */
const calculatedOf = ({ layers, catalog }: EnrichEnvironment, { county }: BoundParcel): Calculated =>
  calculations(layers)(county, catalog);
const calculations = memo((layers: Layers) =>
  memo((county: BoundParcel['county'], catalog: Catalog) => new Calculated(layers, catalog, county)),
);

/** Runs one calculation of enrichment alone; a fault is its own failure. @throws Interrupted. */
async function only(asking: PointEvaluation, name: EnrichOnlyName, parcel: BoundParcel): Promise<EnrichFinding> {
  let value: EnrichFinding['value'] = null;
  // What a finding of the engine may hold is scalar: the value goes beside it.
  const finding = await asking.within(Date.now(), async () => {
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
 * for a match by nearness or address those are calculated anew. Where the place that was asked about is not the interior
 * point, values that may differ between both say so.
 * @param names of the enrich catalog, each once, in its order.
 * @param as how the parcel was matched; null when it was not by a point (search).
 * @throws Fault or DamagedFile when the parcel itself cannot be read, Interrupted when `stopped` says so.
 */
export async function answerParcel(
  environment: EnrichEnvironment,
  ref: ParcelRef,
  names: readonly string[],
  as: MatchedAs | null = null,
): Promise<AnsweredParcel> {
  const { layers, catalog } = environment;
  const parcel = await bindParcel(layers, ref, as);
  const plan = planOf(catalog, names);
  const { fields, tails: tailsOf, whole } = plan;
  const values = new Array<RecordValue>(names.length).fill(null);
  const tails = new Array<Uint8Array>(names.length);
  const failures: [at: number, failure: FieldFailure][] = [];
  let asking: PointEvaluation | null = null;
  const live = () => {
    asking ??= openPoint(parcel.point, environment, layers, parcel.match);
    return asking;
  };
  const metres = as ? distance(as.input.lng, as.input.lat, parcel.point.lng, parcel.point.lat) : 0;
  const place =
    as && metres > SAME_PLACE_M
      ? await ReadPlace.of(metres, names, openPoint(as.input, environment, layers).ctx, live().ctx)
      : null;
  const corrections = correctionsOf(layers.release).fields;
  const key = parcel.feature.properties.parcel_key ?? null;
  const put = (i: number, shared: EnrichFinding, value: RecordValue, at: string) => {
    const own = corrections.size > 0 && !whole[i] ? corrections.get(fields[i]!.name) : undefined;
    if (own) {
      const said = { ...shared, value };
      const told = correctedOf(said, own, { key, point: parcel.point });
      if (told !== said) {
        values[i] = told.value as RecordValue;
        tails[i] = tailsOf[i]!.of(told, at);
        return;
      }
    }
    values[i] = value;
    tails[i] = tailsOf[i]!.of(place ? place.noted(fields[i]!.name, shared) : shared, at);
    if (shared.status !== 'failed') return;
    const { name, dataset } = fields[i]!;
    const { error = 'failed', retryable = false } = shared;
    const source = joinedCitation(shared.citations)?.source ?? dataset;
    failures.push([i, { field: name, source, error, retryable }]);
  };
  const { lasting, places } = parcel.match.type === 'contains' ? plan : lastingOf(catalog, names);
  await readStored(environment, parcel, lasting, (place, shared, value, at) => {
    put(places ? places[place]! : place, shared, value, at);
  });

  const attributes = new StoredAttributes(layers, parcel);
  const readAt = parcel.partition.provenance.retrievedAt;
  for (let i = 0; i < fields.length; i++) {
    if (tails[i]) continue;
    const { kind, name } = fields[i]!;
    if (kind === 'stored') {
      const value = attributes.value(name);
      put(i, attributes.shared(name, value), value, readAt);
      continue;
    }
    const pausing = environment.pause?.();
    if (pausing) await pausing;
    const lacking = kind === 'fetch' ? uninstalledFinding(layers.release, name) : null;
    if (lacking) {
      put(i, lacking, null, startOf(layers));
      continue;
    }
    const finding =
      kind === 'only'
        ? await only(live(), name as EnrichOnlyName, parcel)
        : ((await uninstalled(live().ctx, name)) ?? (await live().answer(Date.now(), catalog.fields.get(name)!)));
    const { value } = finding;
    const written = whole[i] && value !== null ? JSON.stringify(value) : (value as RecordValue);
    put(i, finding, finding.status === 'ok' ? written : null, new Date().toISOString());
  }
  return {
    point: parcel.point,
    method: parcel.stored ? 'stored_parcel_centroid' : 'input_fallback',
    source: parcel.partition.provenance.source,
    failures: failures.sort(([a], [b]) => a - b).map(([, failure]) => failure),
    values,
    tails,
  };
}

/** As answerParcel, with the records written. */
export async function enrichParcel(
  environment: EnrichEnvironment,
  ref: ParcelRef,
  names: readonly string[],
  as: MatchedAs | null = null,
  outline = false,
): Promise<EnrichedParcel> {
  const { values, tails, ...answer } = await answerParcel(environment, ref, names, as);
  const { fields } = planOf(environment.catalog, names);
  const written = { ...answer, fields: recordText(fields, values, tails) };
  if (!outline) return written;
  let count = 0;
  for (let left = OUTLINE_BYTES; count < fields.length; count++) {
    left -= String(values[count]).length + tails[count]!.length;
    if (left < 0) break;
  }
  const first = recordText(fields.slice(0, count), values.slice(0, count), tails.slice(0, count));
  return { ...written, outline: first };
}

/** When a request began: the time of what its release is known to lack. */
const startOf = memo((_layers: Layers) => new Date().toISOString());

/** How the records of some names are written. */
interface Plan {
  readonly fields: readonly EnrichField[];
  readonly tails: readonly RecordTails[];
  /** Whether its value is a list or an object; such are stored as the JSON text that they are answered as. */
  readonly whole: readonly boolean[];
  /** What may be read of a parcel as such: all names, in their places. */
  readonly lasting: readonly string[];
  readonly places: null;
}

/** The plan of a list of names, made once for all parcels that are asked with it. @throws RangeError for an unknown name. */
const planOf = (catalog: Catalog, names: readonly string[]): Plan => plans(catalog)(names);
const plans = memo((catalog: Catalog) =>
  memo((names: readonly string[]): Plan => {
    const all = enrichCatalogOf(catalog).fields;
    const fields = names.map(name => {
      const field = all.get(name);
      if (!field) throw new RangeError(`No field ${name} in the enrich catalog`);
      return field;
    });
    return {
      fields,
      tails: fields.map(field => recordTails(field, catalog.datasets.get(field.dataset)?.url ?? '')),
      whole: fields.map(isWhole),
      lasting: names,
      places: null,
    };
  }),
);

/** What may be read for a parcel that was not matched by containing the place: how it was matched shows in the others. */
function lastingOf(catalog: Catalog, names: readonly string[]): { lasting: string[]; places: number[] } {
  const places = [...names.keys()].filter(i => !catalog.parcelRecord.has(names[i]!) && !isOnly(names[i]!));
  return { lasting: places.map(i => names[i]!), places };
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
  take: Take,
): Promise<void> {
  try {
    await calculatedOf(environment, parcel).each(parcel.ord, names, (place, shared, value, at) => {
      // Where another source of the county lacks an attribute, it is among what was calculated; this row has its own.
      if (parcel.county.parts && isPublished(environment.layers, parcel.partition, names[place]!)) return;
      if (shared.status !== 'failed' || !shared.retryable) take(place, shared, value, at);
    });
  } catch (error) {
    if (error instanceof Interrupted) throw error;
  }
}
