import type { SourceRef } from '../../datasets/grammar/expression.ts';
import { memo } from '../../datasets/memo.ts';
import type { LayerVersion, Partition } from '../../datasets/release.ts';
import { ACRE_M2 } from '../geometry/acre.ts';
import type { LayerAt } from '../release/coverage.ts';
import type { Feature } from '../release/features.ts';
import { PartitionSet } from '../release/lists/partition-set.ts';
import { after, type MaybePromise } from '../release/maybe-promise.ts';
import { partOf } from '../release/part.ts';
import { confidenceOf } from './confidence.ts';
import type { Context, Question } from './context.ts';
import { absent, type Finding } from './finding.ts';
import { anyRejected, groundAt, type Rejected, rejectedNear } from './rejected/rejected.ts';
import { containing } from './vector/containing.ts';
import {
  bySize,
  type Hit,
  type NearestHit,
  nearestFeature,
  type Search,
  searchOf,
  type Within,
} from './vector/vector-search.ts';

/** The parcel layer of every release. */
export const PARCELS: SourceRef = { dataset: 'parcel_store', layer: 'main', where: null };
/** How far a point may lie from the parcel it is given: metres. */
export const MATCH_RADIUS_M = 30;
/** Parcels whose distances differ by no more are equally near: metres. */
const COMPARABLE_M = 5;

/** Memo key of the match, under which a request that knows its parcel puts it beforehand. */
export const MATCH_KEY = 'parcel';

/**
 * Which parcel a point belongs to: the one that contains it, else the nearest within 30 m where no other is as near. On ground that
 * the publisher marks as no parcel (a road of the parcel file) it is none: how far a line may be off tells nothing there.
 */
export type ParcelMatch =
  | {
      readonly status: 'matched';
      /** `address`: by situs address alone, which only an address can (see query/parcel/parcel-match.ts). */
      readonly type: 'contains' | 'nearest' | 'address';
      /** Geodesic metres, 0 for a containing parcel. */
      readonly metres: number;
      readonly hit: Hit;
    }
  /** Candidates by area, then key. */
  | { readonly status: 'ambiguous'; readonly candidates: readonly Hit[]; readonly reason: string }
  | { readonly status: 'no_match' | 'unavailable'; readonly reason: string; readonly covering: readonly Partition[] };

/** What is found where a point has no one parcel. */
export function unmatchedFinding(
  match: Exclude<ParcelMatch, { readonly status: 'matched' }>,
  { rule }: Pick<Question, 'rule'>,
): Finding {
  if (match.status !== 'ambiguous') return absent(match.reason, confidenceOf(rule), match.covering);
  return absent(`ambiguous: ${match.reason}`, confidenceOf(rule), new Set(match.candidates.map(c => c.partition)));
}

/** Those of the parcels found that count at the point, each as one of the part that it belongs to. */
const counting = <T extends Hit>(hits: readonly T[], { isLeftOut }: LayerAt): T[] =>
  hits
    .map(hit => (hit.partition.parts ? { ...hit, partition: partOf(hit.partition, hit.feature.properties) } : hit))
    .filter(hit => !isLeftOut(hit.partition));

/** Square metres of a parcel: of the acreage that is stored with it, as searches have them, else of its polygon. */
export const areaOfParcel = ({ properties: { acreage }, area }: Feature): number =>
  typeof acreage === 'number' ? acreage * ACRE_M2 : area;

/** A search of all stored parcels, whatever their coverage says. */
const anywhere = memo((version: LayerVersion): Search => {
  const partitions = PartitionSet.of(version);
  const at = { version, covering: [], searched: partitions, isLeftOut: () => false };
  return { at, absent: null, partitions, notes: [] };
});

/** Why there is no parcel where no place publishes any. */
export const NOT_COVERED = 'no parcel data covers the point';

const match = (ctx: Context, within: Within): MaybePromise<ParcelMatch> =>
  after(searchOf(ctx, PARCELS, null), (search): MaybePromise<ParcelMatch> => {
    const { covering } = search.at;
    const uncovered = (): ParcelMatch => ({
      status: 'unavailable',
      reason: NOT_COVERED,
      covering,
    });
    if (ctx.layers.isBeyond(ctx.point)) return uncovered();
    if (search.absent)
      // A parcel may reach beyond the coverage of its place: the point in it is covered by it.
      return after<readonly Hit[], ParcelMatch>(within(anywhere(search.at.version)), found =>
        found.length ? matchOf(ctx, search, counting(found, anywhere(search.at.version).at), null) : uncovered(),
      );
    const lost = anyRejected(search.at.version) ? rejectedNear(ctx, PARCELS, search, null, MATCH_RADIUS_M) : null;
    return after<Rejected | null, ParcelMatch>(lost, rejected => {
      if (rejected?.metres === 0) return unknown(rejected);
      return after<readonly Hit[], ParcelMatch>(within(search), found =>
        matchOf(ctx, search, counting(found, search.at), rejected),
      );
    });
  });

/** What is said on ground that is no parcel: what it is, and how far the parcels beside it are. */
function onGround(ground: string, near: ParcelMatch, { at: { covering } }: Search): ParcelMatch {
  const hit = near.status === 'matched' ? near.hit : near.status === 'ambiguous' ? nearestOf(near.candidates) : null;
  const { apn = null } = hit?.feature.properties ?? {};
  const beside = hit
    ? `the nearest parcel${apn === null ? '' : `, ${apn},`} is ${metresOf(hit).toFixed(1)} m away`
    : `no parcel lies within ${MATCH_RADIUS_M} m`;
  return { status: 'no_match', reason: `the point lies on ${ground}; ${beside}`, covering };
}

const nearestOf = (hits: readonly Hit[]): Hit => hits.reduce((a, b) => (metresOf(b) < metresOf(a) ? b : a));

/** A parcel is there, but nobody can tell which. */
const unknown = ({ reason, partition }: Rejected): ParcelMatch => ({
  status: 'unavailable',
  reason,
  covering: [partition],
});

/** @param rejected the nearest parcel within reach that was rejected at ingest. */
function matchOf(
  ctx: Context,
  search: Search,
  holding: readonly Hit[],
  rejected: Rejected | null,
): MaybePromise<ParcelMatch> {
  const [hit] = holding;
  if (!hit)
    return after<string | null, ParcelMatch>(groundAt(ctx, search), ground =>
      after<ParcelMatch, ParcelMatch>(nearby(ctx, search), found =>
        ground !== null
          ? onGround(ground, found, search)
          : rejected && isRival(rejected, found)
            ? unknown(rejected)
            : found,
      ),
    );
  if (holding.length === 1) return { status: 'matched', type: 'contains', metres: 0, hit };
  const candidates = [...holding].sort(bySize(ctx, PARCELS));
  return { status: 'ambiguous', candidates, reason: `${holding.length} parcels contain the point` };
}

const metresOf = (hit: Hit): number => ('metres' in hit ? Number(hit.metres) : 0);

/** Whether a rejected parcel may be the one that is nearest, or comparably near. */
function isRival({ metres }: Rejected, found: ParcelMatch): boolean {
  const near =
    found.status === 'matched' ? [found.metres] : found.status === 'ambiguous' ? found.candidates.map(metresOf) : [];
  return metres <= Math.min(MATCH_RADIUS_M, ...near) + COMPARABLE_M;
}

/** The nearest parcel where none contains the point. */
async function nearby(ctx: Context, search: Search): Promise<ParcelMatch> {
  const { covering } = search.at;
  const near: NearestHit[] = [];
  const seen = new Set<Feature>();
  for (;;) {
    const limit: number = near[0] ? Math.min(MATCH_RADIUS_M, near[0].metres + COMPARABLE_M) : MATCH_RADIUS_M;
    const hit = await nearestFeature(ctx, PARCELS, search, null, limit, feature => !seen.has(feature));
    if (!hit) break;
    near.push(...counting([hit], search.at));
    seen.add(hit.feature);
  }
  if (!near.length)
    return { status: 'no_match', reason: `no parcel contains the point or lies within ${MATCH_RADIUS_M} m`, covering };
  if (near.length === 1) return { status: 'matched', type: 'nearest', metres: near[0]!.metres, hit: near[0]! };
  return {
    status: 'ambiguous',
    candidates: near.sort(bySize(ctx, PARCELS)),
    reason: `${near.length} parcels lie within ${MATCH_RADIUS_M} m at comparable distance`,
  };
}

/**
 * Matches the request's point to a parcel, once a request.
 * @param within where a batch knows the parcels that contain the point already.
 * @throws Fault or DamagedFile when the parcel store is not installed or unreadable.
 */
export function parcelMatch(
  ctx: Context,
  within: Within = search => containing(ctx, PARCELS, search, null),
): MaybePromise<ParcelMatch> {
  return ctx.memo(MATCH_KEY, () => match(ctx, within));
}
