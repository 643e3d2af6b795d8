import type { Value } from '../../datasets/dataset.ts';
import type { Expression } from '../../datasets/grammar/expression.ts';
import { layerWords, nameOf } from '../../datasets/layer-words.ts';
import type { Partition } from '../../datasets/release.ts';
import { contains } from '../geometry/point-in-polygon.ts';
import { PolygonOverlap, straightArea } from '../geometry/polygon-overlap.ts';
import { Fault } from '../release/fault.ts';
import type { Feature } from '../release/features.ts';
import { accuracyOf } from './accuracy.ts';
import { confidenceOf } from './confidence.ts';
import { type Batch, type Context, keyOf, type Question } from './context.ts';
import { type Candidate, candidatesOf, coveredArea } from './covered-area.ts';
import { absent, type Finding, notesOn } from './finding.ts';
import { type Mask, maskOf } from './mask.ts';
import { PARCELS } from './parcel-at-point.ts';
import { published, publishedFinding, roundFraction } from './published.ts';
import { lostOn } from './rejected/guarded.ts';
import { lackingReason } from './unpublished.ts';
import { pointByPoint, seedCoverage } from './vector/batch-search.ts';
import { byText, requireColumns, searchOf, storedValue } from './vector/vector-search.ts';

/** Share of its own area with which a polygon stands on a parcel: then no polygon stands on two parcels side by side. */
const STANDS = 0.5;
/**
 * Share of the whole parcel that a value must cover to be the one that covers most of it: what no polygon covers, or none
 * with a value, counts against. From half on no other can cover more.
 */
export const MAJORITY = 0.5;
/** What rounding may take of an area, as a share of it. */
const ROUNDING = 1e-9;
/** Square metres from which a value is listed; less is what shapes share that only touch, or lines drawn twice. */
const LEAST_M2 = 1;
/** Share below which four decimals would say zero of a value that is there. */
const FOUR_DECIMALS = 1e-4;

/** Whether an area is half of the parcel and more, but for rounding. */
const isMost = (area: number, whole: number): boolean => area >= MAJORITY * whole * (1 - ROUNDING);

/** A share to 4 decimals; a smaller one to two digits, so that it does not read as nothing. */
const shareText = (share: number): string =>
  share < FOUR_DECIMALS ? share.toFixed(1 - Math.floor(Math.log10(share))) : String(roundFraction(share));

/** A share in percent, to three digits. */
const percentText = (share: number): string => `${Number((share * 100).toPrecision(3))} %`;

const featureOf = ({ holder, index }: Candidate): Feature => holder.features.feature(index);

/** Whether a feature stands on the parcel: a point on it, a polygon with half of its area or more. */
function stands(feature: Feature, mask: Mask): boolean {
  const { geometry } = feature;
  if (!geometry.parts.length) return contains(mask.geometry, geometry.xy[0]!, geometry.xy[1]!);
  const area = straightArea(geometry);
  if (!(area > 0)) return false;
  const overlap = new PolygonOverlap(mask.geometry, mask.box);
  overlap.add(geometry);
  return overlap.measure() >= area * STANDS;
}

/** The ground of the parcel that a value covers. */
interface ValueArea {
  readonly value: Value;
  /** Square metres. */
  readonly area: number;
  readonly partitions: ReadonlySet<Partition>;
  /**
   * Stated accuracy in metres of the source whose error may be larger than the area; null where the area is no smaller than
   * a square of that width, or half of the parcel.
   */
  readonly doubt: number | null;
}

/** Square metres of the parcel that each value covers, 1 and more, the most first, then by text. */
function areasByValue(
  ctx: Context,
  call: Expression,
  mask: Mask,
  candidates: readonly Candidate[],
  whole: number,
): ValueArea[] {
  const source = call.sources[0]!;
  const groups = new Map<Value, Candidate[]>();
  for (const candidate of candidates) {
    const raw = storedValue(
      { feature: featureOf(candidate), partition: candidate.holder.partition },
      source,
      call.argument!,
    );
    const result = published(raw, { nulls: call.nulls, options: {} }, null, call.argument!);
    if ('reason' in result) continue;
    const group = groups.get(result.value) ?? [];
    group.push(candidate);
    groups.set(result.value, group);
  }
  return [...groups]
    .map(([value, group]) => {
      const area = Math.min(whole, coveredArea(ctx, mask, group, [], whole));
      const partitions = new Set(group.map(({ holder }) => holder.partition));
      const accuracy = Math.max(...[...partitions].map(partition => accuracyOf(ctx.catalog, source, partition) ?? 0));
      return { value, area, partitions, doubt: area < accuracy ** 2 && !isMost(area, whole) ? accuracy : null };
    })
    .filter(({ area }) => area >= LEAST_M2)
    .sort((a, b) => b.area - a.area || byText(String(a.value), String(b.value)));
}

const doubtfulShare = (value: Value, accuracy: number): string =>
  `the part of ${value} is smaller than a square of ${accuracy} m, the accuracy of the source, and may not be there`;

/**
 * What of a layer lies on the matched parcel: `stat=majority` the value that covers most of it, half or more of the whole
 * parcel; `shares` every value that covers a square metre, with its share of the parcel, its confidence low where one
 * covers less than a square as wide as its source is accurate; `area` the square metres covered; `count` the features that stand on it; `vintage` the date of the layer that gave the majority, absent where there is none.
 * @throws Fault or DamagedFile when a file that it needs is missing or unreadable.
 */
export async function parcelShares(ctx: Context, call: Expression, question: Question): Promise<Finding> {
  const source = call.sources[0]!;
  const column = call.argument!;
  const stat = String(call.options.stat);
  if (!['majority', 'shares', 'area', 'count', 'vintage'].includes(stat) || call.options.over !== 'parcel')
    throw new Fault('polygon_attr knows over=parcel with stat=majority, shares, area, count or vintage');
  const mask = await maskOf(ctx, 'parcel', question);
  if ('status' in mask) return mask;
  const confidence = confidenceOf(question.rule, { match: mask.match });
  const search = await searchOf(ctx, source, call.where);
  if (search.absent) return absent(search.absent, confidence, search.at.covering);
  const lost = await lostOn(ctx, source, search, call.where, mask, confidence);
  if (lost) return lost;
  const candidates = await candidatesOf(ctx, source, call.where, search, mask);
  const partitions = new Set<Partition>([
    ...mask.partitions,
    ...(candidates.length ? candidates.map(c => c.holder.partition) : search.at.covering),
  ]);
  const ok = (value: Value, doubts: readonly string[] = []): Finding =>
    publishedFinding(
      published(value, call, question.type, column),
      doubts.length ? 'low' : confidence,
      partitions,
      [...doubts, ...search.notes],
      column,
    );
  if (stat === 'count') return ok(candidates.filter(candidate => stands(featureOf(candidate), mask)).length);
  const whole = straightArea(mask.geometry);
  if (!(whole > 0)) return absent('the area measured against is empty', confidence, partitions);
  if (stat === 'area')
    return ok(candidates.length ? Math.min(whole, coveredArea(ctx, mask, candidates, [], whole)) : 0);
  requireColumns(search.at, source, [column]);
  const silent = candidates.find(c => c.holder.partition.unpublished.includes(column))?.holder.partition;
  if (silent) return absent(lackingReason(silent, column), confidence, partitions);
  const words = layerWords(source, search.at.covering);
  // The same for all that is asked of the column.
  const key = `areas ${nameOf(source)} ${column} ${keyOf(call.where)} ${JSON.stringify(call.nulls)}`;
  const areas = await ctx.memo(key, () => areasByValue(ctx, call, mask, candidates, whole));
  if (!areas.length)
    return absent(
      `none of the ${words} with a value (${column}) lies on the parcel`,
      confidence,
      partitions,
      notesOn(partitions, [column]),
    );
  const shareOf = ({ area }: ValueArea) => shareText(area / whole);
  if (stat === 'shares') {
    const doubts = areas.flatMap(({ value, doubt }) => (doubt === null ? [] : [doubtfulShare(value, doubt)]));
    return ok(areas.map(one => `${one.value}:${shareOf(one)}`).join(';'), doubts);
  }
  const [first] = areas;
  if (!isMost(first!.area, whole))
    return absent(
      `none of the ${words} has a value (${column}) on half of the parcel: the largest part is ${first!.value}, on ${percentText(first!.area / whole)} of it`,
      confidence,
      partitions,
    );
  if (stat === 'majority') return ok(first!.value);
  const vintages = new Set([...first!.partitions].map(({ provenance }) => provenance.vintage));
  const [date] = vintages;
  if (vintages.size === 1 && /^\d{4}-\d\d-\d\d$/.test(date!)) return ok(date!);
  const said = [...vintages].join(' and ');
  return absent(`the vintage of the ${words} is ${said}, which is no date`, confidence, partitions);
}

/** The same for every parcel of a batch. */
export async function sharesOfParcels(batch: Batch, call: Expression, question: Question): Promise<Finding[]> {
  await seedCoverage(batch, call.sources[0]!);
  await seedCoverage(batch, PARCELS);
  return pointByPoint(batch, ctx => parcelShares(ctx, call, question));
}
