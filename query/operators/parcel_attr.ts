import type { Value } from '../../datasets/dataset.ts';
import { confidenceOf } from '../confidence.ts';
import type { Operator } from '../context.ts';
import { absent, found } from '../finding.ts';
import { PARCELS, type ParcelMatch, parcelMatch } from '../parcel.ts';
import { published, roundDistance } from '../published.ts';
import { requireColumns, searchOf, storedValue, unpublishedReason } from '../vector.ts';

type Matched = Extract<ParcelMatch, { status: 'matched' }>;

/** What comes from the match itself instead of a stored column. */
const OF_MATCH: Readonly<Record<string, (match: Matched) => Value>> = {
  '@area_m2': match => match.hit.feature.area,
  '@match_type': match => match.type,
  '@match_distance_m': match => roundDistance(match.metres),
};

/** Stored column of the parcel at the point; no parcel, or several, is absent. */
export const operator: Operator = {
  name: 'parcel_attr',
  async point(ctx, call, { rule, type }) {
    const column = call.argument!;
    const match = await parcelMatch(ctx);
    const confidence = confidenceOf(rule, { match: match.status === 'matched' ? match.type : null });
    if (match.status === 'ambiguous')
      return absent(`ambiguous: ${match.reason}`, confidence, new Set(match.candidates.map(c => c.partition)));
    if (match.status !== 'matched') return absent(match.reason, confidence, match.covering);
    const { partition } = match.hit;
    const ofMatch = OF_MATCH[column];
    if (ofMatch) return found(ofMatch(match), confidence, [partition]);
    if (partition.unpublished.includes(column))
      return absent(unpublishedReason(partition, column), confidence, [partition]);
    requireColumns((await searchOf(ctx, PARCELS, null)).at, PARCELS, [column]);
    const result = published(storedValue(match.hit, PARCELS, column), call, type, column);
    return 'reason' in result
      ? absent(`the parcel's ${result.reason}`, confidence, [partition])
      : found(result.value, confidence, [partition]);
  },
};
