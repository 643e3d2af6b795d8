// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

import type { ProximityIsochrone } from './proximity-isochrone.ts';
import type { ProximityLaborShed } from './proximity-labor-shed.ts';
import type { ProximityMatrix } from './proximity-matrix.ts';
import type { ProximityNearest } from './proximity-nearest.ts';
import type { ProximityScreen } from './proximity-screen.ts';

/** Drive times, nearest places, screens, labor sheds */
export interface Proximity {
  readonly input:
    | {
        readonly operation: 'matrix';
        /** At most 3,500 pairs with `destinations`. */
        readonly origins: readonly {
          /** WGS84 degrees, with `lng`. */
          readonly lat?: number;
          /** WGS84 degrees, with `lat`. */
          readonly lng?: number;
          /** Street address in the United States. */
          readonly address?: string;
          /** Comes back as it is. */
          readonly id?: string;
        }[];
        /** At most 3,500 pairs with `origins`. */
        readonly destinations: readonly {
          /** WGS84 degrees, with `lng`. */
          readonly lat?: number;
          /** WGS84 degrees, with `lat`. */
          readonly lng?: number;
          /** Street address in the United States. */
          readonly address?: string;
          /** Comes back as it is. */
          readonly id?: string;
        }[];
      }
    | {
        readonly operation: 'nearest';
        /** Exactly one of `lat` with `lng`, and `address`. */
        readonly origin: {
          /** WGS84 degrees, with `lng`. */
          readonly lat?: number;
          /** WGS84 degrees, with `lat`. */
          readonly lng?: number;
          /** Street address in the United States. */
          readonly address?: string;
          /** Comes back as it is. */
          readonly id?: string;
        };
        /** One of @airports, @substations, @power_plants, @rail, @ports, @urban_areas, or 1 to 500 locators. */
        readonly candidates:
          | string
          | readonly {
              /** WGS84 degrees, with `lng`. */
              readonly lat?: number;
              /** WGS84 degrees, with `lat`. */
              readonly lng?: number;
              /** Street address in the United States. */
              readonly address?: string;
              /** Comes back as it is. */
              readonly id?: string;
            }[];
        /** How many are wanted; 5 by default. */
        readonly k?: number;
        /** `drive_time` by default. */
        readonly by?: 'drive_time' | 'straight_line';
        /** Farther ones are left out; only by drive time. */
        readonly max_minutes?: number;
        /** Farther ones in a straight line are left out. */
        readonly max_km?: number;
      }
    | {
        readonly operation: 'screen';
        /** Places that are screened. */
        readonly candidates: readonly {
          /** WGS84 degrees, with `lng`. */
          readonly lat?: number;
          /** WGS84 degrees, with `lat`. */
          readonly lng?: number;
          /** Street address in the United States. */
          readonly address?: string;
          /** Comes back as it is. */
          readonly id?: string;
        }[];
        readonly rules: readonly {
          readonly name?: string;
          /** One of @airports, @substations, @power_plants, @rail, @ports, @urban_areas, or 1 to 500 locators. */
          readonly to:
            | string
            | readonly {
                /** WGS84 degrees, with `lng`. */
                readonly lat?: number;
                /** WGS84 degrees, with `lat`. */
                readonly lng?: number;
                /** Street address in the United States. */
                readonly address?: string;
                /** Comes back as it is. */
                readonly id?: string;
              }[];
          /** Minutes of driving; either this or `within_km`. */
          readonly within_minutes?: number;
          /** Kilometres in a straight line; either this or `within_minutes`. */
          readonly within_km?: number;
          /** How many must be so near; 1 by default. */
          readonly min_count?: number;
        }[];
        /** How many rules must hold; `all` by default. */
        readonly match?: 'all' | 'any';
      }
    | {
        readonly operation: 'labor_shed';
        /** Exactly one of `lat` with `lng`, and `address`. */
        readonly origin: {
          /** WGS84 degrees, with `lng`. */
          readonly lat?: number;
          /** WGS84 degrees, with `lat`. */
          readonly lng?: number;
          /** Street address in the United States. */
          readonly address?: string;
          /** Comes back as it is. */
          readonly id?: string;
        };
        /** Tracts nearer than this are left out; 0 by default. */
        readonly min_minutes?: number;
        /** Minutes of driving; more than `min_minutes`. */
        readonly max_minutes: number;
      }
    | {
        readonly operation: 'isochrone';
        /** Exactly one of `lat` with `lng`, and `address`. */
        readonly origin: {
          /** WGS84 degrees, with `lng`. */
          readonly lat?: number;
          /** WGS84 degrees, with `lat`. */
          readonly lng?: number;
          /** Street address in the United States. */
          readonly address?: string;
          /** Comes back as it is. */
          readonly id?: string;
        };
        /** Minutes of driving, an area each. */
        readonly minutes: readonly number[];
      };
  readonly answer:
    | ProximityMatrix['answer']
    | ProximityNearest['answer']
    | ProximityScreen['answer']
    | ProximityLaborShed['answer']
    | ProximityIsochrone['answer'];
}
