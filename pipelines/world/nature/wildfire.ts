import type { Feature, Position } from '../format/feature.ts';
import { area } from '../format/file.ts';
import type { Grid } from '../format/geotiff.ts';
import { hash } from '../random.ts';
import type { Lattice } from './lattice.ts';
import { mosaic } from './mosaic.ts';

/** Every n-th cell of a grid both ways: the cell in the middle of n x n of them answers for all. */
export function coarser(
  grid: Grid,
  factor: number,
  value: (cover: number, column: number, row: number) => number,
): Grid {
  const centre = factor >> 1;
  return {
    ...grid,
    cellX: grid.cellX * factor,
    cellY: grid.cellY * factor,
    columns: Math.floor(grid.columns / factor),
    rows: Math.floor(grid.rows / factor),
    value: (column, row) => value(grid.value(column * factor + centre, row * factor + centre), column, row),
  };
}

/** Fuel models of land cover classes, in LANDFIRE's codes. */
const FUELS: Readonly<Record<number, number>> = {
  11: 98,
  21: 91,
  22: 91,
  23: 91,
  24: 91,
  31: 99,
  41: 182,
  42: 183,
  43: 189,
  52: 142,
  71: 102,
  81: 101,
  82: 93,
  90: 161,
  95: 103,
};
/** How readily land cover burns, 0 to 1. */
const BURNS: Readonly<Record<number, number>> = {
  21: 0.02,
  22: 0.01,
  41: 0.4,
  42: 1,
  43: 0.7,
  52: 0.9,
  71: 0.8,
  81: 0.3,
  90: 0.1,
  95: 0.2,
};
const NODATA = -9999;

/** Share of a cell's burning that this cell has, by its place. */
const share = (seed: number, column: number, row: number, salt: number) => hash(seed, column, row, salt) / 4294967296;

/** Fuel and fire grids of the land cover; open water is a class of its own in some and no data in others. */
export function fireGrids(
  cover: Grid,
  seed: number,
): Readonly<Record<'fbfm40' | 'whp_cls' | 'BP' | 'CFL' | 'RPS' | 'Exposure', Grid>> {
  const probability = (code: number, c: number, r: number) =>
    (BURNS[code] ?? 0) * 0.004 * (0.5 + share(seed, c, r, 221));
  const flame = (code: number, c: number, r: number) => (BURNS[code] ?? 0) * 9 * (0.6 + 0.8 * share(seed, c, r, 222));
  const real = (value: (code: number, c: number, r: number) => number): Grid => ({
    ...coarser(cover, 4, (code, c, r) => (code === 11 ? NODATA : Math.fround(value(code, c, r)))),
    sample: 'float32',
    nodata: NODATA,
  });
  return {
    fbfm40: { ...coarser(cover, 4, code => FUELS[code] ?? 99), sample: 'int16', nodata: NODATA },
    whp_cls: {
      ...coarser(cover, 9, (code, c, r) => {
        if (code === 11) return 7;
        const burns = BURNS[code] ?? 0;
        return burns < 0.05 ? 6 : Math.min(5, 1 + Math.floor(burns * (0.6 + share(seed, c, r, 223)) * 3));
      }),
      sample: 'uint8',
      nodata: 255,
    },
    BP: real(probability),
    CFL: real(flame),
    RPS: real((code, c, r) => probability(code, c, r) * flame(code, c, r) * 10),
    // Wild fuel is exposed directly, built ground by half where it is loose, and town centres not at all.
    Exposure: real((code, c, r) =>
      (BURNS[code] ?? 0) > 0.05 ? 1 : code === 23 || code === 24 ? 0 : 0.2 + 0.5 * share(seed, c, r, 224),
    ),
  };
}

/** SILVIS: wildland-urban interface class of block parts, by how built up their middle is. */
export function interfaceAreas(lattice: Lattice, seed: number): Feature[] {
  return mosaic(seed * 31 + 7, 12, 8, 0.3).map(({ ring, centre }) => {
    const [WUICLASS2020, WUIFLAG2020, HUDEN2020] = classOf(lattice, centre);
    return area({ WUICLASS2020, WUIFLAG2020, HUDEN2020 }, ring);
  });
}

function classOf(lattice: Lattice, [lng, lat]: Position): readonly [string, number, number] {
  const urban = lattice.urban(lng, lat);
  if (urban > 0.6) return ['High_Dens_NoVeg', 0, 760];
  if (urban > 0.25) return ['Med_Dens_Interface', 2, 190];
  if (urban > 0.05) return ['Low_Dens_Intermix', 1, 14];
  return ['Very_Low_Dens_Veg', 0, 2];
}
