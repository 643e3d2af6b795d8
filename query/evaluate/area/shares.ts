import { ACRE_M2 } from '../../geometry/acre.ts';
import { roundFraction } from '../published.ts';
import type { AreaContext, Unsaid } from './area.ts';

/** Share of the area, 4 decimals. @param squareMetres of it. */
export const shareOf = ({ area }: AreaContext, squareMetres: number): number =>
  roundFraction(Math.min(1, Math.max(0, squareMetres / area.squareMetres)));

/** International acres, 2 decimals. */
export const acresOf = (squareMetres: number): number => Math.round((squareMetres / ACRE_M2) * 100) / 100;

/** Square metres of what is not said; what is not mapped is what is left. */
export function unsaidOf(
  ctx: AreaContext,
  ground: { uncovered: number; without: number; unknown: number; mapped: number },
): Unsaid {
  return {
    uncovered: shareOf(ctx, ground.uncovered),
    without_value: shareOf(ctx, ground.without),
    unknown: shareOf(ctx, ground.unknown),
    unmapped: shareOf(ctx, ctx.area.squareMetres - ground.mapped),
  };
}
