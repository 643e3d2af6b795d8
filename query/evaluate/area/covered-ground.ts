import type { Expression, SourceRef } from '../../../datasets/grammar/expression.ts';
import { layerWords } from '../../../datasets/layer-words.ts';
import type { Partition } from '../../../datasets/release.ts';
import { confidenceOf } from '../confidence.ts';
import type { Question } from '../context.ts';
import { isExcluded } from '../edge/mapped.ts';
import { absent } from '../finding.ts';
import { rejectedAbout } from '../rejected/rejected.ts';
import type { Shape } from '../vector/coverage-shapes.ts';
import { doubtOf, undecided } from '../vector/doubt.ts';
import { type AreaContext, type AreaFinding, measured } from './area.ts';
import { type Candidate, candidatesOn, shapeOf, shapeOfCandidate } from './candidates.ts';
import { outsideReason, type Piece, piecesOf } from './piece.ts';
import { acresOf, shareOf, unsaidOf } from './shares.ts';
import { tiledGround } from './tiled-ground.ts';

/** Classes of ground, the first that holds it counts. */
const [ELSEWHERE, YES, DOUBT, EXCLUDED, REJECTED, MAPPED] = [0, 1, 2, 3, 4, 5] as const;

/** Whether a polygon marks its ground as left out of the study. */
const excludes = ({ features, index }: Candidate): boolean => isExcluded(features.file.properties(index));

/** The panels that say where a layer maps, about the area; null where they do not decide. */
export async function panelsAbout(
  ctx: AreaContext,
  panels: SourceRef,
  { search }: Piece,
): Promise<readonly Shape[] | null> {
  if (!ctx.layers.release.layer(panels.dataset, panels.layer)) return null;
  const places = new Set(search.at.covering.map(p => p.place));
  const { pieces } = await piecesOf(ctx, panels, null);
  const deciding = pieces.filter(piece => piece.search.at.covering.some(p => places.has(p.place)));
  if (!deciding.length) return null;
  const found = await Promise.all(deciding.map(piece => candidatesOn(ctx, panels, null, piece.search)));
  return found.flat().map(shapeOfCandidate);
}

/**
 * The share of an area that polygons meeting a condition cover together.
 * @param mapping layer whose polygons say where there are none; null for the layer's own coverage.
 * @throws Fault or DamagedFile when a file that it needs is unreadable.
 */
export async function coveredGround(
  ctx: AreaContext,
  call: Expression,
  { rule }: Question,
  mapping: SourceRef | null,
): Promise<AreaFinding> {
  const source = call.sources[0]!;
  const confidence = confidenceOf(rule);
  const all = await piecesOf(ctx, source, call.where);
  if (!all.pieces.length) return absent(outsideReason(source, all), confidence, all.covering);
  const partitions = new Set<Partition>();
  const notes: string[] = [];
  let [covered, uncovered, unknown] = [0, 0, 0];
  for (const piece of all.pieces) {
    const { search, within, without } = piece;
    const own = await candidatesOn(ctx, source, call.where, search);
    const doubt = doubtOf(ctx, source, call.where);
    const open = doubt ? await candidatesOn(ctx, source, doubt, search) : [];
    const rejected = await rejectedAbout(ctx, source, search, call.where, [ctx.area.box]);
    const excluded = mapping ? (await candidatesOn(ctx, source, null, search)).filter(excludes) : [];
    const panels = mapping && (await panelsAbout(ctx, mapping, piece));
    const classed = (shapes: readonly Shape[], one: number) => shapes.map(shape => ({ ...shape, class: one }));
    const ground = await tiledGround(
      ctx,
      [
        ...classed(within ?? [], -1),
        ...classed(without, ELSEWHERE),
        ...classed(own.map(shapeOfCandidate), YES),
        ...classed(open.map(shapeOfCandidate), DOUBT),
        ...classed(excluded.map(shapeOfCandidate), EXCLUDED),
        ...classed(
          rejected.map(({ row }) => shapeOf(row.geometry)),
          REJECTED,
        ),
        ...classed(panels ?? [], MAPPED),
      ],
      MAPPED + 1,
    );
    const of = (one: number) => ground.areas[one]!;
    covered += of(YES);
    unknown += of(DOUBT) + of(REJECTED);
    uncovered += panels ? of(MAPPED) : ground.none;
    if (of(YES) > 0) for (const { partition } of own) partitions.add(partition);
    else for (const partition of search.at.covering) partitions.add(partition);
    if (of(DOUBT) > 0) {
      notes.push(`some of the ${layerWords(source, all.covering)} may or may not count: ${undecided(call.where!)}`);
      for (const { partition } of open) partitions.add(partition);
    }
    if (of(REJECTED) > 0) notes.push(...rejected.map(({ rejected: why }) => why.reason));
  }
  const mapped = covered + uncovered + unknown;
  notes.push(...all.notes);
  if (!(mapped > 0)) {
    const reason = all.notes.length
      ? outsideReason(source, all)
      : `the ${layerWords(source, all.covering)} do not map this area`;
    return absent(reason, confidence, all.covering);
  }
  const unsaid = unsaidOf(ctx, { uncovered, without: 0, unknown, mapped });
  const statistics = { kind: 'covered', share: shareOf(ctx, covered), acres: acresOf(covered), ...unsaid } as const;
  return measured(statistics, confidence, partitions, [...new Set(notes)]);
}
