import type { Geometry } from '../../datasets/geometry.ts';
import type { FormatOptions } from '../../datasets/place/place.ts';
import { fileSize } from '../byte-cursor.ts';
import { type OsmMember, passOverOsm, type Tags } from '../osm-block.ts';
import { OsmRoads } from '../osm-roads.ts';
import { ReadError, type Reader, type Row, type Source } from '../reader.ts';
import { polygonOfRings } from '../rings.ts';
import { batches, checkAborted } from '../row-batch.ts';

/** A kind of feature: the tag that identifies it, and the tags that become columns. */
interface Kind {
  readonly key: string;
  readonly value: string;
  readonly tags: readonly string[];
}

/** Kinds of features by the name of `options.layer`. */
const KINDS: Readonly<Record<string, Kind>> = {
  substation: {
    key: 'power',
    value: 'substation',
    tags: ['name', 'operator', 'voltage', 'substation', 'frequency', 'ref', 'location', 'start_date'],
  },
};
const NO_PARTS = new Uint32Array(0);

/** The layer of roads and turn restrictions; OsmRoads reads it. */
const ROADS = 'road';
/** Tags of roads, and of restrictions (`restriction`, `except`; `from` and `to` are their roads), that become columns. */
const ROAD_TAGS = [
  'highway',
  'route',
  'oneway',
  'junction',
  'maxspeed',
  'access',
  'vehicle',
  'motor_vehicle',
  'motorcar',
  'service',
  'duration',
  'restriction',
  'restriction:motorcar',
  'except',
] as const;

/** The values of `options.layer`. */
export const OSM_LAYERS: readonly string[] = [...Object.keys(KINDS), ROADS];

/** The features of one kind, with the nodes of their shapes. */
class Features {
  readonly #kind: Kind;
  readonly #nodes: { id: number; lng: number; lat: number; tags: Tags }[] = [];
  readonly #ways = new Map<number, { tags: Tags | null; refs: number[] }>();
  readonly #relations: { id: number; tags: Tags; members: OsmMember[] }[] = [];
  readonly #neededWays = new Set<number>();
  /** Node → lng,lat; NaN until it is met. */
  readonly #positions = new Map<number, readonly [number, number] | null>();

  constructor(kind: Kind) {
    this.#kind = kind;
  }

  #is(tags: Tags | null): tags is Tags {
    return tags?.[this.#kind.key] === this.#kind.value;
  }

  /** Reads the file three times (relations, ways, nodes), because an element may refer to another anywhere in the file. */
  async gather(path: string, checkpoint: () => void): Promise<void> {
    const relation = (id: number, tags: () => Tags, members: () => OsmMember[]) => {
      const own = tags();
      if (!this.#is(own)) return;
      const ways = members().filter(m => m.type === 'way');
      this.#relations.push({ id, tags: own, members: ways });
      for (const way of ways) this.#neededWays.add(way.id);
    };
    await passOverOsm(path, { relation }, checkpoint);
    const way = (id: number, tags: () => Tags, refs: () => number[]) => {
      const own = tags();
      const is = this.#is(own);
      if (!is && !this.#neededWays.has(id)) return;
      const list = refs();
      this.#ways.set(id, { tags: is ? own : null, refs: list });
      for (const ref of list) this.#positions.set(ref, null);
    };
    await passOverOsm(path, { way }, checkpoint);
    const node = (id: number, lng: number, lat: number, tags: () => Tags | null) => {
      if (this.#positions.has(id)) this.#positions.set(id, [lng, lat]);
      const own = tags();
      if (this.#is(own)) this.#nodes.push({ id, lng, lat, tags: own });
    };
    await passOverOsm(path, { node }, checkpoint);
  }

  get count(): number {
    let ways = 0;
    for (const way of this.#ways.values()) if (way.tags) ways++;
    return this.#nodes.length + ways + this.#relations.length;
  }

  /** Returns the coordinates of nodes in order, null when the extract lacks one of them. */
  #coordinates(refs: readonly number[]): Float64Array | null {
    const xy = new Float64Array(2 * refs.length);
    for (const [i, ref] of refs.entries()) {
      const position = this.#positions.get(ref);
      if (!position) return null;
      xy.set(position, 2 * i);
    }
    return xy;
  }

  #wayGeometry(refs: readonly number[]): Geometry | null {
    const xy = this.#coordinates(refs);
    if (!xy || refs.length < 2) return null;
    const ends = Uint32Array.of(refs.length);
    const closed = refs.length >= 4 && refs[0] === refs.at(-1);
    return closed
      ? { type: 'Polygon', xy, ends, parts: Uint32Array.of(1) }
      : { type: 'LineString', xy, ends, parts: NO_PARTS };
  }

  /** Joins the ways of a multipolygon end to end into rings; returns null when a way is missing or a ring stays open. */
  #rings(members: readonly OsmMember[]): number[][] | null {
    const lines: number[][] = [];
    for (const { id } of members) {
      const way = this.#ways.get(id);
      if (!way || way.refs.length < 2) return null;
      lines.push([...way.refs]);
    }
    const rings: number[][] = [];
    while (lines.length > 0) {
      const ring = lines.pop()!;
      while (ring[0] !== ring.at(-1)) {
        const next = lines.findIndex(line => line[0] === ring.at(-1) || line.at(-1) === ring.at(-1));
        if (next < 0) return null;
        const [line] = lines.splice(next, 1);
        if (line![0] !== ring.at(-1)) line!.reverse();
        ring.push(...line!.slice(1));
      }
      if (ring.length < 4) return null;
      rings.unshift(ring);
    }
    return rings;
  }

  #relationGeometry(tags: Tags, members: readonly OsmMember[]): Geometry | null {
    if (tags.type !== 'multipolygon' && tags.type !== 'boundary') return null;
    const rings = this.#rings(members);
    const xy = rings?.length ? this.#coordinates(rings.flat()) : null;
    if (!rings || !xy) return null;
    let end = 0;
    return polygonOfRings(
      xy,
      Uint32Array.from(rings, ring => {
        end += ring.length;
        return end;
      }),
    );
  }

  /** Yields nodes, then ways, then relations. */
  *[Symbol.iterator](): Generator<{ id: string; type: string; tags: Tags; geometry: Geometry | null }> {
    for (const { id, lng, lat, tags } of this.#nodes) {
      const geometry: Geometry = {
        type: 'Point',
        xy: Float64Array.of(lng, lat),
        ends: Uint32Array.of(1),
        parts: NO_PARTS,
      };
      yield { id: `node/${id}`, type: 'node', tags, geometry };
    }
    for (const [id, { tags, refs }] of this.#ways)
      if (tags) yield { id: `way/${id}`, type: 'way', tags, geometry: this.#wayGeometry(refs) };
    for (const { id, tags, members } of this.#relations)
      yield { id: `relation/${id}`, type: 'relation', tags, geometry: this.#relationGeometry(tags, members) };
  }
}

class OsmSource implements Source {
  readonly crs = 'EPSG:4326';
  readonly columns: readonly string[];
  readonly count = null;
  readonly #path: string;
  readonly #kind: Kind;

  constructor(path: string, kind: Kind) {
    this.#path = path;
    this.#kind = kind;
    this.columns = ['osm_id', 'osm_type', ...kind.tags];
  }

  async *rows(signal?: AbortSignal): AsyncGenerator<Row[]> {
    const features = new Features(this.#kind);
    await features.gather(this.#path, () => checkAborted(signal, this.#path, 0));
    yield* batches(this.#rows(features), this.#path, signal);
  }

  *#rows(features: Features): Generator<Row> {
    let number = 0;
    for (const { id, type, tags, geometry } of features) {
      number++;
      const properties: Row['properties'] = { osm_id: id, osm_type: type };
      for (const tag of this.#kind.tags) properties[tag] = tags[tag] ?? null;
      yield { number, properties, geometry };
    }
  }

  async close(): Promise<void> {}
}

/** Yields roads as lines, then turn restrictions as points at their junctions. */
class OsmRoadSource implements Source {
  readonly crs = 'EPSG:4326';
  readonly columns = ['osm_id', 'osm_type', ...ROAD_TAGS, 'from', 'to'];
  readonly count = null;
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  async *rows(signal?: AbortSignal): AsyncGenerator<Row[]> {
    const wanted = (tags: Tags) => tags.highway !== undefined || tags.route === 'ferry';
    const roads = await OsmRoads.read(this.#path, wanted, () => checkAborted(signal, this.#path, 0));
    yield* batches(this.#rows(roads), this.#path, signal);
  }

  *#rows(roads: OsmRoads): Generator<Row> {
    let number = 0;
    const tagged = (tags: Tags) => Object.fromEntries(ROAD_TAGS.map(tag => [tag, tags[tag] ?? null]));
    for (const { id, tags, pieces } of roads.ways()) {
      let end = 0;
      const ends = Uint32Array.from(pieces, piece => {
        end += piece.length / 2;
        return end;
      });
      const xy = new Float64Array(2 * end);
      for (const [i, piece] of pieces.entries()) xy.set(piece, 2 * (ends[i - 1] ?? 0));
      const type = pieces.length > 1 ? 'MultiLineString' : 'LineString';
      const geometry: Geometry | null = pieces.length > 0 ? { type, xy, ends, parts: NO_PARTS } : null;
      const properties = { osm_id: `way/${id}`, osm_type: 'way', ...tagged(tags), from: null, to: null };
      yield { number: ++number, properties, geometry };
    }
    for (const { id, tags, from, to, via } of roads.turns()) {
      const geometry: Geometry = {
        type: 'Point',
        xy: Float64Array.from(via),
        ends: Uint32Array.of(1),
        parts: NO_PARTS,
      };
      const named = { from: `way/${from}`, to: `way/${to}` };
      const properties = { osm_id: `relation/${id}`, osm_type: 'relation', ...tagged(tags), ...named };
      yield { number: ++number, properties, geometry };
    }
  }

  async close(): Promise<void> {}
}

function kindOf(options: FormatOptions, path: string): Kind {
  const name = options.layer ?? 'substation';
  if (Object.hasOwn(KINDS, name)) return KINDS[name]!;
  throw new ReadError('part_missing', path, null, `no kind "${name}" is read of it; known: ${OSM_LAYERS.join(', ')}`);
}

/**
 * Reads OpenStreetMap PBF: the features of one kind (`options.layer`, by default substation) as points, areas and lines, with
 * their usual tags as columns. A feature has no geometry if the extract lacks its nodes or ways, or if its rings do not close.
 * The layer road has roads and ferries as lines, and turn restrictions at one junction as points with the roads `from` and
 * `to`. Memory grows with the features of that kind, not with the file.
 */
export const reader: Reader = {
  name: 'osmpbf',
  endings: ['.osm.pbf', '.pbf'],
  async open(path, options) {
    await fileSize(path);
    await passOverOsm(path, null);
    return options.layer === ROADS ? new OsmRoadSource(path) : new OsmSource(path, kindOf(options, path));
  },
};
