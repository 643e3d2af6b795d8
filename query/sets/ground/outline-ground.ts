import type { Geometry } from '../../../datasets/geometry.ts';
import type { FeatureFile } from '../../format/flatgeobuf.ts';
import { sharedWords } from '../../format/shared-memory.ts';

/** Rows between two pauses. */
const STEP = 1 << 15;
/** Spreads the bits of a double (2^32 divided by the golden ratio; odd). */
const GOLDEN = 0x9e3779b1;

const isSame = (a: Geometry, b: Geometry): boolean =>
  a.xy.length === b.xy.length && a.ends.length === b.ends.length && a.xy.every((value, i) => value === b.xy[i]);

/** The ground of a county's parcels: rows of apartments of one lot have the outline of the lot. */
export class OutlineGround {
  /** By row: the first row with the same outline. */
  readonly first: Uint32Array;
  /** Whether any outline is that of several rows. */
  readonly stacked: boolean;

  private constructor(first: Uint32Array, stacked: boolean) {
    this.first = first;
    this.stacked = stacked;
  }

  get bytes(): number {
    return this.first.byteLength;
  }

  /**
   * Finds the rows with the same outline, position by position. Boxes are compared first, so that only outlines with equal boxes
   * are read.
   * @throws DamagedFile when an outline cannot be read; what `step` throws.
   */
  static async of(parcels: FeatureFile, step: () => Promise<void> | undefined): Promise<OutlineGround> {
    const { count } = parcels;
    const first = sharedWords(count);
    if (count === 0) return new OutlineGround(first, false);
    const { boxes } = parcels.index;
    const leaf = parcels.index.leafOf(0);
    const words = new Uint32Array(boxes.buffer, boxes.byteOffset, boxes.length * 2);
    const slots = 2 ** Math.ceil(Math.log2(2 * count + 1));
    // A place holds its row plus one: 0 is free.
    const table = new Uint32Array(slots);
    let stacked = false;
    for (let row = 0; row < count; row++) {
      if (row % STEP === STEP - 1) await step();
      const at = (row + leaf) * 4;
      let hash = 0;
      for (let word = 2 * at; word < 2 * at + 8; word++) hash = Math.imul(hash ^ words[word]!, GOLDEN) ^ (hash >>> 15);
      let slot = (hash ^ (hash >>> 16)) & (slots - 1);
      first[row] = row;
      for (; table[slot] !== 0; slot = (slot + 1) & (slots - 1)) {
        const other = table[slot]! - 1;
        const b = (other + leaf) * 4;
        if (boxes[at] !== boxes[b] || boxes[at + 1] !== boxes[b + 1]) continue;
        if (boxes[at + 2] !== boxes[b + 2] || boxes[at + 3] !== boxes[b + 3]) continue;
        if (!isSame(parcels.geometry(row), parcels.geometry(other))) continue;
        first[row] = other;
        stacked = true;
        break;
      }
      if (table[slot] === 0) table[slot] = row + 1;
    }
    return new OutlineGround(first, stacked);
  }
}
