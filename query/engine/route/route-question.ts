import type { Box } from '../../../datasets/geometry.ts';
import type { Point } from '../../evaluate/answer.ts';
import type { Found } from '../../route/router.ts';
import type { Failure } from '../failure.ts';
import type { LoadedGraph } from './road-graphs.ts';

/** What is asked of a road graph. Limits in milliseconds. */
export type RouteQuestion =
  | { readonly kind: 'table'; readonly origins: readonly Point[]; readonly destinations: readonly Point[] }
  | {
      readonly kind: 'nearest';
      readonly origin: Point;
      readonly places: readonly Point[];
      readonly count: number;
      readonly limit: number;
    }
  | { readonly kind: 'within'; readonly origin: Point; readonly places: readonly Point[]; readonly limit: number }
  | { readonly kind: 'isochrones'; readonly origin: Point; readonly limits: readonly number[] };

/** A question on its way to a worker, with the graphs of the release. */
export interface RouteTask {
  readonly question: RouteQuestion;
  readonly graphs: readonly LoadedGraph[];
}

/**
 * Metres from a point to the road that is driven, and to the nearest road of all, which may be joined to no network; or
 * that there is none to drive on, or that no graph covers the point.
 */
export type Placed =
  | { readonly metres: number; readonly nearestRoad: number }
  /** With the metres to a road that is joined to no network, null where there is no road at all. */
  | { readonly problem: 'no_road'; readonly nearestRoad: number | null }
  /** With where there are roads. */
  | { readonly problem: 'outside'; readonly regions: Regions };

/** Places whose roads the release has, with the box that they lie in. */
export type Regions = readonly Pick<RoadRegion, 'place' | 'box'>[];

/** Roads that answered: their source and the box that they lie in. */
export interface RoadRegion {
  readonly dataset: string;
  readonly source: string;
  readonly sourceUrl: string | null;
  readonly vintage: string;
  readonly note: string | null;
  /** Of the place that brought them. */
  readonly place: string;
  /** minX, minY, maxX, maxY in degrees. */
  readonly box: Box;
  /** Kilometres an hour of the fastest road. */
  readonly fastest: number;
}

/** What a graph says. Numbers of places that are not placed, or not reached, are UNREACHED. */
export type RouteAnswer =
  | {
      readonly region: RoadRegion;
      readonly origins: readonly Placed[];
      readonly places: readonly Placed[];
      /** Of a table: rows by origin; milliseconds and decimetres. */
      readonly time?: Uint32Array;
      readonly length?: Uint32Array;
      /** Of nearest and within. */
      readonly found?: readonly Found[];
      /** Of isochrones, one a limit: the coordinates of a MultiPolygon as JSON in UTF-8, which are megabytes. */
      readonly areas?: readonly Uint8Array[];
    }
  /** No graph can answer: there is none (then the release is `lacking`), it cannot be read, or none covers any of the origins. */
  | { readonly unavailable: string; readonly regions: Regions; readonly lacking?: boolean }
  | Failure;
