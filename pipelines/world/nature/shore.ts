import type { Position } from '../format/feature.ts';
import { toFrame } from '../frame.ts';
import type { Pond, Reach } from './stream.ts';

/** Metres of a square of the index. */
const CELL = 100;
/** Metres from a stream's line and from a pond's water at which houses stand at the nearest. */
const BANK = 16;
/** No house stands farther from the first corner of its site, unless its front is longer. */
export const NEAR_M = 70;

interface Bank {
  readonly from: Position;
  readonly to: Position;
  readonly metres: number;
}

/** Where no house stands for water: squares of the frame that streams and ponds come near to, with these. */
export class Shore {
  readonly #squares = new Map<number, Bank[]>();
  readonly #near = new Set<number>();

  constructor(reaches: readonly Reach[], ponds: readonly Pond[]) {
    for (const { line } of reaches)
      for (let i = 1; i < line.length; i++)
        this.#add({ from: toFrame(line[i - 1]!), to: toFrame(line[i]!), metres: BANK });
    for (const { centre, radius } of ponds) {
      const at = toFrame(centre);
      this.#add({ from: at, to: at, metres: 1.2 * radius + BANK });
    }
  }

  #key(x: number, y: number): number {
    return Math.floor(x / CELL) * 100_003 + Math.floor(y / CELL);
  }

  #add(bank: Bank): void {
    const { from, to, metres } = bank;
    const [west, east] = [Math.min(from[0], to[0]) - metres, Math.max(from[0], to[0]) + metres];
    const [south, north] = [Math.min(from[1], to[1]) - metres, Math.max(from[1], to[1]) + metres];
    for (let x = Math.floor(west / CELL); x <= Math.floor(east / CELL); x++)
      for (let y = Math.floor(south / CELL); y <= Math.floor(north / CELL); y++) {
        const key = this.#key(x * CELL, y * CELL);
        const list = this.#squares.get(key);
        if (list) list.push(bank);
        else this.#squares.set(key, [bank]);
        for (const across of [-CELL, 0, CELL])
          for (const up of [-CELL, 0, CELL]) this.#near.add(this.#key(x * CELL + across, y * CELL + up));
      }
  }

  /** Whether water may lie within NEAR_M of a place. */
  near(at: Position): boolean {
    const [x, y] = toFrame(at);
    return this.#near.has(this.#key(x, y));
  }

  /** Whether a place lies in water or too near for a house. */
  wet(at: Position): boolean {
    const [x, y] = toFrame(at);
    const banks = this.#squares.get(this.#key(x, y));
    if (!banks) return false;
    return banks.some(({ from, to, metres }) => {
      const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
      const length = dx * dx + dy * dy;
      const t = length ? Math.min(1, Math.max(0, ((x - from[0]) * dx + (y - from[1]) * dy) / length)) : 0;
      return Math.hypot(from[0] + t * dx - x, from[1] + t * dy - y) < metres;
    });
  }
}
