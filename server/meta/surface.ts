import type { Catalog } from '../../datasets/catalog.ts';
import { enrichCatalogOf } from '../../datasets/enrich/enrich.ts';
import { SITING_COLUMNS } from '../../datasets/siting-columns.ts';
import { OPERATORS } from '../search/operand.ts';

/** Uses of a name: requested in fetch or enrichment, compared in a filter, returned by a search. */
export const SURFACES = ['fetch', 'enrich', 'filter', 'output'] as const;

/** The names that each surface accepts. */
export type Surfaces = Readonly<Record<(typeof SURFACES)[number], ReadonlySet<string>>>;

/** The surfaces that accept a name, in their fixed order. */
export const surfacesOf = (surfaces: Surfaces, name: string) => SURFACES.filter(surface => surfaces[surface].has(name));

/** Names of search that are not fields of enrichment: the state by its code, and forms of the boundary. */
const SEARCH_ONLY: Readonly<Record<string, string>> = {
  state: 'State of the parcel by its two-letter code: one of the 50 states or DC.',
  geometry: "The parcel's boundary: compared with an area in filters, GeoJSON in answers.",
  parcel_boundary_geojson: "The parcel's boundary as GeoJSON text.",
  parcel_geometry_wkt: "The parcel's boundary as well-known text.",
};

/** Names beside the fetch fields: stored attributes, calculations of enrichment only, and names of search only. */
export function furtherNames(catalog: Catalog, surfaces: Surfaces) {
  const enrich = enrichCatalogOf(catalog);
  const stored = [...enrich.fields.values()]
    .filter(field => field.kind !== 'fetch')
    .map(({ name, kind, type, unit, precision, description, hint, terms, dataset }) => ({
      name,
      kind: kind === 'stored' ? 'parcel_attribute' : 'enrich_only',
      type,
      unit,
      precision,
      description,
      hint,
      terms,
      dataset,
      enrich_presets: [...enrich.presets].filter(([, names]) => names.includes(name)).map(([preset]) => preset),
      surfaces: surfacesOf(surfaces, name),
      filter_operators: surfaces.filter.has(name) && type !== 'array' && type !== 'object' ? OPERATORS[type] : [],
    }));
  const search = Object.entries(SEARCH_ONLY).map(([name, description]) => ({
    name,
    kind: 'search_only',
    // The other forms of the boundary are texts.
    type: name === 'geometry' ? 'geometry' : 'string',
    unit: null,
    precision: null,
    description,
    hint: null,
    terms: [],
    dataset: 'parcel_store',
    enrich_presets: [],
    surfaces: surfacesOf(surfaces, name),
    filter_operators: !surfaces.filter.has(name) ? [] : name === 'state' ? OPERATORS.state : ['intersects', 'within'],
  }));
  const siting = [...SITING_COLUMNS].map(([name, { description }]) => ({
    name,
    kind: 'set_only',
    type: 'number' as const,
    unit: 'acres',
    precision: 0.0001,
    description,
    hint: null,
    terms: [],
    dataset: 'parcel_store',
    enrich_presets: [],
    surfaces: surfacesOf(surfaces, name),
    filter_operators: OPERATORS.number,
  }));
  return [...stored, ...search, ...siting];
}
