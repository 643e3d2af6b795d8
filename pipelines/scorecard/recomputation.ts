import { type Catalog, layerOf } from '../../datasets/catalog.ts';
import { labelOf } from '../../datasets/codes/maps.ts';
import type { Field } from '../../datasets/dataset.ts';
import type { Expression, SourceRef } from '../../datasets/grammar/expression.ts';
import type { Manifest, Partition } from '../../datasets/release.ts';
import { meets } from './plain-condition.ts';
import { boxMetres, holds, type LngLat, metresTo, type PlainFeature } from './plain-geometry.ts';
import { NotChecked, plainFeatures, plainRows } from './plain-layer.ts';

/** What a second computation says of a field at a place. */
export type Expected =
  | { readonly kind: 'value'; readonly value: string | number | boolean; readonly tolerance: number }
  /** Nothing is there. */
  | { readonly kind: 'none' }
  /** So near an edge or a tie that either answer may be right, or a row does not tell whether it counts. */
  | { readonly kind: 'undecidable' };

/** Computes a field a second time, at a place. */
export type Recomputed = (place: LngLat) => Expected;

const NONE: Expected = { kind: 'none' };
const UNDECIDABLE: Expected = { kind: 'undecidable' };

/** Metres from an edge, or between two distances, within which either answer may be right: that of the last digits stored. */
const TIE_M = 0.5;
/** Share of a distance, and metres, that the answer may be off (docs/operators.md). */
const [OFF_SHARE, OFF_M] = [1e-6, 0.1];

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
  derived: 'it follows from other fields, which are checked where they can be',
  raster_sample: 'grids are not read a second time',
  raster_terrain: 'grids are not read a second time',
  raster_zonal: 'grids are not read a second time',
  overlap_fraction: 'shares of ground are not computed a second time',
  agg_within: 'aggregates about a place are not computed a second time',
  station_value: 'values between stations are not computed a second time',
  parcel_attr: 'it is the published value itself',
};

/** Computes fields a second time from the rows of a release. Layers are read once. */
export class Recomputation {
  readonly #catalog: Catalog;
  readonly #manifest: Manifest;
  readonly #releases: string;
  readonly #features = new Map<string, Promise<readonly PlainFeature[]>>();
  readonly #rows = new Map<string, Promise<readonly Record<string, unknown>[]>>();

  /** @param releases folder of the files. */
  constructor(catalog: Catalog, manifest: Manifest, releases: string) {
    this.#catalog = catalog;
    this.#manifest = manifest;
    this.#releases = releases;
  }

  /** @throws NotChecked with the reason where it cannot be. */
  async of(field: Field): Promise<Recomputed> {
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
        return this.#count(call);
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

  async #attribute(field: Field): Promise<Recomputed> {
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

  async #distance({ expression: call, precision }: Field): Promise<Recomputed> {
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

  async #nearest(field: Field): Promise<Recomputed> {
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

  async #count(call: Expression): Promise<Recomputed> {
    if (call.options.distinct !== undefined) throw new NotChecked('distinct counts are not computed a second time');
    const { yes, doubt } = await this.#chosen(call);
    const radius = Number(call.options.radius_m);
    return place => {
      const metres = (feature: PlainFeature) => (holds(feature, place) ? 0 : metresTo(feature, place));
      const near = yes.filter(({ box }) => boxMetres(box, place) * 0.98 <= radius + TIE_M).map(metres);
      if (near.some(one => Math.abs(one - radius) < TIE_M)) return UNDECIDABLE;
      if (doubt.some(one => boxMetres(one.box, place) * 0.98 <= radius)) return UNDECIDABLE;
      return { kind: 'value', value: near.filter(one => one <= radius).length, tolerance: 0 };
    };
  }

  async #looked(field: Field): Promise<Recomputed> {
    const { expression: call } = field;
    const [source] = call.sources as [SourceRef];
    const polygons = KEY_SOURCES[String(call.options.key)];
    if (!polygons || call.options.agg !== undefined || call.where)
      throw new NotChecked('aggregates of rows, and keys of several areas, are not looked up a second time');
    const [dataset, layer, column] = polygons;
    const areas = await this.#featuresOf({ dataset, layer });
    const id = `${source.dataset}:${source.layer}`;
    const reading = this.#rows.get(id) ?? plainRows(this.#releases, this.#partitions(source));
    this.#rows.set(id, reading);
    const rows = await reading;
    const table = layerOf(this.#catalog.datasets, source.dataset, source.layer);
    if (table.kind !== 'table') throw new NotChecked('what is looked up is no table');
    const byKey = Map.groupBy(rows, row => String(row[table.key.column]));
    return place => {
      if (nearEdge(areas, place)) return UNDECIDABLE;
      const keys = new Set(areas.filter(area => holds(area, place)).map(area => String(area.properties[column])));
      if (keys.size !== 1) return keys.size ? UNDECIDABLE : NONE;
      const own = byKey.get([...keys][0]!) ?? [];
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

/** A published value as the field answers it. */
function publishedOf({ expression: call, type }: Field, row: Readonly<Record<string, unknown>>): Expected {
  const raw = row[call.argument!];
  if (raw === null || raw === undefined || raw === '') return NONE;
  if (call.nulls.some(none => String(none) === String(raw) || Number(raw) === Number(none))) return NONE;
  const { map, scale, offset } = call.options;
  if (map !== undefined) {
    const label = labelOf(String(map), raw as string | number);
    return label === null ? NONE : { kind: 'value', value: label, tolerance: 0 };
  }
  if (type === 'number' || type === 'integer') {
    const number = Number(raw);
    if (!Number.isFinite(number)) return UNDECIDABLE;
    const value = number * Number(scale ?? 1) + Number(offset ?? 0);
    return { kind: 'value', value, tolerance: Math.abs(value) * 1e-9 };
  }
  if (type === 'boolean') return { kind: 'value', value: raw === true || raw === 'true', tolerance: 0 };
  const text = raw instanceof Date ? raw.toISOString() : String(raw);
  return { kind: 'value', value: type === 'date' ? text.slice(0, 10) : text, tolerance: 0 };
}
