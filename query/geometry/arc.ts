/** Most degrees of a circle between two points of a drawn arc: it leaves the chord by 0.004 % of the radius. */
const STEP = Math.PI / 180;

/** Points of the arc from a to c, counterclockwise by `sweep` radians about a centre, without a and c themselves. */
function between(out: number[], centre: readonly [number, number], ax: number, ay: number, sweep: number): void {
  const [x, y] = centre;
  const pieces = Math.ceil(Math.abs(sweep) / STEP);
  const radius = Math.hypot(ax - x, ay - y);
  const from = Math.atan2(ay - y, ax - x);
  for (let i = 1; i < pieces; i++) {
    const angle = from + (sweep * i) / pieces;
    out.push(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
  }
}

/**
 * The circular arc from a through b to c as straight pieces of at most one degree (SQL/MM: where a and c are one point, the
 * circle whose diameter is a-b; on one straight line, that line). The three points stay as they are. The arc from c to a has
 * the same points, so that two neighbours share their edge.
 * @returns x,y of all its points after a, c last.
 */
export function arcThrough(
  a: readonly [number, number],
  b: readonly [number, number],
  c: readonly [number, number],
): number[] {
  const [[ax, ay], [bx, by], [cx, cy]] = [a, b, c];
  if (cx < ax || (cx === ax && cy < ay)) {
    const back = arcThrough(c, b, a);
    const out: number[] = [];
    for (let i = back.length - 4; i >= 0; i -= 2) out.push(back[i]!, back[i + 1]!);
    return [...out, cx, cy];
  }
  if (ax === cx && ay === cy) {
    const centre: [number, number] = [(ax + bx) / 2, (ay + by) / 2];
    const out: number[] = [];
    between(out, centre, ax, ay, Math.PI);
    out.push(bx, by);
    between(out, centre, bx, by, Math.PI);
    return [...out, cx, cy];
  }
  // From a, so that large coordinates lose no digits.
  const [ux, uy, vx, vy] = [bx - ax, by - ay, cx - ax, cy - ay];
  const cross = ux * vy - uy * vx;
  const [uu, vv] = [ux * ux + uy * uy, vx * vx + vy * vy];
  if (Math.abs(cross) <= 1e-12 * Math.sqrt(uu * vv)) return [bx, by, cx, cy];
  const centre: [number, number] = [ax + (vy * uu - uy * vv) / (2 * cross), ay + (ux * vv - vx * uu) / (2 * cross)];
  const angle = (x: number, y: number) => Math.atan2(y - centre[1], x - centre[0]);
  const turn = (from: number, to: number) => {
    const full = 2 * Math.PI;
    const on = (((to - from) % full) + full) % full;
    return cross > 0 ? on : on - full;
  };
  const [first, second, last] = [angle(ax, ay), angle(bx, by), angle(cx, cy)];
  const out: number[] = [];
  between(out, centre, ax, ay, turn(first, second));
  out.push(bx, by);
  between(out, centre, bx, by, turn(second, last));
  return [...out, cx, cy];
}
