import type { Box } from '../../datasets/geometry.ts';
import { layerLacking } from '../../datasets/lack-words.ts';
import type { LayerVersion, Partition, ReleaseFile } from '../../datasets/release.ts';
import { FeatureFile } from '../format/flatgeobuf.ts';
import type { Cache } from './cache.ts';
import { correctedRows } from './corrections/corrected-rows.ts';
import { correctionsOf } from './corrections/correction-list.ts';
import { Coverage, type Held, heldOf, type LayerAt, type ListCoverage, type Unread } from './coverage.ts';
import { acrossMeridian, CoverageBoxes } from './coverage-boxes.ts';
import { Fault } from './fault.ts';
import { bytesOf, Features } from './features.ts';
import { rasterReach } from './lists/outline.ts';
import { after, inTurn, type MaybePromise } from './maybe-promise.ts';
import { OpenFile, openKey } from './open-file.ts';
import type { Release } from './open-release.ts';
import { verifyOwned } from './owned-file.ts';
import { openRaster, type Raster } from './raster.ts';
import { listsOf, requireUnchanged, soundFile, type Verified } from './verified-file.ts';
import { withheldList } from './withheld/withheld-list.ts';
import { withholdOwners } from './withheld/withheld-rows.ts';

/** Opens the files of one release on demand and says which partitions matter at a point. */
export class Layers {
  readonly release: Release;
  readonly cache: Cache;
  /** What this request opened: it need not be verified again as long as it is open. */
  readonly #held = new Map<ReleaseFile, OpenFile<object>>();
  readonly #opening = new Map<ReleaseFile, Promise<object>>();
  /** Features among it by their partition: fields ask for them again and again. */
  readonly #ofPartition = new Map<Partition, OpenFile<Features>>();
  /** What caches know the bytes of files by that this request asked for, by checksum. */
  readonly #ids = new Map<string, string>();
  /** Which coverage files of a list hold the point asked for last: most layers of a release share them. */
  readonly #covering = new Map<string, { readonly lng: number; readonly lat: number; readonly held: Held }>();
  /** The same of each alone. */
  readonly #verdicts = new Map<string, { readonly lng: number; readonly lat: number; readonly covers: boolean }>();
  readonly #coverageBoxes: CoverageBoxes;

  constructor(release: Release, cache: Cache) {
    this.release = release;
    this.cache = cache;
    this.#coverageBoxes = CoverageBoxes.of(release);
  }

  /**
   * The partitions of a layer at a lng,lat. Where a place with a coverage of its own (polygons, or a raster's extent)
   * holds the point, only such partitions count, all of them, so that the nearest is found across partition edges;
   * elsewhere those that cover everywhere do.
   * Lists of the layer that do not reach the point are not read. Beyond the ground of a pack nothing counts.
   * @throws Fault when the release does not hold the layer, or a list or coverage file that matters is unreadable.
   */
  at(dataset: string, layer: string, lng: number, lat: number): MaybePromise<LayerAt> {
    const coverage = Coverage.of(this.version(dataset, layer));
    if (this.isBeyond({ lng, lat })) return coverage.nowhere();
    const point = acrossMeridian([lng, lat, lng, lat]);
    const lists = coverage.about(point);
    return after(
      inTurn(lists, list => this.#heldBy(list, lng, lat, point)),
      each => coverage.where(lists, each),
    );
  }

  #heldBy(list: ListCoverage, lng: number, lat: number, point: readonly Box[]): MaybePromise<Held> {
    const { bounded, files } = list;
    const cached = files === null ? undefined : this.#covering.get(files);
    if (cached?.lng === lng && cached.lat === lat) return cached.held;
    const near = this.#coverageBoxes.about(list, point);
    return after(
      inTurn(near, place => this.#holds(bounded[place]!, lng, lat)),
      each => {
        const held = heldOf(near, each);
        if (files !== null) this.#covering.set(files, { lng, lat, held });
        return held;
      },
    );
  }

  /**
   * Partitions (of parcels: parts) with a coverage of their own that may hold ground of some lng,lat boxes, in order: those
   * whose coverage has a box elsewhere are left out, unopened.
   * @throws Fault when a list about the boxes cannot be read.
   */
  coveringAbout(coverage: Coverage, ...boxes: readonly Box[]): readonly Partition[] {
    const both = boxes.flatMap(acrossMeridian);
    return coverage
      .about(both)
      .flatMap(list => this.#coverageBoxes.about(list, both).map(place => list.bounded[place]!));
  }

  /** Whether a place lies beyond the ground that a pack was made for: nothing is answered there. */
  isBeyond({ lng, lat }: { readonly lng: number; readonly lat: number }): boolean {
    return this.release.pack?.holds(lng, lat) === false;
  }

  /** @throws Fault when the release does not hold the layer. */
  version(dataset: string, layer: string): LayerVersion {
    const version = this.release.layer(dataset, layer);
    if (version) return version;
    throw new Fault(layerLacking(dataset, layer));
  }

  /** The partition's features. @throws Fault or DamagedFile when its file is missing or damaged. */
  features(partition: Partition, role: 'features' | 'coverage' = 'features'): MaybePromise<Features> {
    const cached = role === 'features' ? this.#ofPartition.get(partition) : undefined;
    if (cached?.isOpen) return cached.value;
    const of = this.file(partition, role);
    const opening = this.#openFeatures(of, partition);
    if (role === 'features' && !(opening instanceof Promise))
      this.#ofPartition.set(partition, this.#held.get(of) as OpenFile<Features>);
    return opening;
  }

  /**
   * Rows that stand beside a partition: those of its place that were `rejected`, with the ground that they may concern, or those
   * that are `ground` and no parcels; none nearly everywhere.
   * @throws Fault or DamagedFile when a file of them is missing or damaged.
   */
  beside(partition: Partition, role: 'rejected' | 'ground'): MaybePromise<readonly Features[]> {
    return inTurn(
      partition.files.filter(f => f.role === role),
      file => this.#openFeatures(file, partition),
    );
  }

  #openFeatures(of: ReleaseFile, { key }: Partition): Features | Promise<Features> {
    return this.open(of, (path, id) => {
      const file = new FeatureFile(path);
      file.lists = listsOf(this.release);
      withholdOwners(file, key, withheldList(this.release.home));
      file.corrected = correctedRows(file, correctionsOf(this.release));
      return { value: new Features(file, id, this.cache), bytes: bytesOf(file) };
    });
  }

  /**
   * The partition's features where they are open already and the file is known to be sound, without reading it; null
   * otherwise.
   */
  featuresIfOpen(partition: Partition): Features | null {
    const file = this.file(partition, 'features');
    const at = soundFile(this.release, file);
    const cached = at ? (this.cache.get(openKey(file)) as OpenFile<Features> | undefined) : undefined;
    return cached?.stamp === at?.stamp ? (cached?.value ?? null) : null;
  }

  /** The features of several partitions, opened one after the other. @throws Fault or DamagedFile as `features` does. */
  allFeatures(partitions: readonly Partition[]): MaybePromise<readonly Features[]> {
    return inTurn(partitions, partition => this.features(partition));
  }

  /** The partition's raster. @throws Fault when its file is missing or damaged. */
  raster(partition: Partition): Raster | Promise<Raster> {
    return this.open(this.file(partition, 'raster'), (path, id) => ({
      value: openRaster(path, id, this.cache),
      bytes: 20_000,
    }));
  }

  /** @throws Fault when the partition has no file of that role. */
  file(partition: Partition, role: ReleaseFile['role']): ReleaseFile {
    const file = partition.files.find(f => f.role === role);
    if (!file) throw new Fault(`partition ${partition.key} of ${partition.place} has no ${role} file`);
    return file;
  }

  /** What a file was verified as. @throws Fault as verify does. */
  verified(file: ReleaseFile): Verified | Promise<Verified> {
    const named = (at: Verified) => {
      this.#ids.set(file.sha256, at.id);
      return at;
    };
    const at = verifyOwned(this.release, file);
    return 'then' in at ? at.then(named) : named(at);
  }

  /** The same of several, one after the other. */
  allVerified(files: readonly ReleaseFile[]): MaybePromise<readonly Verified[]> {
    return inTurn(files, file => this.verified(file));
  }

  /** What caches know the bytes by that this request reads of a file; open it first. */
  idOf(file: ReleaseFile): string {
    return this.#ids.get(file.sha256) ?? file.sha256;
  }

  /**
   * A file of the release, opened and kept as long as the cache holds it.
   * @param open reads it; `bytes` is what it takes in memory.
   * @throws Fault when the file is missing or damaged, and what `open` throws.
   */
  open<T extends object>(
    file: ReleaseFile,
    open: (path: string, id: string) => { value: T; bytes: number } | Promise<{ value: T; bytes: number }>,
  ): T | Promise<T> {
    const held = this.#held.get(file);
    if (held?.isOpen) return held.value as T;
    // Points of a batch ask side by side.
    const opening = this.#opening.get(file) as Promise<T> | undefined;
    if (opening) return opening;
    const value = this.#open(file, open);
    if (!(value instanceof Promise)) return value;
    this.#opening.set(file, value);
    const done = () => this.#opening.delete(file);
    value.then(done, done);
    return value;
  }

  /** As open, of a file that this request has not open. */
  #open<T extends object>(
    file: ReleaseFile,
    open: (path: string, id: string) => { value: T; bytes: number } | Promise<{ value: T; bytes: number }>,
  ): T | Promise<T> {
    const verified = this.verified(file);
    const get = (at: Verified): T | null => {
      const cached = this.cache.get(openKey(file)) as OpenFile<T> | undefined;
      if (cached?.stamp !== at.stamp) return null;
      this.#held.set(file, cached);
      return cached.value;
    };
    const make = async (at: Verified, isFirst = true): Promise<T> => {
      const cached = get(at);
      if (cached) return cached;
      const { value, bytes } = await open(at.path, at.id);
      const openFile = new OpenFile(at.stamp, value);
      try {
        requireUnchanged(file, at);
      } catch (error) {
        openFile.close();
        // It may have been changed before it was opened, since the last look: it is looked at anew.
        if (isFirst) return make(await this.verified(file), false);
        throw error;
      }
      this.cache.set(openKey(file), openFile, bytes);
      this.#held.set(file, openFile);
      return value;
    };
    if ('then' in verified) return verified.then(at => make(at));
    return get(verified) ?? make(verified);
  }

  /** As #covers; a coverage that cannot be read is for the others to outweigh. */
  #holds(partition: Partition, lng: number, lat: number): MaybePromise<boolean | Unread> {
    try {
      const covers = this.#covers(partition, lng, lat);
      return covers instanceof Promise ? covers.catch(error => ({ error })) : covers;
    } catch (error) {
      return { error };
    }
  }

  #covers(partition: Partition, lng: number, lat: number): MaybePromise<boolean> {
    if (partition.coverage === 'extent') {
      if (partition.files.some(f => f.role === 'raster')) {
        if (!mayHold(partition, lng, lat)) return false;
        return after<Raster, boolean>(this.raster(partition), raster => raster.locate(lng, lat) !== null);
      }
      const box = partition.box;
      return box !== null && lng >= box[0] && lng <= box[2] && lat >= box[1] && lat <= box[3];
    }
    const { sha256 } = this.file(partition, 'coverage');
    const cached = this.#verdicts.get(sha256);
    if (cached?.lng === lng && cached.lat === lat) return cached.covers;
    return after<Features, boolean>(this.features(partition, 'coverage'), features => {
      this.#coverageBoxes.learn(sha256, features.file.index.boxes);
      const covers = features.containing(lng, lat).length > 0;
      this.#verdicts.set(sha256, { lng, lat, covers });
      return covers;
    });
  }
}

/** False only where a raster's box, with what is allowed for about it, rules the point out, so that far tiles stay closed. */
export function mayHold({ box }: Partition, lng: number, lat: number): boolean {
  if (!box) return true;
  const [west, south, east, north] = rasterReach(box);
  return lng >= west && lng <= east && lat >= south && lat <= north;
}
