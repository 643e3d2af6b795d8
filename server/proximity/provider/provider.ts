import type { RequestTerms } from '../../../query/engine/engine-interface.ts';
import type { Regions } from '../../../query/engine/route/route-question.ts';
import type { Point } from '../../../query/evaluate/answer.ts';
import type { WrittenJson } from '../../http/written-json.ts';

/** The limits of a request to a provider, and the account that it is for. */
export type RoutingTerms = RequestTerms & { readonly signal: AbortSignal };

/** A drive; null when there is no way. */
export type Leg = { readonly seconds: number; readonly metres: number } | null;

/** Metres from a point to the road that is driven and to the nearest of all, or why it has none; null is not told. */
export type Placed =
  | { readonly metres: number | null; readonly nearestRoad: number | null }
  | { readonly problem: 'no_road'; readonly nearestRoad: number | null }
  /** With where there are roads. */
  | { readonly problem: 'outside'; readonly regions: Regions };

/** The provider that answered, and its data. */
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

/** Drives from one origin to the places that can be reached. */
export interface RoutedPlaces {
  readonly cited: RoutingSource;
  readonly origin: Placed;
  readonly places: readonly Placed[];
  readonly found: readonly { readonly index: number; readonly seconds: number; readonly metres: number }[];
}

interface RoutedAreas {
  readonly cited: RoutingSource;
  readonly origin: Placed;
  /** The coordinates of a MultiPolygon for each limit. */
  readonly areas: readonly WrittenJson[];
}

/**
 * A source of drive times. All methods throw ServiceError proximity_busy, proximity_data_unavailable,
 * proximity_deadline_exceeded, proximity_unconfigured, proximity_budget_exhausted, upstream_transient, upstream_auth,
 * upstream_error; AbortError when the signal aborts.
 */
export interface Routing {
  /** Whether it drives on the roads of the open release. */
  readonly isOwn: boolean;
  /** @throws ServiceError proximity_unconfigured. */
  requireReady(): void;
  /** Speed in kilometres an hour that nobody exceeds, which limits how far one can come in a time. */
  readonly fastest: number;
  /**
   * Driving calculations that a search from one place to many is charged as. The roads of the release are searched
   * once, so only places found count; a provider calculates every pair. @param requested places. @param found most that
   * can be found.
   */
  charges(requested: number, found: number): number;
  table(origins: readonly Point[], destinations: readonly Point[], terms: RoutingTerms): Promise<RoutedTable>;
  /** The soonest places, at most `count`, soonest first. @param limit seconds. */
  nearest(
    origin: Point,
    places: readonly Point[],
    count: number,
    limit: number,
    terms: RoutingTerms,
  ): Promise<RoutedPlaces>;
  /** All places within a limit in seconds, in the order given. */
  within(origin: Point, places: readonly Point[], limit: number, terms: RoutingTerms): Promise<RoutedPlaces>;
  /** @param limits seconds. */
  areas(origin: Point, limits: readonly number[], terms: RoutingTerms): Promise<RoutedAreas>;
}
