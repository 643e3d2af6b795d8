import type { Value } from '../../../datasets/dataset.ts';
import type { Expression, SourceRef } from '../../../datasets/grammar/expression.ts';
import { OWNER_COLUMNS } from '../../../datasets/parcel/owner-columns.ts';
import { isWithheldRow } from '../../format/flatgeobuf.ts';
import { Interrupted } from '../../release/fault.ts';
import { after, type MaybePromise } from '../../release/maybe-promise.ts';
import { withheldReason } from '../../release/withheld/withheld-rows.ts';
import { acreNotes, zoneNotes } from '../assurance/disagreement.ts';
import { confidenceOf } from '../confidence.ts';
import type { Batch, Context, Operator, Question } from '../context.ts';
import { absent, type Finding, found, orFailed } from '../finding.ts';
import { areaOfParcel, PARCELS, type ParcelMatch, parcelMatch, unmatchedFinding } from '../parcel-at-point.ts';
import { parcelShares } from '../parcel-shares.ts';
import { overlayExpression, standInFor, standInSources } from '../parcel-stand-in.ts';
import { published, publishedFinding, roundDistance } from '../published.ts';
import { lackingReason } from '../unpublished.ts';
import { BatchPolygons } from '../vector/batch-polygons.ts';
import { pointByPoint, seedCoverage } from '../vector/batch-search.ts';
import { requireColumns, type Search, searchOf, storedValue, type Within } from '../vector/vector-search.ts';

type Matched = Extract<ParcelMatch, { status: 'matched' }>;

/** What comes from the match itself instead of a stored column. */
const OF_MATCH: Readonly<Record<string, (match: Matched) => Value>> = {
  '@area_m2': match => areaOfParcel(match.hit.feature),
  '@match_type': match => match.type,
  '@match_distance_m': match => roundDistance(match.metres),
};

interface ParcelAt {
  readonly match: ParcelMatch;
  readonly search: Search;
}

const parcelAt = (ctx: Context, within?: Within): MaybePromise<ParcelAt> =>
  after(parcelMatch(ctx, within), match => after(searchOf(ctx, PARCELS, null), search => ({ match, search })));

function answer(call: Expression, { rule, type }: Question, { match, search }: ParcelAt): Finding {
  const column = call.argument!;
  if (match.status !== 'matched') return unmatchedFinding(match, { rule });
  const confidence = confidenceOf(rule, { match: match.type });
  const { partition } = match.hit;
  const ofMatch = OF_MATCH[column];
  const { properties } = match.hit.feature;
  const disagreement = acreNotes(column, properties, partition);
  if (ofMatch) return found(ofMatch(match), confidence, [partition], disagreement);
  if (partition.unpublished.includes(column)) return absent(lackingReason(partition, column), confidence, [partition]);
  requireColumns(search.at, PARCELS, [column]);
  if (OWNER_COLUMNS.has(column) && isWithheldRow(properties))
    return absent(withheldReason(column), confidence, [partition]);
  const result = published(storedValue(match.hit, PARCELS, column), call, type, column);
  return publishedFinding(result, confidence, [partition], disagreement, column);
}

/** What is answered for a column that the parcel's source does not publish and another layer tells; null for any other. */
function standIn(ctx: Context, call: Expression, question: Question, { match }: ParcelAt): Promise<Finding> | null {
  if (match.status !== 'matched') return null;
  const expression = standInFor(call.argument!, match.hit.partition, ctx.layers.release);
  return expression && parcelShares(ctx, expression, question);
}

/** The column of an assessor that a map says too. */
const ZONING = 'zoning';

/** An assessor's zone, with what the map of zones says of the parcel where that is another. */
async function withZone(ctx: Context, call: Expression, question: Question, at: ParcelAt): Promise<Finding> {
  const finding = answer(call, question, at);
  const map = overlayExpression(ZONING)!;
  const [{ dataset, layer }] = map.sources as [SourceRef];
  if (finding.status !== 'ok' || !ctx.layers.release.layer(dataset, layer)) return finding;
  const mapped = await orFailed(() => parcelShares(ctx, map, question));
  const notes = mapped.status === 'ok' ? zoneNotes(finding.value, mapped.value) : [];
  return notes.length ? { ...finding, notes: [...notes, ...finding.notes] } : finding;
}

/** What is answered at a parcel: of another layer where its source does not publish the column. */
function told(ctx: Context, call: Expression, question: Question, at: ParcelAt): MaybePromise<Finding> {
  const other = standIn(ctx, call, question, at);
  if (other) return other;
  return call.argument === ZONING ? withZone(ctx, call, question, at) : answer(call, question, at);
}

/** The parcels of all points of a batch, found once for all its fields; or what failed. */
function parcelsAt(batch: Batch): Promise<readonly (ParcelAt | { readonly error: unknown })[]> {
  return batch.memo('parcels', async () => {
    await seedCoverage(batch, PARCELS);
    const polygons = await BatchPolygons.meeting(batch, PARCELS, null);
    const out: (ParcelAt | { readonly error: unknown })[] = [];
    for (const [i, ctx] of batch.contexts.entries()) {
      try {
        out.push(await parcelAt(ctx, search => polygons(i, search)));
      } catch (error) {
        if (error instanceof Interrupted) throw error;
        out.push({ error });
      }
    }
    return out;
  });
}

/**
 * Stored column of the parcel at the point, or from the match itself `@area_m2` (geodesic), `@match_type`,
 * `@match_distance_m`. No parcel is absent, a parcel store that cannot be read failed.
 *
 * Decided here:
 * - The parcel that contains the point; several are ambiguous and absent, whether stacked or overlapping.
 * - With none, the nearest within 30 m, and if another lies within 5 m of its distance, ambiguous.
 * - Where no parcel data covers the point the reason says so, apart from a point that lies in no parcel. A parcel that
 *   reaches beyond the coverage of its place covers the points in it.
 * - A column that the parcel's source does not publish and that stored attributes compute from another layer over the
 *   parcel (zoning) is answered as those are, so that both say the same.
 * - Where two sources say different things of a parcel, a note says which and by what rule one is answered: acres of deed or county
 *   that are more than 5 percent (and 0.02 acres) from those of the outline, which is answered; a zone of the map other than the
 *   assessor's, which is answered.
 *
 * Cost: one search of the packed R-tree a point (log n) and the decoding of the parcels whose box holds it, shared by
 * all fields; a nearest search within 30 m where none holds it. In bulk the parcels about the batch are searched together.
 */
export const operator: Operator = {
  name: 'parcel_attr',
  point: (ctx, call, question) => after(parcelAt(ctx), at => told(ctx, call, question, at)),
  async bulk(batch, call, question) {
    for (const { dataset, layer } of standInSources(call.argument!))
      if (batch.layers.release.layer(dataset, layer)) await seedCoverage(batch, { dataset, layer, where: null });
    const parcels = await parcelsAt(batch);
    return pointByPoint(batch, (ctx, i) => {
      const at = parcels[i]!;
      if ('error' in at) throw at.error;
      return told(ctx, call, question, at);
    });
  },
};
