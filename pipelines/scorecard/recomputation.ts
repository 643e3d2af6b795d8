import { type Catalog, layerOf } from '../../datasets/catalog.ts';
import { labelOf } from '../../datasets/codes/maps.ts';
import type { Field } from '../../datasets/dataset.ts';
import type { Expression, SourceRef } from '../../datasets/grammar/expression.ts';
import type { Manifest, Partition } from '../../datasets/release.ts';
import { aggregate, compute, type Expected, NONE, newest } from './plain-arithmetic.ts';
import { meets } from './plain-condition.ts';
import { boxMetres, holds, type LngLat, metresTo, type PlainFeature } from './plain-geometry.ts';
import { cellAt, plainGrids } from './plain-grid.ts';
import { NotChecked, plainFeatures, plainRows } from './plain-layer.ts';

/** Computes a field a second time, at a place. */
export type Recomputed = (place: LngLat) => Expected | Promise<Expected>;

const UNDECIDABLE: Expected = { kind: 'undecidable' };

/** Metres from an edge, or between two distances, within which either answer may be right: that of the last digits stored. */
const TIE_M = 0.5;
/** Share of a distance, and metres, that the answer may be off (docs/operators.md). */
const [OFF_SHARE, OFF_M] = [1e-6, 0.1];

/** The answer of a call within another, as it is published. */
const UNTYPED = { type: null, precision: null } as const;

/** Polygons by which the tables with these keys are looked up, and their columns. */
const KEY_SOURCES: Readonly<Record<string, readonly [dataset: string, layer: string, column: string]>> = {
  county_fips: ['census_tiger', 'county', 'GEOID'],
  tract_geoid: ['census_tiger', 'tract', 'GEOID'],
  block_geoid: ['census_tiger', 'tabblock20', 'GEOID20'],
  huc12: ['usgs_wbd', 'WBDHU12', 'huc12'],
  utility_eia_id: ['hifld_archive', 'electric_retail_service_territories', 'ID'],
  egrid_subregion: ['epa_egrid', 'subregion_poly', 'SUBRGN'],
};

/** Options whose meaning is not computed a second time, by operator. */
const BEYOND: Readonly<Record<string, string>> = {
  raster_terrain: 'slopes and shares of cells are not computed a second time',
  raster_zonal: 'slopes and shares of cells are not computed a second time',
  overlap_fraction: 'shares of ground are not computed a second time',
  station_value: 'values between stations are not computed a second time',
  parcel_attr: 'it is the published value itself',
};

/** A field whose call can be computed a second time: a call within another has neither a type nor steps of its own. */
interface Called extends Pick<Field, 'expression' | 'precision'> {
  readonly type: Field['type'] | null;
}

/** Computes fields a second time from the rows of a release. Layers are read once. */
export class Recomputation {
  readonly #catalog: Catalog;
  readonly #manifest: Manifest;
  readonly #releases: string;
  readonly #features = new Map<string, Promise<readonly PlainFeature[]>>();
  readonly #grids = new Map<string, ReturnType<typeof plainGrids>>();
  readonly #rows = new Map<string, Promise<readonly Record<string, unknown>[]>>();

  /** @param releases folder of the files. */
  constructor(catalog: Catalog, manifest: Manifest, releases: string) {
    this.#catalog = catalog;
    this.#manifest = manifest;
    this.#releases = releases;
  }

  /** @throws NotChecked with the reason where it cannot be. */
  async of(field: Called): Promise<Recomputed> {
    const { expression: call } = field;
    const beyond = BEYOND[call.op];
    if (beyond) throw new NotChecked(beyond);
    if (call.options.over !== undefined || call.options.pick !== undefined)
      throw new NotChecked('measures over a parcel, and the extreme of several, are not computed a second time');
    if (call.sources.length > 1) throw new NotChecked('fields of several layers are not computed a second time');
    switch (call.op) {
      case 'polygon_within':
        return this.#within(call);
      case 'polygon_attr':
        return this.#attribute(field);
      case 'nearest_distance':
        return this.#distance(field);
      case 'nearest_attr':
        return this.#nearest(field);
      case 'count_within':
      case 'agg_within':
        return this.#around(call);
      case 'derived':
        return this.#derived(call);
      case 'raster_sample':
        return this.#sampled(field);
      case 'area_key_attr':
        return this.#looked(field);
      default:
        throw new NotChecked(`${call.op} is not computed a second time`);
    }
  }

  /** @throws NotChecked where several files of a layer overlap, or none is installed. */
  #partitions({ dataset, layer }: { readonly dataset: string; readonly layer: string }): readonly Partition[] {
    const partitions = this.#manifest.datasets[dataset]?.[layer]?.partitions ?? [];
    if (partitions.length === 0) throw new NotChecked('the layer is not in this release');
    if (new Set(partitions.map(({ coverage }) => coverage === 'everywhere')).size > 1)
      throw new NotChecked('a national and a local file of the layer overlap');
    return partitions;
  }

  #featuresOf(source: { readonly dataset: string; readonly layer: string }): Promise<readonly PlainFeature[]> {
    const key = `${source.dataset}:${source.layer}`;
    const reading = this.#features.get(key) ?? plainFeatures(this.#releases, this.#partitions(source));
    this.#features.set(key, reading);
    return reading;
  }

  /** The features that meet a condition, and those that do not tell. */
  async #chosen(call: Expression): Promise<{ readonly yes: PlainFeature[]; readonly doubt: PlainFeature[] }> {
    const [source] = call.sources as [SourceRef];
    const all = await this.#featuresOf(source);
    const { asOf } = this.#manifest;
    const said = all.map(feature => meets(call.where, feature.properties, asOf));
    return { yes: all.filter((_, i) => said[i] === true), doubt: all.filter((_, i) => said[i] === null) };
  }

  async #within(call: Expression): Promise<Recomputed> {
    const { yes, doubt } = await this.#chosen(call);
    return place => {
      if (nearEdge([...yes, ...doubt], place)) return UNDECIDABLE;
      if (yes.some(feature => holds(feature, place))) return { kind: 'value', value: true, tolerance: 0 };
      return doubt.some(feature => holds(feature, place)) ? UNDECIDABLE : { kind: 'value', value: false, tolerance: 0 };
    };
  }

  async #attribute(field: Called): Promise<Recomputed> {
    const { yes, doubt } = await this.#chosen(field.expression);
    return place => {
      if (nearEdge([...yes, ...doubt], place)) return UNDECIDABLE;
      const holding = yes.filter(feature => holds(feature, place));
      if (doubt.some(feature => holds(feature, place))) return UNDECIDABLE;
      const values = new Set(holding.map(feature => JSON.stringify(publishedOf(field, feature.properties))));
      // Which of several answers, their sizes decide: that is not computed here.
      if (values.size > 1) return UNDECIDABLE;
      return holding[0] ? publishedOf(field, holding[0].properties) : NONE;
    };
  }

  async #distance({ expression: call, precision }: Called): Promise<Recomputed> {
    const { yes, doubt } = await this.#chosen(call);
    const limit = Number(call.options.max_km) * 1000;
    const step = precision ?? OFF_M;
    return place => {
      const [nearest] = nearestOf(yes, place, limit);
      if (nearestOf(doubt, place, Math.min(limit, nearest?.metres ?? limit)).length > 0) return UNDECIDABLE;
      if (!nearest) return NONE;
      const { metres } = nearest;
      if (Math.abs(metres - limit) < TIE_M) return UNDECIDABLE;
      const tolerance = Math.max(OFF_M, metres * OFF_SHARE) + step / 2;
      return { kind: 'value', value: metres > 0 ? Math.max(metres, step) : 0, tolerance };
    };
  }

  async #nearest(field: Called): Promise<Recomputed> {
    const { yes, doubt } = await this.#chosen(field.expression);
    const limit = Number(field.expression.options.max_km) * 1000;
    return place => {
      const [first, second] = nearestOf(yes, place, limit);
      if (nearestOf(doubt, place, Math.min(limit, first?.metres ?? limit)).length > 0) return UNDECIDABLE;
      if (!first) return NONE;
      if (second && second.metres - first.metres < TIE_M) return UNDECIDABLE;
      return publishedOf(field, first.feature.properties);
    };
  }

  async #around(call: Expression): Promise<Recomputed> {
    const { yes, doubt } = await this.#chosen(call);
    const radius = Number(call.options.radius_m);
    const { distinct, agg } = call.options;
    return place => {
      const metres = (feature: PlainFeature) => (holds(feature, place) ? 0 : metresTo(feature, place));
      const near = yes
        .filter(({ box }) => boxMetres(box, place) * 0.98 <= radius + TIE_M)
        .map(feature => ({ metres: metres(feature), row: feature.properties }));
      if (near.some(one => Math.abs(one.metres - radius) < TIE_M)) return UNDECIDABLE;
      if (doubt.some(one => boxMetres(one.box, place) * 0.98 <= radius)) return UNDECIDABLE;
      const rows = near.filter(one => one.metres <= radius).map(({ row }) => row);
      if (call.op === 'agg_within') return aggregate(String(agg), rows, call.argument!);
      if (distinct === undefined) return { kind: 'value', value: rows.length, tolerance: 0 };
      return aggregate('count_distinct', rows, String(distinct));
    };
  }

  async #sampled(field: Called): Promise<Recomputed> {
    const { expression: call } = field;
    const [source] = call.sources as [SourceRef];
    const layer = layerOf(this.#catalog.datasets, source.dataset, source.layer);
    if (layer.kind !== 'raster') throw new NotChecked('what is sampled is no grid');
    const id = `${source.dataset}:${source.layer}`;
    const reading = this.#grids.get(id) ?? plainGrids(this.#releases, this.#partitions(source));
    this.#grids.set(id, reading);
    const grids = await reading;
    return async place => {
      const cell = await cellAt(grids, Number(call.argument), place, layer.sampling);
      if (cell === 'undecidable') return UNDECIDABLE;
      return cell === 'none' ? NONE : publishedOf(field, { [call.argument!]: cell });
    };
  }

  async #derived({ formula, inputs }: Expression): Promise<Recomputed> {
    const again = new Map<string, Recomputed>();
    for (const [name, input] of Object.entries(inputs)) {
      const called = 'field' in input ? this.#catalog.fields.get(input.field)! : { ...UNTYPED, expression: input };
      again.set(name, await this.of(called));
    }
    return async place => {
      const values: Record<string, string | number | boolean> = {};
      for (const [name, recomputed] of again) {
        const expected = await recomputed(place);
        if (expected.kind !== 'value') return expected;
        values[name] = expected.value;
      }
      const value = compute(formula!, values);
      if (typeof value === 'string') return { kind: 'value', value, tolerance: 0 };
      return Number.isFinite(value) ? { kind: 'value', value, tolerance: Math.abs(value) * OFF_SHARE + 1e-9 } : NONE;
    };
  }

  async #looked(field: Called): Promise<Recomputed> {
    const { expression: call } = field;
    const [source] = call.sources as [SourceRef];
    const polygons = KEY_SOURCES[String(call.options.key)];
    if (!polygons) throw new NotChecked('keys of several areas are not looked up a second time');
    const [dataset, layer, column] = polygons;
    const areas = await this.#featuresOf({ dataset, layer });
    const id = `${source.dataset}:${source.layer}`;
    const reading = this.#rows.get(id) ?? plainRows(this.#releases, this.#partitions(source));
    this.#rows.set(id, reading);
    const rows = await reading;
    const table = layerOf(this.#catalog.datasets, source.dataset, source.layer);
    if (table.kind !== 'table') throw new NotChecked('what is looked up is no table');
    const byKey = Map.groupBy(rows, row => String(row[table.key.column]));
    const { agg } = call.options;
    const { asOf } = this.#manifest;
    return place => {
      if (nearEdge(areas, place)) return UNDECIDABLE;
      const keys = new Set(areas.filter(area => holds(area, place)).map(area => String(area.properties[column])));
      if (keys.size !== 1) return keys.size ? UNDECIDABLE : NONE;
      const all = byKey.get([...keys][0]!) ?? [];
      const said = all.map(row => meets(call.where, row, asOf));
      // A row that does not tell whether it counts may change the answer.
      if (said.includes(null)) return UNDECIDABLE;
      const own = all.filter((_, i) => said[i]);
      if (agg === 'latest') return own.length ? publishedOf(field, newest(own)) : NONE;
      if (agg !== undefined)
        return aggregate(
          String(agg),
          own.filter(row => !isMissing(call, row)),
          call.argument!,
        );
      return own.length === 1 ? publishedOf(field, own[0]!) : own.length ? UNDECIDABLE : NONE;
    };
  }
}

/** Whether an edge of a polygon is so near that either side may be right. */
function nearEdge(features: readonly PlainFeature[], place: LngLat): boolean {
  return features.some(
    feature => feature.kind === 'polygon' && boxMetres(feature.box, place) < TIE_M && metresTo(feature, place) < TIE_M,
  );
}

/** The nearest features within a limit, two at most; those that hold the place are at 0. */
function nearestOf(
  features: readonly PlainFeature[],
  place: LngLat,
  limit: number,
): readonly { readonly feature: PlainFeature; readonly metres: number }[] {
  const order = features
    .map(feature => ({ feature, least: boxMetres(feature.box, place) * 0.98 }))
    .filter(({ least }) => least <= limit)
    .sort((a, b) => a.least - b.least);
  const best: { feature: PlainFeature; metres: number }[] = [];
  for (const { feature, least } of order) {
    if (best.length === 2 && least > best[1]!.metres) break;
    const metres = holds(feature, place) ? 0 : metresTo(feature, place);
    if (metres > limit) continue;
    best.push({ feature, metres });
    best.sort((a, b) => a.metres - b.metres);
    best.length = Math.min(2, best.length);
  }
  return best;
}

/** Whether a row has no value in the column of a call, or what is published for none. */
function isMissing({ argument, nulls }: Expression, row: Readonly<Record<string, unknown>>): boolean {
  const raw = row[argument!];
  if (raw === null || raw === undefined || raw === '') return true;
  return nulls.some(none => String(none) === String(raw) || Number(raw) === Number(none));
}

/** A published value as the field answers it. */
function publishedOf({ expression: call, type }: Called, row: Readonly<Record<string, unknown>>): Expected {
  if (isMissing(call, row)) return NONE;
  const raw = row[call.argument!];
  const { map, scale, offset } = call.options;
  if (map !== undefined) {
    const label = labelOf(String(map), raw as string | number);
    return label === null ? NONE : { kind: 'value', value: label, tolerance: 0 };
  }
  if (type === 'number' || type === 'integer' || (type === null && typeof raw === 'number')) {
    const number = Number(raw);
    if (!Number.isFinite(number)) return UNDECIDABLE;
    const value = number * Number(scale ?? 1) + Number(offset ?? 0);
    return { kind: 'value', value, tolerance: Math.abs(value) * 1e-9 };
  }
  if (type === 'boolean') return { kind: 'value', value: raw === true || raw === 'true', tolerance: 0 };
  const text = raw instanceof Date ? raw.toISOString() : String(raw);
  return { kind: 'value', value: type === 'date' ? text.slice(0, 10) : text, tolerance: 0 };
}
