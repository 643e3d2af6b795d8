import type { Geometry } from '../../datasets/geometry.ts';
import { areaOf } from '../evaluate/area/area.ts';
import { openArea } from '../evaluate/evaluate-area.ts';
import { citationsOf, failed } from '../evaluate/finding.ts';
import { exact } from '../geometry/area/geodesic-buffer.ts';
import { type GeosPolygons, loadGeos } from '../geometry/geos.ts';
import { Interrupted } from '../release/fault.ts';
import type { SearchEnvironment } from '../search/page/environment.ts';
import { MOST_M2, outlineOf, tooLarge } from '../sets/ground/outline.ts';
import { onGround, type SetGround } from '../sets/ground/set-ground.ts';
import { type ExcludedGround, excludedGround } from './excluded-ground.ts';
import { boxAbout, type Drawing, drawingOf } from './near-shapes.ts';
import { largestPiece, piecesAbove, planeArea } from './plane-area.ts';
import type { Buildable, BuildableAnswer, BuildableRequest, Exclusion, ExclusionShare } from './request.ts';

/** The name of the boundary of the ground among the exclusions. */
const BOUNDARY = 'boundary';
/** Metres about the ground within which sources are read at least, beside the setback: what edges may be off. */
const LEAST_REACH_M = 100;

/** What is said of one exclusion where nothing is known of it. */
interface ExclusionGap {
  readonly share: ExclusionShare;
}

/** An exclusion whose ground is known. */
interface ExclusionGround {
  readonly exclusion: ExcludedGround;
  readonly share: Omit<ExclusionShare, 'alone' | 'last' | 'geometry'>;
}

const cite = (partitions: ExcludedGround['partitions'], dataset: string) => {
  const [first] = citationsOf(partitions).citations;
  return { source: first?.source ?? dataset, sourceUrl: first?.url ?? null, vintage: first?.vintage ?? null };
};

/** The union of geometries, null of none. */
function united(geos: GeosPolygons, parts: readonly (Geometry | null)[]): Geometry | null {
  const some = parts.filter(part => part !== null);
  return some.length > 1 ? geos.union(some) : (some[0] ?? null);
}

const without = (geos: GeosPolygons, from: Geometry | null, taken: Geometry | null): Geometry | null =>
  from && taken ? geos.minus(from, taken) : from;

const within = (geos: GeosPolygons, ground: Geometry, part: Geometry | null): Geometry | null =>
  part && geos.common(ground, part);

/** What lies in at least one of all parts but one, for each of them. */
function unitedWithoutEach(geos: GeosPolygons, parts: readonly (Geometry | null)[]): (Geometry | null)[] {
  const before: (Geometry | null)[] = [null];
  for (const part of parts) before.push(united(geos, [before.at(-1)!, part]));
  const out: (Geometry | null)[] = [];
  let after: Geometry | null = null;
  for (let i = parts.length - 1; i >= 0; i--) {
    out.unshift(united(geos, [before[i]!, after]));
    after = united(geos, [after, parts[i]!]);
  }
  return out;
}

/** Reads one exclusion. @throws Interrupted when nobody waits any more. */
async function readExclusion(
  exclusion: Exclusion,
  drawing: Drawing,
  environment: SearchEnvironment,
  layers: SetGround['layers'],
): Promise<ExclusionGround | ExclusionGap> {
  const { name, dataset, layer, setback } = exclusion;
  const definition = environment.catalog.datasets.get(dataset)?.layers[layer];
  const off = definition?.kind === 'vector' ? (definition.accuracyM ?? 0) : 0;
  const nothing = { name, alone: null, last: null, geometry: null };
  try {
    const reach = boxAbout(drawing.ground, setback + Math.max(LEAST_REACH_M, off), drawing);
    const asking = openArea(await areaOf(reach), environment, layers);
    const ground = await asking.within(() => excludedGround(asking.ctx, exclusion, drawing));
    const cited = cite(ground.partitions, dataset);
    if ('reason' in ground)
      return { share: { ...nothing, ...cited, status: 'absent', reason: ground.reason, retryable: false } };
    return { exclusion: ground, share: { name, ...cited, status: 'ok', reason: null, retryable: false } };
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    const { error: reason = 'failed', retryable = false } = failed(error);
    return { share: { ...nothing, ...cite([], dataset), status: 'failed', reason, retryable } };
  }
}

/** The ground along its boundary that must stay free. */
function boundaryOf({ geos, ground }: Drawing, setback: number): ExclusionGround {
  const inner = geos.grown(ground, -setback, 'round');
  const taken = inner ? geos.minus(ground, inner) : ground;
  return {
    exclusion: { drawn: taken, possible: taken, sure: taken, isAssessed: true, partitions: [] },
    share: {
      ...{ name: BOUNDARY, status: 'ok', source: null, sourceUrl: null, vintage: null },
      ...{ reason: null, retryable: false },
    },
  };
}

/** What is left of some ground at least so wide: what a disc of that width reaches, corners as they are. */
export function wideEnough(geos: GeosPolygons, ground: Geometry | null, width: number): Geometry | null {
  if (!ground || width === 0) return ground;
  const core = geos.grown(ground, -width / 2, 'mitre');
  const wide = core && geos.grown(core, width / 2, 'mitre');
  return wide && geos.common(ground, wide);
}

/** Puts together what all exclusions take. */
function subtract(
  { geos, plane, ground }: Drawing,
  all: readonly (ExclusionGround | ExclusionGap)[],
  { minWidth, minPiece, shapes }: BuildableRequest,
): Buildable {
  const inDegrees = (part: Geometry | null) => part && exact(plane.inDegrees(part), geos);
  const grounds = all.filter(one => 'exclusion' in one);
  const taken = grounds.map(({ exclusion }) => within(geos, ground, exclusion.drawn));
  const others = unitedWithoutEach(geos, taken);
  const isWhole = grounds.length === all.length;
  const shares = grounds.map(({ share }, i): ExclusionShare => {
    const last = isWhole ? planeArea(without(geos, taken[i]!, others[i]!)) : null;
    return { ...share, alone: planeArea(taken[i]!), last, geometry: shapes ? inDegrees(taken[i]!) : null };
  });
  const gross = planeArea(ground);
  const exclusions = all.map(one => ('exclusion' in one ? shares[grounds.indexOf(one)]! : one.share));
  if (!isWhole) return { gross, area: null, largestPiece: null, undecidable: null, geometry: null, exclusions };
  const left = without(geos, ground, united(geos, taken));
  const pieces = piecesAbove(wideEnough(geos, left, minWidth), minPiece);
  const possible = within(
    geos,
    ground,
    united(
      geos,
      grounds.map(({ exclusion }) => exclusion.possible),
    ),
  );
  const sure = united(
    geos,
    grounds.map(({ exclusion }) => exclusion.sure),
  );
  const isAssessed = grounds.every(({ exclusion }) => exclusion.isAssessed);
  return {
    gross,
    area: planeArea(pieces),
    largestPiece: largestPiece(pieces),
    undecidable: isAssessed ? planeArea(without(geos, possible, sure)) / gross : null,
    geometry: inDegrees(pieces),
    exclusions,
  };
}

/**
 * The ground on which something can be built: a parcel or polygons without the ground of some exclusions, each drawn with its setback
 * in the azimuthal equidistant projection about the middle of the ground, by GEOS.
 * @throws Interrupted when nobody waits any more; TimeUp; Fault or DamagedFile when the parcel cannot be read.
 */
export function buildableGround(request: BuildableRequest, environment: SearchEnvironment): Promise<BuildableAnswer> {
  return onGround<BuildableAnswer>(request, environment, async set => {
    if (!set) return { uncounted: 'no release is installed; nothing was published yet' };
    const outline = await outlineOf(request.ground, set);
    if (!('xy' in outline)) return outline;
    const geos = await loadGeos();
    const drawing = drawingOf(outline, geos);
    if (planeArea(drawing.ground) > MOST_M2) return tooLarge(request.ground);
    const all: (ExclusionGround | ExclusionGap)[] = [];
    for (const exclusion of request.exclusions) {
      await set.step();
      all.push(await readExclusion(exclusion, drawing, environment, set.layers));
    }
    if (request.boundarySetback > 0) all.push(boundaryOf(drawing, request.boundarySetback));
    await set.step();
    return subtract(drawing, all, request);
  });
}
