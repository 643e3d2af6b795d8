import { loadGeos } from '../geometry/geos.ts';
import type { SearchEnvironment } from '../search/page/environment.ts';
import type { CountySet } from '../sets/county-set.ts';
import { onGround, type SetGround } from '../sets/ground/set-ground.ts';
import { findParcel, isSelected, type PlacedParcel } from '../sets/parcel-by-id.ts';
import { Selection } from '../sets/selection.ts';
import { noticesOfSet } from '../sets/set-notices.ts';
import { SetTooLarge } from '../sets/set-size.ts';
import { type CountyLand, landOf, ownerNames, PARTS } from './county-land.ts';
import { GroupSearch } from './group-search.ts';
import type { Group } from './land.ts';
import { type AssemblageAnswer, type AssemblageRequest, MOST_PARCELS, type ParcelGroup } from './request.ts';

/** Sets of parcels that are tried for one request, and from one parcel on at most: some seconds. */
const [MOST_STEPS, MOST_STEPS_EACH] = [4_000_000, 20_000];
/** The same where all groups have one parcel. */
const MOST_STEPS_ABOUT = 100_000;
/** Sets that are tried between two pauses. */
const STEPS = 10_000;

/** A group of a county. */
interface PlacedGroup extends Group {
  readonly set: CountySet;
  readonly rows: readonly number[];
}

/** Looks for the groups of one county. @param add gets them, also when the time is up before all were tried. */
async function searchCounty(
  set: CountySet,
  { land, rows, pieceOf }: CountyLand,
  fixed: number | null,
  { acresMin, ownersMax, limit }: AssemblageRequest,
  ground: SetGround,
  add: (groups: readonly PlacedGroup[], cut: number) => void,
): Promise<void> {
  const rule = { size: Math.ceil(acresMin * PARTS - 1e-6), owners: ownersMax, parcels: MOST_PARCELS };
  const search = new GroupSearch(land, rule, limit);
  try {
    if (fixed !== null) {
      const piece = pieceOf[fixed]!;
      if (piece >= 0) search.from(piece, MOST_STEPS_ABOUT, true);
      return;
    }
    const each = Math.min(MOST_STEPS_EACH, Math.ceil(MOST_STEPS / rows.length));
    let tried = 0;
    for (let piece = 0; piece < rows.length; piece++) {
      tried += 1 + search.from(piece, each);
      if (tried < STEPS) continue;
      tried = 0;
      await ground.step();
    }
  } finally {
    add(
      search.groups.map(group => ({ ...group, set, rows: group.pieces.flatMap(piece => rows[piece]!) })),
      search.cut,
    );
  }
}

/** A group as it is answered. @throws DamagedFile when a parcel of it cannot be read. */
async function toldGroup({ set, rows, size }: PlacedGroup): Promise<ParcelGroup> {
  const sorted = [...rows].sort((a, b) => a - b);
  const geos = await loadGeos();
  const geometry = geos.union(sorted.map(row => set.parcels.geometry(row)))!;
  const parcelIds = sorted.map(row => set.parcelId(row));
  return { acres: size / PARTS, owners: ownerNames(set, sorted), parcelIds, geometry };
}

async function findGroups(
  request: AssemblageRequest,
  parcel: PlacedParcel | null,
  ground: SetGround | null,
): Promise<Exclude<AssemblageAnswer, { readonly issues: unknown } | { readonly missing: true }>> {
  const { filters, limit } = request;
  const found: PlacedGroup[] = [];
  let [cut, ownerless, lacking] = [0, 0, false];
  const selection = new Selection();
  await selection.walk(filters, ground, async (set, passing) => {
    if (parcel && parcel.set.county !== set.county) return;
    const fixed = parcel?.row ?? null;
    const land = await landOf(set, passing, fixed, request, ground!);
    if (!land) {
      lacking = true;
      return;
    }
    ownerless += land.ownerless;
    await searchCounty(set, land, fixed, request, ground!, (groups, left) => {
      cut += left;
      found.push(...groups);
    });
  });
  // A stable order: counties come one after another, and the groups of each in order.
  const best = found.sort((a, b) => a.size - b.size).slice(0, limit);
  const groups: ParcelGroup[] = [];
  for (const group of best) groups.push(await toldGroup(group));
  const { unknown, unread, late } = selection;
  const notices = ground ? await noticesOfSet(filters, selection.considered === 0, ground) : [];
  return { groups, ownerless, cut, lacking, unknown, unread, late, notices };
}

/**
 * Groups of up to twelve parcels side by side that pass every filter, have enough acres together and no owner too many: those
 * with the least acres beyond that. A group has two parcels at least and none that it does not need; all lie in one county.
 * @throws Interrupted when nobody waits any more; Fault or DamagedFile when the parcel cannot be read.
 */
export async function assemblage(
  request: AssemblageRequest,
  environment: SearchEnvironment,
): Promise<AssemblageAnswer> {
  const { filters, parcelId } = request;
  try {
    return await onGround<AssemblageAnswer>(request, environment, async ground => {
      if (parcelId === null) return findGroups(request, null, ground);
      const parcel = ground && (await findParcel(parcelId, ground, isSelected(filters)));
      return parcel ? findGroups(request, parcel, ground) : { missing: true };
    });
  } catch (error) {
    if (error instanceof SetTooLarge) return { issues: [error.issue] };
    throw error;
  }
}
