import type { AreaForm } from '../area/area.ts';
import { coveredGround } from '../area/covered-ground.ts';
import { panelsOf } from '../edge/mapped.ts';

/**
 * The share of the area on which the point form is true. Ground under a polygon that does not tell whether it meets the
 * condition, or under a rejected row that may meet it where no other polygon does, is `unknown`; ground that the panels of
 * `coverage=` do not hold, or that the layer itself leaves out, is `unmapped`.
 *
 * Cost: as polygon_attr over an area; the panels are swept with the polygons.
 */
export const form: AreaForm = {
  name: 'polygon_within',
  over: (ctx, call, question) => coveredGround(ctx, call, question, panelsOf(call)),
};
