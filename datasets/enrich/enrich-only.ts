import type { ConfidenceRule } from '../dataset.ts';

/** A calculation that only enrichment answers. It is neither a fetch field nor a filter or output of search. */
interface EnrichOnly {
  readonly type: 'array' | 'object' | 'number';
  readonly unit?: string;
  readonly description: string;
  /**
   * Three to ten everyday words for it: how a buyer, a farmer, an insurer or a Spanish speaker would ask. Questions are
   * matched with them.
   */
  readonly terms: readonly string[];
  readonly hint: string;
  /** Dataset named as the source when nothing could be read. */
  readonly dataset: string;
  /** All datasets that it reads beside the parcel. */
  readonly datasets: readonly string[];
  readonly confidence: ConfidenceRule;
  readonly ttlSeconds: number;
}

/** The three calculations of enrichment only. Their code in query/enrich defines them exactly. */
export const ENRICH_ONLY = {
  parcel_constraint_zones: {
    type: 'array',
    description: 'Constraint polygons that overlap the matched parcel, with the area and share of each.',
    terms: [
      'constraints',
      'what limits building',
      'restrictions on the land',
      'encumbrances',
      "what can't i build on",
      'limitations',
    ],
    hint: 'Send it to the engineer before layout: each kind brings its own permit, and since kinds overlap their shares must not be added.',
    dataset: 'usfws_nwi',
    datasets: ['usfws_nwi', 'usgs_nhdplus_hr', 'fema_nfhl', 'usgs_padus', 'usfws_critical_habitat', 'usgs_3dep'],
    confidence: { kind: 'min_inputs' },
    ttlSeconds: 2_592_000,
  },
  parcel_flood_sfha_fraction: {
    type: 'number',
    unit: 'fraction',
    description: 'Share of the matched parcel inside a FEMA special flood hazard area.',
    terms: [
      'how much of the lot floods',
      'share of the lot in the floodplain',
      'percent in the flood zone',
      'flooded part of the land',
    ],
    hint: 'Above zero a lender will ask where the building stands; the part outside may still carry it all, so see the map before you discount.',
    dataset: 'fema_nfhl',
    datasets: ['fema_nfhl'],
    confidence: { kind: 'parcel_match' },
    ttlSeconds: 7_776_000,
  },
  owner_assemblage: {
    type: 'object',
    description: 'Other stored parcels held by the same owner near the matched parcel.',
    terms: [
      'other land of the owner',
      'what else do they own',
      'adjoining parcels same owner',
      'land assembly',
      'neighboring parcels owned',
    ],
    hint: 'A contiguous block can be bought from one party; names are compared as text, so affiliates under other names are missed and namesakes may slip in.',
    dataset: 'parcel_store',
    datasets: ['parcel_store'],
    confidence: { kind: 'parcel_match' },
    ttlSeconds: 2_592_000,
  },
} as const satisfies Readonly<Record<string, EnrichOnly>>;

export type EnrichOnlyName = keyof typeof ENRICH_ONLY;
