import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Point } from '../../../query/evaluate/answer.ts';
import { getJson } from '../../upstream/exchange.ts';
import type { TableProtocol } from './http.ts';
import type { Leg, Placed, RoutingTerms } from './provider.ts';
import { askUpstream, notOfProtocol, type UpstreamOptions } from './upstream.ts';

/** Farthest road from a point, in metres. OSRM itself has no limit. */
const SNAP_LIMIT = 1_000;
/** Decimals of a coordinate, to the centimetre. */
const DECIMALS = 7;

const Numbers = Type.Array(Type.Array(Type.Union([Type.Number(), Type.Null()])));
const Waypoints = Type.Array(Type.Object({ distance: Type.Optional(Type.Number()) }));
const Reply = Type.Object({
  code: Type.Literal('Ok'),
  durations: Numbers,
  distances: Numbers,
  sources: Waypoints,
  destinations: Waypoints,
  data_version: Type.Optional(Type.String()),
});
type Reply = Static<typeof Reply>;
const isReply = Compile(Reply);

const placed = ({ distance }: { distance?: number }): Placed =>
  distance !== undefined && distance > SNAP_LIMIT
    ? { problem: 'no_road', nearestRoad: null }
    : { metres: distance ?? null, nearestRoad: null };

function legsOf({ durations, distances }: Reply, rows: number, columns: number): Leg[][] {
  if (durations.length !== rows || distances.length !== rows) throw notOfProtocol();
  return durations.map((row, i) => {
    if (row.length !== columns || distances[i]!.length !== columns) throw notOfProtocol();
    return row.map((seconds, j): Leg => {
      const metres = distances[i]![j] ?? null;
      return seconds === null || metres === null ? null : { seconds, metres };
    });
  });
}

/**
 * The table service of OSRM (project-osrm.org/docs/v5.24.0/api, "Table service"): durations in seconds, distances in
 * metres, null when there is no way. By default osrm-routed accepts 100 coordinates in one request.
 * @throws ServiceError when an answer does not follow the protocol.
 */
export function osrm(url: string, key: string, options: UpstreamOptions): TableProtocol {
  return {
    provider: 'osrm',
    source: 'OpenStreetMap contributors, by OSRM',
    /** Most origins and destinations in one request. */
    most: { rows: 50, columns: 50, row: 99 },
    async table(origins: readonly Point[], destinations: readonly Point[], terms: RoutingTerms) {
      const all = [...origins, ...destinations];
      const path = all.map(({ lng, lat }) => `${lng.toFixed(DECIMALS)},${lat.toFixed(DECIMALS)}`).join(';');
      const target = new URL(`${url.replace(/\/+$/, '')}/table/v1/driving/${path}`);
      const numbers = (from: number, count: number) => Array.from({ length: count }, (_, i) => from + i).join(';');
      target.searchParams.set('annotations', 'duration,distance');
      target.searchParams.set('sources', numbers(0, origins.length));
      target.searchParams.set('destinations', numbers(origins.length, destinations.length));
      if (key !== '') target.searchParams.set('api_key', key);
      const { body } = await askUpstream(exchange => getJson(target, exchange), terms, options);
      if (!isReply.Check(body)) throw notOfProtocol();
      if (body.sources.length !== origins.length || body.destinations.length !== destinations.length)
        throw notOfProtocol();
      return {
        origins: body.sources.map(placed),
        destinations: body.destinations.map(placed),
        legs: legsOf(body, origins.length, destinations.length),
        vintage: body.data_version ?? null,
      };
    },
  };
}
