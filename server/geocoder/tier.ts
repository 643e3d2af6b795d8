import type { AccuracyType, AreaKind } from '../../query/geocode/match.ts';

/** Who answered (part of the `geocode` block of answers). */
export type Provider = 'commercial' | 'census' | 'other';

/** One place an address may mean, whichever geocoder found it. */
export interface TierMatch {
  /** WGS84 degrees. */
  readonly lng: number;
  readonly lat: number;
  /** 0 to 1; null where the geocoder gives none, which is not zero. */
  readonly similarity: number | null;
  readonly accuracyType: AccuracyType;
  readonly matchType: string | null;
  readonly normalizedAddress: string | null;
  /** Authority of the coordinate. */
  readonly source: string | null;
  readonly city: string | null;
  /** Two-letter code. */
  readonly state: string | null;
}

/** What a geocoder says of an address. Plain data: it is kept as JSON. */
export interface TierAnswer {
  readonly provider: Provider;
  /** Best first; all but the first are distinct places whose similarity is comparable with the best one's. */
  readonly matches: readonly TierMatch[];
  /** City that the input names; null when it names none or cannot be told. */
  readonly city: string | null;
  /** What the input names where it names no street, if the geocoder knows it at all. */
  readonly area?: AreaKind;
}

export interface LocateTerms {
  /** Epoch milliseconds; a tier's own limit may come sooner. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  /** Whose address it is, where somebody is waiting in turn. */
  readonly account?: string | undefined;
}

/** A geocoder, or a primary one with its fallback. */
export interface GeocodeTier {
  /** Changes when answers given before should not be given again. */
  version(): string;
  /** @throws ServiceError geocode_unconfigured when it cannot answer at all. */
  requireReady(): void;
  /**
   * @param address of a supported form, as typed.
   * @throws ServiceError geocode_busy, geocode_upstream_error, geocode_timeout, geocode_forbidden, geocode_unconfigured;
   * AbortError when the signal aborts.
   */
  locate(address: string, terms: LocateTerms): Promise<TierAnswer>;
}
