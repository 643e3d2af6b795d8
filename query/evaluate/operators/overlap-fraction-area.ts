import type { AreaForm } from '../area/area.ts';
import { coveredGround } from '../area/covered-ground.ts';
import { definitionOf } from '../context.ts';

/**
 * The share of the area that the polygons of the layer cover together, whatever disc or parcel the field measures against.
 * As in polygon_within, what may or may not count is `unknown`, what no coverage holds `unmapped`. Of `any_of[…]` and of
 * rasters there is no area form.
 *
 * Cost: as polygon_attr over an area.
 */
export const form: AreaForm = {
  name: 'overlap_fraction',
  async over(ctx, call, question) {
    const [source, other] = call.sources;
    if (other || definitionOf(ctx, source!).kind === 'raster') return null;
    return coveredGround(ctx, { ...call, where: source!.where ?? call.where }, question, null);
  },
};
