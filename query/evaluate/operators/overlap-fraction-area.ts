import type { AreaForm } from '../area/area.ts';
import { coveredGround } from '../area/covered-ground.ts';
import { outsideReason, piecesOf } from '../area/piece.ts';
import { confidenceOf } from '../confidence.ts';
import { definitionOf } from '../context.ts';
import { absent } from '../finding.ts';

/**
 * The share of the area that the polygons of the layer cover together, whatever disc or parcel the field measures against.
 * As in polygon_within, what may or may not count is `unknown`, what no coverage holds `unmapped`. Of `any_of[…]` and of
 * rasters there is no area form.
 *
 * Cost: as polygon_attr over an area.
 */
export const form: AreaForm = {
  name: 'overlap_fraction',
  async over(ctx, call, { rule }) {
    const [source, other] = call.sources;
    if (other || definitionOf(ctx, source!).kind === 'raster') return null;
    const filtered = { ...call, where: source!.where ?? call.where };
    const all = await piecesOf(ctx, source!, filtered.where);
    if (!all.pieces.length) return absent(outsideReason(source!, all), confidenceOf(rule), all.covering);
    return coveredGround(ctx, filtered, rule, all, null);
  },
};
