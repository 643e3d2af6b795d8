import type { Partition } from '../../datasets/release.ts';
import type { AreaContext } from '../evaluate/area/area.ts';
import { candidatesOn, shapeOf } from '../evaluate/area/candidates.ts';
import { outsideReason, piecesOf } from '../evaluate/area/piece.ts';
import { type ClassedShape, tiledGround } from '../evaluate/area/tiled-ground.ts';
import { citationsOf, cite, failed } from '../evaluate/finding.ts';
import { PARCELS } from '../evaluate/parcel-at-point.ts';
import { rejectedAbout } from '../evaluate/rejected/rejected.ts';
import { parcelId } from '../format/parcel-id.ts';
import { ACRE_M2 } from '../geometry/acre.ts';
import { meetsArea } from '../geometry/area/area-distance.ts';
import { PolygonOverlap, straightArea } from '../geometry/polygon-overlap.ts';
import { partOf } from '../release/part.ts';

/** Square metres below which what a parcel and a site share is a sliver, of lines drawn twice. */
const SLIVER_M2 = 1;
/** Parcels that are named, those with most ground on the site first. */
const NAMED = 500;

/** A parcel that has ground on a site. */
interface ParcelOn {
  readonly parcel_id: string;
  readonly apn: string | null;
  readonly address: string | null;
  readonly source: string;
  /** Of the whole parcel, and of what lies on the site. */
  readonly acres: number;
  readonly acres_on_site: number;
}

/** The parcels of a site, or why there is nothing to say. */
export interface ParcelsOn {
  readonly status: 'ok' | 'absent' | 'failed';
  /** All that have ground on the site. */
  readonly count: number | null;
  /** Ground of the site that they cover together: parcels may lie over one another. */
  readonly acres_on_site: number | null;
  /** At most 500. */
  readonly parcels: readonly ParcelOn[];
  readonly source: string | null;
  readonly dataset_vintage: string | null;
  readonly notes: readonly string[];
}

const acres = (squareMetres: number) => Math.round((squareMetres / ACRE_M2) * 1000) / 1000;
const textOf = (value: unknown) => (value === null || value === undefined ? null : String(value));

/** What is said when nothing is known of the parcels. */
const none = (status: 'absent' | 'failed', notes: readonly string[], source: string | null): ParcelsOn => ({
  status,
  count: null,
  acres_on_site: null,
  parcels: [],
  source,
  dataset_vintage: null,
  notes,
});

/** Square metres that a parcel has on the area. */
function shared({ area }: AreaContext, geometry: Parameters<typeof straightArea>[0], box: AreaContext['area']['box']) {
  const quick = area.prepared.quick(box);
  if (quick === 'inside') return straightArea(geometry);
  if (quick === 'outside') return 0;
  const overlap = new PolygonOverlap(geometry, box);
  overlap.add(area.geometry);
  return overlap.measure();
}

async function listed(ctx: AreaContext): Promise<ParcelsOn> {
  const all = await piecesOf(ctx, PARCELS, null);
  const { source } = cite(citationsOf(all.covering).citations, { id: PARCELS.dataset, url: null });
  if (!all.pieces.length) return none('absent', [outsideReason(PARCELS, all)], source);
  const found: (ParcelOn & { readonly shared: number })[] = [];
  const shapes: ClassedShape[] = [];
  const partitions = new Set<Partition>();
  const notes = new Set<string>();
  for (const { search } of all.pieces) {
    for (const { partition: whole, features, index } of await candidatesOn(ctx, PARCELS, null, search)) {
      await ctx.pause();
      const { geometry, properties } = features.feature(index);
      const partition = partOf(whole, properties);
      if (search.at.isLeftOut(partition)) continue;
      const squareMetres = shared(ctx, geometry, features.file.box(index));
      if (!(squareMetres > Math.min(SLIVER_M2, straightArea(geometry) / 2))) continue;
      partitions.add(partition);
      shapes.push({ ...shapeOf(geometry), class: 0 });
      found.push({
        parcel_id: parcelId(properties.parcel_key ?? null),
        apn: textOf(properties.apn),
        address: textOf(properties.address),
        source: partition.provenance.source,
        acres: acres(straightArea(geometry)),
        acres_on_site: acres(squareMetres),
        shared: squareMetres,
      });
    }
    const rejected = await rejectedAbout(ctx, PARCELS, search, null, [ctx.area.box]);
    const lost = rejected.filter(({ row }) => meetsArea(ctx.area.prepared, row.geometry));
    if (lost.length)
      notes.add(
        `${lost.length === 1 ? 'one parcel' : `${lost.length} parcels`} on the site or at its edge cannot be told: ${lost[0]!.rejected.reason}`,
      );
  }
  found.sort((a, b) => b.shared - a.shared || (a.parcel_id < b.parcel_id ? -1 : 1));
  if (found.length > NAMED)
    notes.add(`the ${NAMED} parcels with most ground on the site are named, of ${found.length}`);
  const ground = await tiledGround(ctx, shapes, 1);
  const { citations, notes: standing } = citationsOf(partitions.size ? [...partitions] : [...all.covering]);
  const cited = cite(citations, { id: PARCELS.dataset, url: null });
  return {
    status: 'ok',
    count: found.length,
    acres_on_site: acres(ground.areas[0]!),
    parcels: found.slice(0, NAMED).map(({ shared: _, ...parcel }) => parcel),
    source: cited.source,
    dataset_vintage: cited.vintage,
    notes: [...notes, ...all.notes, ...standing],
  };
}

/**
 * The parcels that have ground on an area: all counted, those with most ground on it named. What shares less than a square
 * metre only touches it. A fault is `failed` with its reason.
 * @throws Interrupted as it is.
 */
export async function parcelsOn(ctx: AreaContext): Promise<ParcelsOn> {
  try {
    return await listed(ctx);
  } catch (error) {
    return none('failed', [failed(error).error ?? 'parcels cannot be read'], null);
  }
}
