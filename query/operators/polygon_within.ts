import type { Expression, SourceRef } from '../../datasets/expression.ts';
import { BatchPolygons } from '../batch-polygons.ts';
import { searchesOf, seedCoverage } from '../batch-search.ts';
import { confidenceOf } from '../confidence.ts';
import { type Context, layerAt, nameOf, type Operator, type Question } from '../context.ts';
import { absent, type Finding, found } from '../finding.ts';
import { boundaryOf, containing, type Hit, outsideEdge, type Search, searchOf } from '../vector.ts';

/** FLD_ZONE of flood hazard areas that were left out of the study: as unmapped as having no panel (FEMA, NFHL). */
const NOT_INCLUDED = 'AREA NOT INCLUDED';

/** Finds the polygons of a layer that contain the point and meet a condition: `containing`, or a batch's. */
type Find = (source: SourceRef, search: Search, where: Expression['where']) => Hit[] | Promise<Hit[]>;

/** The layer that `coverage=` names. */
function panelsOf(coverage: string): SourceRef {
  const [dataset, layer = 'main'] = coverage.split(':') as [string, string?];
  return { dataset, layer, where: null };
}

/**
 * Whether the layer of `coverage=` maps the point. Where that layer is not installed for the place, the layer's own
 * coverage (which holds the point already) decides.
 * @returns the polygon of the layer itself that says the point is unmapped, 'panel' when no panel holds it, else null.
 */
async function unmapped(
  ctx: Context,
  source: SourceRef,
  search: Search,
  coverage: string,
  find: Find,
): Promise<Hit | 'panel' | null> {
  const excluded = (await find(source, search, null)).find(hit => hit.feature.properties.FLD_ZONE === NOT_INCLUDED);
  if (excluded) return excluded;
  const panels = panelsOf(coverage);
  if (!ctx.layers.release.layer(panels.dataset, panels.layer)) return null;
  const at = await layerAt(ctx, panels);
  const places = new Set(search.at.covering.map(p => p.place));
  if (!at.covering.some(p => places.has(p.place))) return null;
  const panelSearch = await searchOf(ctx, panels, null);
  return (await find(panels, panelSearch, null)).length ? null : 'panel';
}

async function answer(
  ctx: Context,
  call: Expression,
  { rule }: Question,
  search: Search,
  find: Find,
): Promise<Finding> {
  const source = call.sources[0]!;
  const { covering } = search.at;
  if (search.absent) return absent(search.absent, confidenceOf(rule), covering);
  const hits = await find(source, search, call.where);
  if (hits.length) {
    const edge = (limit: number) => Math.max(...hits.map(hit => boundaryOf(ctx, hit.feature)(limit)));
    const partitions = new Set(hits.map(hit => hit.partition));
    return found(true, confidenceOf(rule, { edge }), partitions, [...search.notes]);
  }
  const coverage = call.options.coverage
    ? await unmapped(ctx, source, search, String(call.options.coverage), find)
    : null;
  if (coverage) {
    const edge = coverage === 'panel' ? undefined : boundaryOf(ctx, coverage.feature);
    return absent(`${nameOf(source)} does not map this place`, confidenceOf(rule, edge ? { edge } : {}), covering);
  }
  const edge = rule?.kind === 'edge_m' ? await outsideEdge(ctx, source, search, call.where, rule.metres) : 0;
  return found(false, confidenceOf(rule, { edge: () => edge }), covering, [...search.notes]);
}

/**
 * Whether a polygon contains the point, its boundary included; false only where the dataset maps this place (`coverage=`
 * names a layer whose polygons say so), absent elsewhere.
 *
 * Decided here:
 * - Where the layer of `coverage=` is not installed for the place, the layer's own coverage decides alone.
 * - Ground that the layer itself marks as left out of the study (FLD_ZONE AREA NOT INCLUDED) is unmapped.
 * - Of several containing polygons the farthest boundary decides the confidence: all of them would have to be wrong.
 *
 * Cost: as polygon_attr, O(log n + k), and where the answer is false the same once more in the layer of `coverage=`.
 * In bulk both layers are searched once a batch.
 */
export const operator: Operator = {
  name: 'polygon_within',
  async point(ctx, call, question) {
    const search = await searchOf(ctx, call.sources[0]!, call.where);
    return answer(ctx, call, question, search, (...of) => containing(ctx, ...of));
  },
  async bulk(batch, call, question) {
    const source = call.sources[0]!;
    const polygons = await BatchPolygons.of(batch, source);
    const panels = call.options.coverage ? panelsOf(String(call.options.coverage)) : null;
    const mapped = panels && batch.layers.release.layer(panels.dataset, panels.layer) ? panels : null;
    if (mapped) await seedCoverage(batch, mapped);
    const panelPolygons = mapped && (await BatchPolygons.of(batch, mapped));
    return searchesOf(batch, source, call.where, [], (ctx, search, i) =>
      answer(ctx, call, question, search, (of, ...rest) => (of === source ? polygons : panelPolygons!).at(i, ...rest)),
    );
  },
};
