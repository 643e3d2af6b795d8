import type { Condition } from '../../../datasets/grammar/condition.ts';
import type { SourceRef } from '../../../datasets/grammar/expression.ts';
import type { Partition } from '../../../datasets/release.ts';
import { Coverage, type LayerAt } from '../../release/coverage.ts';
import { Interrupted } from '../../release/fault.ts';
import type { MaybePromise } from '../../release/maybe-promise.ts';
import { type Batch, type Context, layerAt } from '../context.ts';
import { type Finding, failed, orFailed } from '../finding.ts';
import { holdsBox } from './near-polygons.ts';
import { type Search, searchAt } from './vector-search.ts';

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
  const { contexts } = batch;
  for (let i = 0; i < contexts.length; i++) {
    const ctx = contexts[i]!;
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

/**
 * Answers every point of a batch, one after another. A fault of one point is its own failed finding.
 * @throws Interrupted, and what Batch.check throws.
 */
export async function pointByPoint(
  batch: Batch,
  answer: (ctx: Context, place: number) => MaybePromise<Finding>,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [place, ctx] of batch.contexts.entries()) {
    batch.check();
    const finding = orFailed(() => answer(ctx, place));
    findings.push(finding instanceof Promise ? await finding : finding);
  }
  return findings;
}

/** What the release says about a layer at every point, the same object for the same coverage; or why nothing can be said. */
export function coverageOf(batch: Batch, source: SourceRef): Promise<readonly (LayerAt | Finding)[]> {
  return batch.memo(`at ${source.dataset}:${source.layer}`, async () => {
    const together = await coveredOf(batch, source);
    if (together) return together;
    const out: (LayerAt | Finding)[] = [];
    for (const ctx of batch.contexts) {
      try {
        out.push(await layerAt(ctx, source));
      } catch (error) {
        out.push(failed(error));
      }
    }
    return out;
  });
}

/** The coverage of all points, each file about them asked once a batch; null where points have to be asked one by one. */
async function coveredOf(batch: Batch, source: SourceRef): Promise<readonly LayerAt[] | null> {
  const { contexts, layers } = batch;
  // Beyond the ground of a pack each point is told so by itself.
  if (contexts.some(({ point }) => layers.isBeyond(point))) return null;
  const places: { partition: Partition; covers: Covers }[] = [];
  try {
    const coverage = Coverage.of(layers.version(source.dataset, source.layer));
    for (const partition of layers.coveringAbout(coverage, batch.box)) {
      const covers = await coversOf(batch, partition);
      if (covers === null) return null;
      places.push({ partition, covers });
    }
    const byCovers = new Map<string, LayerAt>();
    let [last, lastAt]: [string, LayerAt | null] = ['', null];
    return contexts.map((_, i) => {
      let key = '';
      for (const { covers } of places) key += (typeof covers === 'boolean' ? covers : covers[i]) ? '1' : '0';
      if (lastAt && key === last) return lastAt;
      let at = byCovers.get(key);
      if (!at) {
        at = coverage.at(places.filter((_, j) => key[j] === '1').map(({ partition }) => partition));
        byCovers.set(key, at);
      }
      [last, lastAt] = [key, at];
      return at;
    });
  } catch (error) {
    if (error instanceof Interrupted) throw error;
    // Which points a damaged coverage concerns is found out one by one.
    return null;
  }
}

/** Whether a coverage holds all points of a batch or none; else 1 for those that it holds. */
type Covers = boolean | Uint8Array;

/** Null where a raster decides. @throws Fault or DamagedFile when the coverage cannot be read. */
async function coversOf(batch: Batch, partition: Partition): Promise<Covers | null> {
  const { layers, box, contexts } = batch;
  if (partition.coverage === 'extent') {
    if (partition.files.some(f => f.role === 'raster')) return null;
    const extent = partition.box;
    if (!extent) return false;
    const [west, south, east, north] = extent;
    if (west > box[2] || east < box[0] || south > box[3] || north < box[1]) return false;
    if (west <= box[0] && south <= box[1] && east >= box[2] && north >= box[3]) return true;
    return Uint8Array.from(contexts, ({ point: { lng, lat } }) =>
      lng >= west && lng <= east && lat >= south && lat <= north ? 1 : 0,
    );
  }
  const { sha256 } = layers.file(partition, 'coverage');
  // Layers of a place share one coverage; each request looks at its file once.
  const features = await layers.features(partition, 'coverage');
  return batch.memo(`covers ${sha256}`, async () => {
    // The meridians 180 and -180 are one, which a box does not show.
    if (box[0] > -180 && box[2] < 180) {
      let [all, some] = [false, false];
      features.file.search(box, index => {
        const held = holdsBox(features.feature(index).geometry, box);
        all ||= held === true;
        some ||= held === null;
        return !all;
      });
      if (all || !some) return all;
    }
    const one = Uint8Array.from(contexts, ({ point: { lng, lat } }) => (features.containing(lng, lat).length ? 1 : 0));
    return one.every(Boolean) ? true : one;
  });
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
