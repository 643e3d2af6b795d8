import type { AccuracyType, AreaKind, Surroundings } from '../../query/geocode/match.ts';

/** Who answered; shown in the `geocode` block. */
export type Provider = 'commercial' | 'census' | 'other';

/** One place that an address may mean, in the same form for all geocoders. */
export interface TierMatch {
  /** WGS84 degrees. */
  readonly lng: number;
  readonly lat: number;
  /** 0 to 1; null (not 0) when the geocoder gives none. */
  readonly similarity: number | null;
  readonly accuracyType: AccuracyType;
  readonly matchType: string | null;
  readonly normalizedAddress: string | null;
  /** Authority that the coordinate came from. */
  readonly source: string | null;
  readonly city: string | null;
  /** The city of the Postal Service, where the source names it beside the municipality. */
  readonly postalCity?: string;
  /** Two-letter code. */
  readonly state: string | null;
}

/** The answer of a geocoder for an address. Plain data, because it is stored as JSON. */
export interface TierAnswer {
  readonly provider: Provider;
  /** Best first. The others are distinct places with a similarity comparable to the best. */
  readonly matches: readonly TierMatch[];
  /** City that the input names; null when it names none or this is not known. */
  readonly city: string | null;
  /** The kind of area that the input names instead of a street, when the geocoder tells. */
  readonly area?: AreaKind;
  /** What is known around an address that nothing answers, when the geocoder tells. */
  readonly surroundings?: Surroundings;
}

export interface LocateTerms {
  /** Epoch milliseconds. A tier may have an earlier limit of its own. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  /** The account that asks, for tiers that queue fairly by account. */
  readonly account?: string | undefined;
}

/** A geocoder, or a primary geocoder with its fallback. */
export interface GeocodeTier {
  /** Whether a lookup costs the operator nothing: then guests may ask too. */
  readonly isFree?: boolean;
  /** Names the version of the data. When it changes, stored answers are not used any more. */
  version(): string;
  /** @throws ServiceError geocode_unconfigured when the tier cannot answer at all. */
  requireReady(): void;
  /**
   * @param address of a supported form, as typed.
   * @throws ServiceError geocode_busy, geocode_upstream_error, geocode_timeout, geocode_forbidden,
   * geocode_unconfigured; AbortError when the signal aborts.
   */
  locate(address: string, terms: LocateTerms): Promise<TierAnswer>;
}
