import type { Value } from '../../../datasets/dataset.ts';
import type { Feature } from '../format/feature.ts';
import { tableOf } from '../format/file.ts';
import type { Geodatabase } from '../format/geodatabase.ts';
import { EXTENT, toFrame } from '../frame.ts';
import { smoothNoise } from '../random.ts';
import { COUNTIES, type County } from '../settlement/county.ts';
import type { Lattice } from './lattice.ts';
import { mosaic, type Tile } from './mosaic.ts';
import type { Terrain } from './terrain.ts';

/** A map unit with the columns of the SSURGO tables that Plat reads; corrosion and extensibility are its dominant component's. */
interface MapUnit {
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
const MAP_UNITS: readonly MapUnit[] = [
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
      const [along, inland] = toFrame(tile.centre);
      const n = noise(along / 1450, inland / 1480) + 0.2 * lattice.urban(...tile.centre);
      const at = terrain.isSea(...tile.centre) ? 4 : n > 0.25 ? 2 : n > 0 ? 1 : n > -0.35 ? 0 : 3;
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

type Cells = Readonly<Record<string, Value>>;

/** Rows of `component`: the dominant one of each unit, and those that share the rest of it. */
function* components(): Generator<Cells & { readonly cokey: string }> {
  for (const [i, { mukey, corsteel, corcon, lep_r }] of MAP_UNITS.entries()) {
    const opposite = corcon === 'High' ? 'Low' : 'High';
    const other = { mukey, corsteel: opposite, corcon: opposite, lep_r: 9.9 };
    const dominant = { mukey, corsteel, corcon, lep_r };
    if (lep_r === null) yield { ...dominant, cokey: String(88_000_001 + i), comppct_r: 100 };
    else if (i === 1) {
      // Two of the same size: the lower key, as a number, is the dominant one's.
      yield { ...other, cokey: '10000002', comppct_r: 45 };
      yield { ...dominant, cokey: '9000002', comppct_r: 45 };
      yield { ...other, cokey: '8000002', comppct_r: 10 };
    } else {
      yield { ...other, cokey: String(77_000_001 + i), comppct_r: 15 };
      yield { ...dominant, cokey: String(88_000_001 + i), comppct_r: 85 };
    }
  }
}

/** Rows of `chorizon`: slices whose weighted mean over the top metre is the component's, and bedrock without a value. */
function* horizons(): Generator<Cells> {
  for (const { mukey, cokey, lep_r } of components()) {
    if (lep_r === null) continue;
    const { brockdepmin } = MAP_UNITS.find(one => one.mukey === mukey)!;
    const bottom = brockdepmin ?? 150;
    const rest = Math.min(100, bottom) - 10;
    const slice = (from: number, to: number, value: number | null) => ({
      cokey,
      hzdept_r: from,
      hzdepb_r: to,
      lep_r: value === null ? null : Math.round(value * 100) / 100,
    });
    yield slice(0, 10, Number(lep_r) - rest / 100);
    yield slice(10, bottom, Number(lep_r) + 0.1);
    if (brockdepmin !== null) yield slice(brockdepmin, brockdepmin + 25, null);
  }
}

const strings = (...names: string[]) => Object.fromEntries(names.map(name => [name, 'string'] as const));

/** The tables of a gSSURGO geodatabase, of the columns that are used of them. */
export const SOIL_TABLES: Geodatabase['layers'] = {
  mapunit: tableOf(strings('mukey', 'musym', 'muname', 'farmlndcl'), function* () {
    for (const { mukey, musym, muname, farmlndcl } of MAP_UNITS) yield { mukey, musym, muname, farmlndcl };
  }),
  muaggatt: tableOf(
    {
      ...strings('mukey', 'hydgrpdcd', 'drclassdcd', 'flodfreqdcd', 'engstafdcd'),
      brockdepmin: 'integer',
      wtdepannmin: 'integer',
    },
    function* () {
      for (const { mukey, hydgrpdcd, drclassdcd, flodfreqdcd, engstafdcd, brockdepmin, wtdepannmin } of MAP_UNITS)
        yield { mukey, hydgrpdcd, drclassdcd, flodfreqdcd, engstafdcd, brockdepmin, wtdepannmin };
    },
  ),
  component: tableOf({ ...strings('mukey', 'cokey', 'corsteel', 'corcon'), comppct_r: 'integer' }, function* () {
    for (const { lep_r: _, ...row } of components()) yield row;
  }),
  chorizon: tableOf({ cokey: 'string', hzdept_r: 'integer', hzdepb_r: 'integer', lep_r: 'number' }, horizons),
};
