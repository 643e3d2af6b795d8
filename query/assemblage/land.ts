/** Ground that may be put together: each piece is a parcel, or several of one outline. */
export interface Land {
  /** Of each piece, in hundred-thousandths of an acre: sums of whole numbers are the same in any order. */
  readonly sizes: Float64Array;
  /** Number of parcels of each piece. */
  readonly parcels: Uint8Array;
  /** The owners of each piece by their numbers, each once; null where it does not matter whose they are. */
  readonly owners: readonly (readonly number[])[] | null;
  /** By piece where its neighbours begin, and after the last one where they end. */
  readonly starts: Uint32Array;
  /** Neighbours, ascending for each piece. */
  readonly beside: Uint32Array;
  /** Pieces with ground in common, from both sides. */
  readonly clashes: ReadonlyMap<number, ReadonlySet<number>>;
}

/** The rule that a group meets. */
export interface GroupRule {
  /** In the unit of sizes. */
  readonly size: number;
  readonly owners: number | null;
  readonly parcels: number;
}

/** A group of pieces, ascending. */
export interface Group {
  readonly pieces: readonly number[];
  readonly size: number;
}

/**
 * The largest piece within so many steps of each piece: by number of steps, from 0.
 * A group of n pieces has none that is farther than n - 1 steps from another one of it.
 */
export function largestWithin({ sizes, starts, beside }: Land, steps: number): Float64Array[] {
  const levels = [sizes];
  for (let step = 1; step <= steps; step++) {
    const before = levels.at(-1)!;
    const level = before.slice();
    for (let piece = 0; piece < sizes.length; piece++)
      for (let i = starts[piece]!; i < starts[piece + 1]!; i++)
        level[piece] = Math.max(level[piece]!, before[beside[i]!]!);
    levels.push(level);
  }
  return levels;
}

/** Whether pieces hang together without one of them. */
function hangsTogether({ starts, beside }: Land, pieces: readonly number[], without: number): boolean {
  const left = new Set(pieces);
  left.delete(without);
  const [first] = left;
  const queue = first === undefined ? [] : [first];
  left.delete(first!);
  for (const piece of queue)
    for (let i = starts[piece]!; i < starts[piece + 1]!; i++) if (left.delete(beside[i]!)) queue.push(beside[i]!);
  return left.size === 0;
}

/** Whether a group needs all of its pieces: without any of them it falls apart or is too small. @param fixed stays in any case. */
export const isMinimal = (land: Land, { pieces, size }: Group, least: number, fixed: number | null): boolean =>
  pieces.every(one => one === fixed || size - land.sizes[one]! < least || !hangsTogether(land, pieces, one));

/** Compares groups by their excess, equal ones piece by piece. */
export function compareGroups(a: Group, b: Group): number {
  if (a.size !== b.size) return a.size - b.size;
  for (let i = 0; i < Math.min(a.pieces.length, b.pieces.length); i++)
    if (a.pieces[i] !== b.pieces[i]) return a.pieces[i]! - b.pieces[i]!;
  return a.pieces.length - b.pieces.length;
}
