import type { Engine } from '../../../query/engine/engine-interface.ts';
import { TaskFailed } from '../../../query/engine/failure.ts';
import type { RoadRegion, RouteAnswer, RouteQuestion } from '../../../query/engine/route/route-question.ts';
import { UNREACHED } from '../../../query/route/graph.ts';
import { engineRefusal } from '../../engine-refusal.ts';
import { ServiceError } from '../../errors/registry.ts';
import { WrittenJson } from '../../http/written-json.ts';
import { deadlineExceeded } from '../deadline.ts';
import type { Leg, RoutedPlaces, Routing, RoutingSource, RoutingTerms } from './provider.ts';

/** Kilometres an hour that no road of a graph exceeds: the highest speed limit that is read. */
const FASTEST = 140;

type Answered = Extract<RouteAnswer, { readonly region: RoadRegion }>;

const citedOf = ({ source, sourceUrl, vintage, note }: RoadRegion): RoutingSource => ({
  provider: 'embedded',
  source,
  source_url: sourceUrl,
  dataset_vintage: vintage,
  note,
});

/** Turns errors of the engine into those of proximity. */
export function inItsWords(error: unknown): unknown {
  if (!(error instanceof TaskFailed)) return engineRefusal(error, () => new ServiceError('proximity_busy'));
  return error.late ? deadlineExceeded() : new ServiceError('proximity_data_unavailable', { reason: error.message });
}

/**
 * Makes routing over the road graphs of the release.
 * @throws its methods throw ServiceError proximity_data_unavailable when the release has no roads.
 */
export function embeddedRouting(engine: Pick<Engine, 'route'>): Routing {
  const ask = async (question: RouteQuestion, terms: RoutingTerms): Promise<Answered> => {
    const answer = await engine.route(question, terms).catch((error: unknown) => {
      throw inItsWords(error);
    });
    if ('region' in answer) return answer;
    const { unavailable: reason, regions, lacking } = answer;
    throw new ServiceError('proximity_data_unavailable', { reason }, { regions }, lacking ? null : undefined);
  };
  const places = ({ region, origins, places: to, found }: Answered): RoutedPlaces => ({
    cited: citedOf(region),
    origin: origins[0]!,
    places: to,
    found: found!.map(({ index, time, length }) => ({ index, seconds: time / 1000, metres: length / 10 })),
  });
  return {
    isOwn: true,
    fastest: FASTEST,
    requireReady() {},
    charges: (requested, found) => Math.min(requested, found),
    async table(origins, destinations, terms) {
      const answer = await ask({ kind: 'table', origins, destinations }, terms);
      const [time, length] = [answer.time!, answer.length!];
      const leg = (at: number): Leg =>
        time[at] === UNREACHED ? null : { seconds: time[at]! / 1000, metres: length[at]! / 10 };
      const columns = destinations.length;
      return {
        cited: citedOf(answer.region),
        origins: answer.origins,
        destinations: answer.places,
        legs: origins.map((_, row) => destinations.map((_, column) => leg(row * columns + column))),
      };
    },
    async nearest(origin, to, count, limit, terms) {
      return places(await ask({ kind: 'nearest', origin, places: to, count, limit: limit * 1000 }, terms));
    },
    async within(origin, to, limit, terms) {
      return places(await ask({ kind: 'within', origin, places: to, limit: limit * 1000 }, terms));
    },
    async areas(origin, limits, terms) {
      const answer = await ask({ kind: 'isochrones', origin, limits: limits.map(limit => limit * 1000) }, terms);
      return {
        cited: citedOf(answer.region),
        origin: answer.origins[0]!,
        areas: answer.areas!.map(bytes => new WrittenJson(bytes)),
      };
    },
  };
}
