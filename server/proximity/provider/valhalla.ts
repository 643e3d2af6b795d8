import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Point } from '../../../query/evaluate/answer.ts';
import { distance } from '../../../query/geometry/geodesic.ts';
import { postJson } from '../../upstream/exchange.ts';
import type { BlockOfTable, TableProtocol } from './http.ts';
import type { Leg, Placed, RoutingTerms } from './provider.ts';
import { askUpstream, notOfProtocol, refusal, type UpstreamOptions } from './upstream.ts';

/** Farthest road from a point, in metres. */
const SNAP_LIMIT = 1_000;
/** Valhalla's error code for "No suitable edges near location". */
const NO_EDGES = 171;

const MatrixEntry = Type.Object({
  time: Type.Union([Type.Number(), Type.Null()]),
  distance: Type.Union([Type.Number(), Type.Null()]),
});
const isTable = Compile(Type.Object({ sources_to_targets: Type.Array(Type.Array(MatrixEntry)) }));
const isFault = Compile(Type.Object({ error_code: Type.Integer() }));
const Edge = Type.Object({ correlated_lat: Type.Number(), correlated_lon: Type.Number() });
const isLocated = Compile(Type.Array(Type.Object({ edges: Type.Union([Type.Array(Edge), Type.Null()]) })));

const location = ({ lng, lat }: Point) => ({ lat, lon: lng, search_cutoff: SNAP_LIMIT });

/**
 * The matrix service of Valhalla (valhalla.github.io/valhalla/api/matrix): seconds and kilometres. It refuses the whole
 * request when one location has no road. Then this asks which locations those are, and requests the others.
 */
export function valhalla(url: string, key: string, options: UpstreamOptions): TableProtocol {
  const target = (service: string) => {
    const to = new URL(`${url.replace(/\/+$/, '')}/${service}`);
    if (key !== '') to.searchParams.set('api_key', key);
    return to;
  };
  const post = (service: string, body: unknown, terms: RoutingTerms, accepted?: ReadonlySet<number>) =>
    askUpstream(exchange => postJson(target(service), body, exchange), terms, options, accepted);

  /** Finds the road of each point; null when it has none. */
  const locate = async (points: readonly Point[], terms: RoutingTerms): Promise<Placed[]> => {
    const { body } = await post('locate', { locations: points.map(location), costing: 'auto', verbose: false }, terms);
    if (!isLocated.Check(body) || body.length !== points.length) throw notOfProtocol();
    return body.map(({ edges }, i): Placed => {
      const nearest = Math.min(
        ...(edges ?? []).map(edge =>
          distance(points[i]!.lng, points[i]!.lat, edge.correlated_lon, edge.correlated_lat),
        ),
      );
      return nearest <= SNAP_LIMIT ? { metres: nearest, nearestRoad: null } : { problem: 'no_road', nearestRoad: null };
    });
  };

  const table = async (
    origins: readonly Point[],
    destinations: readonly Point[],
    terms: RoutingTerms,
  ): Promise<BlockOfTable> => {
    const body = {
      sources: origins.map(location),
      targets: destinations.map(location),
      costing: 'auto',
      units: 'kilometers',
    };
    const { status, body: said } = await post('sources_to_targets', body, terms, new Set([400]));
    if (status === 400) {
      if (!isFault.Check(said) || said.error_code !== NO_EDGES) throw refusal(status);
      return withoutTheLost(origins, destinations, terms);
    }
    if (!isTable.Check(said) || said.sources_to_targets.length !== origins.length) throw notOfProtocol();
    const legs = said.sources_to_targets.map(row => {
      if (row.length !== destinations.length) throw notOfProtocol();
      return row.map(
        ({ time, distance: km }): Leg => (time === null || km === null ? null : { seconds: time, metres: km * 1000 }),
      );
    });
    const unsaid = (): Placed => ({ metres: null, nearestRoad: null });
    return { origins: origins.map(unsaid), destinations: destinations.map(unsaid), legs, vintage: null };
  };

  const withoutTheLost = async (
    origins: readonly Point[],
    destinations: readonly Point[],
    terms: RoutingTerms,
  ): Promise<BlockOfTable> => {
    const placed = await locate([...origins, ...destinations], terms);
    const [from, to] = [placed.slice(0, origins.length), placed.slice(origins.length)];
    const usable = (points: readonly Point[], where: readonly Placed[]) =>
      points.filter((_, i) => !('problem' in where[i]!));
    const [some, others] = [usable(origins, from), usable(destinations, to)];
    // It refused all although each has a road. The reason is unknown.
    if (some.length === origins.length && others.length === destinations.length) throw notOfProtocol();
    const rest = some.length > 0 && others.length > 0 ? await table(some, others, terms) : null;
    let row = 0;
    const legs = from.map(one => {
      const own = 'problem' in one ? null : (rest?.legs[row++] ?? null);
      let column = 0;
      return to.map((other): Leg => (own && !('problem' in other) ? own[column++]! : null));
    });
    return { origins: from, destinations: to, legs, vintage: null };
  };

  return {
    provider: 'valhalla',
    source: 'OpenStreetMap contributors, by Valhalla',
    most: { rows: 50, columns: 50, row: 50 },
    table,
  };
}
