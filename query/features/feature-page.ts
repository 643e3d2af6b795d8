import { type Box, boxesMeet, boxOf, type Geometry } from '../../datasets/geometry.ts';
import type { Partition } from '../../datasets/release.ts';
import { Budget, CqlError, type Expression, type Relation } from '../cql/expression.ts';
import { necessaryGeometry, type Predicate, predicateOf } from '../cql/predicate.ts';
import { boxShape } from '../cql/shape.ts';
import type { TaskEnvironment } from '../evaluate/environment.ts';
import { type Geos, geosModule } from '../geometry/geos.ts';
import { HeldGeometry, type SpatialRelation } from '../geometry/relation/held-geometry.ts';
import { Interrupted } from '../release/fault.ts';
import type { Features } from '../release/features.ts';
import type { Layers } from '../release/layers.ts';
import { lacksRows } from '../release/pack/pack.ts';
import { toGeoJson } from '../search/page/geojson.ts';
import { TimeUp } from '../sets/ground/set-ground.ts';
import { findParcel } from '../sets/parcel-by-id.ts';
import { type CollectionRef, FeatureRows, filesOf, isParcels, PARCEL_ID, propertiesOf } from './collection.ts';
import { toMercator } from './web-mercator.ts';

/** The place of a feature in its collection: the number of its file, and its row there. */
export interface FeaturePlace {
  readonly file: number;
  readonly row: number;
}

/** A judged question for features of a collection, plain data. */
export interface FeaturePageRequest extends CollectionRef {
  /** Features must meet one of these lng,lat boxes; null: they may lie anywhere. */
  readonly boxes: readonly Box[] | null;
  readonly filter: Expression | null;
  /** The page begins behind this one. */
  readonly after: FeaturePlace | null;
  /** Features, and characters of their text, from which on the page is full: outlines of counties have megabytes each. */
  readonly limit: number;
  readonly most: number;
  /** True for coordinates in meters of EPSG:3857 instead of lng,lat. */
  readonly mercator: boolean;
}

/** A page of features. */
export interface FeaturePage {
  /** JSON array of GeoJSON features. */
  readonly features: string;
  readonly count: number;
  /** The place behind which the next page begins; null where this is the last. */
  readonly next: FeaturePlace | null;
  /** All features of the collection, where nothing was asked of them. */
  readonly total: number | null;
}

/** Rows between two looks at whether to go on: GEOS takes a tenth of a millisecond for each. */
const STEP = 64;

/** The id of a feature that is no parcel: the number of its file and its row. */
const featureId = ({ file, row }: FeaturePlace): string => `${file}.${row}`;

/** Geometries of a filter in the memory of GEOS, each once. */
class HeldShapes {
  readonly #geos: Geos;
  readonly #held = new Map<Geometry, HeldGeometry>();

  constructor(geos: Geos) {
    this.#geos = geos;
  }

  stands(own: Geometry, op: Relation, other: Geometry): boolean {
    let held = this.#held.get(other);
    if (!held) {
      held = new HeldGeometry(this.#geos, other);
      this.#held.set(other, held);
      // GEOS would call every relation to it false.
      if (!held.isValid)
        throw new CqlError('The filter has a geometry whose rings cross or touch as no area does; repair it.');
    }
    return held.relates(own, op.slice('s_'.length) as SpatialRelation);
  }

  release(): void {
    for (const held of this.#held.values()) held.release();
  }
}

const isInside = ([w, s, e, n]: Box, [west, south, east, north]: Box) =>
  w >= west && s >= south && e <= east && n <= north;

/** Rows that may be meant, ascending: those whose boxes meet what features must meet. */
function candidates({ file }: Features, boxes: readonly Box[] | null, from: number): Iterable<number> {
  if (boxes === null) return rowsFrom(from, file.count);
  const rows = new Set<number>();
  for (const box of boxes) file.search(box, row => void rows.add(row), from);
  return boxes.length === 1 ? rows : [...rows].sort((a, b) => a - b);
}

function* rowsFrom(from: number, count: number): Generator<number> {
  for (let row = from; row < count; row++) yield row;
}

/** One page of a collection while it is read. */
class PageReader {
  readonly #request: FeaturePageRequest;
  readonly #names: readonly string[];
  readonly #passes: Predicate | null;
  readonly #shapes: HeldShapes;
  readonly #boxes: readonly Box[] | null;
  readonly #boxShapes: readonly Geometry[];
  readonly #texts: string[] = [];
  #length = 0;
  next: FeaturePlace | null = null;

  constructor(request: FeaturePageRequest, names: readonly string[], passes: Predicate | null, shapes: HeldShapes) {
    const { boxes, filter } = request;
    const necessary = filter && necessaryGeometry(filter);
    this.#request = request;
    this.#names = names;
    this.#passes = passes;
    this.#shapes = shapes;
    this.#boxes = boxes ?? (necessary ? [boxOf(necessary)] : null);
    this.#boxShapes = (boxes ?? []).map(box => boxShape(box, new Budget()));
  }

  get count(): number {
    return this.#texts.length;
  }

  get #isFull(): boolean {
    return this.count === this.#request.limit || this.#length >= this.#request.most;
  }

  get text(): string {
    return `[${this.#texts.join(',')}]`;
  }

  /** False for a file that lies beside all that features must meet. */
  mayHold({ box }: Partition): boolean {
    return box === null || this.#boxes === null || this.#boxes.some(each => boxesMeet(each, box));
  }

  /**
   * Takes what passes of a file. @returns false where the page is full.
   * @param step lets others between. @throws DamagedFile when it cannot be read, and what `step` throws.
   */
  async take(features: Features, partition: Partition, number: number, step: () => Promise<void>): Promise<boolean> {
    const { after } = this.#request;
    const rows = new FeatureRows(this.#request, this.#names, partition, features.file);
    const from = after?.file === number ? after.row + 1 : 0;
    let looked = 0;
    for (const row of candidates(features, this.#boxes, from)) {
      if (++looked % STEP === 0) await step();
      if (!this.#isMet(features, row) || !this.#isMeant(features, row, rows)) continue;
      // One more shows that there is another page.
      if (this.#isFull) return false;
      const place = { file: number, row };
      const text = featureText(this.#request, features.file.geometry(row), rows.properties(row), place);
      this.#texts.push(text);
      this.#length += text.length;
      this.next = place;
    }
    return true;
  }

  #isMet({ file }: Features, row: number): boolean {
    const { boxes } = this.#request;
    if (boxes === null) return true;
    const own = file.box(row);
    if (boxes.some(box => isInside(own, box))) return true;
    const geometry = file.boundary(row);
    return this.#boxShapes.some(box => this.#shapes.stands(geometry, 's_intersects', box));
  }

  #isMeant({ file }: Features, row: number, rows: FeatureRows): boolean {
    if (!this.#passes) return true;
    const view = {
      value: (name: string) => rows.value(row, name),
      stands: (op: Relation, geometry: Geometry) => this.#shapes.stands(file.boundary(row), op, geometry),
    };
    return this.#passes(view) === true;
  }
}

/** A feature as GeoJSON text. */
function featureText(
  request: CollectionRef & { readonly mercator: boolean },
  geometry: Geometry,
  properties: Readonly<Record<string, unknown>>,
  place: FeaturePlace,
): string {
  return JSON.stringify({
    type: 'Feature',
    id: isParcels(request) ? properties[PARCEL_ID] : featureId(place),
    geometry: toGeoJson(request.mercator ? toMercator(geometry) : geometry),
    properties,
  });
}

/** A step of the work, before each file and every few rows: it lets others between. */
function stepOf({ stopped, deadline, pause }: TaskEnvironment): () => Promise<void> {
  return async () => {
    if (stopped()) throw new Interrupted('nobody waits for the answer');
    if (Date.now() >= deadline) throw new TimeUp();
    await pause?.();
  };
}

/**
 * A page of the features of a collection, in stored order.
 * @throws CqlError where the filter asks for what the collection has not; Fault or DamagedFile when a file cannot be read;
 *   Interrupted; TimeUp.
 */
export async function featurePage(
  request: FeaturePageRequest,
  layers: Layers,
  environment: TaskEnvironment,
): Promise<FeaturePage> {
  const { catalog } = environment;
  const queryables = propertiesOf(catalog, request) ?? new Map();
  const passes = request.filter && predicateOf(request.filter, queryables);
  const shapes = new HeldShapes(await geosModule());
  const reader = new PageReader(request, [...queryables.keys()], passes, shapes);
  const step = stepOf(environment);
  const files = filesOf(layers.release, request);
  const isLacking = (partition: Partition) => lacksRows(layers.release, partition);
  let isLast = true;
  try {
    for (const [number, partition] of files.entries()) {
      if (number < (request.after?.file ?? 0) || !reader.mayHold(partition) || isLacking(partition)) continue;
      await step();
      isLast = await reader.take(await layers.features(partition), partition, number, step);
      if (!isLast) break;
    }
  } catch (error) {
    // The rows that were read in time are a page, and the next one goes on behind it.
    if (!(error instanceof TimeUp) || reader.count === 0) throw error;
    isLast = false;
  } finally {
    shapes.release();
  }
  const isAll = request.filter === null && request.boxes === null;
  return {
    features: reader.text,
    count: reader.count,
    next: isLast ? null : reader.next,
    total: isAll ? files.reduce((sum, one) => sum + (isLacking(one) ? 0 : one.rows), 0) : null,
  };
}

/** A judged question for one feature. */
export interface FeatureRequest extends CollectionRef {
  readonly id: string;
  readonly mercator: boolean;
}

/** A feature as GeoJSON text; null where there is none of that id. @throws as featurePage. */
export async function featureById(
  request: FeatureRequest,
  layers: Layers,
  environment: TaskEnvironment,
): Promise<string | null> {
  const { catalog } = environment;
  const names = [...(propertiesOf(catalog, request)?.keys() ?? [])];
  const read = (features: Features, partition: Partition, place: FeaturePlace) =>
    featureText(
      request,
      features.file.geometry(place.row),
      new FeatureRows(request, names, partition, features.file).properties(place.row),
      place,
    );
  if (isParcels(request)) {
    const step = stepOf(environment);
    const ground = { layers, catalog, areas: new Map(), step, check: () => {} };
    const parcel = await findParcel(request.id, ground);
    if (!parcel) return null;
    const { partition } = parcel.set.county;
    return read(await layers.features(partition), partition, { file: 0, row: parcel.row });
  }
  const [, file, row] = /^(\d{1,6})\.(\d{1,9})$/.exec(request.id) ?? [];
  const partition = file === undefined ? undefined : filesOf(layers.release, request)[Number(file)];
  if (!partition) return null;
  const features = await layers.features(partition);
  return Number(row) < features.file.count ? read(features, partition, { file: Number(file), row: Number(row) }) : null;
}
