import type { Geometry } from '../../datasets/geometry.ts';
import { parseCondition } from '../../datasets/grammar/condition.ts';
import type { SourceRef } from '../../datasets/grammar/expression.ts';
import type { Partition } from '../../datasets/release.ts';
import { confidenceOf } from '../evaluate/confidence.ts';
import { type Context, layerAt } from '../evaluate/context.ts';
import { absent, type Finding, found } from '../evaluate/finding.ts';
import { roundFraction } from '../evaluate/published.ts';
import { undecided } from '../evaluate/vector/doubt.ts';
import { searchOf } from '../evaluate/vector/vector-search.ts';
import type { BoundParcel } from '../parcel/bound-parcel.ts';
import { coveredArea, doubted, geometriesOf, overlapping } from './overlapping.ts';

/** Flood hazard areas, without which nothing can be said. */
export const FLOOD_ZONES: SourceRef = { dataset: 'fema_nfhl', layer: 'S_FLD_HAZ_AR', where: null };
/** The panels of the flood map, where a place has them. */
export const FLOOD_PANELS: SourceRef = { dataset: 'fema_nfhl', layer: 'S_FIRM_PAN', where: null };
const NOT_INCLUDED = parseCondition("FLD_ZONE = 'AREA NOT INCLUDED'");
const SFHA = parseCondition("SFHA_TF = 'T'");
/** Share of a parcel that panels must cover. */
const MAPPED = 0.99;

/**
 * Polygons that say where flood maps are: the panels where their layer is installed for the place, else the coverage
 * that the place declares of its flood hazard areas. Null where those cover everywhere.
 */
async function mapped(ctx: Context, parcel: BoundParcel): Promise<readonly Geometry[] | null> {
  const zones = await layerAt(ctx, FLOOD_ZONES);
  if (ctx.layers.release.layer(FLOOD_PANELS.dataset, FLOOD_PANELS.layer)) {
    const panels = await layerAt(ctx, FLOOD_PANELS);
    const places = new Set(zones.covering.map(p => p.place));
    if (panels.covering.some(p => places.has(p.place)))
      return geometriesOf(await overlapping(ctx, FLOOD_PANELS, null, parcel));
  }
  const polygons: Geometry[] = [];
  for (const partition of zones.covering) {
    if (partition.coverage !== 'polygon') return null;
    const coverage = await ctx.layers.features(partition, 'coverage');
    coverage.file.search(parcel.box, index => {
      polygons.push(coverage.feature(index).geometry);
    });
  }
  return polygons;
}

/**
 * Share of the parcel inside dissolved special flood hazard areas, 0 to 1, rounded to 4 decimals. Zone D is outside, and
 * ground without a panel counts in the whole alone; when panels cover less than 99 percent of the parcel the share is
 * absent. So it is where a zone that was rejected at ingest lies on it, and where one does not tell whether it is a hazard
 * area and the share would change with it. Ground that the study left out (FLD_ZONE AREA NOT INCLUDED) counts as without a
 * panel.
 *
 * Cost: as constraintZones for one layer, and once more for the panels.
 * @throws Fault or DamagedFile when flood hazard areas or panels are not installed or cannot be read.
 */
export async function floodFraction(ctx: Context, parcel: BoundParcel): Promise<Finding> {
  const confidence = confidenceOf({ kind: 'parcel_match' }, { match: parcel.match.type });
  const search = await searchOf(ctx, FLOOD_ZONES, SFHA);
  const citing = new Set<Partition>([parcel.partition, ...search.at.covering]);
  if (search.absent) return absent(search.absent, confidence, citing);
  if (!(parcel.area > 0)) return absent('the parcel has no area', confidence, citing);
  const panels = await mapped(ctx, parcel);
  const shown = panels ? coveredArea(parcel, panels) : parcel.area;
  const left = await overlapping(ctx, FLOOD_ZONES, NOT_INCLUDED, parcel);
  if (shown - coveredArea(parcel, geometriesOf(left)) < MAPPED * parcel.area)
    return absent('parcel not fully covered by digital flood mapping', confidence, citing);
  const zones = await overlapping(ctx, FLOOD_ZONES, SFHA, parcel);
  const rejected = left.rejected ?? zones.rejected;
  if (rejected) return absent(rejected.reason, confidence, [rejected.partition]);
  const fractionOf = (some: readonly Geometry[]) => roundFraction(Math.min(1, coveredArea(parcel, some) / parcel.area));
  const certain = geometriesOf(zones);
  const fraction = fractionOf(certain);
  const open = await doubted(ctx, FLOOD_ZONES, SFHA, parcel);
  const most = open.length ? fractionOf([...certain, ...geometriesOf({ hits: open })]) : fraction;
  if (most > fraction)
    return absent(
      `flood zones may or may not count (at least ${fraction}, at most ${most}): ${undecided(SFHA)}`,
      confidence,
      citing,
    );
  return found(fraction, confidence, citing, [...zones.notes]);
}
