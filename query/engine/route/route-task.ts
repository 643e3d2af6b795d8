import type { Partition } from '../../../datasets/release.ts';
import type { Point } from '../../evaluate/answer.ts';
import type { TaskEnvironment } from '../../evaluate/environment.ts';
import { settled } from '../../evaluate/evaluate.ts';
import type { Layers } from '../../release/layers.ts';
import { isochrones, segmentsOfArcs } from '../../route/isochrone.ts';
import { Router } from '../../route/router.ts';
import { graphIn } from '../../route/shared-graph.ts';
import type { Snap } from '../../route/snap.ts';
import { failureOf } from '../failure.ts';
import { graphFilesOf, type LoadedGraph } from './road-graphs.ts';
import type { Placed, RoadRegion, RouteAnswer, RouteQuestion, RouteTask } from './route-question.ts';

/** Metres to the nearest road, at most. */
const SNAP_LIMIT = 1_000;
/** Degrees that a point may lie beside the box of the roads: about as far. */
const MARGIN = 0.01;

/** A graph as this thread uses it. */
interface ThreadGraph {
  readonly router: Router;
  segments: Uint32Array | null;
}

/** By checksum; those of releases that are gone are let go of. */
const threadGraphs = new Map<string, ThreadGraph>();

function open({ sha256, memory }: LoadedGraph): ThreadGraph {
  let held = threadGraphs.get(sha256);
  if (!held) {
    held = { router: new Router(graphIn(memory!)), segments: null };
    threadGraphs.set(sha256, held);
  }
  return held;
}

/** A graph of the release with whose it is. */
interface Candidate {
  readonly dataset: string;
  readonly part: Partition;
  readonly graph: LoadedGraph;
}

const inBox = ({ box }: Partition, { lng, lat }: Point) =>
  box !== null && lng >= box[0] - MARGIN && lng <= box[2] + MARGIN && lat >= box[1] - MARGIN && lat <= box[3] + MARGIN;

async function covers(layers: Layers, { dataset, part }: Candidate, point: Point): Promise<boolean> {
  if (!inBox(part, point)) return false;
  const { covering } = await layers.at(dataset, 'road_graph', point.lng, point.lat);
  return covering.some(one => one.place === part.place && one.key === part.key);
}

/** Points that a question names: those that must be covered, and the others. */
const pointsOf = (
  question: RouteQuestion,
): { readonly origins: readonly Point[]; readonly places: readonly Point[] } =>
  question.kind === 'table'
    ? { origins: question.origins, places: question.destinations }
    : { origins: [question.origin], places: question.kind === 'isochrones' ? [] : question.places };

/** Which of the points a graph covers. */
async function coverage(layers: Layers, candidate: Candidate, points: readonly Point[]): Promise<boolean[]> {
  const out: boolean[] = [];
  for (const point of points) out.push(await covers(layers, candidate, point));
  return out;
}

/** Of several graphs the one that covers most origins, then most places; the first of equals. */
async function chosen(layers: Layers, candidates: readonly Candidate[], question: RouteQuestion) {
  const { origins, places } = pointsOf(question);
  let best: { candidate: Candidate; origins: boolean[]; places: boolean[]; score: number } | null = null;
  for (const candidate of candidates) {
    const [of, to] = [await coverage(layers, candidate, origins), await coverage(layers, candidate, places)];
    const count = (list: readonly boolean[]) => list.filter(Boolean).length;
    const score = count(of) * (places.length + 1) + count(to);
    if (count(of) > 0 && (best === null || score > best.score)) best = { candidate, origins: of, places: to, score };
  }
  return best;
}

const regionOf = ({ dataset, part }: Candidate, { graph }: Router): RoadRegion => ({
  dataset,
  source: part.provenance.source,
  sourceUrl: part.provenance.url,
  vintage: part.provenance.vintage,
  note: part.provenance.note,
  place: part.place,
  box: graph.facts.box,
  fastest: graph.facts.fastest,
});

function ask(one: ThreadGraph, question: RouteQuestion, from: readonly (Snap | null)[], to: readonly (Snap | null)[]) {
  const { router } = one;
  if (question.kind === 'table') return router.table(from, to);
  const [origin] = from;
  if (!origin) return question.kind === 'isochrones' ? { areas: [] } : { found: [] };
  if (question.kind === 'nearest') return { found: router.nearest(origin, to, question.count, question.limit) };
  if (question.kind === 'within') return { found: router.within(origin, to, question.limit) };
  one.segments ??= segmentsOfArcs(router.graph);
  const reached = router.reach(origin, Math.max(...question.limits));
  const areas = isochrones(router.graph, one.segments, origin, reached, question.limits);
  const written = new TextEncoder();
  return { areas: areas.map(rings => written.encode(JSON.stringify(rings))) };
}

async function answer({ question, graphs }: RouteTask, layers: Layers | null): Promise<RouteAnswer> {
  if (!layers) return { unavailable: 'nothing was published yet', regions: [] };
  for (const sha256 of threadGraphs.keys())
    if (!graphs.some(graph => graph.sha256 === sha256)) threadGraphs.delete(sha256);
  const all = graphFilesOf(layers.release).flatMap(({ dataset, part, file }): Candidate[] => {
    const graph = graphs.find(({ sha256 }) => sha256 === file.sha256);
    return graph ? [{ dataset, part, graph }] : [];
  });
  const regions = all.flatMap(({ part }) => (part.box ? [{ place: part.place, box: part.box }] : []));
  if (all.length === 0) return { unavailable: 'this release has no road graph', regions, lacking: true };
  const best = await chosen(layers, all, question);
  if (!best) return { unavailable: 'no road graph of this release covers the place', regions };
  const { graph } = best.candidate;
  if (!graph.memory) return { unavailable: graph.problem!, regions: [] };
  const one = open(graph);
  const { origins, places } = pointsOf(question);
  const placed = (points: readonly Point[], covered: readonly boolean[]) =>
    points.map(({ lng, lat }, i) => (covered[i] ? one.router.snap(lng, lat, SNAP_LIMIT) : null));
  const said = (points: readonly Point[], snaps: readonly (Snap | null)[], covered: readonly boolean[]) =>
    snaps.map((snap, i): Placed => {
      if (!covered[i]) return { problem: 'outside', regions };
      const { lng, lat } = points[i]!;
      const nearestRoad = one.router.nearestRoad(lng, lat, SNAP_LIMIT)?.metres ?? null;
      return snap ? { metres: snap.metres, nearestRoad: nearestRoad! } : { problem: 'no_road', nearestRoad };
    });
  const [from, to] = [placed(origins, best.origins), placed(places, best.places)];
  return {
    region: regionOf(best.candidate, one.router),
    origins: said(origins, from, best.origins),
    places: said(places, to, best.places),
    ...ask(one, question, from, to),
  };
}

/** Answers a question about roads. Never throws but Interrupted. */
export function routeTask(task: RouteTask, environment: TaskEnvironment): Promise<RouteAnswer> {
  const failed = (error: unknown): RouteAnswer => failureOf(error, environment.deadline);
  return settled(layers => answer(task, layers).catch(failed), environment);
}
