import type { Rings } from '../../../query/route/time-field.ts';

/** Where a parallel crosses the rings of some polygons, from west to east: inside between the first and second, and so on. */
function crossings(polygons: Rings, lat: number): number[] {
  const out: number[] = [];
  for (const ring of polygons.flat())
    for (let i = 0; i + 1 < ring.length; i++) {
      const [[ax, ay], [bx, by]] = [ring[i]!, ring[i + 1]!];
      if (ay > lat !== by > lat) out.push(ax + ((lat - ay) / (by - ay)) * (bx - ax));
    }
  return out.sort((a, b) => a - b);
}

/** Whether polygons hold a place, by the even-odd rule. */
export const holds = (polygons: Rings, lng: number, lat: number): boolean =>
  crossings(polygons, lat).filter(x => x > lng).length % 2 === 1;

const lengthOf = (spans: readonly number[]): number =>
  spans.reduce((sum, x, i) => (i % 2 ? sum + x - spans[i - 1]! : sum), 0);

function commonLength(a: readonly number[], b: readonly number[]): number {
  let [sum, i, j] = [0, 0, 0];
  while (i + 1 < a.length && j + 1 < b.length) {
    sum += Math.max(0, Math.min(a[i + 1]!, b[j + 1]!) - Math.max(a[i]!, b[j]!));
    if (a[i + 1]! < b[j + 1]!) i += 2;
    else j += 2;
  }
  return sum;
}

/** Share of the ground of either that lies in both, measured along 200 parallels. */
export function overlap(a: Rings, b: Rings): number {
  let [south, north] = [Infinity, -Infinity];
  for (const [, lat] of [...a, ...b].flat(2)) {
    south = Math.min(south, lat);
    north = Math.max(north, lat);
  }
  let [both, either] = [0, 0];
  for (let row = 0; row < 200; row++) {
    const lat = south + ((row + 0.5) / 200) * (north - south);
    const [ours, theirs] = [crossings(a, lat), crossings(b, lat)];
    const common = commonLength(ours, theirs);
    both += common;
    either += lengthOf(ours) + lengthOf(theirs) - common;
  }
  return both / either;
}
