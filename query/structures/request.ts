import type { Value } from '../../datasets/dataset.ts';
import type { Geometry } from '../../datasets/geometry.ts';
import type { Point } from '../evaluate/answer.ts';
import type { NoOutline, QuestionGround } from '../sets/ground/outline.ts';
import type { SetRequest } from '../sets/ground/set-ground.ts';

/** A judged question for the structures on some ground, plain data. */
export interface StructuresRequest extends SetRequest {
  readonly ground: QuestionGround;
}

/** Whether something is known, why not, and what it rests on. */
export interface Standing {
  readonly status: 'ok' | 'absent' | 'failed';
  /** Null where it is ok. */
  readonly reason: string | null;
  readonly retryable: boolean;
  readonly source: string;
  readonly sourceUrl: string | null;
  readonly vintage: string | null;
}

/** How much of a structure lies in a flood hazard area. Shares are null unless ok. */
export interface FloodShare extends Standing {
  /** As the map draws it. */
  readonly share: number | null;
  /** If all lines of the map are off by its stated accuracy, either way; null where its source states none. */
  readonly least: number | null;
  readonly most: number | null;
  readonly verdict: 'inside' | 'outside' | 'not_decidable' | null;
}

/** The flood zones under a structure, the largest share first. */
export interface FloodZones extends Standing {
  /** The one that decides; null unless ok. */
  readonly zone: string | null;
  readonly shares: readonly { readonly zone: string; readonly share: number }[];
}

/** A height. Metres; null unless ok. */
export interface Height extends Standing {
  readonly metres: number | null;
  /** The root mean square error that its source or a published study states; null where none does. */
  readonly error: number | null;
}

/** A height with what it decides. */
export interface HeightVerdict extends Height {
  readonly verdict: 'above' | 'below' | 'not_decidable' | null;
}

/** A building on the ground with what the flood map and the terrain say of it. */
export interface Structure {
  readonly id: Value;
  /** What it is used for, as its source says. */
  readonly occupancy: Value;
  readonly geometry: Geometry;
  /** Well inside. */
  readonly point: Point;
  readonly squareMetres: number;
  /** The share of it that lies on the ground asked about. */
  readonly onGround: number;
  readonly footprint: Pick<Standing, 'source' | 'sourceUrl' | 'vintage'>;
  readonly sfha: FloodShare;
  readonly zones: FloodZones;
  readonly moderate: FloodShare;
  readonly lowest: Height;
  readonly baseFlood: Height;
  readonly aboveBaseFlood: HeightVerdict;
}

/** The structures on some ground. */
export interface Structures {
  /** Square metres. */
  readonly gross: number;
  /** Coverage of the building footprints there. */
  readonly footprints: Standing;
  /** How many there are; null where that is not known. */
  readonly count: number | null;
  /** The largest first; not all, where there are too many or the time was up. */
  readonly structures: readonly Structure[];
  /** Whether buildings are mapped on a part of the ground alone. */
  readonly partly: boolean;
  /** Rows of buildings about the ground that were rejected at ingest. */
  readonly rejected: number;
  readonly late: boolean;
}

/** An answer, what is wrong with the ground, or why nothing can be told. */
export type StructuresAnswer = Structures | NoOutline | { readonly uncounted: string };

/** Structures of one answer. */
export const MOST_STRUCTURES = 200;
