import { COUNTIES, type County } from './county.ts';
import type { Feature } from './feature.ts';
import { EXTENT, toFrame } from './frame.ts';
import type { Lattice } from './lattice.ts';
import { mosaic, type Tile } from './mosaic.ts';
import { smoothNoise } from './random.ts';
import type { Terrain } from './terrain.ts';

/** A map unit with the columns of the SSURGO tables that Plat reads; its component is the dominant one. */
export interface MapUnit {
  readonly mukey: string;
  readonly musym: string;
  readonly muname: string;
  readonly farmlndcl: string;
  readonly hydgrpdcd: string | null;
  readonly drclassdcd: string | null;
  readonly brockdepmin: number | null;
  readonly wtdepannmin: number | null;
  readonly flodfreqdcd: string;
  readonly engstafdcd: string;
  readonly corsteel: string | null;
  readonly corcon: string | null;
  /** Thickness-weighted mean of the top metre. */
  readonly lep_r: number | null;
}

const unit = (
  n: number,
  musym: string,
  muname: string,
  rest: Omit<MapUnit, 'mukey' | 'musym' | 'muname'>,
): MapUnit => ({
  mukey: String(9_990_000 + n),
  musym,
  muname,
  ...rest,
});

const NOT_PRIME = 'Not prime farmland';

/** Legend of the survey: names are made up, values lie in the ranges of real surveys. */
export const MAP_UNITS: readonly MapUnit[] = [
  unit(1, 'SyB', 'Synthetic Harbor fine sandy loam, 3 to 8 percent slopes', {
    farmlndcl: 'All areas are prime farmland',
    hydgrpdcd: 'B',
    drclassdcd: 'Well drained',
    brockdepmin: null,
    wtdepannmin: 122,
    flodfreqdcd: 'None',
    engstafdcd: 'Somewhat limited',
    corsteel: 'Low',
    corcon: 'High',
    lep_r: 1.5,
  }),
  unit(2, 'TlC', 'Testledge loam, 8 to 15 percent slopes, very stony', {
    farmlndcl: NOT_PRIME,
    hydgrpdcd: 'C/D',
    drclassdcd: 'Moderately well drained',
    brockdepmin: 88,
    wtdepannmin: 46,
    flodfreqdcd: 'None',
    engstafdcd: 'Very limited',
    corsteel: 'Moderate',
    corcon: 'High',
    lep_r: 1.2,
  }),
  unit(3, 'RkD', 'Rockmodel-Rock outcrop complex, 15 to 35 percent slopes', {
    farmlndcl: NOT_PRIME,
    hydgrpdcd: 'D',
    drclassdcd: 'Somewhat excessively drained',
    brockdepmin: 36,
    wtdepannmin: null,
    flodfreqdcd: 'None',
    engstafdcd: 'Very limited',
    corsteel: 'Low',
    corcon: 'Moderate',
    lep_r: 0.9,
  }),
  unit(4, 'BgA', 'Boggrid muck, 0 to 3 percent slopes', {
    farmlndcl: 'Farmland of statewide importance',
    hydgrpdcd: 'A/D',
    drclassdcd: 'Very poorly drained',
    brockdepmin: null,
    wtdepannmin: 0,
    flodfreqdcd: 'Frequent',
    engstafdcd: 'Very limited',
    corsteel: 'High',
    corcon: 'Moderate',
    lep_r: 3.4,
  }),
  unit(5, 'W', 'Water', {
    farmlndcl: NOT_PRIME,
    hydgrpdcd: null,
    drclassdcd: null,
    brockdepmin: null,
    wtdepannmin: null,
    flodfreqdcd: 'None',
    engstafdcd: 'Not rated',
    corsteel: null,
    corcon: null,
    lep_r: null,
  }),
];

/** A polygon of a county's soil survey. */
export interface Soil {
  readonly county: County;
  readonly tile: Tile;
  readonly unit: MapUnit;
}

/** Soil polygons tile each county: a survey ends at the state line. */
export function soils(terrain: Terrain, lattice: Lattice): Soil[] {
  const noise = smoothNoise(terrain.seed * 7919 + 5);
  return COUNTIES.flatMap(county => {
    const ends = county.half ? ([0, EXTENT.east] as const) : ([EXTENT.west, 0] as const);
    return mosaic(terrain.seed * 31 + 1 + 1000 * county.half, 20, 22, 0.33, ends).map(tile => {
      const [along, inland] = toFrame(tile.middle);
      const n = noise(along / 1450, inland / 1480) + 0.2 * lattice.urban(...tile.middle);
      const at = terrain.isSea(...tile.middle) ? 4 : n > 0.25 ? 2 : n > 0 ? 1 : n > -0.35 ? 0 : 3;
      return { county, tile, unit: MAP_UNITS[at]! };
    });
  });
}

/** Polygons as rows of MUPOLYGON. */
export function* soilFeatures(list: readonly Soil[]): Generator<Feature> {
  for (const { county, tile, unit } of list)
    yield {
      properties: { AREASYMBOL: `${county.code}999`, SPATIALVER: 1, MUSYM: unit.musym, MUKEY: unit.mukey },
      geometry: { type: 'Polygon', coordinates: [tile.ring] },
    };
}
