import type { Geometry } from '../../datasets/geometry.ts';
import type { Notice } from '../search/page/notices.ts';
import type { Issue } from '../search/request/issue.ts';
import type { SetRequest } from '../sets/ground/set-ground.ts';

/** Parcels of a group at most. */
export const MOST_PARCELS = 12;

/** A judged question for groups of parcels, plain data. */
export interface AssemblageRequest extends SetRequest {
  /** Acres that a group has at least. */
  readonly acresMin: number;
  /** Owners that it has at most; null: any number. */
  readonly ownersMax: number | null;
  /** Metres of a gap that parcels are neighbours across, 0 for none. */
  readonly roadM: number;
  /** A parcel that is in every group; null: any. */
  readonly parcelId: string | null;
  readonly limit: number;
}

/** Parcels side by side that have enough acres together, none of them superfluous. */
export interface ParcelGroup {
  readonly acres: number;
  /** Their owners as rolls write them, each once, in alphabetical order. */
  readonly owners: readonly string[];
  /** In stored order. */
  readonly parcelIds: readonly string[];
  /** The ground of all, lng,lat degrees. */
  readonly geometry: Geometry;
}

/** The groups of a set. */
interface Assemblage {
  /** Least excess first. */
  readonly groups: readonly ParcelGroup[];
  /** Parcels whose owner is not known: they are in no group where owners are counted. */
  readonly ownerless: number;
  /** Parcels from which on not all groups were tried. */
  readonly cut: number;
  /** Whether a county was left out because its neighbours were never found out. */
  readonly lacking: boolean;
  readonly unknown: number;
  readonly unread: boolean;
  readonly late: boolean;
  readonly notices: readonly Notice[];
}

export type AssemblageAnswer = Assemblage | { readonly missing: true } | { readonly issues: readonly Issue[] };
