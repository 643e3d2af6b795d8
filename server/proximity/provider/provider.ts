import type { RequestTerms } from '../../../query/engine/engine-interface.ts';
import type { Point } from '../../../query/evaluate/answer.ts';
import type { Rings } from '../../../query/route/time-field.ts';

/** What a provider may take, and for whom. */
export type RoutingTerms = RequestTerms & { readonly signal: AbortSignal };

/** A drive; null where no way leads. */
export type Leg = { readonly seconds: number; readonly metres: number } | null;

/** Metres from a point to the road it is driven from or to, null where the provider does not say; or why there is none. */
export type Placed = { readonly metres: number | null } | { readonly problem: 'no_road' | 'outside' };

/** Who answered and from what. */
export interface RoutingSource {
  readonly provider: 'embedded' | 'osrm' | 'valhalla';
  readonly source: string;
  readonly source_url: string | null;
  readonly dataset_vintage: string | null;
  readonly note: string | null;
}

export interface RoutedTable {
  readonly cited: RoutingSource;
  readonly origins: readonly Placed[];
  readonly destinations: readonly Placed[];
  /** Rows by origin. */
  readonly legs: readonly (readonly Leg[])[];
}

/** From one origin to those of some places that were reached. */
export interface RoutedPlaces {
  readonly cited: RoutingSource;
  readonly origin: Placed;
  readonly places: readonly Placed[];
  readonly found: readonly { readonly index: number; readonly seconds: number; readonly metres: number }[];
}

interface RoutedAreas {
  readonly cited: RoutingSource;
  readonly origin: Placed;
  /** One a limit. */
  readonly areas: readonly Rings[];
}

/**
 * What drive times come from. All throw ServiceError proximity_busy, proximity_data_unavailable, proximity_deadline_exceeded,
 * proximity_unconfigured, proximity_budget_exhausted, upstream_transient, upstream_auth, upstream_error; AbortError when
 * the signal aborts.
 */
export interface Routing {
  /** @throws ServiceError proximity_unconfigured. */
  requireReady(): void;
  /** Kilometres an hour that nobody exceeds: how far one comes in a time at most. */
  readonly fastest: number;
  /**
   * Driving calculations that a search from one place for many is: the roads here are searched once, and only what is found
   * counts; a provider calculates each pair. @param requested places. @param found of them, or at most.
   */
  charges(requested: number, found: number): number;
  table(origins: readonly Point[], destinations: readonly Point[], terms: RoutingTerms): Promise<RoutedTable>;
  /** The soonest of some places, at most `count`, soonest first. @param limit seconds. */
  nearest(
    origin: Point,
    places: readonly Point[],
    count: number,
    limit: number,
    terms: RoutingTerms,
  ): Promise<RoutedPlaces>;
  /** All places within a limit in seconds, in their order. */
  within(origin: Point, places: readonly Point[], limit: number, terms: RoutingTerms): Promise<RoutedPlaces>;
  /** @param limits seconds. */
  areas(origin: Point, limits: readonly number[], terms: RoutingTerms): Promise<RoutedAreas>;
}
