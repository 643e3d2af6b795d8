import { type Box, boxOf, type Geometry } from '../../datasets/geometry.ts';
import type { Partition } from '../../datasets/release.ts';
import { discPolygon } from '../geometry/disc/disc.ts';
import { MaskDisc } from '../geometry/disc/mask-disc.ts';
import { Fault } from '../release/fault.ts';
import type { Context, Question } from './context.ts';
import type { Finding } from './finding.ts';
import { parcelMatch, unmatchedFinding } from './parcel-at-point.ts';

/** The area that a share is measured against: a disc or a parcel. */
export interface Mask {
  readonly geometry: Geometry;
  /** Of the geometry, whose longitudes may go on beyond ±180. */
  readonly box: Box;
  /** The same within ±180, to search by. */
  readonly boxes: readonly Box[];
  readonly partitions: readonly Partition[];
  /** Only where the area is a parcel. */
  readonly match: 'contains' | 'nearest' | 'address' | null;
  /** Only where the area is a disc. */
  readonly disc: MaskDisc | null;
}

/**
 * The disc or the parcel of `over=`, or why there is none.
 * @throws Fault for an `over=` that is neither a radius nor the parcel.
 */
export async function maskOf(ctx: Context, over: string, question: Question): Promise<Mask | Finding> {
  if (over === 'parcel') {
    const match = await parcelMatch(ctx);
    if (match.status !== 'matched') return unmatchedFinding(match, question);
    const { geometry } = match.hit.feature;
    const box = boxOf(geometry);
    return { geometry, box, boxes: [box], partitions: [match.hit.partition], match: match.type, disc: null };
  }
  const metres = /^radius:(\d+(?:\.\d+)?)$/.exec(over)?.[1];
  if (!metres) throw new Fault(`overlap_fraction has no over=${over}; radius:<m> and parcel are known`);
  const { lng, lat } = ctx.point;
  return ctx.memo(`disc ${metres}`, async () => {
    const geometry = discPolygon(lng, lat, Number(metres));
    const disc = new MaskDisc(lng, lat, Number(metres));
    return { geometry, box: boxOf(geometry), boxes: disc.outer.boxes, partitions: [], match: null, disc };
  });
}
