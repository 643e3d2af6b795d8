/** How a coordinate was derived, as `accuracy_type` names it. */
export type AccuracyType =
  | 'rooftop'
  | 'nearest_rooftop_match'
  | 'point'
  | 'range_interpolation'
  | 'intersection'
  | 'street_center'
  | 'place'
  | 'county'
  | 'state';

/** Areas that an address may name; all are too coarse to be answered with. */
export type AreaKind = 'place' | 'county' | 'state';

/** One place an address may mean, as the local geocoder found it. Plain data: it crosses from a worker. */
export interface AddressMatch {
  /** WGS84 degrees. */
  readonly lng: number;
  readonly lat: number;
  /** Similarity of what was asked and what was found, 0 to 1 (docs/geocoding.md says how it is computed). */
  readonly similarity: number;
  readonly accuracyType: AccuracyType;
  /** Detail such as `address_point`, `parcel_situs` or `building_centroid`; null when there is none. */
  readonly matchType: string | null;
  /** The address that was matched, in Publication 28 form: `12 MAIN ST, BANGOR, ME 04401`. */
  readonly normalizedAddress: string;
  /** Authority of the coordinate: the source its release names. */
  readonly source: string;
  readonly city: string | null;
  /** The city of the Postal Service, where its row names it beside the municipality. */
  readonly postalCity?: string;
  /** Two-letter code. */
  readonly state: string | null;
  /** Five digits. */
  readonly zip: string | null;
  /** Five digits. */
  readonly countyFips: string | null;
}

/** What is known around an address that nothing answers: the numbers of its street, or the cities that have addresses. */
export interface Surroundings {
  /** The street that has not the number, with city and state; null where the street is not known. */
  readonly street: string | null;
  /** Its known numbers that are nearest to the number, ascending; none without a street. */
  readonly numbers: readonly string[];
  /** The city that the address names, where it has addresses; null where it has none. */
  readonly city: string | null;
  /** Cities of the release that have most streets, in capitals; none where `street` or `city` tells more. */
  readonly cities: readonly string[];
  /** How many more cities there are. */
  readonly others: number;
  /** Words in capitals that say that the place lies somewhere from the one that is named: NEAR. Then nothing was looked up. */
  readonly relation?: string;
  /** Two known streets that were asked for as a crossing and do not meet: HAMMOND ST & BROADWAY. */
  readonly apart?: string;
  /** The unit of an address that has no house number: # 73. */
  readonly unit?: string;
}

/** What the local geocoder says of an address. */
export interface Geocoded {
  /**
   * Best first; all but the first are distinct places whose similarity is comparable with the best one's. Coarse results
   * (place, county, state) are included as such; empty when nothing is similar enough to name.
   */
  readonly matches: readonly AddressMatch[];
  /** City that the input names, normalised; null when it names none. */
  readonly city: string | null;
  /**
   * What the address names where it names no street: known by its name alone, with or without a centroid among the matches.
   * None when it names more, or nothing that is known.
   */
  readonly area?: AreaKind;
  /** What is known around it where no match is similar enough to be an answer. */
  readonly surroundings?: Surroundings;
  /** True when no layer of the release can answer addresses at all. */
  readonly uncovered: boolean;
}
