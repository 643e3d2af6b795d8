import type { ConfidenceRule, Value } from '../../../datasets/dataset.ts';
import type { Expression, SourceRef } from '../../../datasets/grammar/expression.ts';
import { nameOf } from '../../../datasets/layer-words.ts';
import { memo } from '../../../datasets/memo.ts';
import type { LayerAt } from '../../release/coverage.ts';
import { after, type MaybePromise } from '../../release/maybe-promise.ts';
import { type Batch, type Context, layerAt } from '../context.ts';
import { BatchPolygons } from '../vector/batch-polygons.ts';
import { seedCoverage } from '../vector/batch-search.ts';
import { containing } from '../vector/containing.ts';
import { type Hit, type Search, searchAt, type Within } from '../vector/vector-search.ts';
import { accuracyAt, edgesAt, nearestChange, reachOf } from './certainty.ts';
import { coverageEdge } from './coverage-edge.ts';

/** FLD_ZONE of flood hazard areas that were left out of the study: as unmapped as having no panel (FEMA, NFHL). */
const NOT_INCLUDED = 'AREA NOT INCLUDED';

/** Why a layer does not map a point: its own polygon that says so, or that no panel holds it; null where it does. */
export type Unmapped = Hit | 'panel' | null;

/** The layer whose polygons say where that of a call maps, which `coverage=` names; null where the call names none. */
export const panelsOf = memo(({ options: { coverage } }: Expression): SourceRef | null => {
  if (coverage === undefined) return null;
  const [dataset, layer = 'main'] = String(coverage).split(':') as [string, string?];
  return { dataset, layer, where: null };
});

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

/**
 * Why a layer does not map the request's point, by the panels that `coverage=` names.
 * @param own finds the polygons of the layer that contain the point, @param within the panels.
 */
export async function unmapped(
  ctx: Context,
  source: SourceRef,
  search: Search,
  panels: SourceRef,
  own: Within = search => containing(ctx, source, search, null),
  within: Within = search => containing(ctx, panels, search, null),
): Promise<Unmapped> {
  const excluded = excludedOf(await own(search));
  if (excluded) return excluded;
  if (!ctx.layers.release.layer(panels.dataset, panels.layer)) return null;
  const at = await layerAt(ctx, panels);
  if (!panelsDecide(at, search)) return null;
  return (await within(searchAt(at, panels, null))).length ? null : 'panel';
}

/** The same at the points of a batch, found once for all fields of the layer. */
export function unmappedOf(
  batch: Batch,
  source: SourceRef,
  panels: SourceRef,
): Promise<(place: number, search: Search) => MaybePromise<Unmapped>> {
  return batch.memo(`mapped ${nameOf(source)} ${nameOf(panels)}`, async () => {
    const own = await BatchPolygons.meeting(batch, source, null);
    const within = await BatchPolygons.meeting(batch, panels, null);
    if (batch.layers.release.layer(panels.dataset, panels.layer)) await seedCoverage(batch, panels);
    const ends: (Unmapped | undefined)[] = new Array(batch.contexts.length);
    return (place, search) => {
      const value = ends[place];
      if (value !== undefined) return value;
      const ctx = batch.contexts[place]!;
      const finding = unmapped(
        ctx,
        source,
        search,
        panels,
        search => own(place, search),
        search => within(place, search),
      );
      return finding.then(found => {
        ends[place] = found;
        return found;
      });
    };
  });
}

/** Metres to the nearest ground that no panel holds, as far as edges matter; Infinity where panels do not decide. */
function panelEdge(ctx: Context, search: Search, panels: SourceRef, rule: ConfidenceRule | null): MaybePromise<number> {
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
 * coverage, or of the panels. Infinity where that is farther than edges matter.
 * @throws Fault or DamagedFile when the panels cannot be read.
 */
export function unmappedEdge(
  ctx: Context,
  source: SourceRef,
  search: Search,
  rule: ConfidenceRule | null,
  panels: SourceRef | null = null,
): MaybePromise<number> {
  const reach = reachOf(rule, accuracyAt(search.at, ctx, source));
  if (reach === 0) return Infinity;
  return after(
    coverageEdge(ctx, source, search.at, () => reach),
    own => {
      if (!panels) return own;
      return after(panelEdge(ctx, search, panels, rule), panel => Math.min(own, panel));
    },
  );
}
