import type { Box } from '../../datasets/geometry.ts';
import { memo } from '../../datasets/memo.ts';
import type { Partition } from '../../datasets/release.ts';
import { BoxIndex } from '../format/box-index.ts';
import type { ListCoverage } from './coverage.ts';
import { coverageReach, GLOBE } from './lists/outline.ts';
import type { Release } from './open-release.ts';

/** Boxes of the coverages of one list, or of several that share their files. */
interface Boxes {
  readonly index: BoxIndex;
  /** Coverages whose box the manifest does not say and nobody has read so far: of releases of earlier builds. */
  readonly unknown: number;
  /** How many were read when this was made. */
  readonly learned: number;
}

/** Which coverages of a release may hold some ground, found by their boxes: far ones are neither opened nor gone through. */
export class CoverageBoxes {
  /** Boxes of coverage files that were opened, by checksum, where the manifest does not say them. */
  readonly #learned = new Map<string, Box>();
  readonly #boxes = new Map<string | ListCoverage, Boxes>();

  static readonly of = memo((_release: Release) => new CoverageBoxes());

  /** What was read of a coverage file. @param root boxes of its index, the whole file's first; empty where it has none. */
  learn(sha256: string, root: ArrayLike<number>): void {
    if (root.length < 4 || this.#learned.has(sha256)) return;
    this.#learned.set(sha256, [root[0]!, root[1]!, root[2]!, root[3]!]);
  }

  /**
   * Places among the bounded partitions of those whose coverage may hold ground of some lng,lat boxes, ascending.
   * @param boxes on both sides of the meridian of 180 (see acrossMeridian).
   */
  about(coverage: ListCoverage, boxes: readonly Box[]): readonly number[] {
    if (!coverage.bounded.length) return [];
    return this.#of(coverage).index.meeting(boxes);
  }

  #of(coverage: ListCoverage): Boxes {
    const key = coverage.files ?? coverage;
    const cached = this.#boxes.get(key);
    if (cached && (cached.unknown === 0 || cached.learned === this.#learned.size)) return cached;
    const each = coverage.bounded.map(partition => this.#boxOf(partition));
    const boxes = {
      index: new BoxIndex(each),
      unknown: each.filter(box => box === GLOBE).length,
      learned: this.#learned.size,
    };
    this.#boxes.set(key, boxes);
    return boxes;
  }

  #boxOf(partition: Partition): Box | null {
    const reach = coverageReach(partition);
    if (reach !== undefined) return reach;
    const file = partition.files.find(f => f.role === 'coverage');
    return (file && this.#learned.get(file.sha256)) ?? GLOBE;
  }
}

/** A box, and where it touches the meridian of 180 also the other side of it: both meridians are one. */
export function acrossMeridian(box: Box): Box[] {
  const boxes = [box];
  if (box[0] <= -180) boxes.push([180, box[1], 180, box[3]]);
  if (box[2] >= 180) boxes.push([-180, box[1], -180, box[3]]);
  return boxes;
}
