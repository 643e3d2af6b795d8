import { dotsOf } from './font.ts';
import type { Chain } from './scene.ts';

/** Samples of a pixel along each side. Edges are smoothed by painting larger and averaging. */
const FINER = 2;

type Colour = readonly [red: number, green: number, blue: number];

/** Returns `#RRGGBB` as three numbers. */
export const colourOf = (text: string): Colour =>
  [1, 3, 5].map(i => Number.parseInt(text.slice(i, i + 2), 16)) as never;

/** Position of the grid on the picture: scale and offset in pixels. */
export interface Frame {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
}

/** Paints areas (by the even-odd rule), lines, discs and letters on pixels in memory. */
export class Painter {
  readonly width: number;
  readonly height: number;
  readonly #pixels: Uint8Array;
  readonly #across: number;
  readonly #down: number;

  /** Makes a white picture. @param width @param height in pixels. */
  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.#across = width * FINER;
    this.#down = height * FINER;
    this.#pixels = new Uint8Array(this.#across * this.#down * 3).fill(255);
  }

  #dot(x: number, y: number, [red, green, blue]: Colour, alpha: number): void {
    if (x < 0 || y < 0 || x >= this.#across || y >= this.#down) return;
    const at = (y * this.#across + x) * 3;
    const pixels = this.#pixels;
    pixels[at] = pixels[at]! + (red - pixels[at]!) * alpha;
    pixels[at + 1] = pixels[at + 1]! + (green - pixels[at + 1]!) * alpha;
    pixels[at + 2] = pixels[at + 2]! + (blue - pixels[at + 2]!) * alpha;
  }

  /** Returns the grid points of a chain as finer pixels: x, y, x, y. */
  #points(chain: Chain, { scale, left, top }: Frame): Float64Array {
    const out = new Float64Array(chain.length);
    let [x, y] = [0, 0];
    for (let i = 0; i < chain.length; i += 2) {
      x += chain[i]!;
      y += chain[i + 1]!;
      out[i] = (x * scale + left) * FINER;
      out[i + 1] = (y * scale + top) * FINER;
    }
    return out;
  }

  /** Fills rings by the even-odd rule, one line of pixels after the other. */
  fill(rings: readonly Chain[], frame: Frame, colour: Colour, alpha: number): void {
    const edges = rings.map(ring => this.#points(ring, frame));
    let [low, high] = [Infinity, -Infinity];
    for (const points of edges)
      for (let i = 1; i < points.length; i += 2) {
        low = Math.min(low, points[i]!);
        high = Math.max(high, points[i]!);
      }
    for (let y = Math.max(0, Math.floor(low)); y <= Math.min(this.#down - 1, Math.ceil(high)); y++) {
      const centreY = y + 0.5;
      const crossings: number[] = [];
      for (const points of edges)
        for (let i = 0, j = points.length - 2; i < points.length; j = i, i += 2) {
          const [y1, y2] = [points[j + 1]!, points[i + 1]!];
          if (y1 > centreY === y2 > centreY) continue;
          crossings.push(points[j]! + ((centreY - y1) / (y2 - y1)) * (points[i]! - points[j]!));
        }
      crossings.sort((a, b) => a - b);
      for (let i = 0; i + 1 < crossings.length; i += 2) {
        const end = Math.min(this.#across - 1, Math.ceil(crossings[i + 1]! - 0.5) - 1);
        for (let x = Math.max(0, Math.ceil(crossings[i]! - 0.5)); x <= end; x++) this.#dot(x, y, colour, alpha);
      }
    }
  }

  /** Draws chains as lines. @param width in pixels. */
  stroke(chains: readonly Chain[], closed: boolean, frame: Frame, colour: Colour, alpha: number, width: number): void {
    const thick = Math.max(1, Math.round(width * FINER));
    for (const chain of chains) {
      const points = this.#points(chain, frame);
      const last = closed ? points.length : points.length - 2;
      for (let i = 0; i < last; i += 2) {
        const j = (i + 2) % points.length;
        this.#line(points[i]!, points[i + 1]!, points[j]!, points[j + 1]!, colour, alpha, thick);
      }
    }
  }

  #line(x1: number, y1: number, x2: number, y2: number, colour: Colour, alpha: number, thick: number): void {
    const outside = (a: number, b: number, end: number) => (a < -9 && b < -9) || (a > end + 9 && b > end + 9);
    if (outside(x1, x2, this.#across) || outside(y1, y2, this.#down)) return;
    const steps = Math.min(1e5, Math.max(1, Math.ceil(Math.max(Math.abs(x2 - x1), Math.abs(y2 - y1)))));
    const half = Math.floor(thick / 2);
    for (let i = 0; i < steps; i++) {
      const x = Math.floor(x1 + ((x2 - x1) * i) / steps) - half;
      const y = Math.floor(y1 + ((y2 - y1) * i) / steps) - half;
      for (let a = 0; a < thick; a++) for (let b = 0; b < thick; b++) this.#dot(x + a, y + b, colour, alpha);
    }
  }

  /** Draws discs at the points of chains. @param radius in pixels. */
  discs(chains: readonly Chain[], frame: Frame, colour: Colour, alpha: number, radius: number): void {
    const reach = radius * FINER;
    for (const chain of chains) {
      const points = this.#points(chain, frame);
      for (let i = 0; i < points.length; i += 2)
        for (let dy = -Math.ceil(reach); dy <= reach; dy++)
          for (let dx = -Math.ceil(reach); dx <= reach; dx++)
            if (dx * dx + dy * dy <= reach * reach)
              this.#dot(Math.round(points[i]! + dx), Math.round(points[i + 1]! + dy), colour, alpha);
    }
  }

  /** Fills a rectangle with one colour, in pixels. */
  block(left: number, top: number, width: number, height: number, colour: Colour, alpha = 1): void {
    for (let y = top * FINER; y < (top + height) * FINER; y++)
      for (let x = left * FINER; x < (left + width) * FINER; x++) this.#dot(x, y, colour, alpha);
  }

  /** Draws a line of letters from its upper left corner. @param size pixels of a dot. */
  text(text: string, left: number, top: number, size: number, colour: Colour): void {
    for (const [x, y] of dotsOf(text)) this.block(left + x * size, top + y * size, size, size, colour);
  }

  /** Returns the picture as red, green and blue bytes. */
  pixels(): Uint8Array {
    const out = new Uint8Array(this.width * this.height * 3);
    for (let y = 0; y < this.height; y++)
      for (let x = 0; x < this.width; x++)
        for (let band = 0; band < 3; band++) {
          let sum = 0;
          for (let dy = 0; dy < FINER; dy++)
            for (let dx = 0; dx < FINER; dx++)
              sum += this.#pixels[((y * FINER + dy) * this.#across + x * FINER + dx) * 3 + band]!;
          out[(y * this.width + x) * 3 + band] = sum / (FINER * FINER);
        }
    return out;
  }
}
