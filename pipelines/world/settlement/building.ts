import type { ScalarType } from '../../../datasets/dataset.ts';
import type { Feature, Position, Ring } from '../format/feature.ts';
import { round7 } from '../format/feature.ts';
import { metresBetween } from '../frame.ts';
import { Random } from '../random.ts';
import { squareMetres } from './census.ts';
import type { County } from './county.ts';
import type { Parcel } from './parcel.ts';

const OCCUPANCY: Readonly<Record<string, readonly [string, string]>> = {
  '101': ['Residential', 'Single Family Dwelling'],
  '102': ['Residential', 'Multi - Family Dwelling'],
  '111': ['Residential', 'Multi - Family Dwelling'],
  '300': ['Commercial', 'Retail Trade'],
  '400': ['Industrial', 'Light'],
  '700': ['Agriculture', 'Agriculture'],
  '900': ['Government', 'General Services'],
};

/** Columns of a state's footprints. */
export const FOOTPRINT_COLUMNS = {
  BUILD_ID: 'integer',
  OCC_CLS: 'string',
  PRIM_OCC: 'string',
  PROP_ADDR: 'string',
  PROP_CITY: 'string',
  PROP_ST: 'string',
  PROP_ZIP: 'string',
  FIPS: 'string',
  SQMETERS: 'number',
  SQFEET: 'number',
  HEIGHT: 'number',
  PROD_DATE: 'date',
  IMAGE_DATE: 'date',
  SOURCE: 'string',
} as const satisfies Readonly<Record<string, ScalarType>>;

/** A footprint inside its parcel. */
export interface Building {
  readonly parcel: Parcel;
  readonly ring: Ring;
  readonly feature: Feature;
}

/** A rectangle-like ring inside a convex quadrilateral: shares s and t of its sides, kept inside the middle. */
function inset(site: readonly Position[], s0: number, t0: number, s1: number, t1: number): Ring {
  const point = (s: number, t: number): Position => {
    const mix = (k: 0 | 1) =>
      site[0]![k]! * (1 - s) * (1 - t) + site[1]![k]! * s * (1 - t) + site[2]![k]! * s * t + site[3]![k]! * (1 - s) * t;
    return [round7(mix(0)), round7(mix(1))];
  };
  return [point(s0, t0), point(s1, t0), point(s1, t1), point(s0, t1), point(s0, t0)];
}

/** Buildings of a county: one on every built lot (stacked units share it), and a barn behind some. */
export function* buildings(seed: number, county: County, parcels: Iterable<Parcel>): Generator<Building> {
  let id = county.half * 10_000_000;
  for (const parcel of parcels) {
    const { lot, roll } = parcel;
    if (!lot.site || Number(roll.YR_BUILT) === 0 || (roll.LOC_UNIT !== null && roll.LOC_UNIT !== '1')) continue;
    const random = new Random(seed, county.half, parcel.objectId, 61);
    const [a, b, , d] = lot.site as [Position, Position, Position, Position];
    const wide = Math.min(0.6, random.between(9, lot.units > 1 ? 40 : 18) / metresBetween(a, b));
    const deep = Math.min(0.4, random.between(8, 14) / metresBetween(a, d));
    const [occupancy, primary] = OCCUPANCY[String(roll.USE_CODE)] ?? ['Unclassified', 'Unclassified'];
    const make = (ring: Ring, kind: string): Building => ({
      parcel,
      ring,
      feature: {
        properties: {
          BUILD_ID: ++id,
          OCC_CLS: kind,
          PRIM_OCC: kind === occupancy ? primary! : 'Unclassified',
          PROP_ADDR: roll.PROP_LOC!,
          PROP_CITY: county.town,
          PROP_ST: county.stateName,
          PROP_ZIP: roll.LOC_ZIP!,
          FIPS: county.fips,
          SQMETERS: Math.round(squareMetres(ring) * 100) / 100,
          SQFEET: Math.round(squareMetres(ring) * 1076.391041671) / 100,
          HEIGHT: random.chance(0.9) ? Math.round(random.between(3, 11) * 10) / 10 : null,
          PROD_DATE: '2024-05-01',
          IMAGE_DATE: '2023-06-14',
          SOURCE: 'Plat synthetic data',
        },
        geometry: { type: 'Polygon', coordinates: [ring] },
      },
    });
    const s0 = random.between(0.1, 0.9 - wide);
    yield make(inset(lot.site, s0, 0.15, s0 + wide, 0.15 + deep), occupancy!);
    if (random.chance(0.15)) yield make(inset(lot.site, 0.3, 0.75, 0.3 + wide / 2, 0.75 + deep / 2), 'Unclassified');
  }
}
