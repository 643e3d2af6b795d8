import type { ScalarType } from '../../../datasets/dataset.ts';
import type { Feature, Ring } from '../format/feature.ts';
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

/** Buildings of a county: one on every built lot (stacked units share it), and a barn behind some. */
export function* buildings(seed: number, county: County, parcels: Iterable<Parcel>): Generator<Building> {
  let id = county.half * 10_000_000;
  for (const parcel of parcels) {
    const { roll } = parcel;
    const stacked = roll.LOC_UNIT !== null && roll.LOC_UNIT !== '1';
    const footprints = stacked ? null : parcel.footprints();
    if (!footprints) continue;
    const random = new Random(seed, county.half, parcel.objectId, 'buildings');
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
    yield make(footprints.house, occupancy!);
    if (footprints.barn) yield make(footprints.barn, 'Unclassified');
  }
}
