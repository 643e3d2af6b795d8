import type { ConfidenceRule, Value } from '../../../datasets/dataset.ts';
import type { SourceRef } from '../../../datasets/grammar/expression.ts';
import type { LayerAt } from '../../release/coverage.ts';
import { after, type MaybePromise } from '../../release/maybe-promise.ts';
import { type Batch, type Context, layerAt, nameOf } from '../context.ts';
import { BatchPolygons } from '../vector/batch-polygons.ts';
import { coverageOf } from '../vector/batch-search.ts';
import { containing } from '../vector/containing.ts';
import { type Hit, type Search, searchAt, searchOf } from '../vector/vector-search.ts';
import { accuracyAt, edgesAt, nearestChange, reachOf } from './certainty.ts';
import { coverageEdge } from './coverage-edge.ts';

/** FLD_ZONE of flood hazard areas that were left out of the study: as unmapped as having no panel (FEMA, NFHL). */
const NOT_INCLUDED = 'AREA NOT INCLUDED';

/** Why a layer does not map a point: its own polygon that says so, or that no panel holds it; null where it does. */
export type Unmapped = Hit | 'panel' | null;

/** The layer that `coverage=` names. */
export function panelsOf(coverage: string): SourceRef {
  const [dataset, layer = 'main'] = coverage.split(':') as [string, string?];
  return { dataset, layer, where: null };
}

/** Whether a polygon of these properties marks its ground as left out of the study. */
export const isExcluded = (properties: Readonly<Record<string, Value>>): boolean =>
  properties.FLD_ZONE === NOT_INCLUDED;

/** The polygon that marks a point as left out of the study, of those that hold it. */
export const excludedOf = (hits: readonly Hit[]): Hit | null =>
  hits.find(hit => isExcluded(hit.feature.properties)) ?? null;

/** Whether panels decide at a point: where they are not installed for the place, the layer's own coverage does. */
function panelsDecide(panels: LayerAt, search: Search): boolean {
  const places = new Set(search.at.covering.map(p => p.place));
  return panels.covering.some(p => places.has(p.place));
}

/** Whether the layer of `coverage=` maps the point. */
export async function unmapped(ctx: Context, source: SourceRef, search: Search, coverage: string): Promise<Unmapped> {
  const excluded = excludedOf(await containing(ctx, source, search, null));
  if (excluded) return excluded;
  const panels = panelsOf(coverage);
  if (!ctx.layers.release.layer(panels.dataset, panels.layer)) return null;
  if (!panelsDecide(await layerAt(ctx, panels), search)) return null;
  const panelSearch = await searchOf(ctx, panels, null);
  return (await containing(ctx, panels, panelSearch, null)).length ? null : 'panel';
}

/** The same at the points of a batch, found once for all fields of the layer. */
export function unmappedOf(
  batch: Batch,
  source: SourceRef,
  coverage: string,
): Promise<(place: number, search: Search) => Promise<Unmapped> | Unmapped> {
  const memo = `mapped ${nameOf(source)} ${coverage}`;
  return batch.memo(memo, async () => {
    const own = await BatchPolygons.meeting(batch, source, null);
    const panels = panelsOf(coverage);
    const mapped = batch.layers.release.layer(panels.dataset, panels.layer) ? panels : null;
    const ats = mapped && (await coverageOf(batch, mapped));
    const within = mapped && (await BatchPolygons.meeting(batch, mapped, null));
    const searches = new Map<LayerAt, Search>();
    const ends: (Unmapped | undefined)[] = new Array(batch.contexts.length);
    const find = async (place: number, search: Search): Promise<Unmapped> => {
      const excluded = excludedOf(await own(place, search));
      if (excluded) return excluded;
      if (!mapped) return null;
      const at = ats![place]!;
      // What failed there fails again, as this point's own finding.
      const there = 'status' in at ? await layerAt(batch.contexts[place]!, mapped) : at;
      if (!panelsDecide(there, search)) return null;
      const panelSearch = searches.get(there) ?? searchAt(there, mapped, null);
      searches.set(there, panelSearch);
      return (await within!(place, panelSearch)).length ? null : 'panel';
    };
    return (place, search) => {
      const value = ends[place];
      if (value !== undefined) return value;
      return find(place, search).then(found => {
        ends[place] = found;
        return found;
      });
    };
  });
}

/** Metres to the nearest ground that no panel holds, as far as edges matter; Infinity where panels do not decide. */
function panelEdge(ctx: Context, search: Search, coverage: string, rule: ConfidenceRule | null): MaybePromise<number> {
  const panels = panelsOf(coverage);
  if (!ctx.layers.release.layer(panels.dataset, panels.layer)) return Infinity;
  return after(layerAt(ctx, panels), at => {
    if (!panelsDecide(at, search)) return Infinity;
    return after(edgesAt(ctx, panels, at, rule), edges => {
      const change = edges && nearestChange(edges.grounds, found => found.length > 0);
      return change?.metres ?? Infinity;
    });
  });
}

/**
 * Metres from the request's point, which a layer maps, to the nearest ground that it does not map: beyond the edge of its
 * coverage, or of the panels that `coverage=` names. Infinity where that is farther than edges matter.
 * @throws Fault or DamagedFile when the panels cannot be read.
 */
export function unmappedEdge(
  ctx: Context,
  source: SourceRef,
  search: Search,
  rule: ConfidenceRule | null,
  coverage?: string,
): MaybePromise<number> {
  const reach = reachOf(rule, accuracyAt(search.at, ctx, source));
  if (reach === 0) return Infinity;
  return after(
    coverageEdge(ctx, source, search.at, () => reach),
    own => {
      if (coverage === undefined) return own;
      return after(panelEdge(ctx, search, coverage, rule), panel => Math.min(own, panel));
    },
  );
}
