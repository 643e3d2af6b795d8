import type { Value } from '../../datasets/dataset.ts';
import { confidenceOf } from '../confidence.ts';
import { nameOf, type Operator } from '../context.ts';
import { absent, found } from '../finding.ts';
import { published } from '../published.ts';
import {
  boundaryOf,
  bySize,
  containing,
  type Hit,
  outsideEdge,
  requireColumns,
  searchOf,
  storedValue,
  unpublishedReason,
} from '../vector.ts';

const compare = (a: Value, b: Value): number => (a! < b! ? -1 : a! > b! ? 1 : 0);

/**
 * Column of the polygon that contains the point; its boundary counts as inside. Of several the smallest answers
 * (then the smaller join key), or with `pick=min|max` the one with the extreme value.
 */
export const operator: Operator = {
  name: 'polygon_attr',
  async point(ctx, call, { rule, type }) {
    const source = call.sources[0]!;
    const column = call.argument!;
    const search = await searchOf(ctx, source, call.where);
    const { covering } = search.at;
    const outside = async (reason: string) => {
      const edge = rule?.kind === 'edge_m' ? await outsideEdge(ctx, source, search, call.where, rule.metres) : 0;
      return absent(reason, confidenceOf(rule, { edge: () => edge }), covering);
    };
    if (search.absent) return outside(search.absent);
    requireColumns(search.at, source, [column]);
    const hits = (await containing(ctx, source, search, call.where)).sort(bySize(ctx, source));
    if (!hits.length) return outside(`no polygon of ${nameOf(source)} contains the point`);
    const { pick } = call.options;
    let winner: Hit = hits[0]!;
    if (pick) {
      // Rows without a value have no extreme to offer; values are compared as published, numbers as numbers.
      const valued = hits.filter(h => (h.feature.properties[column] ?? null) !== null);
      const sign = pick === 'min' ? 1 : -1;
      for (const hit of valued)
        if (
          (winner.feature.properties[column] ?? null) === null ||
          sign * compare(hit.feature.properties[column]!, winner.feature.properties[column]!) < 0
        )
          winner = hit;
    }
    const confidence = confidenceOf(rule, { edge: boundaryOf(ctx, winner.feature) });
    if (winner.partition.unpublished.includes(column))
      return absent(unpublishedReason(winner.partition, column), confidence, [winner.partition]);
    const result = published(storedValue(winner, source, column), call, type, column);
    return 'reason' in result
      ? absent(result.reason, confidence, [winner.partition])
      : found(result.value, confidence, [winner.partition], [...search.notes]);
  },
};
