import type { Grid } from '../format/geotiff.ts';
import { degrees } from '../nature/cover.ts';
import { surgeFeet } from '../nature/inundation.ts';
import { coarser } from '../nature/wildfire.ts';
import { hash } from '../random.ts';
import type { World } from '../world.ts';

/** Feet of storm tide of the hurricane categories that are mapped. */
const STORM_TIDE = { cat3: 11, cat5: 20 } as const;

/** Crops of the land cover classes, in codes of the Cropland Data Layer. */
const CROPS: Readonly<Record<number, number>> = {
  11: 111,
  21: 121,
  22: 122,
  23: 123,
  24: 124,
  31: 131,
  41: 141,
  42: 142,
  43: 143,
  52: 152,
  71: 176,
  81: 37,
  90: 190,
  95: 195,
};

/** Crop of a cell: fields bear corn or potatoes, by the cell. */
export const cropGrid = ({ rasters, options }: World): Grid => ({
  ...coarser(rasters.land_cover, 2, (code, column, row) =>
    code === 82 ? (hash(options.seed, column, row, 251) % 2 ? 1 : 43) : (CROPS[code] ?? 0),
  ),
  sample: 'uint8',
  nodata: 0,
});

/** Surge of a category in feet above the ground, on cells of 3 arc seconds. */
export const surgeGrid = ({ terrain }: World, category: keyof typeof STORM_TIDE): Grid =>
  degrees(1 / 1200, 0.01, { epsg: 4326, sample: 'uint8', nodata: 0 }, at =>
    surgeFeet(terrain, at, STORM_TIDE[category]),
  );
