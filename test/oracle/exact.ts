import type { Geometry } from '../../datasets/geometry.ts';

const WORDS = new DataView(new ArrayBuffer(8));

/** A double as a whole number of 2^-1074, the smallest step of any double: nothing is rounded. */
function whole(value: number): bigint {
  WORDS.setFloat64(0, value);
  const bits = WORDS.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const size = exponent === 0 ? fraction : (fraction | (1n << 52n)) << BigInt(exponent - 1);
  return value < 0 ? -size : size;
}

/** On which side of the line a→b the point p lies: 1 left, -1 right, 0 exactly on it. Doubtful signs go to big integers. */
export function side(ax: number, ay: number, bx: number, by: number, px: number, py: number): number {
  const left = (bx - ax) * (py - ay);
  const right = (by - ay) * (px - ax);
  if (Math.abs(left - right) > 1e-9 * (Math.abs(left) + Math.abs(right))) return Math.sign(left - right);
  const [a, b, c, d, x, y] = [ax, ay, bx, by, px, py].map(whole) as [bigint, bigint, bigint, bigint, bigint, bigint];
  const turn = (c - a) * (y - b) - (d - b) * (x - a);
  return turn > 0n ? 1 : turn < 0n ? -1 : 0;
}

/** Whether a point lies in a polygon or on its boundary, by crossings of a ray, without any rounding. */
export function holds({ xy, ends }: Geometry, px: number, py: number): boolean {
  let inside = false;
  let start = 0;
  for (const end of ends) {
    for (let v = start; v < end - 1; v++) {
      const [ax, ay, bx, by] = [xy[2 * v]!, xy[2 * v + 1]!, xy[2 * v + 2]!, xy[2 * v + 3]!];
      if (py < Math.min(ay, by) || py > Math.max(ay, by)) continue;
      const turn = side(ax, ay, bx, by, px, py);
      if (turn === 0 && px >= Math.min(ax, bx) && px <= Math.max(ax, bx)) return true;
      // Odd crossings over all rings are inside: holes count like shells.
      if (ay > py !== by > py && turn > 0 === by > ay && turn !== 0) inside = !inside;
    }
    start = end;
  }
  return inside;
}
