import type { Box } from '../../../datasets/geometry.ts';
import type { SourceRef } from '../../../datasets/grammar/expression.ts';
import { layerWords, nameOf } from '../../../datasets/layer-words.ts';
import type { Partition } from '../../../datasets/release.ts';
import { boxDepth, boxesAbout } from '../../geometry/boxes-about.ts';
import { boundaryDistance } from '../../geometry/feature-distance.ts';
import { boxLowerBound } from '../../geometry/geodesic.ts';
import { sharedEdges } from '../../geometry/shared-edges.ts';
import { Coverage, type LayerAt } from '../../release/coverage.ts';
import { Interrupted } from '../../release/fault.ts';
import { after, inTurn, type MaybePromise } from '../../release/maybe-promise.ts';
import type { Context } from '../context.ts';
import type { Finding } from '../finding.ts';
import { coverageShapes, type Shape } from '../vector/coverage-shapes.ts';
import type { Search } from '../vector/vector-search.ts';
import { EdgeWalk, type NearShape } from './edge-walk.ts';

/** How far the edge is looked for first at most in metres, and how much farther each time it is not found. */
const [FIRST, FARTHER] = [1_000, 8];

/** The edge of what the coverages of a layer hold together, as far as it was looked for. */
class CoverageEdge {
  readonly #ctx: Context;
  readonly #coverage: Coverage;
  readonly #lng: number;
  readonly #lat: number;
  #metres: number | null = null;
  /** Metres within which no edge is. */
  #beyond = 0;

  constructor(ctx: Context, coverage: Coverage) {
    [this.#ctx, this.#coverage] = [ctx, coverage];
    ({ lng: this.#lng, lat: this.#lat } = ctx.point);
  }

  /** Metres to the edge; Infinity where it is no nearer than `limit`. */
  within(limit: number): MaybePromise<number> {
    if (this.#metres !== null || this.#beyond >= limit)
      return this.#metres !== null && this.#metres < limit ? this.#metres : Infinity;
    const reach = this.#beyond === 0 ? Math.min(FIRST, limit) : this.#beyond * FARTHER;
    return after(this.#partsAbout(reach), parts => {
      const near = parts.filter(({ box }) => boxLowerBound(this.#lng, this.#lat, box) <= reach);
      this.#metres ??= this.#among(
        near.map(({ box, geometry }) => ({ box, geometry: geometry(), near: null })),
        reach,
      );
      this.#beyond = Math.max(this.#beyond, reach);
      return this.within(limit);
    });
  }

  /** The polygons of the coverages that come so near: far ones stay closed. */
  #partsAbout(reach: number): MaybePromise<readonly Shape[]> {
    const seen = new Set<string>();
    const distinct = this.#ctx.layers
      .coveringAbout(this.#coverage, ...boxesAbout(this.#lng, this.#lat, reach))
      .filter(partition => {
        const id = partition.files.find(f => f.role === 'coverage')?.sha256;
        if (id === undefined || partition.coverage === 'extent') return true;
        return seen.size < seen.add(id).size;
      });
    // What cannot be read holds nothing for certain.
    const parts = inTurn(distinct, partition => {
      try {
        const held = coverageShapes(this.#ctx, partition, null);
        return held instanceof Promise ? held.catch(unread) : held;
      } catch (error) {
        return unread(error);
      }
    });
    return after(parts, all => all.flat());
  }

  /** Metres to ground that none of some polygons holds; null where there is none within the reach. */
  #among(shapes: readonly NearShape[], reach: number): number | null {
    const [only] = shapes;
    if (!only) return null;
    if (shapes.length === 1) {
      const metres = boundaryDistance(only.geometry, this.#lng, this.#lat, reach);
      return metres === Infinity ? null : metres;
    }
    // An edge between two coverages is none of both together. Looking at each one that both have takes 1.19 times as long in an
    // ingest of 12,288 parcels beside a border, and 1.00 to 1.22 times (four runs, 1.19 twice) for batches all over a county.
    const outer = shapes.map(shape => {
      const beside = shapes.filter(other => other !== shape);
      const without = beside.flatMap(other => sharedEdges(shape.geometry, other.geometry) ?? []);
      return { ...shape, without };
    });
    const walk = new EdgeWalk(outer, this.#lng, this.#lat, reach);
    for (let place = 0; ; place++) {
      const ground = walk.at(place);
      if (!ground) return null;
      if (!ground.holding.length) return ground.metres;
    }
  }
}

/** The edge of a layer's coverage about the request's point; null where what answers there covers everywhere. */
function edgeOf(ctx: Context, source: SourceRef, { version, covering }: LayerAt): MaybePromise<CoverageEdge | null> {
  const coverage = Coverage.of(version);
  if (!covering.some(p => p.coverage !== 'everywhere')) return null;
  // Layers of a place share their coverage, and its edge.
  return ctx.memo(`coverage edge ${coverage.files ?? nameOf(source)}`, () => new CoverageEdge(ctx, coverage));
}

function unread(error: unknown): readonly Shape[] {
  if (error instanceof Interrupted) throw error;
  return [];
}

/**
 * Metres from the request's point to the edge of a layer's coverage, beyond which nothing is known of it; Infinity where it
 * is no nearer than `limit`, which is asked for only where there may be an edge, and where the layer covers everywhere.
 */
export function coverageEdge(ctx: Context, source: SourceRef, at: LayerAt, limit: () => number): MaybePromise<number> {
  const { lng, lat } = ctx.point;
  const reach = reachAbout(at.covering, [lng, lat, lng, lat]);
  if (reach !== null) return reach < limit() ? reach : Infinity;
  return after(edgeOf(ctx, source, at), edge => edge?.within(limit()) ?? Infinity);
}

/**
 * Metres at least as far as which all is held about a lng,lat box, also beyond the coverage; null where partitions do not say so.
 */
export function reachAbout(covering: readonly Partition[], [west, south, east, north]: Box): number | null {
  if (covering.length === 0) return null;
  let metres = 0;
  for (const { reach } of covering) {
    if (!reach) return null;
    const corners = [south, north].flatMap(lat => [west, east].map(lng => boxDepth(reach, lng, lat)));
    metres = Math.max(metres, Math.min(...corners));
  }
  return metres;
}

/** Metres in words: from a kilometer on in kilometers. */
const distance = (metres: number) => (metres < 1000 ? `${metres} m` : `${metres / 1000} km`);

/**
 * What was counted or measured within some metres, where the coverage may end before that: what lies beyond the edge is not in
 * it, so confidence is low and a note says so.
 */
export function withinEdge(
  ctx: Context,
  source: SourceRef,
  at: LayerAt,
  metres: number,
  finding: Finding,
): MaybePromise<Finding> {
  if (finding.status !== 'ok') return finding;
  return after(
    coverageEdge(ctx, source, at, () => metres),
    edge => {
      if (edge === Infinity) return finding;
      const ends = `the coverage of ${layerWords(source)} ends nearer than ${distance(metres)}, and nothing beyond it is counted`;
      return { ...finding, confidence: 'low', notes: [ends, ...finding.notes] };
    },
  );
}

/**
 * What was found of the nearest feature, where the coverage may end before it: beyond that edge a nearer one may lie. The
 * note has no number, so that parcels share it.
 * @param metres to the feature found, or how far was searched where none was found.
 * @param is what the answer is then, such as an upper bound; null where it is none: absent.
 */
export function upToEdge(
  ctx: Context,
  source: SourceRef,
  { at }: Search,
  metres: () => number,
  finding: Finding,
  is: string | null,
): MaybePromise<Finding> {
  return after(coverageEdge(ctx, source, at, metres), edge => {
    if (edge === Infinity) return finding;
    const { notes, status } = finding;
    const ends = `the coverage of ${layerWords(source)} ends nearer than`;
    if (status === 'ok' && is === null) {
      const unsaid = [`${ends} what was found, so another may be the nearest`, ...notes];
      return { ...finding, status: 'absent', value: null, confidence: 'low', notes: unsaid };
    }
    if (status === 'ok')
      return { ...finding, confidence: 'low', notes: [`${ends} what was found, so ${is}`, ...notes] };
    const none = `${ends} that, and beyond it nothing is known`;
    return { ...finding, confidence: 'low', notes: [...notes.slice(0, 1), none, ...notes.slice(1)] };
  });
}
