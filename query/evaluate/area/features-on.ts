import type { Condition } from '../../../datasets/grammar/condition.ts';
import type { Expression, SourceRef } from '../../../datasets/grammar/expression.ts';
import { layerWords } from '../../../datasets/layer-words.ts';
import type { Partition } from '../../../datasets/release.ts';
import { meetsArea } from '../../geometry/area/area-distance.ts';
import { contains } from '../../geometry/point-in-polygon.ts';
import { rejectedAbout } from '../rejected/rejected.ts';
import { doubtOf, undecided } from '../vector/doubt.ts';
import { requireStored, type Search } from '../vector/vector-search.ts';
import type { AreaContext } from './area.ts';
import { type Candidate, candidatesOn } from './candidates.ts';
import { outsideReason, type Piece, type Pieces, piecesOf } from './piece.ts';
import { shareOf } from './shares.ts';
import { tiledGround } from './tiled-ground.ts';

/** The features of a layer that share a point with an area. */
interface FeaturesOn {
  readonly all: Pieces;
  readonly features: readonly Candidate[];
  /** Those of which it is not known whether they meet the condition. */
  readonly open: readonly Candidate[];
  /** Why `open` are open. */
  readonly undecided: string | null;
  /** Partitions that hold the features; all that cover the area where there are none. */
  readonly cited: Iterable<Partition>;
  /** Share of the area beyond the coverage. */
  readonly unmapped: number;
}

/** Those features of a piece that lie on the area, and not where another piece answers. */
async function onPiece(
  ctx: AreaContext,
  source: SourceRef,
  where: Condition | null,
  { search, without }: Piece,
  columns: readonly string[],
): Promise<Candidate[]> {
  const out: Candidate[] = [];
  for (const candidate of await candidatesOn(ctx, source, where, search)) {
    await ctx.pause();
    const { features } = candidate;
    requireStored(features, source, columns);
    const { geometry } = features.feature(candidate.index);
    const [lng, lat] = [geometry.xy[0]!, geometry.xy[1]!];
    if (without.length && without.some(shape => contains(shape.geometry(), lng, lat))) continue;
    if (meetsArea(ctx.area.prepared, geometry)) out.push(candidate);
  }
  return out;
}

async function rejectedReason(ctx: AreaContext, source: SourceRef, where: Condition | null, search: Search) {
  const about = await rejectedAbout(ctx, source, search, where, [ctx.area.box]);
  return about.find(({ row }) => meetsArea(ctx.area.prepared, row.geometry))?.rejected.reason ?? null;
}

/** Share of the area that lies beyond all pieces. */
async function unmappedShare(ctx: AreaContext, { pieces }: Pieces): Promise<number> {
  if (pieces.some(({ within }) => within === null)) return 0;
  const shapes = pieces.flatMap(({ within }) => within!.map(shape => ({ ...shape, class: 0 })));
  const { none } = await tiledGround(ctx, shapes, 1);
  return shareOf(ctx, none);
}

/**
 * The features that meet the condition of a call and share a point with the area, its boundary included.
 * @param columns that are read of each beside those of the condition.
 * @returns or why nothing is known: the layer says nothing of the area, or one that lies there was rejected at ingest.
 * @throws Fault or DamagedFile when a file that could hold one is unreadable or lacks a column.
 */
export async function featuresOn(
  ctx: AreaContext,
  { sources, where }: Expression,
  columns: readonly string[],
): Promise<FeaturesOn | { readonly reason: string; readonly all: Pieces }> {
  const source = sources[0]!;
  const all = await piecesOf(ctx, source, where, columns);
  const unmapped = all.pieces.length ? await unmappedShare(ctx, all) : 1;
  if (unmapped === 1) return { reason: outsideReason(source, all), all };
  const features: Candidate[] = [];
  const open: Candidate[] = [];
  const doubt = doubtOf(ctx, source, where);
  for (const piece of all.pieces) {
    features.push(...(await onPiece(ctx, source, where, piece, columns)));
    if (doubt) open.push(...(await onPiece(ctx, source, doubt, piece, columns)));
    const reason = await rejectedReason(ctx, source, where, piece.search);
    if (reason !== null) return { reason, all };
  }
  const why = open.length
    ? `some of the ${layerWords(source, all.covering)} may or may not count: ${undecided(where!)}`
    : null;
  const partitions = new Set(features.map(({ partition }) => partition));
  return { all, features, open, undecided: why, cited: partitions.size ? partitions : all.covering, unmapped };
}
