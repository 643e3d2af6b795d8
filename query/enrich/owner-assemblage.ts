import { type Box, boxesMeet, boxOf, type Geometry } from '../../datasets/geometry.ts';
import type { Partition } from '../../datasets/release.ts';
import { confidenceOf } from '../evaluate/confidence.ts';
import type { Context } from '../evaluate/context.ts';
import { absent, type Finding } from '../evaluate/finding.ts';
import { PARCELS } from '../evaluate/parcel-at-point.ts';
import { roundDistance } from '../evaluate/published.ts';
import { lackingReason } from '../evaluate/unpublished.ts';
import { byText } from '../evaluate/vector/vector-search.ts';
import { ACRE_M2 } from '../geometry/acre.ts';
import { polygonDistance } from '../geometry/polygon-distance.ts';
import type { BoundParcel } from '../parcel/bound-parcel.ts';
import type { Feature } from '../release/features.ts';
import { LayerLists } from '../release/lists/layer-lists.ts';
import { PartitionSet } from '../release/lists/partition-set.ts';
import { partOf } from '../release/part.ts';
import { partitionsMeeting } from '../release/partitions-about.ts';
import { type EnrichFinding, foundWhole } from './enrich-finding.ts';
import { isCompany, mailingKey, ownerKey } from './owner-key.ts';
import { OwnerMarks, ownerMarks } from './owner-marks.ts';

/** A mile: metres, boundary to boundary. */
export const ASSEMBLAGE_RADIUS_M = 1609.344;
/** Parcels of one owner no farther apart are contiguous, so that a road between them does not break the block: metres. */
const CONTIGUOUS_M = 30;
const MOST_LISTED = 50;
/** Least metres in a degree of latitude anywhere on the ellipsoid. */
const DEGREE_M = 110_574;

/** A parcel of the owner. */
interface Holding {
  readonly feature: Feature;
  readonly partition: Partition;
  readonly box: Box;
  /** Metres from the matched parcel, boundary to boundary. */
  readonly metres: number;
  contiguous: boolean;
}

/** A lng,lat box that holds all within so many metres of a box. */
function widened([west, south, east, north]: Box, metres: number): Box {
  const dy = metres / DEGREE_M;
  const cos = Math.cos((Math.min(89, Math.max(Math.abs(south), Math.abs(north)) + dy) * Math.PI) / 180);
  const dx = dy / cos;
  return [west - dx, south - dy, east + dx, north + dy];
}

/** The counties of a parcel's state. */
function inState(ctx: Context, { partition: { key } }: BoundParcel): PartitionSet {
  const state = key.split('/')[0]!;
  const lists = LayerLists.of(ctx.layers.version(PARCELS.dataset, PARCELS.layer)).ofShard(state);
  return new PartitionSet(new LayerLists(lists), county => county.key.split('/')[0] === state);
}

/** Whether the county marks the owner as a public body: those are grouped by name alone. */
const isPublic = ({ owner_public, owntype }: Feature['properties']): boolean =>
  owner_public === true || owntype === 'government';

/** Whether a parcel's owner is the one asked for: by name, or by mailing address between companies. */
function isSameOwner(owner: string, mailing: string | null, { properties }: Feature): boolean {
  const key = ownerKey(properties.owner);
  if (key === owner) return true;
  const byMail = mailing !== null && key !== null && isCompany(key) && !isPublic(properties);
  return byMail && mailingKey(properties) === mailing;
}

/** The owner's parcels within the radius in the same state, the matched one among them. */
async function holdingsOf(
  ctx: Context,
  parcel: BoundParcel,
  owner: string,
  mailing: string | null,
): Promise<{ holdings: Holding[]; partitions: Set<Partition> }> {
  const reach = widened(parcel.box, ASSEMBLAGE_RADIUS_M);
  const marks = [OwnerMarks.of(owner), OwnerMarks.of(mailing)] as const;
  const matched: Holding = { ...parcel, metres: 0, contiguous: true };
  const holdings = [matched];
  const partitions = new Set([parcel.partition]);
  for (const county of partitionsMeeting(inState(ctx, parcel), reach)) {
    const features = await ctx.layers.features(county);
    const digests = await ownerMarks(ctx, county);
    const found: number[] = [];
    let read = 0;
    features.file.search(reach, index => {
      if (++read % 256 === 0) ctx.check();
      if (digests.mayBe(index, ...marks)) found.push(index);
    });
    for (const index of found) {
      if (county === parcel.county && index === parcel.ord) continue;
      const feature = features.feature(index);
      if (!isSameOwner(owner, mailing, feature)) continue;
      const metres = polygonDistance(parcel.geometry, feature.geometry, ASSEMBLAGE_RADIUS_M);
      if (metres > ASSEMBLAGE_RADIUS_M) continue;
      const partition = partOf(county, feature.properties);
      holdings.push({ feature, partition, box: boxOf(feature.geometry), metres, contiguous: false });
      partitions.add(partition);
      ctx.check();
    }
  }
  return { holdings, partitions };
}

/** A parcel within the radius in the same state that was rejected at ingest and may be the owner's. */
async function rejectedHolding(
  ctx: Context,
  parcel: BoundParcel,
  owner: string,
  mailing: string | null,
): Promise<{ readonly reason: string; readonly partition: Partition } | null> {
  const reach = widened(parcel.box, ASSEMBLAGE_RADIUS_M);
  for (const partition of inState(ctx, parcel).all) {
    for (const features of await ctx.layers.beside(partition, 'rejected')) {
      let found: Feature | null = null;
      features.file.search(reach, index => {
        const row = features.feature(index);
        const { owner: name, rejected_located, rejected_complete } = row.properties;
        const may = isSameOwner(owner, mailing, row) || (rejected_complete !== true && name === null);
        if (rejected_located !== true || !may) return true;
        const away = row.geometry.parts.length
          ? polygonDistance(parcel.geometry, row.geometry, ASSEMBLAGE_RADIUS_M)
          : 0;
        if (away <= ASSEMBLAGE_RADIUS_M) found = row;
        return found === null;
      });
      if (found) {
        const { rejected_reason } = (found as Feature).properties;
        return { reason: `a parcel nearby that may be the owner's was rejected: ${rejected_reason}`, partition };
      }
    }
  }
  return null;
}

/** Marks what is reached from the matched parcel in steps of at most 30 m. */
function markContiguous(holdings: readonly Holding[], check: () => void): void {
  const reached = [holdings[0]!];
  for (let from = reached.pop(); from; from = reached.pop()) {
    const near = widened(from.box, CONTIGUOUS_M);
    const geometry: Geometry = from.feature.geometry;
    for (const other of holdings) {
      if (other.contiguous || !boxesMeet(near, other.box)) continue;
      if (polygonDistance(geometry, other.feature.geometry, CONTIGUOUS_M) > CONTIGUOUS_M) continue;
      other.contiguous = true;
      reached.push(other);
    }
    check();
  }
}

const acresOf = ({ feature }: Holding): number =>
  typeof feature.properties.acreage === 'number' ? feature.properties.acreage : feature.area / ACRE_M2;

const roundAcres = (acres: number): number => Math.round(acres * 1e4) / 1e4;
const sumAcres = (holdings: readonly Holding[]): number => roundAcres(holdings.reduce((sum, h) => sum + acresOf(h), 0));

/**
 * The parcels that the matched parcel's owner holds within a mile of it (boundary to boundary) in the same state, itself
 * included, and which of them make one block with it: reachable through parcels of the owner no more than 30 m apart.
 *
 * Owners are the same when their keys are (see ownerKey), or when their whole mailing addresses are equal and both are
 * companies; owners that the county marks as public are grouped by their key alone. Up to 50 parcels are listed, the
 * matched one among them at distance 0, by distance, then parcel number; counts and acres cover all. Acres are those of the
 * geometry, rounded to 4 decimals.
 *
 * Absent where a parcel in that mile was rejected at ingest that may be the owner's.
 *
 * Cost: one R-tree search of the mile's box; the rows in it are read once in a worker's life, later only those of the
 * owner; distances vertex by vertex, O(v) chains searches a parcel.
 * @throws Fault or DamagedFile when parcels cannot be read.
 */
export async function ownerAssemblage(ctx: Context, parcel: BoundParcel): Promise<EnrichFinding | Finding> {
  const confidence = confidenceOf({ kind: 'parcel_match' }, { match: parcel.match.type });
  const { partition } = parcel;
  const { properties } = parcel.feature;
  if (partition.unpublished.includes('owner'))
    return absent(lackingReason(partition, 'owner'), confidence, [partition]);
  const owner = ownerKey(properties.owner);
  if (owner === null) return absent("the parcel's owner is empty or withheld", confidence, [partition]);
  const byMail = isCompany(owner) && !isPublic(properties);
  const mailing = byMail ? mailingKey(properties) : null;
  const rejected = await rejectedHolding(ctx, parcel, owner, mailing);
  if (rejected) return absent(rejected.reason, confidence, [rejected.partition]);
  const { holdings, partitions } = await holdingsOf(ctx, parcel, owner, mailing);
  markContiguous(holdings, () => ctx.check());
  const contiguous = holdings.filter(h => h.contiguous);
  const apnOf = (h: Holding) => String(h.feature.properties.apn ?? '');
  const listed = holdings
    .toSorted((a, b) => roundDistance(a.metres) - roundDistance(b.metres) || byText(apnOf(a), apnOf(b)))
    .slice(0, MOST_LISTED);
  return foundWhole(
    {
      owner_key: owner,
      search_radius_m: ASSEMBLAGE_RADIUS_M,
      parcel_count: holdings.length,
      total_acres: sumAcres(holdings),
      contiguous_parcel_count: contiguous.length,
      contiguous_acres: sumAcres(contiguous),
      parcels: listed.map(h => ({
        apn: h.feature.properties.apn ?? null,
        address: h.feature.properties.address ?? null,
        acreage: roundAcres(acresOf(h)),
        distance_m: roundDistance(h.metres),
        contiguous: h.contiguous,
      })),
      truncated: holdings.length > MOST_LISTED,
    },
    confidence,
    partitions,
  );
}
