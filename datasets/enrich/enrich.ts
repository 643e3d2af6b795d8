import type { Catalog } from '../catalog.ts';
import type { ConfidenceRule, ScalarType } from '../dataset.ts';
import type { ParcelAttribute } from '../parcel/parcel-attribute.ts';
import { PARCEL_ATTRIBUTES } from '../parcel/parcel-attributes.ts';
import { PARCEL_STEPS } from '../parcel/parcel-steps.ts';
import { stepOf } from '../precision.ts';
import { ENRICH_ONLY, type EnrichOnlyName } from './enrich-only.ts';
import { ENRICH_PRESETS } from './enrich-presets.ts';

/** Fetch fields that enrichment does not answer (part of the interface of POST /v1/enrich). */
export const EXCLUDED_FROM_ENRICH: ReadonlySet<string> = new Set([
  'huc_12_name',
  'intersects_nhd_area',
  'nearest_flowline_name',
  'nearest_waterbody_name',
  'huc12_thermoelectric_consumptive_use_m3_per_day',
  'nearest_groundwater_well_depth_to_water_m',
  'public_water_system_population_served',
  'surface_water_supply_use_index_huc12',
]);

/** Seconds for which callers may cache stored attributes: as long as the parcel fields of fetch. */
const STORED_TTL = 2_592_000;

/** A field of enrichment. */
export interface EnrichField {
  readonly name: string;
  /**
   * `fetch`: a fetch field at the analysis point; `stored`: a column of the parcel; `only`: a calculation of
   * enrichment.
   */
  readonly kind: 'fetch' | 'stored' | 'only';
  readonly type: ScalarType | 'array' | 'object';
  readonly unit: string | null;
  /** Step that its numbers are rounded to; null for integers and for other types. */
  readonly precision: number | null;
  readonly description: string;
  readonly hint: string;
  /** Everyday words for it. */
  readonly terms: readonly string[];
  /** Dataset named as the source when nothing could be read. */
  readonly dataset: string;
  readonly confidence: ConfidenceRule;
  readonly ttlSeconds: number;
}

/** The fields and presets of enrichment. */
export interface EnrichCatalog {
  /** In the order of every answer: by preset, each field at its first one, then the rest in catalog order. */
  readonly fields: ReadonlyMap<string, EnrichField>;
  /** The fields and their names in that order, made once for all callers that ask for everything. */
  readonly list: readonly EnrichField[];
  readonly names: readonly string[];
  /** In the order of the interface. */
  readonly presets: ReadonlyMap<string, readonly string[]>;
}

/** Fields in catalog order: those of fetch, the stored attributes, the three calculations of enrichment. */
function* allFields({ fields }: Catalog): Generator<EnrichField> {
  for (const field of fields.values()) {
    if (EXCLUDED_FROM_ENRICH.has(field.name)) continue;
    const { name, type, unit, precision, description, hint, terms, dataset, confidence, ttlSeconds } = field;
    yield { name, kind: 'fetch', type, unit, precision, description, hint, terms, dataset, confidence, ttlSeconds };
  }
  for (const [name, column] of Object.entries(PARCEL_ATTRIBUTES)) {
    const { type, description, hint, terms }: ParcelAttribute = column;
    const unit = 'unit' in column ? column.unit : null;
    const confidence = { kind: 'parcel_match' } as const;
    yield {
      name,
      kind: 'stored',
      type,
      unit,
      precision: PARCEL_STEPS.get(name) ?? null,
      description,
      hint,
      terms,
      dataset: 'parcel_store',
      confidence,
      ttlSeconds: STORED_TTL,
    };
  }
  for (const name of Object.keys(ENRICH_ONLY) as EnrichOnlyName[]) {
    const { type, description, hint, terms, dataset, confidence, ttlSeconds, ...more } = ENRICH_ONLY[name];
    const unit = 'unit' in more ? more.unit : null;
    yield {
      name,
      kind: 'only',
      type,
      unit,
      precision: stepOf(type, unit, null),
      description,
      hint,
      terms,
      dataset,
      confidence,
      ttlSeconds,
    };
  }
}

const enrichCatalogs = new WeakMap<Catalog, EnrichCatalog>();

/** The enrich catalog over a catalog of fetch fields, made once. Preset fields that the catalog lacks are left out. */
export function enrichCatalogOf(catalog: Catalog): EnrichCatalog {
  let enrich = enrichCatalogs.get(catalog);
  if (!enrich) {
    const all = new Map([...allFields(catalog)].map(field => [field.name, field]));
    const presets = new Map(
      Object.entries(ENRICH_PRESETS).map(([preset, names]) => [preset, names.filter(name => all.has(name))]),
    );
    const order = new Set([...[...presets.values()].flat(), ...all.keys()]);
    const fields = new Map([...order].map(name => [name, all.get(name)!]));
    enrich = { fields, list: [...fields.values()], names: [...order], presets };
    enrichCatalogs.set(catalog, enrich);
  }
  return enrich;
}
