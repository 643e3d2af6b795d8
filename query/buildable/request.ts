import type { Geometry } from '../../datasets/geometry.ts';
import type { Condition } from '../../datasets/grammar/condition.ts';
import type { Issue } from '../search/request/issue.ts';
import type { QuestionGround } from '../sets/ground/outline.ts';
import type { SetRequest } from '../sets/ground/set-ground.ts';

/** Ground that nothing may be built on, plain data. */
export interface Exclusion {
  /** As the caller named it, and answers name it. */
  readonly name: string;
  readonly dataset: string;
  readonly layer: string;
  /** The features, or the cells of a raster, that count; null for all. */
  readonly where: Condition | null;
  /** Metres about them. */
  readonly setback: number;
}

/** A judged question for what can be built on, plain data. */
export interface BuildableRequest extends SetRequest {
  readonly ground: QuestionGround;
  readonly exclusions: readonly Exclusion[];
  /** Metres from the boundary of the ground. */
  readonly boundarySetback: number;
  /** Metres that what is left is wide at least. */
  readonly minWidth: number;
  /** Square metres that a piece of it has at least. */
  readonly minPiece: number;
  /** Whether the ground of each exclusion is wanted. */
  readonly shapes: boolean;
}

/** What one exclusion takes. Areas are square metres. */
export interface ExclusionShare {
  readonly name: string;
  readonly status: 'ok' | 'absent' | 'failed';
  /** What it takes where it is the only one, and what is lost by it after all others; null unless ok. */
  readonly alone: number | null;
  readonly last: number | null;
  /** Its part of the ground, where it was asked for and there is one. */
  readonly geometry: Geometry | null;
  /** Null for the boundary of the ground itself. */
  readonly source: string | null;
  readonly sourceUrl: string | null;
  readonly vintage: string | null;
  /** Why nothing is known of it; null where it is ok. */
  readonly reason: string | null;
  readonly retryable: boolean;
}

/** What can be built on. Areas are square metres; null where an exclusion is not known. */
export interface Buildable {
  readonly gross: number;
  readonly area: number | null;
  readonly largestPiece: number | null;
  /** Share of the ground that lies within the accuracy of the edges; null where a source states none. */
  readonly undecidable: number | null;
  readonly geometry: Geometry | null;
  readonly exclusions: readonly ExclusionShare[];
}

/** An answer, what is wrong with the ground, that no parcel has the id, or why nothing can be told. */
export type BuildableAnswer =
  | Buildable
  | { readonly issues: readonly Issue[] }
  | { readonly missing: true }
  | { readonly uncounted: string };
