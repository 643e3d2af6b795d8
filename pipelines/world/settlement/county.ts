import type { Position } from '../format/feature.ts';
import { toFrame } from '../frame.ts';

/** A county that does not exist: its state is real, its code 999 is assigned to none. */
export interface County {
  /** Two-letter code, name and FIPS code of its state. */
  readonly code: 'ME' | 'NH';
  readonly stateName: string;
  readonly state: string;
  readonly fips: string;
  readonly name: string;
  readonly title: string;
  readonly town: string;
  /** ZIP codes of its southern and northern half. */
  readonly zips: readonly [string, string];
  /** Which half of the street grid it takes: 0 is south-west of the state line. */
  readonly half: 0 | 1;
}

/** The counties of the area, in the order of their FIPS codes. */
export const COUNTIES: readonly [County, County] = [
  {
    code: 'ME',
    stateName: 'Maine',
    state: '23',
    fips: '23999',
    name: 'Synthetic',
    title: 'Synthetic County',
    town: 'SYNTHETIC HARBOR',
    zips: ['04991', '04992'],
    half: 1,
  },
  {
    code: 'NH',
    stateName: 'New Hampshire',
    state: '33',
    fips: '33999',
    name: 'Synthetic South',
    title: 'Synthetic South County',
    town: 'SYNTHETIC FERRY',
    zips: ['03898', '03899'],
    half: 0,
  },
];

/** The county of a place of the area, by its side of the state line. */
export function countyAt(position: Position): County {
  const half = toFrame(position)[0] < 0 ? 0 : 1;
  return COUNTIES.find(county => county.half === half)!;
}
