import type { EnrichOnlyName } from '../../datasets/enrich/enrich-only.ts';
import type { Context } from '../evaluate/context.ts';
import { type Finding, failed } from '../evaluate/finding.ts';
import { storedLayerOf } from '../evaluate/raster/terrain.ts';
import type { BoundParcel } from '../parcel/bound-parcel.ts';
import { CONSTRAINT_FIELDS, CONSTRAINT_SOURCES, constraintZones } from './constraint-zones.ts';
import type { EnrichFinding } from './enrich-finding.ts';
import { FLOOD_PANELS, FLOOD_ZONES, floodFraction } from './flood-fraction.ts';
import { ASSEMBLAGE_RADIUS_M, ownerAssemblage } from './owner-assemblage.ts';

/** A calculation that enrichment alone answers, and all that its answer rests on beside the parcel's own row. */
interface OnlyCalculation {
  readonly calculate: (ctx: Context, parcel: BoundParcel) => Promise<EnrichFinding | Finding>;
  /** `dataset:layer` of what it cannot do without. */
  readonly layers: readonly string[];
  /** Attributes of the parcel that it cannot do without. */
  readonly attributes: readonly string[];
  /** Layers that it reads where the release has them. */
  readonly optional: readonly string[];
  /** Metres around the parcel within which it looks. */
  readonly reach: number;
  /** Whether it reads other parcels than its own. */
  readonly neighbours: boolean;
  /** Fields of the catalog whose definition it takes over. */
  readonly fields: readonly string[];
  /** Raised when it answers differently than before: then what is stored is computed anew. */
  readonly revision: number;
}

const idOf = ({ dataset, layer }: { readonly dataset: string; readonly layer: string }): string =>
  `${dataset}:${storedLayerOf(layer)}`;

/** The three calculations by their names. */
export const ONLY: Readonly<Record<EnrichOnlyName, OnlyCalculation>> = {
  parcel_constraint_zones: {
    calculate: constraintZones,
    layers: CONSTRAINT_SOURCES.map(idOf),
    attributes: [],
    optional: [],
    reach: 0,
    neighbours: false,
    fields: CONSTRAINT_FIELDS,
    revision: 2,
  },
  parcel_flood_sfha_fraction: {
    calculate: floodFraction,
    layers: [idOf(FLOOD_ZONES)],
    attributes: [],
    optional: [idOf(FLOOD_PANELS)],
    reach: 0,
    neighbours: false,
    fields: [],
    revision: 2,
  },
  owner_assemblage: {
    calculate: ownerAssemblage,
    layers: [],
    attributes: ['owner'],
    optional: [],
    reach: ASSEMBLAGE_RADIUS_M,
    neighbours: true,
    fields: [],
    revision: 2,
  },
};

/** Whether a name is one of the three. */
export const isOnly = (name: string): name is EnrichOnlyName => Object.hasOwn(ONLY, name);

/** Carries out one of them for a parcel; a fault is its own failure. @throws Interrupted. */
export async function calculateOnly(ctx: Context, name: EnrichOnlyName, parcel: BoundParcel): Promise<EnrichFinding> {
  try {
    return await ONLY[name].calculate(ctx, parcel);
  } catch (error) {
    return failed(error);
  }
}
