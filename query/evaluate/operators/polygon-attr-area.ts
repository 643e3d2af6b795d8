import type { Value } from '../../../datasets/dataset.ts';
import type { Expression } from '../../../datasets/grammar/expression.ts';
import type { Partition } from '../../../datasets/release.ts';
import { type AreaContext, type AreaForm, absentOver, measured, type ValueShare } from '../area/area.ts';
import { candidatesOn, shapeOf } from '../area/candidates.ts';
import { outsideReason, piecesOf } from '../area/piece.ts';
import { acresOf, shareOf, unsaidOf } from '../area/shares.ts';
import { type ClassedShape, tiledGround } from '../area/tiled-ground.ts';
import { confidenceOf } from '../confidence.ts';
import { nameOf, type Question } from '../context.ts';
import { published } from '../published.ts';
import { rejectedAbout } from '../rejected/rejected.ts';
import { bySize, byText, type Hit, requireColumns, storedValue, unpublishedReason } from '../vector/vector-search.ts';

/** The order in which polygons that hold one place answer for it: as the point form chooses. */
function byAnswer(ctx: AreaContext, call: Expression): (a: Hit, b: Hit) => number {
  const size = bySize(ctx, call.sources[0]!);
  const { pick } = call.options;
  if (!pick) return size;
  const column = call.argument!;
  const sign = pick === 'min' ? 1 : -1;
  return (a, b) => {
    const [x, y] = [a.feature.properties[column] ?? null, b.feature.properties[column] ?? null];
    if (x === null || y === null) return Number(x === null) - Number(y === null) || size(a, b);
    return (x < y ? -sign : x > y ? sign : 0) || size(a, b);
  };
}

/** The value of a polygon, or why it has none. @throws Fault when the map does not list it. */
function saidBy(call: Expression, { type }: Question, hit: Hit): { value: Value } | { reason: string } {
  const column = call.argument!;
  if (hit.partition.unpublished.includes(column)) return { reason: unpublishedReason(hit.partition, column) };
  const raw = storedValue(hit, call.sources[0]!, column);
  return published(raw, { nulls: call.nulls, options: call.options }, type, column);
}

/**
 * Every value of the column with the share of the area on which the point form answers it, the largest first: of several
 * polygons on one place the same one counts, so that the shares and what is unsaid add up to 1. Ground under a rejected row
 * that may meet the condition is `unknown`, ground under a polygon without a value `without_value`.
 *
 * Cost: one R-tree search of the area's box, the k polygons found decoded once, and one sweep of their edges, in tiles of a
 * few thousand edges each.
 */
export const form: AreaForm = {
  name: 'polygon_attr',
  async over(ctx, call, question) {
    if (call.options.over !== undefined) return null;
    const source = call.sources[0]!;
    const all = await piecesOf(ctx, source, call.where);
    const confidence = confidenceOf(question.rule);
    if (!all.pieces.length) return absentOver(outsideReason(source, all), confidence, all.covering);
    const areas = new Map<Value, number>();
    const partitions = new Set<Partition>();
    const reasons = new Map<string, number>();
    let [uncovered, without, unknown, mapped] = [0, 0, 0, 0];
    for (const { search, within, without: elsewhere } of all.pieces) {
      requireColumns(search.at, source, [call.argument!]);
      const rejected = await rejectedAbout(ctx, source, search, call.where, ctx.area.box);
      const candidates = await candidatesOn(ctx, source, call.where, search);
      const hits: (Hit & { readonly box: ClassedShape['box'] })[] = [];
      for (const { holder, index } of candidates) {
        await ctx.pause();
        const { features, partition } = holder;
        hits.push({ feature: features.feature(index), partition, box: features.file.box(index) });
      }
      hits.sort(byAnswer(ctx, call));
      const shapes: ClassedShape[] = [
        ...(within ?? []).map(shape => ({ ...shape, class: -1 })),
        ...elsewhere.map(shape => ({ ...shape, class: 0 })),
        ...rejected.map(({ row }) => ({ ...shapeOf(row.geometry), class: 1 })),
        ...hits.map(({ feature, box }, i) => ({ box, geometry: () => feature.geometry, class: i + 2 })),
      ];
      const ground = await tiledGround(ctx, shapes, hits.length + 2);
      unknown += ground.areas[1]!;
      for (const { rejected: why } of ground.areas[1]! > 0 ? rejected : []) reasons.set(why.reason, ground.areas[1]!);
      uncovered += ground.none;
      mapped += ground.areas[1]! + ground.none;
      for (const [i, hit] of hits.entries()) {
        const area = ground.areas[i + 2]!;
        if (!(area > 0)) continue;
        mapped += area;
        partitions.add(hit.partition);
        const said = saidBy(call, question, hit);
        if ('reason' in said) {
          without += area;
          reasons.set(said.reason, (reasons.get(said.reason) ?? 0) + area);
        } else areas.set(said.value, (areas.get(said.value) ?? 0) + area);
      }
    }
    const cited = partitions.size ? partitions : all.covering;
    if (!(mapped > 0)) return absentOver(outsideReason(source, all), confidence, cited);
    const shares: ValueShare[] = [...areas]
      .map(([value, area]) => ({ value, share: shareOf(ctx, area), acres: acresOf(area) }))
      .filter(({ share }) => share > 0)
      .sort((a, b) => b.share - a.share || byText(String(a.value), String(b.value)));
    const unsaid = unsaidOf(ctx, { uncovered, without, unknown, mapped });
    const notes = [...reasons.keys(), ...all.notes];
    if (!shares.length && unsaid.uncovered === 0)
      return absentOver(notes[0] ?? `no ${call.argument} of ${nameOf(source)} here`, confidence, cited);
    return measured({ kind: 'shares', shares, ...unsaid }, confidence, cited, notes);
  },
};
