import type { Condition } from '../datasets/condition.ts';
import type { Confidence } from '../datasets/dataset.ts';
import type { SourceRef } from '../datasets/expression.ts';
import type { Batch } from './batch.ts';
import { NearestOfBatch } from './batch-nearest.ts';
import type { Feature } from './features.ts';
import { PointGroup } from './point-group.ts';
import { boundaryDistance } from './proximity.ts';
import type { Search } from './vector.ts';

/** What boundaryDistance may be off, as a share of the distance and in metres, twice as much. */
const [SHARE, METRES] = [2e-6, 0.2];
/** What is known of a point and a polygon. */
const [NEAR, FAR] = [1, 2];

/** The confidence of edge_m at the points of a batch, found once for all fields of the layer and distance. */
export class BatchEdge {
  readonly #batch: Batch;
  readonly #group: PointGroup;
  readonly #metres: number;
  /** By polygon: the confidence of all points, or what is known of each. */
  readonly #known = new Map<Feature, Confidence | Uint8Array>();
  #last: Feature | null = null;
  #ofLast: Confidence | Uint8Array = 'medium';

  private constructor(batch: Batch, group: PointGroup, metres: number) {
    this.#batch = batch;
    this.#group = group;
    this.#metres = metres;
  }

  /** One for all fields of the batch with the same rule. @param metres of the rule. */
  static async of(batch: Batch, metres: number): Promise<BatchEdge> {
    const group = await PointGroup.of(batch);
    return batch.memo(`edge ${metres}`, async () => new BatchEdge(batch, group, metres));
  }

  /** High where the boundary of a polygon is farther from the point at a place than the rule asks, else medium. */
  of(place: number, feature: Feature): Confidence {
    const known = feature === this.#last ? this.#ofLast : this.#about(feature);
    if (typeof known === 'string') return known;
    if (!known[place]) {
      const { lng, lat } = this.#batch.contexts[place]!.point;
      known[place] = boundaryDistance(feature.geometry, lng, lat, this.#metres) > this.#metres ? FAR : NEAR;
    }
    return known[place] === FAR ? 'high' : 'medium';
  }

  /** By the triangle inequality the boundary may be far from all points, or near to all. */
  #about(feature: Feature): Confidence | Uint8Array {
    let known = this.#known.get(feature);
    if (known === undefined) {
      const { lng, lat, spread } = this.#group;
      const reach = (this.#metres + spread) * (1 + SHARE) + METRES;
      const metres = boundaryDistance(feature.geometry, lng, lat, reach);
      if (metres > reach) known = 'high';
      else if ((metres + spread) * (1 + SHARE) + METRES < this.#metres) known = 'medium';
      else known = new Uint8Array(this.#batch.contexts.length);
      this.#known.set(feature, known);
    }
    this.#last = feature;
    this.#ofLast = known;
    return known;
  }
}

/**
 * The confidence of edge_m where no polygon contains a point: high where none lies within the distance, medium else and
 * outside the coverage.
 * @param metres of the rule.
 */
export async function outsideEdges(
  batch: Batch,
  source: SourceRef,
  where: Condition | null,
  metres: number,
): Promise<(place: number, search: Search) => Confidence | Promise<Confidence>> {
  const near = await NearestOfBatch.of(batch, source, where, metres);
  return (place, search) => {
    if (search.absent) return 'medium';
    const hit = near.at(place, search);
    if (hit && 'then' in hit) return hit.then(one => (one ? 'medium' : 'high'));
    return hit ? 'medium' : 'high';
  };
}
