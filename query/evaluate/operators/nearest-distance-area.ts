import { boxOf, type Geometry } from '../../../datasets/geometry.ts';
import type { Condition } from '../../../datasets/grammar/condition.ts';
import { columnsOf } from '../../../datasets/grammar/condition.ts';
import type { Expression } from '../../../datasets/grammar/expression.ts';
import { layerWords } from '../../../datasets/layer-words.ts';
import { distanceInSteps } from '../../../datasets/precision.ts';
import type { Partition } from '../../../datasets/release.ts';
import { boxesLowerBound, metresToArea, nearestToArea } from '../../geometry/area/area-distance.ts';
import type { BoxTree } from '../../geometry/box-tree-nearest.ts';
import { loadGeos } from '../../geometry/geos.ts';
import type { Features } from '../../release/features.ts';
import { partitionsNear } from '../../release/partitions-about.ts';
import { type AreaContext, type AreaForm, measured } from '../area/area.ts';
import { outsideReason, type Piece, piecesOf } from '../area/piece.ts';
import { confidenceOf } from '../confidence.ts';
import { testOf } from '../context.ts';
import { reachAbout } from '../edge/coverage-edge.ts';
import { absent } from '../finding.ts';
import { spreadOf } from '../point-group.ts';
import { DECIMETRE } from '../published.ts';
import { rejectedAbout } from '../rejected/rejected.ts';
import { doubtOf, undecided } from '../vector/doubt.ts';
import { requireStored, type Search } from '../vector/vector-search.ts';

/** Metres of a degree of latitude, fewer than there are anywhere. */
const DEGREE_M = 110_000;

interface Near {
  readonly metres: number;
  readonly partition: Partition;
}

/** The nearest feature of a search to the area that meets a condition. */
async function nearestOf(
  ctx: AreaContext,
  call: Expression,
  { partitions }: Search,
  where: Condition | null,
  limit: number,
): Promise<Near | null> {
  const { prepared, box } = ctx.area;
  const [lng, lat] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
  const near = partitionsNear(partitions, lng, lat, limit + spreadOf(box)).filter(
    p => boxesLowerBound(box, p.box!) <= limit,
  );
  const files = await ctx.layers.allFeatures(near);
  const test = testOf(ctx, where);
  const ofTree = new Map<BoxTree, { features: Features; partition: Partition }>();
  for (const [i, features] of files.entries()) {
    requireStored(features, call.sources[0]!, columnsOf(where));
    ofTree.set(features.file.index, { features, partition: near[i]! });
  }
  const of = (tree: BoxTree) => ofTree.get(tree)!.features;
  const found = await nearestToArea(
    [...ofTree.keys()],
    prepared,
    limit,
    (tree, index) => !where || test(of(tree).file.properties(index)),
    (tree, index) => of(tree).feature(index).geometry,
    () => ctx.pause(),
  );
  return found && { metres: found.metres, partition: ofTree.get(found.tree)!.partition };
}

/** The boundary of polygons as lines. */
const boundaryOf = (geometry: Geometry): Geometry => ({
  ...geometry,
  type: 'MultiLineString',
  parts: new Uint32Array(0),
});

/** Whether the coverage of a layer ends nearer to the area than `meters`; where two places meet it does not end. */
async function endsWithin({ area }: AreaContext, pieces: readonly Piece[], metres: number): Promise<boolean> {
  if (pieces.some(({ within }) => within === null)) return false;
  const depths = pieces.map(({ search }) => reachAbout(search.at.covering, area.box));
  if (!depths.includes(null)) return Math.min(...(depths as number[])) < metres;
  const shapes = pieces.flatMap(({ within }) => within!.map(shape => shape.geometry()));
  const whole = shapes.length === 1 ? shapes[0]! : (await loadGeos()).union(shapes);
  if (!whole) return true;
  const edge = boundaryOf(whole);
  return metresToArea(area.prepared, edge, boxOf(edge), metres) < metres;
}

/**
 * Geodesic meters from the area's boundary to the nearest feature, searched to `max_km`; zero for one that meets the area,
 * a step at least for others.
 * As in the point form a rejected row that may meet the condition and lies nearer makes it absent, and where a nearer
 * feature may or may not count, or the coverage ends nearer, the distance is an upper bound with low confidence and a note.
 *
 * Cost: a best-first walk of the packed R-tree by the distance of boxes; each feature met is measured by the vertices of
 * both that come near enough.
 */
export const form: AreaForm = {
  name: 'nearest_distance',
  async over(ctx, call, { rule, precision }) {
    const source = call.sources[0]!;
    const all = await piecesOf(ctx, source, call.where);
    const confidence = confidenceOf(rule);
    if (!all.pieces.length) return absent(outsideReason(source, all), confidence, all.covering);
    const limit = Number(call.options.max_km) * 1000;
    const doubt = doubtOf(ctx, source, call.where);
    let best: Near | null = null;
    let open: Near | null = null;
    let rejected: string | null = null;
    const reach = () => best?.metres ?? limit;
    for (const { search } of all.pieces) {
      best = (await nearestOf(ctx, call, search, call.where, reach())) ?? best;
      if (doubt && reach() > 0) open = (await nearestOf(ctx, call, search, doubt, reach())) ?? open;
      if (best?.metres === 0) break;
      const [west, south, east, north] = ctx.area.box;
      const dy = reach() / DEGREE_M;
      const dx = dy / Math.max(0.01, Math.cos((Math.max(Math.abs(south - dy), Math.abs(north + dy)) * Math.PI) / 180));
      const about = [west - dx, south - dy, east + dx, north + dy] as const;
      const rows = await rejectedAbout(ctx, source, search, call.where, [about]);
      const nearer = rows.find(
        ({ row: { geometry } }) => metresToArea(ctx.area.prepared, geometry, boxOf(geometry), reach()) <= reach(),
      );
      rejected ??= nearer?.rejected.reason ?? null;
    }
    if (rejected !== null && best?.metres !== 0) return absent(rejected, confidence, all.covering);
    const ends = best?.metres !== 0 && (await endsWithin(ctx, all.pieces, reach()));
    const name = layerWords(source, all.covering);
    const notes: string[] = [];
    if (open && open.metres < reach())
      notes.push(
        `a nearer one of the ${name} may or may not count, so this is an upper bound: ${undecided(call.where!)}`,
      );
    if (ends) notes.push(`the coverage of ${name} ends nearer than what was found, so this is an upper bound`);
    if (!best) {
      const none = `nothing within ${call.options.max_km} km of the area`;
      const { length } = notes;
      const beyond = ends ? `${none}; the coverage of ${name} ends nearer, and beyond it nothing is known` : none;
      return absent(open ? `${none} that is known to count` : beyond, length ? 'low' : confidence, all.covering);
    }
    const metres = distanceInSteps(best.metres, precision ?? DECIMETRE);
    return measured(
      { kind: 'distance', metres },
      notes.length ? 'low' : confidence,
      [best.partition],
      [...notes, ...all.notes],
    );
  },
};
