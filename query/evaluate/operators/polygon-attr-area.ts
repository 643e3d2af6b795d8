import type { Value } from '../../../datasets/dataset.ts';
import type { Expression } from '../../../datasets/grammar/expression.ts';
import { layerWords, nameOf } from '../../../datasets/layer-words.ts';
import type { Partition } from '../../../datasets/release.ts';
import { type AreaContext, type AreaForm, measured, type ValueShare } from '../area/area.ts';
import { candidatesOn, shapeOf } from '../area/candidates.ts';
import { outsideReason, type Piece, piecesOf } from '../area/piece.ts';
import { acresOf, shareOf, unsaidOf } from '../area/shares.ts';
import { type ClassedShape, tiledGround } from '../area/tiled-ground.ts';
import { confidenceOf } from '../confidence.ts';
import { keyOf, valueInPrecision } from '../context.ts';
import { absent } from '../finding.ts';
import { rejectedAbout } from '../rejected/rejected.ts';
import { byText, columnValue, type Hit, requireColumns, type Search } from '../vector/vector-search.ts';
import { byAnswer } from './polygon-attr.ts';

/** Ground of one piece, by the polygon that answers on it. */
interface AnsweredGround {
  readonly search: Search;
  readonly hits: readonly { readonly hit: Hit; readonly area: number }[];
  readonly uncovered: number;
  readonly unknown: number;
  /** Why ground is unknown. */
  readonly reasons: readonly string[];
}

/** Which polygon answers where on a piece: the same for all columns that are asked of it. */
async function answeredOn(
  ctx: AreaContext,
  call: Expression,
  { search, within, without }: Piece,
): Promise<AnsweredGround> {
  const source = call.sources[0]!;
  const rejected = await rejectedAbout(ctx, source, search, call.where, [ctx.area.box]);
  const hits: (Hit & { readonly box: ClassedShape['box']; readonly size: number })[] = [];
  for (const { features, partition, index } of await candidatesOn(ctx, source, call.where, search)) {
    await ctx.pause();
    const feature = features.feature(index);
    hits.push({ feature, partition, size: feature.area, box: features.file.box(index) });
  }
  hits.sort(byAnswer(ctx, call));
  const shapes: ClassedShape[] = [
    ...(within ?? []).map(shape => ({ ...shape, class: -1 })),
    ...without.map(shape => ({ ...shape, class: 0 })),
    ...rejected.map(({ row }) => ({ ...shapeOf(row.geometry), class: 1 })),
    ...hits.map(({ feature, box }, i) => ({ box, geometry: () => feature.geometry, class: i + 2 })),
  ];
  const { areas, none } = await tiledGround(ctx, shapes, hits.length + 2);
  const unknown = areas[1]!;
  return {
    search,
    hits: hits.map((hit, i) => ({ hit, area: areas[i + 2]! })).filter(({ area }) => area > 0),
    uncovered: none,
    unknown,
    reasons: unknown > 0 ? rejected.map(({ rejected: { reason } }) => reason) : [],
  };
}

/**
 * Every value of the column with the share of the area on which the point form answers it, the largest first: of several
 * polygons on one place the same one counts, so that the shares and what is unsaid add up to 1. Ground under a rejected row
 * that may meet the condition is `unknown`, ground under a polygon without a value `without_value`.
 *
 * Cost: one R-tree search of the area's box, the k polygons found decoded once, and one sweep of their edges, in tiles of a
 * few thousand edges each; made once for all columns of the layer.
 */
export const form: AreaForm = {
  name: 'polygon_attr',
  async over(ctx, call, question) {
    if (call.options.over !== undefined) return null;
    const source = call.sources[0]!;
    const all = await piecesOf(ctx, source, call.where);
    const confidence = confidenceOf(question.rule);
    if (!all.pieces.length) return absent(outsideReason(source, all), confidence, all.covering);
    const areas = new Map<Value, number>();
    const partitions = new Set<Partition>();
    const reasons = new Set<string>();
    let [uncovered, without, unknown, mapped] = [0, 0, 0, 0];
    const order = call.options.pick ? `${call.options.pick} ${call.argument}` : '';
    const key = `ground of ${nameOf(source)} ${keyOf(call.where)} ${order}`;
    for (const [i, piece] of all.pieces.entries()) {
      requireColumns(piece.search.at, source, [call.argument!]);
      const ground = await ctx.memo(`${key} ${i}`, () => answeredOn(ctx, call, piece));
      for (const reason of ground.reasons) reasons.add(reason);
      unknown += ground.unknown;
      uncovered += ground.uncovered;
      mapped += ground.unknown + ground.uncovered;
      for (const { hit, area } of ground.hits) {
        mapped += area;
        partitions.add(hit.partition);
        const said = columnValue(hit, call, question.type);
        if ('reason' in said) {
          without += area;
          reasons.add(said.reason);
        } else {
          // As the point form answers it: values that round to one are one.
          const value = valueInPrecision(said.value, question.precision)!;
          areas.set(value, (areas.get(value) ?? 0) + area);
        }
      }
    }
    const cited = partitions.size ? partitions : all.covering;
    if (!(mapped > 0)) return absent(outsideReason(source, all), confidence, cited);
    const shares: ValueShare[] = [...areas]
      .map(([value, area]) => ({ value, share: shareOf(ctx, area), acres: acresOf(area) }))
      .filter(({ share }) => share > 0)
      .sort((a, b) => b.share - a.share || byText(String(a.value), String(b.value)));
    const unsaid = unsaidOf(ctx, { uncovered, without, unknown, mapped });
    const notes = [...reasons, ...all.notes];
    if (!shares.length && unsaid.uncovered === 0)
      return absent(
        notes[0] ?? `none of the ${layerWords(source, cited)} here has a value (${call.argument})`,
        confidence,
        cited,
      );
    return measured({ kind: 'shares', shares, ...unsaid }, confidence, cited, notes);
  },
};
