import type { Grid } from '../format/geotiff.ts';
import { degrees } from '../nature/cover.ts';
import { METRES_PER_FOOT } from '../nature/inundation.ts';
import type { Terrain } from '../nature/terrain.ts';
import { smoothNoise } from '../random.ts';

export const HUB_HEIGHTS = [80, 100, 140] as const;

/** NREL: mean wind speed at a hub height on cells of 0.02 degrees, stronger at the coast and with height. */
export function windGrid(terrain: Terrain, height: (typeof HUB_HEIGHTS)[number]): Grid {
  return degrees(0.02, 0.05, { epsg: 4326, sample: 'float32', nodata: -9999 }, ([lng, lat]) => {
    const inland = Math.max(0, terrain.inland(lng, lat)) / 1000;
    const base = 7.1 - 0.12 * Math.min(inland, 10) + 0.01 * terrain.elevation(lng, lat);
    return Math.fround(base * (height / 80) ** (0.12 + 0.01 * Math.min(inland, 10)));
  });
}

/** NREL: irradiance at latitude tilt on cells of a tenth of a degree, kWh/m2/day. */
export const tiltGrid = (): Grid =>
  degrees(0.1, 0.1, { epsg: 4326, sample: 'float32', nodata: -9999 }, ([lng, lat]) =>
    Math.fround(4.6 - 0.25 * (lat - 43.1) + 0.1 * (lng + 70.7)),
  );

/** Inches of each storm of Atlas 14 that the area publishes, by the name of its layer. */
export const STORMS = { '2yr24ha': 3.2, '10yr24ha': 4.9, '100yr24ha': 8.4, '100yr60ma': 2.3 } as const;

/** NOAA Atlas 14: rainfall of a storm in thousandths of an inch on cells of 30 seconds; far out at sea none is stated. */
export function rainfallGrid(terrain: Terrain, storm: keyof typeof STORMS): Grid {
  const uneven = smoothNoise(terrain.seed * 7919 + 23);
  return degrees(1 / 120, 0.02, { epsg: 4269, sample: 'int16', nodata: -9 }, ([lng, lat]) =>
    terrain.inland(lng, lat) < -1500
      ? -9
      : Math.round(
          1000 *
            STORMS[storm] *
            (1 + 0.05 * uneven(lng * 20, lat * 20) + (METRES_PER_FOOT * terrain.elevation(lng, lat)) / 1000),
        ),
  );
}

/** A grid as the lines of an Esri ASCII grid. */
export function* asciiGrid(grid: Grid): Generator<string> {
  const { columns, rows, left, top, cellX, cellY } = grid;
  yield `ncols ${columns}\nnrows ${rows}\nxllcorner ${left}\nyllcorner ${top - rows * cellY}\ncellsize ${cellX}\n`;
  yield `NODATA_value ${grid.nodata}\n`;
  for (let row = 0; row < rows; row++)
    yield `${Array.from({ length: columns }, (_, column) => grid.value(column, row)).join(' ')}\n`;
}
