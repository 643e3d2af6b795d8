import type { Box, Geometry } from '../../datasets/geometry.ts';
import type { FeatureFile } from '../format/flatgeobuf.ts';
import { PolygonOverlap, straightArea } from '../geometry/polygon-overlap.ts';
import {
  boxWithMetres,
  lengthWithin,
  type OutlineContact,
  outlineContact,
} from '../geometry/relation/outline-contact.ts';
import { OutlineGround } from '../sets/ground/outline-ground.ts';
import { MOST_GAP_M, type NeighbourContent, OVERLAPS } from './neighbour-file.ts';

/** Metres up to which two outlines are one: what publishers leave between parcels that meet, or let them overlap by. */
const TOLERANCE_M = 0.3;
/**
 * Metres of an outline within the tolerance of the other that neighbours have at least: a metre that they share, and the tolerance at both
 * of its ends, where outlines go on or turn away.
 */
const LEAST_SHARED_M = 1 + 2 * TOLERANCE_M;
/** Metres of a line between two parcels that another one takes at least, or runs beside. */
const LEAST_BETWEEN_M = 1;
/** Share of the smaller parcel beyond which ground of two is no sliver. */
const SLIVER_SHARE = 0.01;
/** Outlines that are kept in memory: those of rows next to each other are mostly next to each other on the ground. */
const KEPT_OUTLINES = 4_096;
/** Rows between two steps. */
const STEP = 256;

/** An outline with its box. */
interface Outline {
  readonly geometry: Geometry;
  readonly box: Box;
}

/** Outlines of a file, the last ones read kept. */
class Outlines {
  readonly #parcels: FeatureFile;
  readonly #kept = new Map<number, Outline>();

  constructor(parcels: FeatureFile) {
    this.#parcels = parcels;
  }

  of(row: number): Outline {
    const cached = this.#kept.get(row);
    if (cached) return cached;
    const outline = { geometry: this.#parcels.geometry(row), box: this.#parcels.box(row) };
    if (this.#kept.size >= KEPT_OUTLINES) this.#kept.delete(this.#kept.keys().next().value!);
    this.#kept.set(row, outline);
    return outline;
  }
}

/** Whether two polygons have more ground in common than a sliver. */
function overlap(a: Outline, b: Outline): boolean {
  const [west, south] = [Math.max(a.box[0], b.box[0]), Math.max(a.box[1], b.box[1])];
  const [east, north] = [Math.min(a.box[2], b.box[2]), Math.min(a.box[3], b.box[3])];
  if (west >= east || south >= north) return false;
  const [areaA, areaB] = [straightArea(a.geometry), straightArea(b.geometry)];
  const [small, large, area] = areaA < areaB ? [a, b, areaA] : [b, a, areaB];
  const common = new PolygonOverlap(small.geometry, small.box);
  common.add(large.geometry);
  return common.measure() > SLIVER_SHARE * area;
}

/** Pairs of rows with the width between them, in memory that grows. */
class Pairs {
  count = 0;
  #rows = new Uint32Array(1 << 12);
  #widths = new Uint16Array(1 << 11);

  add(row: number, other: number, width: number): void {
    if (this.count === this.#widths.length) {
      const [rows, widths] = [new Uint32Array(4 * this.count), new Uint16Array(2 * this.count)];
      rows.set(this.#rows);
      widths.set(this.#widths);
      this.#rows = rows;
      this.#widths = widths;
    }
    this.#rows[2 * this.count] = row;
    this.#rows[2 * this.count + 1] = other;
    this.#widths[this.count++] = width;
  }

  /** Both sides of all pairs by row. Pairs that were added in order of both rows give lists in order. */
  content(parcels: number): NeighbourContent {
    const starts = new Uint32Array(parcels + 1);
    for (let i = 0; i < 2 * this.count; i++) starts[this.#rows[i]! + 1]!++;
    for (let row = 0; row < parcels; row++) starts[row + 1]! += starts[row]!;
    const next = starts.slice();
    const rows = new Uint32Array(2 * this.count);
    const widths = new Uint16Array(2 * this.count);
    for (let i = 0; i < this.count; i++) {
      const [a, b] = [this.#rows[2 * i]!, this.#rows[2 * i + 1]!];
      for (const [row, other] of [
        [a, b],
        [b, a],
      ] as const) {
        rows[next[row]!] = other;
        widths[next[row]!++] = this.#widths[i]!;
      }
    }
    return { starts, rows, widths };
  }
}

/**
 * Which parcels of a county are neighbours. Two are where they share at least a metre of boundary, as one outline where
 * both are within 0.3 m; across a gap where the shortest line between them is up to 30 m long and runs no metre through another parcel. Two with more
 * ground in common than a hundredth of the smaller one overlap, and are none. Rows with one outline stand for one parcel, the first of them.
 * @param parcels in any order. @param step lets others between.
 * @throws DamagedFile when an outline cannot be read; what `step` throws.
 */
export async function neighboursOf(
  parcels: FeatureFile,
  step: () => Promise<void> | undefined = () => undefined,
): Promise<NeighbourContent> {
  const { first } = await OutlineGround.of(parcels, step);
  const outlines = new Outlines(parcels);
  const pairs = new Pairs();
  const isBlocked = ({ line }: OutlineContact, a: number, b: number): boolean => {
    const [x0, y0, x1, y1] = [line[0]!, line[1]!, line[2]!, line[3]!];
    let blocked = false;
    const box: Box = [Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)];
    parcels.search(boxWithMetres(box, TOLERANCE_M), row => {
      if (row === a || row === b || first[row] !== row) return true;
      blocked = lengthWithin(outlines.of(row).geometry, line, TOLERANCE_M) > LEAST_BETWEEN_M;
      return !blocked;
    });
    return blocked;
  };
  for (let row = 0; row < parcels.count; row++) {
    if (row % STEP === STEP - 1) await step();
    if (first[row] !== row) continue;
    const own = outlines.of(row);
    const about: number[] = [];
    parcels.search(boxWithMetres(own.box, MOST_GAP_M), other => {
      if (other > row && first[other] === other) about.push(other);
    });
    for (const other of about) {
      const beside = outlines.of(other);
      if (overlap(own, beside)) {
        pairs.add(row, other, OVERLAPS);
        continue;
      }
      const contact = outlineContact(own, beside, MOST_GAP_M, TOLERANCE_M);
      if (!contact) continue;
      if (contact.gap <= TOLERANCE_M) {
        if (contact.shared >= LEAST_SHARED_M) pairs.add(row, other, 0);
      } else if (!isBlocked(contact, row, other)) pairs.add(row, other, Math.ceil(contact.gap * 100));
    }
  }
  return pairs.content(parcels.count);
}
