import { type Condition, parseCondition } from '../../datasets/grammar/condition.ts';
import type { SourceRef } from '../../datasets/grammar/expression.ts';
import type { Partition } from '../../datasets/release.ts';
import { confidenceOf } from '../evaluate/confidence.ts';
import type { Context } from '../evaluate/context.ts';
import { absent, type Finding } from '../evaluate/finding.ts';
import { roundFraction } from '../evaluate/published.ts';
import { cellsOf } from '../evaluate/raster/cell-polygons.ts';
import { undecided } from '../evaluate/vector/doubt.ts';
import { byText, type Hit } from '../evaluate/vector/vector-search.ts';
import type { BoundParcel } from '../parcel/bound-parcel.ts';
import { Fault } from '../release/fault.ts';
import { type EnrichFinding, foundWhole } from './enrich-finding.ts';
import { coveredArea, doubted, geometriesOf, overlapping } from './overlapping.ts';

/** One kind of constraint on a parcel. */
export interface ConstraintZone {
  readonly kind: string;
  readonly dataset_id: string;
  /** Geodesic square metres, rounded to 0.1. */
  readonly area_m2: number;
  /** 0 to 1, rounded to 4 decimals. */
  readonly fraction_of_parcel: number;
  /** Up to five distinct types, the largest first. */
  readonly labels: readonly string[];
}

interface Kind {
  readonly kind: string;
  readonly sources: readonly SourceRef[];
  readonly where: ((ctx: Context) => Condition) | null;
  /** Column whose values are the labels. */
  readonly label: string | null;
}

/** What overlaps by less is rounding along a shared edge, or nothing one could act on: square metres. */
const LEAST_M2 = 1;
const MOST_LABELS = 5;

const layer = (dataset: string, name = 'main'): SourceRef => ({ dataset, layer: name, where: null });
const condition = (text: string) => {
  const parsed = parseCondition(text);
  return () => parsed;
};

/** Fields that say which features count. */
export const CONSTRAINT_FIELDS = ['wetland_fraction_of_parcel'] as const;

/** The wetland types that wetland_fraction_of_parcel counts, told by that field itself. */
function wetlandTypes({ catalog }: Context): Condition {
  const where = catalog.fields.get(CONSTRAINT_FIELDS[0])?.expression.where;
  if (!where) throw new Fault('the catalog does not say which wetlands count');
  return where;
}

const KINDS: readonly Kind[] = [
  { kind: 'wetland', sources: [layer('usfws_nwi')], where: wetlandTypes, label: 'WETLAND_TYPE' },
  {
    kind: 'water',
    sources: [layer('usgs_nhdplus_hr', 'NHDWaterbody'), layer('usgs_nhdplus_hr', 'NHDArea')],
    where: null,
    label: null,
  },
  {
    kind: 'sfha',
    sources: [layer('fema_nfhl', 'S_FLD_HAZ_AR')],
    where: condition("SFHA_TF = 'T'"),
    label: 'FLD_ZONE',
  },
  { kind: 'protected', sources: [layer('usgs_padus')], where: condition("GAP_Sts in ('1','2')"), label: 'Unit_Nm' },
  { kind: 'easement', sources: [layer('usgs_padus')], where: condition("FeatClass = 'Easement'"), label: 'Unit_Nm' },
  {
    kind: 'critical_habitat',
    sources: [layer('usfws_critical_habitat', 'CRITHAB_POLY')],
    where: null,
    label: 'comname',
  },
];

const STEEP = layer('usgs_3dep', 'slope_percent');
const steep = parseCondition('value > 15');

/** All layers that are looked at for constraints. */
export const CONSTRAINT_SOURCES: readonly SourceRef[] = [...KINDS.flatMap(({ sources }) => sources), STEEP];

/** Distinct values of the label column, by the area of the parcel that each covers. */
function labelsOf(parcel: BoundParcel, hits: readonly Hit[], column: string | null): string[] {
  if (column === null) return [];
  const byLabel = Map.groupBy(hits, hit => String(hit.feature.properties[column] ?? ''));
  byLabel.delete('');
  const areas = [...byLabel].map(([label, own]) => {
    const area = byLabel.size === 1 ? 1 : coveredArea(parcel, geometriesOf({ hits: own }));
    return { label, area };
  });
  return areas
    .filter(({ area }) => area > 0)
    .sort((a, b) => b.area - a.area || byText(a.label, b.label))
    .slice(0, MOST_LABELS)
    .map(({ label }) => label);
}

/**
 * What constrains the parcel: one entry for each kind of constraint that overlaps it by at least a square metre.
 *
 * - wetland: NWI wetlands of the types that wetland_fraction_of_parcel counts; water: NHDPlus HR waterbodies and areas;
 *   sfha: NFHL special flood hazard areas; protected: PAD-US units of GAP status 1 or 2; easement: PAD-US easements;
 *   critical_habitat: final critical habitat; steep_slope: native 3DEP cells of more than 15 percent slope.
 * - Polygons of one kind are dissolved, so that each share is 0 to 1; kinds overlap one another.
 * - Sorted by area, the largest first, then by kind. An empty list says that all sources were read and none overlaps.
 *
 * Decided here: a source that does not map the parcel's analysis point makes the whole answer failed, not retryable,
 * since an empty list would claim what nobody has looked at. Labels exist where a kind has types: not for water and slope.
 * A polygon that does not tell whether it is of a kind (the value that decides is empty) and covers a square metre more
 * makes the answer absent.
 * A feature that was rejected at ingest and lies on the parcel makes it absent, with that reason.
 *
 * Cost: one R-tree search of the parcel's box a layer and one sweep a kind that has polygons in it; one window of the
 * elevation.
 * @throws Fault or DamagedFile when any source cannot be read: a partial list is never answered.
 */
export async function constraintZones(ctx: Context, parcel: BoundParcel): Promise<EnrichFinding | Finding> {
  const confidence = confidenceOf({ kind: 'parcel_match' }, { match: parcel.match.type });
  const partitions = new Set<Partition>([parcel.partition]);
  if (!(parcel.area > 0)) return absent('the parcel has no area', confidence, partitions);
  const zones: ConstraintZone[] = [];
  const notes: string[] = [];
  const add = (kind: string, dataset: string, area: number, labels: () => string[]) => {
    if (area < LEAST_M2) return;
    zones.push({
      kind,
      dataset_id: dataset,
      area_m2: Math.round(area * 10) / 10,
      fraction_of_parcel: roundFraction(Math.min(1, area / parcel.area)),
      labels: labels(),
    });
  };
  for (const { kind, sources, where, label } of KINDS) {
    const hits: Hit[] = [];
    const open: Hit[] = [];
    const condition = where?.(ctx) ?? null;
    for (const source of sources) {
      const found = await overlapping(ctx, source, condition, parcel);
      const { rejected } = found;
      if (rejected) return absent(rejected.reason, confidence, [rejected.partition]);
      hits.push(...found.hits);
      open.push(...(await doubted(ctx, source, condition, parcel)));
      notes.push(...found.notes);
      for (const partition of found.partitions) partitions.add(partition);
    }
    const area = coveredArea(parcel, geometriesOf({ hits }));
    if (open.length && coveredArea(parcel, geometriesOf({ hits: [...hits, ...open] })) - area >= LEAST_M2)
      return absent(
        `what overlaps may or may not be of kind ${kind}: ${undecided(condition!)}`,
        confidence,
        partitions,
      );
    add(kind, sources[0]!.dataset, area, () => labelsOf(parcel, hits, label));
  }
  const cells = await cellsOf(ctx, STEEP, steep, parcel.geometry);
  if ('absent' in cells) throw new Fault(cells.absent);
  for (const partition of cells.partitions) partitions.add(partition);
  add('steep_slope', STEEP.dataset, coveredArea(parcel, cells.polygons), () => []);
  zones.sort((a, b) => b.area_m2 - a.area_m2 || byText(a.kind, b.kind));
  return foundWhole(zones, confidence, partitions, notes);
}
