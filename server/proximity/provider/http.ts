import type { Point } from '../../../query/evaluate/answer.ts';
import { ServiceError } from '../../errors/registry.ts';
import type { RoutingRecords } from '../../state/routing/records.ts';
import { periodOf } from '../../state/usage/period.ts';
import type { Leg, Placed, RoutedPlaces, RoutedTable, Routing, RoutingSource, RoutingTerms } from './provider.ts';

/** A provider's answer for some of the pairs. */
export interface BlockOfTable {
  readonly origins: readonly Placed[];
  readonly destinations: readonly Placed[];
  readonly legs: readonly (readonly Leg[])[];
  /** Date of its road data; null when the provider does not tell. */
  readonly vintage: string | null;
}

/** A protocol that has only tables. */
export interface TableProtocol {
  readonly provider: 'osrm' | 'valhalla';
  readonly source: string;
  /** Most origins and destinations in one request; `row` is the most destinations for a single origin. */
  readonly most: { readonly rows: number; readonly columns: number; readonly row: number };
  /** @throws ServiceError upstream_*, proximity_deadline_exceeded; AbortError. */
  table(origins: readonly Point[], destinations: readonly Point[], terms: RoutingTerms): Promise<BlockOfTable>;
}

export interface HttpRoutingOptions {
  readonly protocol: TableProtocol;
  readonly url: string;
  /** Empty when it is not set; `none` when the provider needs none. */
  readonly key: string;
  readonly records: RoutingRecords;
  /** Calculations a month over all servers; null is no limit. */
  readonly budget: number | null;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Answers isochrones, because not every protocol has them. */
  readonly embedded: Routing;
}

/** Kilometres an hour that no provider's roads exceed. */
const FASTEST = 140;

const cut = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size));

/**
 * Makes routing by a provider over HTTP, within a budget that all servers share.
 * @throws ServiceError proximity_unconfigured when the address or a known protocol is missing; its methods throw
 * proximity_budget_exhausted.
 */
export function httpRouting(options: HttpRoutingOptions): Routing {
  const { protocol, url, key, records, budget, now, embedded } = options;
  const citedOf = (vintage: string | null): RoutingSource => ({
    provider: protocol.provider,
    source: protocol.source,
    source_url: null,
    dataset_vintage: vintage,
    note: 'The provider says how far the road is that it drives on at most; how far the nearest road of all is, it does not tell.',
  });

  const table = async (
    origins: readonly Point[],
    destinations: readonly Point[],
    terms: RoutingTerms,
  ): Promise<RoutedTable> => {
    const calculations = origins.length * destinations.length;
    if (calculations === 0)
      return {
        cited: citedOf(null),
        origins: origins.map(() => ({ metres: null, nearestRoad: null })),
        destinations: [],
        legs: origins.map(() => []),
      };
    if (budget !== null && !(await records.spend(periodOf(now()), calculations, budget)))
      throw new ServiceError('proximity_budget_exhausted');
    const columns = origins.length === 1 ? protocol.most.row : protocol.most.columns;
    const from: Placed[] = [];
    const to: Placed[] = [];
    const legs: Leg[][] = [];
    let vintage: string | null = null;
    for (const rows of cut(origins, protocol.most.rows)) {
      const block = rows.map((): Leg[] => []);
      let placed: readonly Placed[] = [];
      for (const [i, some] of cut(destinations, columns).entries()) {
        const part = await protocol.table(rows, some, terms);
        for (const [row, found] of part.legs.entries()) block[row]!.push(...found);
        if (to.length < destinations.length && legs.length === 0) to.push(...part.destinations);
        if (i === 0) placed = part.origins;
        vintage ??= part.vintage;
      }
      from.push(...placed);
      legs.push(...block);
    }
    const isLost = (place: Placed) => 'problem' in place;
    return {
      cited: citedOf(vintage),
      origins: from,
      destinations: to,
      // A place that is too far from its road has no answer, whatever the provider says.
      legs: legs.map((row, i) => row.map((leg, j) => (isLost(from[i]!) || isLost(to[j]!) ? null : leg))),
    };
  };

  const within = async (
    origin: Point,
    places: readonly Point[],
    limit: number,
    terms: RoutingTerms,
  ): Promise<RoutedPlaces> => {
    const { cited, origins, destinations, legs } = await table([origin], places, terms);
    const found = legs[0]!.flatMap((leg, index) => (leg && leg.seconds <= limit ? [{ index, ...leg }] : []));
    return { cited, origin: origins[0]!, places: destinations, found };
  };

  return {
    isOwn: false,
    fastest: FASTEST,
    requireReady() {
      if (url === '') throw new ServiceError('proximity_unconfigured', { reason: 'PLAT_ROUTING_URL is empty' });
      if (key === '')
        throw new ServiceError('proximity_unconfigured', {
          reason: 'PLAT_ROUTING_KEY is empty; `none` is for a provider that asks for none',
        });
    },
    charges: requested => requested,
    table,
    within,
    async nearest(origin, places, count, limit, terms) {
      const all = await within(origin, places, limit, terms);
      const found = [...all.found].sort((a, b) => a.seconds - b.seconds || a.index - b.index);
      return { ...all, found: found.slice(0, count) };
    },
    areas: (origin, limits, terms) => embedded.areas(origin, limits, terms),
  };
}
