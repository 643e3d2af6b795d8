import { PARCEL_OVERLAYS } from '../../datasets/parcel/parcel-overlays.ts';
import type { Partition } from '../../datasets/release.ts';
import type { BatchPoint } from '../../query/evaluate/batch-evaluate.ts';
import type { Finding } from '../../query/evaluate/finding.ts';
import { isPublished, StoredAttributes } from '../../query/parcel/stored-attribute.ts';
import type { Layers } from '../../query/release/layers.ts';
import { partOf, partsOf } from '../../query/release/part.ts';

/** Returns the attributes that are computed for a county's parcels although some of its sources publish them. */
export const publishedByOthers = (layers: Layers, parcels: Partition, names: readonly string[]): string[] =>
  names.filter(
    name => Object.hasOwn(PARCEL_OVERLAYS, name) && partsOf(parcels).some(part => isPublished(layers, part, name)),
  );

/**
 * Replaces computed findings of an attribute by the published value, for parcels whose source publishes it.
 * @param findings one for each point.
 * @throws Fault or DamagedFile when the parcels cannot be read.
 */
export async function tellPublished(
  layers: Layers,
  name: string,
  points: readonly BatchPoint[],
  findings: Finding[],
): Promise<void> {
  for (const [i, { parcel }] of points.entries()) {
    const feature = (await layers.features(parcel!.partition)).feature(parcel!.ord);
    const partition = partOf(parcel!.partition, feature.properties);
    if (!isPublished(layers, partition, name)) continue;
    const attributes = new StoredAttributes(layers, { partition, feature, match: { type: 'contains' } });
    const value = attributes.value(name);
    findings[i] = { ...attributes.shared(name, value), value };
  }
}
