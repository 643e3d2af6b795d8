/**
 * Speeds in kilometres an hour, assumed when a source states none: those of a car in free traffic, including waits at
 * crossings. Cars may not drive on classes that are missing.
 */
interface RoadSpeeds {
  readonly [kind: string]: number;
}

/** By `highway` of OpenStreetMap. Links are ramps and slip roads. */
export const OSM_SPEEDS: RoadSpeeds = {
  motorway: 100,
  motorway_link: 60,
  trunk: 85,
  trunk_link: 50,
  primary: 65,
  primary_link: 45,
  secondary: 55,
  secondary_link: 40,
  tertiary: 45,
  tertiary_link: 35,
  unclassified: 40,
  residential: 32,
  living_street: 12,
  road: 35,
  service: 18,
};

/** By MTFCC of TIGER/Line, which states no limits. */
export const TIGER_SPEEDS: RoadSpeeds = {
  /** Primary road: limited access. */
  S1100: 100,
  /** Secondary road: main arteries, US and state routes. */
  S1200: 70,
  /** Local road. */
  S1400: 40,
  /** Ramp. */
  S1630: 50,
  /** Service drive along a limited-access highway. */
  S1640: 40,
  /** Alley. */
  S1730: 15,
  /** Parking lot road. */
  S1780: 12,
};

/** Share of a posted limit that cars drive: on motorways and trunk roads, and on all others. */
export const OF_LIMIT = { fast: 0.95, other: 0.8 } as const;

/** Speed of a ferry without a stated duration, in kilometres an hour. */
export const FERRY_SPEED = 15;
