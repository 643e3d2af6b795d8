import type { Partition } from '../../../datasets/release.ts';
import { Fault } from '../../release/fault.ts';
import type { Layers } from '../../release/layers.ts';
import type { Release } from '../../release/open-release.ts';
import { partOf, partsOf, wholeOf } from '../../release/part.ts';
import { requireUnchanged, verify } from '../../release/verified-file.ts';
import { AddressIndex } from './address-index.ts';
import { AddressIndexBuilder } from './address-index-builder.ts';
import { ADDRESS_SOURCES, type AddressSource } from './address-row.ts';

/** A partition of a layer that holds addresses. */
export interface AddressPartition {
  readonly source: AddressSource;
  /** Of parcels: a part, which has an index of its own. */
  readonly partition: Partition;
  /** Two letters; null for a file of the whole country. */
  readonly state: string | null;
  /** Five digits, where the partition is a county's. */
  readonly county: string | null;
}

/** Features of a partition without an index file that are read through for one: about ten seconds' work. */
const READABLE = 400_000;

/** The state and county that the key of a partition names: `US`, `ME` or `ME/23019`. */
export function whereOf(key: string): { readonly state: string | null; readonly county: string | null } {
  const [state, below] = key.split('/');
  return { state: state === 'US' ? null : state!, county: /^\d{5}$/.test(below ?? '') ? below! : null };
}

/** The stored index of a partition. @throws Fault or DamagedFile when its file is missing or damaged. */
export function openIndex(layers: Layers, partition: Partition): AddressIndex | Promise<AddressIndex> {
  return layers.open(layers.file(partition, 'addresses'), path => {
    const value = AddressIndex.open(path);
    return { value, bytes: value.bytes };
  });
}

const ofRelease = new WeakMap<Release, AddressPartition[]>();

/** Every partition of a release that holds addresses. */
export function addressPartitions({ release }: Layers): readonly AddressPartition[] {
  let partitions = ofRelease.get(release);
  if (!partitions) {
    partitions = ADDRESS_SOURCES.flatMap(source =>
      (release.layer(source.dataset, source.layer)?.partitions ?? []).flatMap(partsOf).map(partition => ({
        source,
        partition,
        ...whereOf(partition.key),
      })),
    );
    ofRelease.set(release, partitions);
  }
  return partitions;
}

/** Builds the index of a release from before indexes were made at ingest. */
async function built(
  layers: Layers,
  { source, partition, state, county }: AddressPartition,
  check: () => void,
): Promise<AddressIndex> {
  const { file } = await layers.features(partition);
  if (file.count > READABLE)
    throw new Fault(
      `partition ${partition.key} of ${partition.place} has no address index; ingest it again to make one`,
    );
  const builder = new AddressIndexBuilder({ state, county });
  for (let i = 0; i < file.count; i++) {
    if (i % 1024 === 0) check();
    const properties = file.properties(i);
    if (partOf(wholeOf(partition), properties) !== partition) continue;
    const { points, segments } = source.rows(properties, file.geometry(i));
    for (const point of points) builder.add(point);
    for (const segment of segments) builder.addSegment(segment);
  }
  return AddressIndex.of(builder.finish());
}

/**
 * The address index of a partition: its file, or one made from its features where the release has none, kept in the cache.
 * @throws Fault or DamagedFile when its files are missing or damaged; whatever `check` throws.
 */
export async function addressIndex(layers: Layers, part: AddressPartition, check: () => void): Promise<AddressIndex> {
  const stored = part.partition.files.some(file => file.role === 'addresses');
  if (stored) return openIndex(layers, part.partition);
  const features = layers.file(part.partition, 'features');
  const at = await verify(layers.release, features);
  const number = partsOf(wholeOf(part.partition)).indexOf(part.partition);
  const key = `addresses of ${at.id} ${number}`;
  const cached = layers.cache.get(key) as AddressIndex | undefined;
  if (cached) return cached;
  const index = await built(layers, part, check);
  requireUnchanged(features, at);
  layers.cache.set(key, index, index.bytes);
  return index;
}
