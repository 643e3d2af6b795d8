import type { Partition } from '../../datasets/release.ts';
import type { Context } from '../evaluate/context.ts';
import type { Features } from '../release/features.ts';
import { mailingKey, ownerKey } from './owner-key.ts';

/** FNV-1a over the UTF-16 units of a text, never 0: 0 stands for no text. */
function markOf(text: string | null): number {
  if (text === null) return 0;
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash | 1;
}

/**
 * Digests of owner and mailing address of the parcels of a file, each worked out when its neighbourhood is first asked
 * for: reading thousands of rows for every parcel would cost more than all else. Equal texts have equal digests; what
 * has the same digest is compared by its text.
 */
export class OwnerMarks {
  readonly #features: Features;
  readonly #isRead: Uint8Array;
  readonly #owners: Int32Array;
  readonly #mailings: Int32Array;

  constructor(features: Features) {
    const { count } = features.file;
    this.#features = features;
    this.#isRead = new Uint8Array(count);
    this.#owners = new Int32Array(count);
    this.#mailings = new Int32Array(count);
  }

  /** Whether a parcel's owner or mailing address may be the given one. */
  mayBe(index: number, owner: number, mailing: number): boolean {
    if (!this.#isRead[index]) {
      const properties = this.#features.file.properties(index);
      this.#owners[index] = markOf(ownerKey(properties.owner));
      this.#mailings[index] = markOf(mailingKey(properties));
      this.#isRead[index] = 1;
    }
    return this.#owners[index] === owner || (mailing !== 0 && this.#mailings[index] === mailing);
  }

  static of(text: string | null): number {
    return markOf(text);
  }
}

/** The marks of a partition's parcels, kept as long as the cache holds them. @throws as Layers.features. */
export async function ownerMarks(ctx: Context, partition: Partition): Promise<OwnerMarks> {
  const features = await ctx.layers.features(partition);
  const { cache } = ctx.layers;
  const key = `${ctx.layers.idOf(ctx.layers.file(partition, 'features'))} owner marks`;
  let marks = cache.get(key) as OwnerMarks | undefined;
  if (!marks) {
    marks = new OwnerMarks(features);
    cache.set(key, marks, 200 + features.file.count * 9);
  }
  return marks;
}
