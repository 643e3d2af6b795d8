import { useEffect, useState } from 'preact/hooks';
import { firstMap } from '../map/first-map.ts';
import type { FieldMeta } from './field.ts';
import { ask } from './request.ts';
import { pageTitle, titleOf } from './titles.ts';

interface FurtherName {
  readonly name: string;
  readonly kind: string;
  readonly type: string;
  readonly unit: string | null;
  readonly description: string;
  readonly hint: string | null;
  readonly terms: readonly string[];
  readonly surfaces: readonly string[];
  readonly filter_operators: readonly string[];
  readonly installed: boolean;
  readonly why_not: string | null;
  readonly parcel_share: number | null;
}

interface Preset {
  readonly name: string;
  readonly fields: readonly string[];
}

/** What a search cannot filter by yet, and how far the calculations are. */
export interface Calculations {
  readonly fields: readonly string[];
  readonly done: number | null;
  readonly total: number | null;
  readonly seconds_left: number | null;
}

interface CatalogDocument {
  readonly release: string | null;
  readonly calculations: Calculations | null;
  readonly presets: readonly Preset[];
  readonly enrich_presets: readonly Preset[];
  readonly fields: readonly FieldMeta[];
  readonly further_names: readonly FurtherName[];
}

/** The fields and presets that can be requested. */
export interface Catalog {
  readonly release: string | null;
  readonly calculations: Calculations | null;
  readonly presets: readonly Preset[];
  readonly enrichPresets: readonly Preset[];
  readonly fields: ReadonlyMap<string, FieldMeta>;
  /** Fields that a search can filter by, by name. */
  readonly filters: readonly FieldMeta[];
}

/** Names with a control of their own: the state is chosen from a list, an area is drawn. */
const CHOSEN_ELSEWHERE = ['state', 'state2', 'geometry'];

function read(document: CatalogDocument): Catalog {
  const further = document.further_names.map(
    (name): FieldMeta => ({
      ...name,
      layer: 'parcels',
      title: titleOf(name),
      hint: name.hint ?? '',
      publisher: '',
      enum_values: null,
      verdict: null,
    }),
  );
  const all = [...document.fields.map(field => ({ ...field, title: pageTitle(field.title) })), ...further];
  return {
    release: document.release,
    calculations: document.calculations,
    presets: document.presets,
    enrichPresets: document.enrich_presets,
    fields: new Map(all.map(field => [field.name, field])),
    filters: all.filter(({ name, surfaces }) => surfaces.includes('filter') && !CHOSEN_ELSEWHERE.includes(name)),
  };
}

let loading: Promise<Catalog> | null = null;

/** The catalog, fetched once. @throws ApiError; the next call tries again. */
function loadCatalog(): Promise<Catalog> {
  loading ??= ask<CatalogDocument>({ method: 'GET', path: '/v1/meta/fields', isPublic: true })
    .then(read)
    .catch(error => {
      loading = null;
      throw error;
    });
  return loading;
}

/**
 * The catalog; null while it is on its way.
 * @param isUrgent whether something that is asked waits for it. Else the map comes first: the catalog takes as long as a fifth of it.
 */
export function useCatalog(isUrgent = true): Catalog | null {
  const [catalog, setCatalog] = useState<Catalog | null>(null);
  useEffect(() => {
    // The map's library, the greater part of a page, is asked for in this turn and so before the catalog.
    const turn = isUrgent ? Promise.resolve() : firstMap;
    turn.then(loadCatalog).then(setCatalog, () => {});
  }, [isUrgent]);
  return catalog;
}
