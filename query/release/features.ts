import type { Value } from '../../datasets/dataset.ts';
import type { Geometry } from '../../datasets/geometry.ts';
import { FilteredTree } from '../format/filtered-tree.ts';
import type { FeatureFile } from '../format/flatgeobuf.ts';
import { geodesicArea } from '../geometry/area/geodesic-area.ts';
import { contains } from '../geometry/point-in-polygon.ts';
import type { Cache } from './cache.ts';

/** A decoded feature, lng,lat WGS84. Kept whole, because the kernel's own indexes hang on the geometry object. */
export class Feature {
  readonly geometry: Geometry;
  readonly properties: Readonly<Record<string, Value>>;
  #area: number | null = null;
  constructor(geometry: Geometry, properties: Readonly<Record<string, Value>>) {
    this.geometry = geometry;
    this.properties = properties;
  }
  /** Geodesic square metres. */
  get area(): number {
    this.#area ??= geodesicArea(this.geometry);
    return this.#area;
  }
}

/** Features of a file that may be read through at once: about half a second's work. */
const INDEXABLE = 200_000;

/** Bytes of a record from which its boundary is long: a thousand vertices. */
const LONG = 1 << 14;

/** Features that a file remembers without the cache. */
const RECENT = 20_000;

/** An opened FlatGeobuf of a release. */
export class Features {
  readonly file: FeatureFile;
  /** What caches know its bytes by. */
  readonly id: string;
  readonly #cache: Cache;
  /** Asked for lately: found without the cache's long keys, and not kept alive beyond the turn of the event loop. */
  readonly #recent = new Map<number, WeakRef<Feature>>();
  constructor(file: FeatureFile, id: string, cache: Cache) {
    this.file = file;
    this.id = id;
    this.#cache = cache;
  }

  /** @throws DamagedFile when the feature cannot be decoded. */
  feature(index: number): Feature {
    const recent = this.#recent.get(index)?.deref();
    if (recent) return recent;
    const key = `${this.id}:${index}`;
    const cached = this.#cache.get(key) as Feature | undefined;
    if (cached) {
      this.#remember(index, cached);
      return cached;
    }
    const { geometry, properties } = this.file.feature(index);
    const feature = new Feature(geometry, properties);
    // A property takes about 40 bytes.
    this.#cache.set(key, feature, weightOf(geometry) + this.file.columns.length * 40);
    this.#remember(index, feature);
    return feature;
  }

  /**
   * As FeatureFile.boundary. A long one is kept: it is one of streets or of water, which many areas lie about, and to
   * decode it takes longer than to judge it.
   */
  boundary(index: number): Geometry {
    if (this.file.bytesOf(index) < LONG) return this.file.boundary(index);
    const key = `${this.id}:${index} boundary`;
    const cached = this.#cache.get(key) as Geometry | undefined;
    if (cached) return cached;
    const geometry = this.file.geometry(index);
    this.#cache.set(key, geometry, weightOf(geometry));
    return geometry;
  }

  #remember(index: number, feature: Feature): void {
    if (this.#recent.size >= RECENT) this.#recent.clear();
    this.#recent.set(index, new WeakRef(feature));
  }

  /** The features that meet a condition, where it was worth indexing them; null while it was not. */
  filtered(condition: string): FilteredTree | null {
    return (this.#cache.get(`${this.id} where ${condition}`) as FilteredTree | undefined) ?? null;
  }

  /**
   * Indexes the features that meet a condition, unless the file is too large to be read through in a request.
   * @param condition what `filtered` finds the index by.
   * @throws DamagedFile when a feature cannot be decoded; whatever `check` throws.
   */
  index(condition: string, test: (properties: Readonly<Record<string, Value>>) => boolean, check: () => void): void {
    const { count } = this.file;
    if (count > INDEXABLE) return;
    const passing: number[] = [];
    for (let i = 0; i < count; i++) {
      if (i % 1024 === 0) check();
      if (test(this.file.properties(i))) passing.push(i);
    }
    const tree = new FilteredTree(this.file.index, Uint32Array.from(passing));
    this.#cache.set(`${this.id} where ${condition}`, tree, tree.bytes);
  }

  /** Features of polygons that contain a point; on a boundary counts. The meridians 180 and -180 are one. */
  containing(lng: number, lat: number): Feature[] {
    const hits: Feature[] = [];
    const visit = (index: number) => {
      const feature = this.feature(index);
      if (!hits.includes(feature) && contains(feature.geometry, lng, lat)) hits.push(feature);
    };
    this.file.search([lng, lat, lng, lat], visit);
    if (Math.abs(lng) === 180) this.file.search([-lng, lat, -lng, lat], visit);
    return hits;
  }
}

/** Bytes of a geometry with its chains. */
const weightOf = ({ xy }: Geometry): number => 300 + xy.byteLength * 1.6;

/** The memory that an open file takes: mostly its index. */
export const bytesOf = ({ count }: FeatureFile): number => 2000 + count * 56;
