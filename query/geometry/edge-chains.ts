import type { Box, Geometry } from '../../datasets/geometry.ts';
import { memo } from '../../datasets/memo.ts';

/**
 * Edges a chain, and chains a group, hold at most: small enough to skip most of a long line, large enough to cost little
 * memory.
 */
const LENGTH = 32;

/**
 * The lines or rings of a geometry cut into short chains of edges, each with its box, so that a question about one
 * place reads a few chains and not every vertex (as JTS's MonotoneChain does, without the monotony).
 */
export interface Chains {
  /** First vertex of each chain; a chain ends where its last edge does, in `last`. */
  readonly first: Uint32Array;
  /** Last vertex of each chain, inclusive: the first vertex of the next chain of the same ring. */
  readonly last: Uint32Array;
  /** minX, minY, maxX, maxY of each chain. */
  readonly boxes: Float64Array;
  /** Exclusive end of each line or ring, in chains. */
  readonly ends: Uint32Array;
  /** Exclusive end, in chains, of each group of up to 32 chains of one line or ring. */
  readonly groups: Uint32Array;
  /** minX, minY, maxX, maxY of each group. */
  readonly groupBoxes: Float64Array;
  /** Exclusive end of each line or ring, in groups. */
  readonly groupEnds: Uint32Array;
}

/**
 * The chains of a geometry, made once for as long as the geometry object lives.
 * A line of one vertex is a chain of no edge; points are not lines and have none.
 */
export const chainsOf = memo(build);

/** The box of all chains, in the unit of their coordinates: inside out where there are none. */
export function boxOfChains({ groupBoxes }: Chains): Box {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at < groupBoxes.length; at += 4) {
    minX = Math.min(minX, groupBoxes[at]!);
    minY = Math.min(minY, groupBoxes[at + 1]!);
    maxX = Math.max(maxX, groupBoxes[at + 2]!);
    maxY = Math.max(maxY, groupBoxes[at + 3]!);
  }
  return [minX, minY, maxX, maxY];
}

function build({ xy, ends: lines }: Geometry): Chains {
  const first: number[] = [];
  const last: number[] = [];
  const ends = new Uint32Array(lines.length);
  let start = 0;
  for (let line = 0; line < lines.length; line++) {
    const end = lines[line]! - 1;
    for (let v = start; v < end || (v === start && v === end); v += LENGTH) {
      first.push(v);
      last.push(Math.min(v + LENGTH, end));
    }
    ends[line] = first.length;
    start = end + 1;
  }
  const boxes = new Float64Array(first.length * 4);
  for (let chain = 0; chain < first.length; chain++) {
    let minX = Infinity;
    let minY = Infinity;
    let maxX = -Infinity;
    let maxY = -Infinity;
    for (let v = first[chain]!; v <= last[chain]!; v++) {
      const x = xy[2 * v]!;
      const y = xy[2 * v + 1]!;
      if (x < minX) minX = x;
      if (x > maxX) maxX = x;
      if (y < minY) minY = y;
      if (y > maxY) maxY = y;
    }
    boxes.set([minX, minY, maxX, maxY], chain * 4);
  }
  const groups: number[] = [];
  const groupBoxes: number[] = [];
  const groupEnds = new Uint32Array(lines.length);
  let chain = 0;
  ends.forEach((end, line) => {
    while (chain < end) {
      const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
      for (const stop = Math.min(chain + LENGTH, end); chain < stop; chain++) {
        box[0] = Math.min(box[0], boxes[chain * 4]!);
        box[1] = Math.min(box[1], boxes[chain * 4 + 1]!);
        box[2] = Math.max(box[2], boxes[chain * 4 + 2]!);
        box[3] = Math.max(box[3], boxes[chain * 4 + 3]!);
      }
      groups.push(chain);
      groupBoxes.push(...box);
    }
    groupEnds[line] = groups.length;
  });
  return {
    first: Uint32Array.from(first),
    last: Uint32Array.from(last),
    boxes,
    ends,
    groups: Uint32Array.from(groups),
    groupBoxes: Float64Array.from(groupBoxes),
    groupEnds,
  };
}
