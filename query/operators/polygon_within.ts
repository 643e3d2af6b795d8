import type { SourceRef } from '../../datasets/expression.ts';
import { confidenceOf } from '../confidence.ts';
import { type Context, layerAt, nameOf, type Operator } from '../context.ts';
import { absent, found } from '../finding.ts';
import { boundaryOf, containing, type Hit, outsideEdge, type Search, searchOf } from '../vector.ts';

/** FLD_ZONE of flood hazard areas that were left out of the study: as unmapped as having no panel (FEMA, NFHL). */
const NOT_INCLUDED = 'AREA NOT INCLUDED';

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
): Promise<Hit | 'panel' | null> {
  const excluded = (await containing(ctx, source, search, null)).find(
    hit => hit.feature.properties.FLD_ZONE === NOT_INCLUDED,
  );
  if (excluded) return excluded;
  const [dataset, layer = 'main'] = coverage.split(':') as [string, string?];
  if (!ctx.layers.release.layer(dataset, layer)) return null;
  const panels: SourceRef = { dataset, layer, where: null };
  const at = await layerAt(ctx, panels);
  const places = new Set(search.at.covering.map(p => p.place));
  if (!at.covering.some(p => places.has(p.place))) return null;
  const panelSearch = await searchOf(ctx, panels, null);
  return (await containing(ctx, panels, panelSearch, null)).length ? null : 'panel';
}

/** Whether a polygon contains the point; false only where the dataset maps this place, absent elsewhere. */
export const operator: Operator = {
  name: 'polygon_within',
  async point(ctx, call, { rule }) {
    const source = call.sources[0]!;
    const search = await searchOf(ctx, source, call.where);
    const { covering } = search.at;
    if (search.absent) return absent(search.absent, confidenceOf(rule), covering);
    const hits = await containing(ctx, source, search, call.where);
    if (hits.length) {
      const edge = (limit: number) => Math.max(...hits.map(hit => boundaryOf(ctx, hit.feature)(limit)));
      const partitions = new Set(hits.map(hit => hit.partition));
      return found(true, confidenceOf(rule, { edge }), partitions, [...search.notes]);
    }
    const coverage = call.options.coverage ? await unmapped(ctx, source, search, String(call.options.coverage)) : null;
    if (coverage) {
      const edge = coverage === 'panel' ? undefined : boundaryOf(ctx, coverage.feature);
      return absent(`${nameOf(source)} does not map this place`, confidenceOf(rule, edge ? { edge } : {}), covering);
    }
    const edge = rule?.kind === 'edge_m' ? await outsideEdge(ctx, source, search, call.where, rule.metres) : 0;
    return found(false, confidenceOf(rule, { edge: () => edge }), covering, [...search.notes]);
  },
};
