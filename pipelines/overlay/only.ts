import { ENRICH_ONLY, type EnrichOnlyName } from '../../datasets/enrich/enrich-only.ts';
import { calculateOnly, ONLY } from '../../query/enrich/only.ts';
import type { BatchPoint } from '../../query/evaluate/batch-evaluate.ts';
import type { Batch } from '../../query/evaluate/context.ts';
import { type Finding, failed } from '../../query/evaluate/finding.ts';
import { seedCoverage } from '../../query/evaluate/vector/batch-search.ts';
import { type BoundParcel, bindParcel } from '../../query/parcel/bound-parcel.ts';
import type { StoredType } from '../../query/parcel/record-page.ts';

/** Returns the stored type of a calculation of enrichment alone; lists and objects are stored as JSON text. */
export const onlyType = (name: EnrichOnlyName): StoredType =>
  ENRICH_ONLY[name].type === 'number' ? 'number' : 'string';

/**
 * Computes a calculation of enrichment alone for the parcels of a batch, and returns the findings to store.
 * @param points of the batch, each with its parcel.
 * @throws Interrupted, and the errors of Batch.check.
 */
export async function onlyFindings(
  batch: Batch,
  names: readonly EnrichOnlyName[],
  points: readonly BatchPoint[],
): Promise<Map<string, Finding[]>> {
  const out = new Map<string, Finding[]>(names.map(name => [name, []]));
  if (!names.length) return out;
  for (const id of new Set(names.flatMap(name => [...ONLY[name].layers, ...ONLY[name].optional]))) {
    const [dataset, layer] = id.split(':') as [string, string];
    if (batch.layers.release.layer(dataset, layer)) await seedCoverage(batch, { dataset, layer, where: null });
  }
  for (const [i, { parcel }] of points.entries()) {
    batch.check();
    let bound: BoundParcel | null = null;
    let broken: Finding | null = null;
    try {
      const { partition, ord } = parcel!;
      bound = await bindParcel(batch.layers, { partition: partition.key, ord });
    } catch (error) {
      broken = failed(error);
    }
    for (const name of names) {
      if (!bound) {
        out.get(name)!.push(broken!);
        continue;
      }
      const { value, ...rest } = await calculateOnly(batch.contexts[i]!, name, bound);
      const scalar = value === null || typeof value !== 'object';
      out.get(name)!.push({ ...rest, value: scalar ? value : JSON.stringify(value) });
    }
  }
  return out;
}
