import type { Box } from '../../../datasets/geometry.ts';
import { boxOf } from '../../../datasets/geometry.ts';
import type { Partition } from '../../../datasets/release.ts';
import { meets } from '../../geometry/box-meeting.ts';
import { contains } from '../../geometry/point-in-polygon.ts';
import type { Features } from '../../release/features.ts';
import type { Found } from './vector-search.ts';

/** More polygons than this about a box are searched by the R-tree, point by point. */
const FEW = 48;

/** What is known of one partition's polygons about a box. */
export interface NearPolygons {
  readonly features: Features;
  /** In file order; null where there are too many. */
  readonly candidates: readonly Candidate[] | null;
  /** minX, minY, maxX, maxY of each candidate. */
  readonly boxes: Float64Array;
  /** Those that contain every point of the box, where no other contains any; null where points are to be asked. */
  readonly everywhere: readonly Found[] | null;
}

interface Candidate {
  readonly index: number;
  /** Whether it holds all of the box, or nothing of it; null while that is to be asked. */
  holds: boolean | null;
  /** Null until it is needed, so that a damaged feature fails only the points it concerns. */
  found: Found | null;
}

/** Whether a polygon holds all of a box (true), nothing of it (false), or its boundary passes through it (null). */
export function holdsBox(geometry: Parameters<typeof meets>[0], box: Box): boolean | null {
  const [minX, minY, maxX, maxY] = boxOf(geometry);
  if (minX > box[2] || maxX < box[0] || minY > box[3] || maxY < box[1]) return false;
  return meets(geometry, box) ? null : contains(geometry, box[0], box[1]);
}

/** The polygons of a partition about a lng,lat box: one R-tree search for all points in it. */
export function polygonsAbout(features: Features, partition: Partition, box: Box): NearPolygons {
  let candidates: Candidate[] | null = [];
  // A box that touches ±180 does not show that the two meridians are one.
  if (box[0] <= -180 || box[2] >= 180) candidates = null;
  else
    features.file.search(box, index => {
      if (candidates!.length === FEW) {
        candidates = null;
        return false;
      }
      candidates!.push({ index, holds: null, found: null });
      return true;
    });
  for (const candidate of candidates ?? []) {
    const [west, south, east, north] = features.file.box(candidate.index);
    // Only one that spans the batch is decoded now: every point would ask for it.
    if (west > box[0] || south > box[1] || east < box[2] || north < box[3]) continue;
    try {
      const feature = features.feature(candidate.index);
      candidate.holds = holdsBox(feature.geometry, box);
      candidate.found = { hit: { feature, partition }, features };
    } catch {
      candidate.holds = null;
    }
  }
  const near = candidates?.filter(candidate => candidate.holds !== false) ?? null;
  const everywhere = near?.every(({ holds, found }) => holds && found) ? near.map(({ found }) => found!) : null;
  const boxes = Float64Array.from(near?.flatMap(({ index }) => [...features.file.box(index)]) ?? []);
  return { features, candidates: near, boxes, everywhere };
}

/** Adds the polygons of a partition that contain a point, in file order. */
export function addFound(
  out: Found[],
  { candidates, boxes, everywhere, features }: NearPolygons,
  partition: Partition,
  lng: number,
  lat: number,
): void {
  if (!candidates) {
    for (const feature of features.containing(lng, lat)) out.push({ hit: { feature, partition }, features });
    return;
  }
  if (everywhere) {
    out.push(...everywhere);
    return;
  }
  for (let i = 0; i < candidates.length; i++) {
    const box = i * 4;
    // What holds the whole square holds the point, and so does its box.
    if (lng < boxes[box]! || lng > boxes[box + 2]! || lat < boxes[box + 1]! || lat > boxes[box + 3]!) continue;
    const candidate = candidates[i]!;
    if (candidate.holds === null) {
      candidate.found ??= { hit: { feature: features.feature(candidate.index), partition }, features };
      if (!contains(candidate.found.hit.feature.geometry, lng, lat)) continue;
    }
    out.push(candidate.found!);
  }
}
