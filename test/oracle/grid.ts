import { metresBetween, pointAt } from './geodesic.ts';

/** A north-up grid in degrees as plain numbers; NaN is no data. */
export interface DegreeGrid {
  readonly west: number;
  readonly north: number;
  readonly cell: number;
  readonly width: number;
  readonly height: number;
  readonly values: ArrayLike<number>;
}

/** Longitude and latitude of the centre of a cell. */
export const centre = (g: DegreeGrid, column: number, row: number): [number, number] => [
  g.west + (column + 0.5) * g.cell,
  g.north - (row + 0.5) * g.cell,
];

/** The value of a cell; NaN outside. */
export const cellOf = (g: DegreeGrid, column: number, row: number): number =>
  column < 0 || row < 0 || column >= g.width || row >= g.height ? Number.NaN : g.values[row * g.width + column]!;

/** Column and row of the cell that holds a point. */
export const cellAt = (g: DegreeGrid, lng: number, lat: number): [number, number] => [
  Math.floor((lng - g.west) / g.cell),
  Math.floor((g.north - lat) / g.cell),
];

/** Every cell, of the grid and as far around it, whose centre is within so many metres by Karney's distance. */
export function cellsWithin(g: DegreeGrid, lng: number, lat: number, metres: number): [number, number][] {
  const [column, row] = cellAt(g, lng, lat);
  const reachY = Math.ceil(metres / (110_000 * g.cell)) + 2;
  const reachX = Math.ceil(metres / (110_000 * Math.cos((lat * Math.PI) / 180) * g.cell)) + 2;
  const out: [number, number][] = [];
  for (let r = row - reachY; r <= row + reachY; r++)
    for (let c = column - reachX; c <= column + reachX; c++)
      if (metresBetween(lng, lat, ...centre(g, c, r)) <= metres) out.push([c, r]);
  return out;
}

/**
 * Slope by Horn's nine cells, the sides of a cell measured by Karney between the middles of its edges.
 * @returns rise per metre east and north, and the value of slope and aspect in degrees.
 */
export function hornAt(
  g: DegreeGrid,
  column: number,
  row: number,
): { percent: number; degrees: number; aspect: number } {
  const [lng, lat] = centre(g, column, row);
  const dx = metresBetween(lng - g.cell / 2, lat, lng + g.cell / 2, lat);
  const dy = metresBetween(lng, lat - g.cell / 2, lng, lat + g.cell / 2);
  const at = (c: number, r: number) => cellOf(g, column + c, row + r);
  const [a, b, c, d, f, h, i, j, k] = [
    at(-1, -1),
    at(0, -1),
    at(1, -1),
    at(-1, 0),
    at(1, 0),
    at(-1, 1),
    at(0, 1),
    at(1, 1),
    at(0, 0),
  ];
  const east = (c + 2 * f + j - (a + 2 * d + h)) / (8 * dx);
  const south = (h + 2 * i + j - (a + 2 * b + c)) / (8 * dy);
  const rise = Number.isNaN(k) ? Number.NaN : Math.sqrt(east * east + south * south);
  // The way down points against the gradient: east component -east, north component +south.
  const aspect = ((Math.atan2(-east, south) * 180) / Math.PI + 360) % 360;
  return { percent: rise * 100, degrees: (Math.atan(rise) * 180) / Math.PI, aspect };
}

/** Bilinear value between cell centres; only for places whose four cells have data. */
export function bilinearAt(g: DegreeGrid, lng: number, lat: number): number {
  const x = (lng - g.west) / g.cell - 0.5;
  const y = (g.north - lat) / g.cell - 0.5;
  const [c, r] = [Math.floor(x), Math.floor(y)];
  const [u, v] = [x - c, y - r];
  const top = cellOf(g, c, r) * (1 - u) + cellOf(g, c + 1, r) * u;
  const bottom = cellOf(g, c, r + 1) * (1 - u) + cellOf(g, c + 1, r + 1) * u;
  return top * (1 - v) + bottom * v;
}

/** Riley's ruggedness about a place: eight bilinear heights `metres` to each side (and diagonally), by geodesics. */
export function rileyAt(g: DegreeGrid, lng: number, lat: number, metres: number): number {
  const middle = bilinearAt(g, lng, lat);
  let sum = 0;
  for (const east of [-1, 0, 1])
    for (const north of [-1, 0, 1]) {
      if (east === 0 && north === 0) continue;
      const azimuth = (Math.atan2(east, north) * 180) / Math.PI;
      const there = pointAt(lng, lat, azimuth, metres * Math.hypot(east, north));
      sum += (bilinearAt(g, ...there) - middle) ** 2;
    }
  return Math.sqrt(sum);
}
