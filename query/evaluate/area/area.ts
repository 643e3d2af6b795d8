import type { Value } from '../../../datasets/dataset.ts';
import type { Box, Geometry } from '../../../datasets/geometry.ts';
import type { Expression, OperatorName } from '../../../datasets/grammar/expression.ts';
import { interiorPoint } from '../../geometry/area/interior-point.ts';
import { loadGeos } from '../../geometry/geos.ts';
import { straightArea } from '../../geometry/polygon-overlap.ts';
import { PreparedArea } from '../../geometry/prepared-area.ts';
import type { Point } from '../answer.ts';
import type { Context, Question } from '../context.ts';
import { type Finding, found } from '../finding.ts';

/** Ground that is asked about as a whole, such as a site. */
export interface Area {
  readonly geometry: Geometry;
  readonly box: Box;
  /** On WGS84, edges straight in lng,lat. */
  readonly squareMetres: number;
  readonly prepared: PreparedArea;
  /** Well inside, in its largest part. */
  readonly point: Point;
}

/** What an operator's area form sees of one request. `point` is the area's interior point. */
export interface AreaContext extends Context {
  readonly area: Area;
  /** Lets others have the thread, where it was had for long. @throws as check does. */
  pause(): Promise<void> | undefined;
}

/** A value and how much of the area it has. */
export interface ValueShare {
  readonly value: Value;
  readonly share: number;
  readonly acres: number;
}

/** Shares of the area about which the point form would say why it has no value; all 0 where it has one everywhere. */
export interface Unsaid {
  /** No polygon there, though the layer maps it. */
  readonly uncovered: number;
  /** A polygon or cell without a value. */
  readonly without_value: number;
  /** A rejected row lies there, or one that does not tell whether it counts. */
  readonly unknown: number;
  /** Beyond the coverage of the layer. */
  readonly unmapped: number;
}

/** What is said of an area. Shares are of the whole area; they and what is unsaid add up to 1. */
export type AreaStatistics =
  | ({ readonly kind: 'shares'; readonly shares: readonly ValueShare[] } & Unsaid)
  | ({ readonly kind: 'covered'; readonly share: number; readonly acres: number } & Unsaid)
  | {
      readonly kind: 'range';
      readonly min: number;
      readonly mean: number;
      readonly max: number;
      readonly cells: number;
      /** Share of the cells that have no value. */
      readonly without_value: number;
      /** Of slopes. */
      readonly classes?: readonly ValueShare[];
    }
  | { readonly kind: 'count'; readonly count: number; readonly unmapped: number }
  | { readonly kind: 'sum'; readonly value: number; readonly count: number; readonly unmapped: number }
  | { readonly kind: 'max'; readonly value: number; readonly count: number; readonly unmapped: number }
  | { readonly kind: 'distance'; readonly metres: number };

/** What an area form found. */
export type AreaFinding = Finding<AreaStatistics | null>;

/** The form of an operator over an area: what its point form answers all over the ground, put together. */
export interface AreaForm {
  readonly name: OperatorName;
  /**
   * @returns null where the call means nothing of an area.
   * @throws Fault, DamagedFile or Interrupted, as the point form.
   */
  over(ctx: AreaContext, call: Expression, question: Question): Promise<AreaFinding | null>;
}

/** @param geometry valid polygons, lng,lat. @throws RangeError when no place is inside. */
export async function areaOf(geometry: Geometry): Promise<Area> {
  const prepared = new PreparedArea(geometry, await loadGeos());
  const inside = interiorPoint(geometry);
  if (!inside) throw new RangeError('The area has no interior: it is narrower than a micrometre');
  const [lng, lat] = inside;
  return { geometry, box: prepared.grid.box, squareMetres: straightArea(geometry), prepared, point: { lng, lat } };
}

/** Statistics with the partitions that they rest on. */
export const measured = found<AreaStatistics>;
