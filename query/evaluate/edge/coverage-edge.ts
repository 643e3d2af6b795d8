import type { SourceRef } from '../../../datasets/grammar/expression.ts';
import { memo } from '../../../datasets/memo.ts';
import { boxesAbout } from '../../geometry/boxes-about.ts';
import { boundaryDistance } from '../../geometry/feature-distance.ts';
import { boxLowerBound, distance } from '../../geometry/geodesic.ts';
import { Coverage, type LayerAt } from '../../release/coverage.ts';
import { Interrupted } from '../../release/fault.ts';
import { after, inTurn, type MaybePromise } from '../../release/maybe-promise.ts';
import { type Batch, type Context, nameOf } from '../context.ts';
import type { Finding } from '../finding.ts';
import { coverageShapes, type Shape } from '../vector/coverage-shapes.ts';
import type { Search } from '../vector/vector-search.ts';
import { EdgeWalk, type NearShape } from './edge-walk.ts';

/** How far the edge is looked for first at most in metres, and how much farther each time it is not found. */
const [FIRST, FARTHER] = [1_000, 8];
/** What two distances to the edge may be off together (EdgeWalk's plane), as a share of them and in metres. */
const [SHARE, METRES] = [1e-2, 0.3];

/** What the point of a batch that looked for the edge last found: it is no nearer than `least` and no farther than `most`. */
interface Seen {
  readonly lng: number;
  readonly lat: number;
  readonly least: number;
  readonly most: number;
}

/** Told from point to point of a batch. */
interface Last {
  seen: Seen | null;
}

/** The edge of what the coverages of a layer hold together, as far as it was looked for. */
class CoverageEdge {
  readonly #ctx: Context;
  readonly #coverage: Coverage;
  readonly #lng: number;
  readonly #lat: number;
  readonly #last: Last | null;
  #metres: number | null = null;
  /** Metres within which no edge is, as far as was looked. */
  #beyond = 0;
  /** Metres that the edge is no nearer and no farther than, by what points before saw of it. */
  #least = 0;
  #most = Infinity;
  #learned: Seen | null = null;

  /** @param last shared by the points of a batch; null for a point alone. */
  constructor(ctx: Context, coverage: Coverage, last: Last | null) {
    [this.#ctx, this.#coverage, this.#last] = [ctx, coverage, last];
    ({ lng: this.#lng, lat: this.#lat } = ctx.point);
  }

  /** Whether the edge is nearer than `limit`. */
  isWithin(limit: number): MaybePromise<boolean> {
    this.#learn();
    if (this.#metres === null && this.#most < limit) return true;
    return after(this.within(limit), metres => metres < limit);
  }

  /** Metres to the edge; Infinity where it is no nearer than `limit`. */
  within(limit: number): MaybePromise<number> {
    if (this.#metres !== null) return this.#metres < limit ? this.#metres : Infinity;
    this.#learn();
    if (this.#beyond >= limit || this.#least >= limit) return Infinity;
    // In a batch the points after want to know more than this one.
    const first = this.#last ? FIRST : Math.min(FIRST, limit);
    const reach = this.#beyond === 0 ? first : this.#beyond * FARTHER;
    return after(this.#partsAbout(reach), parts => {
      const near = parts.filter(({ box }) => boxLowerBound(this.#lng, this.#lat, box) <= reach);
      this.#metres ??= this.#among(
        near.map(({ box, geometry }) => ({ box, geometry: geometry(), near: null })),
        reach,
      );
      this.#beyond = Math.max(this.#beyond, reach);
      this.#tell();
      return this.within(limit);
    });
  }

  /** Takes over what the point that looked last saw (triangle inequality). */
  #learn(): void {
    const seen = this.#last?.seen;
    if (!seen || seen === this.#learned || this.#metres !== null) return;
    this.#learned = seen;
    const apart = distance(this.#lng, this.#lat, seen.lng, seen.lat) + METRES;
    this.#least = Math.max(this.#least, seen.least - apart);
    this.#most = Math.min(this.#most, seen.most + apart);
  }

  #tell(): void {
    if (!this.#last) return;
    const [lng, lat, metres] = [this.#lng, this.#lat, this.#metres];
    const least = (metres ?? this.#beyond) * (1 - SHARE);
    this.#last.seen = { lng, lat, least, most: metres === null ? Infinity : metres * (1 + SHARE) };
    this.#learned = this.#last.seen;
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
    const walk = new EdgeWalk(shapes, this.#lng, this.#lat, reach);
    // An edge between two coverages is none of both together.
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
  return ctx.memo(edgeKey(coverage, source), () => new CoverageEdge(ctx, coverage, null));
}

/** Memo key of the edge of a coverage: layers of a place share their coverage, and its edge. */
const edgeKey = memo((coverage: Coverage, source: SourceRef) => `coverage edge ${coverage.files ?? nameOf(source)}`);

/**
 * Lets the points of a batch know what the point before found of the edge of a layer's coverage. Without that overlays of the fields
 * without raster discs and overlaps take 1.18 times the processor time, nearest features 2.6 times (bench/overlay.ts).
 */
export async function tellEdges(batch: Batch, source: SourceRef): Promise<void> {
  const version = batch.layers.release.layer(source.dataset, source.layer);
  if (!version) return;
  try {
    const coverage = Coverage.of(version);
    const key = edgeKey(coverage, source);
    await batch.memo(key, async () => {
      const last: Last = { seen: null };
      batch.tell(
        key,
        batch.contexts.map(ctx => new CoverageEdge(ctx, coverage, last)),
      );
    });
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    // What cannot be read concerns some points only: which, they find out themselves.
  }
}

function unread(error: unknown): readonly Shape[] {
  if (error instanceof Interrupted) throw error;
  return [];
}

/**
 * Metres from the request's point to the edge of a layer's coverage, beyond which nothing is known of it; Infinity where it
 * is no nearer than `limit`, which is asked for only where there may be an edge, and where the layer covers everywhere.
 */
export const coverageEdge = (ctx: Context, source: SourceRef, at: LayerAt, limit: () => number): MaybePromise<number> =>
  after(edgeOf(ctx, source, at), edge => edge?.within(limit()) ?? Infinity);

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
  const within = after(edgeOf(ctx, source, at), edge => edge?.isWithin(metres()) ?? false);
  return after<boolean, Finding>(within, ending => {
    if (!ending) return finding;
    const { notes, status } = finding;
    const ends = `the coverage of ${nameOf(source)} ends nearer than`;
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
