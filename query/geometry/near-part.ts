import { type Box, boxOf, type Geometry } from '../../datasets/geometry.ts';
import { boxOfChains, chainsOf } from './edge-chains.ts';

/** Vertices from which on a boundary is long: below, looking at all of them costs less than chains do. */
const LONG = 1024;

const isLong = ({ xy }: Geometry): boolean => xy.length >= 2 * LONG;

/** Lines, as the rings of a Geometry stand there. */
type Lines = Pick<Geometry, 'xy' | 'ends'>;

/**
 * What lies about a box of a boundary, as lines: of a long one the chains whose boxes meet it, which have all its vertices
 * and edges whose own boxes do; a short one whole.
 * @param geometry,box lng,lat degrees.
 */
export function nearPart(geometry: Geometry, [minX, minY, maxX, maxY]: Box): Lines {
  const { xy } = geometry;
  if (!isLong(geometry)) return geometry;
  const { first, last, boxes } = chainsOf(geometry);
  const near: number[] = [];
  let vertices = 0;
  for (let chain = 0; chain < first.length; chain++) {
    const at = chain * 4;
    if (boxes[at]! > maxX || boxes[at + 1]! > maxY || boxes[at + 2]! < minX || boxes[at + 3]! < minY) continue;
    near.push(chain);
    vertices += last[chain]! + 1 - first[chain]!;
  }
  const part = new Float64Array(2 * vertices);
  const ends = new Uint32Array(near.length);
  let length = 0;
  for (const [i, chain] of near.entries()) {
    part.set(xy.subarray(2 * first[chain]!, 2 * last[chain]! + 2), 2 * length);
    length += last[chain]! + 1 - first[chain]!;
    ends[i] = length;
  }
  return { xy: part, ends };
}

/** As boxOf, of a long boundary from its chains. */
export const boxAbout = (geometry: Geometry): Box =>
  isLong(geometry) ? boxOfChains(chainsOf(geometry)) : boxOf(geometry);
