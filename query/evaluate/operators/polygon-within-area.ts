import type { AreaForm } from '../area/area.ts';
import { coveredGround } from '../area/covered-ground.ts';
import { outsideReason, piecesOf } from '../area/piece.ts';
import { confidenceOf } from '../confidence.ts';
import { panelsOf } from '../edge/mapped.ts';
import { absent } from '../finding.ts';

/**
 * The share of the area on which the point form is true. Ground under a polygon that does not tell whether it meets the
 * condition, or under a rejected row that may meet it where no other polygon does, is `unknown`; ground that the panels of
 * `coverage=` do not hold, or that the layer itself leaves out, is `unmapped`.
 *
 * Cost: as polygon_attr over an area; the panels are swept with the polygons.
 */
export const form: AreaForm = {
  name: 'polygon_within',
  async over(ctx, call, { rule }) {
    const source = call.sources[0]!;
    const all = await piecesOf(ctx, source, call.where);
    if (!all.pieces.length) return absent(outsideReason(source, all), confidenceOf(rule), all.covering);
    return coveredGround(ctx, call, rule, all, panelsOf(call));
  },
};
