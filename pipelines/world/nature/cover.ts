import { fromUtm19, toUtm19 } from '../format/crs.ts';
import type { Position } from '../format/feature.ts';
import type { Grid } from '../format/geotiff.ts';
import { AREA_BOX, metresBetween, toFrame } from '../frame.ts';
import { hash, smoothNoise } from '../random.ts';
import type { Lattice } from './lattice.ts';
import type { Pond } from './stream.ts';
import type { Terrain } from './terrain.ts';

/** Kinds of raster over the area, under the layer names of the catalog. */
export interface Rasters {
  readonly dem: Grid;
  readonly land_cover: Grid;
  readonly land_cover_2001: Grid;
  readonly impervious: Grid;
  readonly tree_canopy: Grid;
  readonly ghi: Grid;
  readonly dni: Grid;
  readonly koppen: Grid;
}

const ARC_SECOND = 1 / 3600;

/** A north-up grid in degrees around the counties, its corner on whole cells. */
export function degrees(
  cell: number,
  margin: number,
  rest: Pick<Grid, 'epsg' | 'sample' | 'nodata'>,
  value: (p: Position) => number,
): Grid {
  const column0 = Math.floor((AREA_BOX.west - margin) / cell);
  const row0 = Math.ceil((AREA_BOX.north + margin) / cell);
  return {
    ...rest,
    left: column0 * cell,
    top: row0 * cell,
    cellX: cell,
    cellY: cell,
    columns: Math.ceil((AREA_BOX.east + margin) / cell) - column0,
    rows: row0 - Math.floor((AREA_BOX.south - margin) / cell),
    value: (column, row) => value([(column0 + column + 0.5) * cell, (row0 - row - 0.5) * cell]),
  };
}

/** Computes a grid's cells once, when the first is asked for: several layers are made of the same ones. */
function kept(grid: Grid): Grid {
  let cells: Float32Array | null = null;
  const all = () => {
    const out = new Float32Array(grid.columns * grid.rows);
    for (let row = 0; row < grid.rows; row++)
      for (let column = 0; column < grid.columns; column++) out[row * grid.columns + column] = grid.value(column, row);
    return out;
  };
  return {
    ...grid,
    value(column, row) {
      cells ??= all();
      return cells[row * grid.columns + column]!;
    },
  };
}

/** Every raster of the area. */
export function rasters(terrain: Terrain, lattice: Lattice, ponds: readonly Pond[]): Rasters {
  const woods = smoothNoise(terrain.seed * 7919 + 6);
  const inPond = (at: Position) => ponds.some(p => metresBetween(p.centre, at) < p.radius * 0.85);
  /** What is there where no town is. */
  const wildAt = (p: Position, speckle: number): number => {
    const [along, inland] = toFrame(p);
    const n = woods(along / 1140, inland / 1170);
    if (n < -0.4) return speckle < 0.5 ? 90 : 95;
    if (n < -0.22) return speckle < 0.6 ? 81 : 82;
    if (n < -0.12) return speckle < 0.5 ? 71 : 52;
    if (speckle > 0.995) return 31;
    return n < 0.15 ? 43 : n < 0.4 ? 42 : 41;
  };
  /** Classes of today and, with smaller towns, of an earlier year in one number: finding a cell's place is what costs. */
  const bothAt = (p: Position): number => {
    const [lng, lat] = p;
    if (terrain.isSea(lng, lat) || inPond(p)) return 11 * 256 + 11;
    const speckle = hash(terrain.seed, Math.round(lng * 4000), Math.round(lat * 5000), 81) / 4294967296;
    const urban = lattice.urban(lng, lat);
    const grown = (town: number): number | null => {
      const built = urban * town + 0.35 * (speckle - 0.5);
      return built > 0.8 ? 24 : built > 0.55 ? 23 : built > 0.38 ? 22 : built > 0.28 ? 21 : null;
    };
    const [today, earlier] = [grown(1), grown(0.8)];
    const wild = today === null || earlier === null ? wildAt(p, speckle) : 0;
    return (today ?? wild) * 256 + (earlier ?? wild);
  };
  const [x0, y1] = toUtm19([AREA_BOX.west, AREA_BOX.north]);
  const [x1, y0] = toUtm19([AREA_BOX.east, AREA_BOX.south]);
  const left = Math.floor((x0 - 1200) / 30) * 30;
  const top = Math.ceil((y1 + 1200) / 30) * 30;
  const utm = (value: (p: Position, column: number, row: number) => number): Grid => ({
    epsg: 26919,
    left,
    top,
    cellX: 30,
    cellY: 30,
    columns: Math.ceil((x1 - left + 1200) / 30),
    rows: Math.ceil((top - y0 + 1200) / 30),
    sample: 'uint8',
    nodata: 250,
    value: (column, row) => value(fromUtm19([left + 30 * (column + 0.5), top - 30 * (row + 0.5)]), column, row),
  });
  const years = kept(utm(bothAt));
  const cover: Grid = { ...years, value: (column, row) => years.value(column, row) >> 8 };
  const IMPERVIOUS: Readonly<Record<number, number>> = { 21: 8, 22: 34, 23: 63, 24: 90 };
  const CANOPY: Readonly<Record<number, number>> = { 41: 78, 42: 84, 43: 81, 90: 55, 52: 22, 21: 25, 22: 15, 23: 6 };
  const derived = (table: Readonly<Record<number, number>>, salt: number): Grid => ({
    ...cover,
    value: (column, row) => {
      const base = table[cover.value(column, row)] ?? 0;
      return base === 0 ? 0 : base - 5 + (hash(terrain.seed, column, row, salt) % 11);
    },
  });
  return {
    dem: degrees(ARC_SECOND, 0.012, { epsg: 4269, sample: 'float32', nodata: -999999 }, p => terrain.elevation(...p)),
    land_cover: cover,
    land_cover_2001: { ...years, value: (column, row) => years.value(column, row) & 255 },
    impervious: derived(IMPERVIOUS, 82),
    tree_canopy: { ...derived(CANOPY, 83), nodata: 254 },
    ghi: degrees(0.04, 0.08, { epsg: 4326, sample: 'float32', nodata: -9999 }, ([x, y]) =>
      Math.fround(4.1 - 0.2 * (y - 43.1) + 0.1 * (x + 70.7)),
    ),
    dni: degrees(0.04, 0.08, { epsg: 4326, sample: 'float32', nodata: -9999 }, ([x, y]) =>
      Math.fround(4.4 - 0.3 * (y - 43.1) + 0.2 * (x + 70.7)),
    ),
    koppen: degrees(1 / 120, 0.05, { epsg: 4326, sample: 'uint8', nodata: 0 }, p => (toFrame(p)[1] > 7500 ? 27 : 26)),
  };
}
