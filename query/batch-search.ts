import type { Condition } from '../datasets/condition.ts';
import type { SourceRef } from '../datasets/expression.ts';
import { boxOf } from '../datasets/geometry.ts';
import type { Partition } from '../datasets/release.ts';
import type { Batch } from './batch.ts';
import { type Context, layerAt } from './context.ts';
import { meets } from './crossing.ts';
import { type Finding, failed } from './finding.ts';
import type { LayerAt } from './layer.ts';
import { contains } from './polygon.ts';
import { type Search, searchAt } from './vector.ts';

/** Points between two looks at the deadline. */
const STRIDE = 64;

/**
 * Answers every point of a batch by its search, made once for all points that the same partitions cover; where the
 * whole batch lies in one place, that is decided once. A fault of one point is its own failed finding.
 * @param more as searchOf's.
 * @param answer gets the point's place in the batch as well.
 * @throws Interrupted, and what Batch.check throws.
 */
export async function searchesOf(
  batch: Batch,
  source: SourceRef,
  where: Condition | null,
  more: readonly string[],
  answer: (ctx: Context, search: Search, at: number) => Finding | Promise<Finding>,
): Promise<readonly Finding[]> {
  const ats = await coverageOf(batch, source);
  const searches = new Map<LayerAt, Search | { readonly fault: Finding }>();
  const findings: Finding[] = [];
  for (const [i, ctx] of batch.contexts.entries()) {
    if (i % STRIDE === 0) batch.check();
    const at = ats[i]!;
    if ('status' in at) {
      findings.push(at);
      continue;
    }
    let search = searches.get(at);
    if (!search) {
      try {
        search = searchAt(at, source, where, more);
      } catch (error) {
        search = { fault: failed(error) };
      }
      searches.set(at, search);
    }
    if ('fault' in search) {
      findings.push(search.fault);
      continue;
    }
    try {
      const finding = answer(ctx, search, i);
      findings.push('then' in finding ? await finding : finding);
    } catch (error) {
      findings.push(failed(error));
    }
  }
  return findings;
}

/** What the release says about a layer at every point, the same object for the same coverage; or why nothing can be said. */
export function coverageOf(batch: Batch, source: SourceRef): Promise<readonly (LayerAt | Finding)[]> {
  return batch.memo(`at ${source.dataset}:${source.layer}`, async () => {
    const everywhere = await onceOf(batch, source);
    if (everywhere) return batch.contexts.map(() => everywhere);
    const known = new Map<string, LayerAt>();
    const out: (LayerAt | Finding)[] = [];
    for (const ctx of batch.contexts) {
      try {
        const at = await layerAt(ctx, source);
        const key = at.covering.map(p => `${p.place} ${p.key}`).join('\n');
        const same = known.get(key);
        if (!same) known.set(key, at);
        out.push(same ?? at);
      } catch (error) {
        out.push(failed(error));
      }
    }
    return out;
  });
}

/** The coverage of every point of the batch, where its box shows that it is one and the same; else null. */
async function onceOf(batch: Batch, source: SourceRef): Promise<LayerAt | null> {
  const [first] = batch.contexts;
  if (!first) return null;
  const { layers, box } = batch;
  try {
    for (const partition of layers.version(source.dataset, source.layer).partitions)
      if (!(await uniform(batch, partition))) return null;
    const [west, , east] = box;
    // The meridians 180 and -180 are one, which a box does not show.
    if (west <= -180 || east >= 180) return null;
    return await layerAt(first, source);
  } catch {
    // Which points a damaged coverage concerns is found out one by one.
    return null;
  }
}

/** Whether a partition's coverage holds all of the batch's box or nothing of it. */
async function uniform({ layers, box }: Batch, partition: Partition): Promise<boolean> {
  if (partition.coverage === 'everywhere') return true;
  if (partition.coverage === 'extent') {
    const extent = partition.box;
    if (partition.files.some(f => f.role === 'raster')) return false;
    if (!extent) return true;
    const apart = extent[0] > box[2] || extent[2] < box[0] || extent[1] > box[3] || extent[3] < box[1];
    return apart || (extent[0] <= box[0] && extent[1] <= box[1] && extent[2] >= box[2] && extent[3] >= box[3]);
  }
  const features = await layers.features(partition, 'coverage');
  let same = true;
  features.file.search(box, index => {
    const { geometry } = features.feature(index);
    if (meets(geometry, box)) {
      same = false;
      return false;
    }
    return true;
  });
  return same;
}

/** Whether a polygon holds all of a box (true), nothing of it (false), or its boundary passes through it (null). */
export function holdsBox(geometry: Parameters<typeof meets>[0], box: Batch['box']): boolean | null {
  const [minX, minY, maxX, maxY] = boxOf(geometry);
  if (minX > box[2] || maxX < box[0] || minY > box[3] || maxY < box[1]) return false;
  return meets(geometry, box) ? null : contains(geometry, box[0], box[1]);
}

/** Tells every point of a batch its coverage by a layer, so that its own searches do not ask again. */
export async function seedCoverage(batch: Batch, source: SourceRef): Promise<void> {
  const ats = await coverageOf(batch, source);
  const key = `at ${source.dataset}:${source.layer}`;
  batch.tell(
    key,
    ats.map(at => ('status' in at ? undefined : at)),
  );
}
