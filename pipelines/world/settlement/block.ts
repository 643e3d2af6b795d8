import { type Position, round7 } from '../format/feature.ts';
import type { Lattice } from '../nature/lattice.ts';

/** Metres between a street's centre line and the lots beside it. */
const SETBACK = 8;

/** The ground of a block between its streets, in cells along its front (`a`) and rows of lots from its southern street (`r`, 0 to 2). */
export class Block {
  readonly cells: number;
  /** Depth of a cell for one of its width. */
  readonly shape: number;
  readonly #corners: readonly (readonly Position[])[];
  /** What the streets take, in cells and in rows. */
  readonly #street: Position;

  constructor(lattice: Lattice, column: number, row: number) {
    this.cells = lattice.lots[column]!;
    const [width, height] = lattice.blockSize(column, row);
    this.shape = (height * this.cells) / (2 * width);
    this.#street = [Math.min(SETBACK / width, 0.08) * this.cells, Math.min(SETBACK / height, 0.08) * 2];
    this.#corners = [0, 0.5, 1].map(r =>
      Array.from({ length: this.cells + 1 }, (_, a) => lattice.at(column + a / this.cells, row + r)),
    );
  }

  /** A place between the outline's own vertices, so that what lies inside by these numbers does so on the ground. */
  #between(x: number, y: number): Position {
    const [i, j] = [Math.min(this.cells - 1, Math.floor(x)), Math.min(1, Math.floor(y))];
    const [s, t] = [x - i, y - j];
    const [south, north] = [this.#corners[j]!, this.#corners[j + 1]!];
    const axis = (k: 0 | 1) => {
      const near = south[i]![k] + (south[i + 1]![k] - south[i]![k]) * s;
      const far = north[i]![k] + (north[i + 1]![k] - north[i]![k]) * s;
      return round7(near + (far - near) * t);
    };
    return [axis(0), axis(1)];
  }

  /** A place of the lots: only those at the ends give up ground for the streets. */
  at(a: number, r: number): Position {
    const [x, y] = this.#street;
    return this.#between(edged(a, x, this.cells), edged(r, y, 2));
  }

  /** Corners of a street's ground along the block's northern or southern side, from the west, without touching its lots. */
  streetside(north: boolean): Position[] {
    const [x, y] = this.#street;
    const r = 0.8 * y;
    return Array.from({ length: this.cells + 1 }, (_, a) => this.#between(edged(a, x, this.cells), north ? 2 - r : r));
  }
}

/** Moves what lies in the first and last of `count` units away from the ends by up to `inset`. */
function edged(value: number, inset: number, count: number): number {
  if (value < 1) return inset + value * (1 - inset);
  if (value > count - 1) return count - inset - (count - value) * (1 - inset);
  return value;
}
