import type { Geometry } from '../../../datasets/geometry.ts';
import { judgeAreas } from '../../search/request/area.ts';
import { areaTest } from '../../search/request/filter.ts';
import type { Issue } from '../../search/request/issue.ts';
import { findParcel } from '../parcel-by-id.ts';
import type { SetGround } from './set-ground.ts';

/** The ground that a question is about, plain data: a parcel, or polygons in lng,lat degrees with where they stand in the request. */
export type QuestionGround = { readonly parcelId: string } | { readonly geometry: Geometry; readonly path: string };

/** Square metres of ground beyond which no answer is made: 5,000 acres, as many as a site may have. */
export const MOST_M2 = 5_000 * 4_046.8564224;

/** Why there is no outline: the issues of polygons, or that no parcel has the id. */
export type NoOutline = { readonly issues: readonly Issue[] } | { readonly missing: true };

/**
 * The outline of the ground that is asked about, lng,lat degrees.
 * @throws Fault or DamagedFile when the parcel cannot be read; what `set.step` throws.
 */
export async function outlineOf(ground: QuestionGround, set: SetGround): Promise<Geometry | NoOutline> {
  if ('parcelId' in ground) {
    const parcel = await findParcel(ground.parcelId, set);
    return parcel ? parcel.set.parcels.feature(parcel.row).geometry : { missing: true };
  }
  const { issues } = await judgeAreas([areaTest('intersects', ground.geometry, ground.path)], Number.POSITIVE_INFINITY);
  return issues.length > 0 ? { issues } : ground.geometry;
}

/** What is wrong with ground of more than MOST_M2. */
export const tooLarge = (ground: QuestionGround): NoOutline => ({
  issues: [
    {
      path: 'path' in ground ? ground.path : 'parcel_id',
      description: 'The ground has more than 5,000 acres.',
      hint: 'Ask about it in parts.',
    },
  ],
});
