import type { Confidence } from '../../datasets/dataset.ts';
import type { Expression, SourceRef } from '../../datasets/expression.ts';
import type { Batch } from '../batch.ts';
import { BatchEdge, outsideEdges } from '../batch-edge.ts';
import { BatchPolygons } from '../batch-polygons.ts';
import { coverageOf, searchesOf } from '../batch-search.ts';
import { confidenceOf } from '../confidence.ts';
import { type Context, layerAt, nameOf, type Operator } from '../context.ts';
import type { LayerAt } from '../coverage.ts';
import { doubtOf, undecided } from '../doubt.ts';
import { absent, type Finding, found } from '../finding.ts';
import { guarded } from '../rejected/guarded.ts';
import { rejectedHere } from '../rejected/rejected.ts';
import { after } from '../soon.ts';
import { boundaryOf, containing, type Hit, outsideEdge, type Search, searchAt, searchOf } from '../vector.ts';

/** FLD_ZONE of flood hazard areas that were left out of the study: as unmapped as having no panel (FEMA, NFHL). */
const NOT_INCLUDED = 'AREA NOT INCLUDED';

/** Why a layer does not map a point: its own polygon that says so, or that no panel holds it; null where it does. */
type Unmapped = Hit | 'panel' | null;

const NONE: readonly Hit[] = [];

/** The layer that `coverage=` names. */
function panelsOf(coverage: string): SourceRef {
  const [dataset, layer = 'main'] = coverage.split(':') as [string, string?];
  return { dataset, layer, where: null };
}

/** The polygon that marks a point as left out of the study, of those that hold it. */
const excludedOf = (hits: readonly Hit[]): Hit | null =>
  hits.find(hit => hit.feature.properties.FLD_ZONE === NOT_INCLUDED) ?? null;

/** Whether panels decide at a point: where they are not installed for the place, the layer's own coverage does. */
function panelsDecide(panels: LayerAt, search: Search): boolean {
  const places = new Set(search.at.covering.map(p => p.place));
  return panels.covering.some(p => places.has(p.place));
}

/** Whether the layer of `coverage=` maps the point. */
async function unmapped(ctx: Context, source: SourceRef, search: Search, coverage: string): Promise<Unmapped> {
  const excluded = excludedOf(await containing(ctx, source, search, null));
  if (excluded) return excluded;
  const panels = panelsOf(coverage);
  if (!ctx.layers.release.layer(panels.dataset, panels.layer)) return null;
  if (!panelsDecide(await layerAt(ctx, panels), search)) return null;
  const panelSearch = await searchOf(ctx, panels, null);
  return (await containing(ctx, panels, panelSearch, null)).length ? null : 'panel';
}

/** The same at the points of a batch, found once for all fields of the layer. */
function unmappedOf(
  batch: Batch,
  source: SourceRef,
  coverage: string,
): Promise<(place: number, search: Search) => Promise<Unmapped> | Unmapped> {
  const memo = `mapped ${nameOf(source)} ${coverage}`;
  return batch.memo(memo, async () => {
    const own = await (await BatchPolygons.of(batch, source)).meeting(null);
    const panels = panelsOf(coverage);
    const mapped = batch.layers.release.layer(panels.dataset, panels.layer) ? panels : null;
    const ats = mapped && (await coverageOf(batch, mapped));
    const within = mapped && (await (await BatchPolygons.of(batch, mapped)).meeting(null));
    const searches = new Map<LayerAt, Search>();
    const known: (Unmapped | undefined)[] = new Array(batch.contexts.length);
    const find = async (place: number, search: Search): Promise<Unmapped> => {
      const excluded = excludedOf(await own.at(place, search));
      if (excluded) return excluded;
      if (!mapped) return null;
      const at = ats![place]!;
      // What failed there fails again, as this point's own finding.
      const there = 'status' in at ? await layerAt(batch.contexts[place]!, mapped) : at;
      if (!panelsDecide(there, search)) return null;
      const panelSearch = searches.get(there) ?? searchAt(there, mapped, null);
      searches.set(there, panelSearch);
      return (await within!.at(place, panelSearch)).length ? null : 'panel';
    };
    return (place, search) => {
      const value = known[place];
      if (value !== undefined) return value;
      return find(place, search).then(found => {
        known[place] = found;
        return found;
      });
    };
  });
}

const unmappedFinding = (call: Expression, search: Search, confidence: Confidence): Finding =>
  absent(`${nameOf(call.sources[0]!)} does not map this place`, confidence, search.at.covering);

const within = (hits: readonly Hit[], search: Search, confidence: Confidence): Finding =>
  found(true, confidence, new Set(hits.map(hit => hit.partition)), search.notes);

const doubtful = (call: Expression, hits: readonly Hit[], confidence: Confidence): Finding =>
  absent(
    `a polygon of ${nameOf(call.sources[0]!)} contains the point that may or may not count: ${undecided(call.where!)}`,
    confidence,
    new Set(hits.map(hit => hit.partition)),
  );

/**
 * Whether a polygon contains the point, its boundary included; false only where the dataset maps this place (`coverage=`
 * names a layer whose polygons say so), absent elsewhere.
 *
 * Decided here:
 * - Where no polygon is known to meet the condition, and one that contains the point does not tell whether it does
 *   (three-valued, as SQL: the value that decides is empty, or a code for unknown), the answer is absent, not false.
 * - Where the layer of `coverage=` is not installed for the place, the layer's own coverage decides alone.
 * - Ground that the layer itself marks as left out of the study (FLD_ZONE AREA NOT INCLUDED) is unmapped.
 * - Where a polygon was rejected at ingest that may meet the condition, what would be false is absent, with the reason.
 * - Of several containing polygons the farthest boundary decides the confidence: all of them would have to be wrong.
 *
 * Cost: as polygon_attr, O(log n + k), and where the answer is false the same once more in the layer of `coverage=`.
 * In bulk both layers are searched once a batch.
 */
export const operator: Operator = guarded(
  {
    name: 'polygon_within',
    point(ctx, call, question) {
      const source = call.sources[0]!;
      const { rule } = question;
      return after(searchOf(ctx, source, call.where), search => {
        if (search.absent) return absent(search.absent, confidenceOf(rule), search.at.covering);
        return after(containing(ctx, source, search, call.where), hits => {
          const edgeOf = (of: readonly Hit[]) => (limit: number) =>
            Math.max(...of.map(hit => boundaryOf(ctx, hit.feature)(limit)));
          if (hits.length) return within(hits, search, confidenceOf(rule, { edge: edgeOf(hits) }));
          const doubt = doubtOf(ctx, source, call.where);
          return after(doubt ? containing(ctx, source, search, doubt) : NONE, open => {
            if (open.length) return doubtful(call, open, confidenceOf(rule, { edge: edgeOf(open) }));
            const { coverage } = call.options;
            const unless = coverage ? unmapped(ctx, source, search, String(coverage)) : null;
            return after<Unmapped, Finding>(unless, not => {
              if (not) {
                const edge = not === 'panel' ? undefined : boundaryOf(ctx, not.feature);
                return unmappedFinding(call, search, confidenceOf(rule, edge ? { edge } : {}));
              }
              const outer = rule?.kind === 'edge_m' ? outsideEdge(ctx, source, search, call.where, rule.metres) : 0;
              return after(outer, edge =>
                found(false, confidenceOf(rule, { edge: () => edge }), search.at.covering, search.notes),
              );
            });
          });
        });
      });
    },
    async bulk(batch, call, question) {
      const source = call.sources[0]!;
      const { rule } = question;
      const about = await BatchPolygons.of(batch, source);
      const polygons = await about.meeting(call.where);
      const doubt = doubtOf(batch.contexts[0]!, source, call.where);
      const open = doubt && (await about.meeting(doubt));
      const metres = rule?.kind === 'edge_m' ? rule.metres : null;
      const edge = metres === null ? null : await BatchEdge.of(batch, metres);
      const outer = metres === null ? null : await outsideEdges(batch, source, call.where, metres);
      const { coverage } = call.options;
      const mapping = coverage ? await unmappedOf(batch, source, String(coverage)) : null;
      const plain = edge ? 'medium' : confidenceOf(rule);
      /** Findings are alike where polygons (or the reason for none), coverage and confidence are. */
      const made = new Map<Search, Map<unknown, { [C in Confidence]?: Finding }>>();
      const once = (search: Search, of: unknown, confidence: Confidence, make: () => Finding): Finding => {
        const ofSearch = made.get(search) ?? new Map<unknown, { [C in Confidence]?: Finding }>();
        made.set(search, ofSearch);
        const findings = ofSearch.get(of) ?? {};
        ofSearch.set(of, findings);
        findings[confidence] ??= make();
        return findings[confidence];
      };
      const outside = (i: number, search: Search): Finding | Promise<Finding> => {
        const confidence = outer ? outer(i, search) : plain;
        const finding = (given: Confidence) =>
          once(search, false, given, () => found(false, given, search.at.covering, search.notes));
        return typeof confidence === 'string' ? finding(confidence) : confidence.then(finding);
      };
      const unless = (not: Unmapped, i: number, search: Search): Finding | Promise<Finding> => {
        if (!not) return outside(i, search);
        const confidence = edge && not !== 'panel' ? edge.of(i, not.feature) : plain;
        return once(search, null, confidence, () => unmappedFinding(call, search, confidence));
      };
      /** The farthest boundary decides: all polygons would have to be wrong. */
      const ofHits = (i: number, hits: readonly Hit[]): Confidence =>
        edge ? (hits.some(hit => edge.of(i, hit.feature) === 'high') ? 'high' : 'medium') : plain;
      return searchesOf(batch, source, call.where, [], (_, search, i) => {
        if (search.absent) return once(search, '', plain, () => absent(search.absent!, plain, search.at.covering));
        const answerOf = (hits: readonly Hit[]): Finding | Promise<Finding> => {
          if (hits.length) {
            const confidence = ofHits(i, hits);
            return once(search, hits, confidence, () => within(hits, search, confidence));
          }
          const doubted = open ? open.at(i, search) : NONE;
          return 'then' in doubted ? doubted.then(unknownOf) : unknownOf(doubted);
        };
        const unknownOf = (hits: readonly Hit[]): Finding | Promise<Finding> => {
          if (hits.length) {
            const confidence = ofHits(i, hits);
            return once(search, hits, confidence, () => doubtful(call, hits, confidence));
          }
          if (!mapping) return outside(i, search);
          const not = mapping(i, search);
          return not !== null && typeof not === 'object' && 'then' in not
            ? not.then(one => unless(one, i, search))
            : unless(not, i, search);
        };
        const hits = polygons.at(i, search);
        return 'then' in hits ? hits.then(answerOf) : answerOf(hits);
      });
    },
  },
  // That another polygon would hold the point too changes nothing.
  (ctx, call, search, { value }) => (value === false ? rejectedHere(ctx, call.sources[0]!, search, call.where) : null),
);
