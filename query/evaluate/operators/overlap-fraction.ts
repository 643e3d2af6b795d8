import { layerOf } from '../../../datasets/catalog.ts';
import type { Expression, SourceRef } from '../../../datasets/grammar/expression.ts';
import { layerWords } from '../../../datasets/layer-words.ts';
import type { Partition } from '../../../datasets/release.ts';
import { straightArea } from '../../geometry/polygon-overlap.ts';
import { confidenceOf } from '../confidence.ts';
import { type Context, definitionOf, type Operator, type Question } from '../context.ts';
import { type Candidate, candidatesOf, coveredFraction } from '../covered-area.ts';
import { withinEdge } from '../edge/coverage-edge.ts';
import { absent, type Finding, found } from '../finding.ts';
import { maskOf } from '../mask.ts';
import { PARCELS, parcelMatch } from '../parcel-at-point.ts';
import { type CellPolygons, cellsOf } from '../raster/cell-polygons.ts';
import { lostOn } from '../rejected/guarded.ts';
import { BatchPolygons } from '../vector/batch-polygons.ts';
import { pointByPoint, seedCoverage } from '../vector/batch-search.ts';
import { doubtOf, undecided } from '../vector/doubt.ts';
import { type Search, searchOf } from '../vector/vector-search.ts';

async function answer(ctx: Context, call: Expression, question: Question): Promise<Finding> {
  const { rule } = question;
  const searches: { source: SourceRef; where: Expression['where']; search: Search }[] = [];
  const mask = await maskOf(ctx, String(call.options.over), question);
  if ('status' in mask) return mask;
  const confidence = confidenceOf(rule, { match: mask.match });
  const cells: CellPolygons[] = [];
  for (const source of call.sources) {
    const where = source.where ?? call.where;
    if (definitionOf(ctx, source).kind === 'raster') {
      const found = await cellsOf(ctx, source, where, mask.geometry);
      if ('absent' in found) return absent(found.absent, confidence, found.covering);
      cells.push(found);
      continue;
    }
    const search = await searchOf(ctx, source, where);
    if (search.absent) return absent(search.absent, confidence, search.at.covering);
    const lost = await lostOn(ctx, source, search, where, mask, confidence);
    if (lost) return lost;
    searches.push({ source, where, search });
  }
  const partitions = new Set<Partition>(mask.partitions);
  const candidates: Candidate[] = [];
  const open: Candidate[] = [];
  const reasons = new Set<string>();
  for (const { source, where, search } of searches) {
    const own = await candidatesOf(ctx, source, where, search, mask);
    const doubt = doubtOf(ctx, source, where);
    const doubted = doubt ? await candidatesOf(ctx, source, doubt, search, mask) : [];
    if (doubted.length) reasons.add(`${layerWords(source, search.at.covering)}: ${undecided(where!)}`);
    open.push(...doubted);
    candidates.push(...own);
    for (const partition of own.length ? own.map(c => c.holder.partition) : search.at.covering)
      partitions.add(partition);
  }
  for (const found of cells) for (const partition of found.partitions) partitions.add(partition);
  const polygons = cells.flatMap(found => found.polygons);
  const whole = straightArea(mask.geometry);
  if (!(whole > 0)) return absent('the area measured against is empty', confidence, partitions);
  const any = candidates.length + polygons.length > 0;
  const fraction = any ? coveredFraction(ctx, mask, candidates, polygons, whole) : 0;
  const notes = searches.flatMap(s => s.search.notes);
  const most = open.length ? coveredFraction(ctx, mask, [...candidates, ...open], polygons, whole) : fraction;
  if (most > fraction) {
    for (const { holder } of open) partitions.add(holder.partition);
    const reason = `polygons may or may not count (at least ${fraction}, at most ${most}): ${[...reasons].join('; ')}`;
    return absent(reason, confidence, partitions);
  }
  let finding: Finding = found(fraction, confidence, partitions, notes);
  if (mask.disc)
    for (const { source, search } of searches)
      finding = await withinEdge(ctx, source, search.at, mask.disc.metres, finding);
  return finding;
}

/**
 * Share of a geodesic disc (`over=radius:<m>`) or of the matched parcel (`over=parcel`) that the polygons of one layer,
 * or of several in `any_of[...]`, cover together: a place counts once however many polygons cover it. Rounded to 4
 * decimals.
 *
 * Decided here:
 * - The point alone decides whether the dataset maps the place, as for counts: where a disc or parcel reaches beyond
 *   the coverage, the part beyond counts as not covered, and of a disc confidence is low and a note says so. Of several
 *   layers every one must cover the point.
 * - Where a polygon that was rejected at ingest and may meet the condition lies on the area, the fraction is absent.
 * - The disc is a polygon of 360 vertices as large as the disc. Its rim is within 13 mm at 500 m, the fraction within
 *   0.00001 of the true disc's, and full coverage is exactly 1.
 * - Areas are those of the ellipsoid, with edges straight in lng,lat; no plane is involved.
 * - A raster in `any_of[...]` covers with the cells whose `value` meets its condition; a layer named by a terrain measure
 *   (`usgs_3dep:slope_percent`) is that measure of every native cell of the elevation. Cells without data cover nothing.
 * - Where a polygon does not tell whether it meets the condition (the value that decides is empty, or a code for unknown)
 *   and the fraction would change with it, the fraction is absent, with the least and the most that it can be.
 * - The parcel is the one that parcel_attr finds; where that has none, or several, the fraction is absent.
 *
 * Cost: one R-tree search of the area's box, O(log n + k), each of the k polygons decoded once and kept; then one sweep
 * over the e edges in the box, O(e log e + e·a) with a edges at one latitude. A polygon that holds the whole area ends
 * it at once. A small one that no other of the layer overlaps is not swept: it adds its own area where it is well inside a
 * disc, and at the rim what the disc's edges leave of it. Slivers that the rounded share does not depend on are no overlap,
 * which is found out once by sweeping its neighbors. The disc costs 181 direct geodesics, once a point for all fields of the same
 * radius; a raster one window about the area. In bulk the coverage is decided once a batch.
 */
export const operator: Operator = {
  name: 'overlap_fraction',
  point: answer,
  async bulk(batch, call, question) {
    for (const source of call.sources)
      if (layerOf(batch.catalog.datasets, source.dataset, source.layer).kind === 'vector')
        await seedCoverage(batch, source);
    const parcels = call.options.over === 'parcel' ? await BatchPolygons.meeting(batch, PARCELS, null) : null;
    if (parcels) await seedCoverage(batch, PARCELS);
    return pointByPoint(batch, async (ctx, i) => {
      if (parcels) await parcelMatch(ctx, search => parcels(i, search));
      return answer(ctx, call, question);
    });
  },
};
