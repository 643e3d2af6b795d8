import { feature } from 'topojson-client';
import type { GeometryObject, Topology } from 'topojson-specification';
import type { Value } from '../../datasets/dataset.ts';
import type { Geometry } from '../../datasets/geometry.ts';
import type { FormatOptions } from '../../datasets/place/place.ts';
import { fileSize, readFailure } from '../byte-cursor.ts';
import { statedCrs } from '../crs.ts';
import { fromGeoJSON } from '../geojson.ts';
import { wholeJson } from '../json-text.ts';
import { ReadError, type Reader, type Row, type Source } from '../reader.ts';
import { batches } from '../row-batch.ts';
import { plainValue } from '../text/json-numbers.ts';
import { readable } from '../unread.ts';

/** The format names no CRS; it was made for longitude and latitude. */
const DEFAULT_CRS = 'OGC:CRS84';

/** An object of a topology; an absent type means a feature without geometry. */
type TopoObject = Omit<GeometryObject, 'type'> & {
  readonly type: GeometryObject['type'] | null;
  readonly geometries?: readonly TopoObject[];
};

function propertiesOf(object: TopoObject): Record<string, Value> {
  const properties: Record<string, Value> = {};
  for (const [name, value] of Object.entries(object.properties ?? {})) properties[name] = plainValue(value);
  if (object.id !== undefined && !('id' in properties)) properties.id = plainValue(object.id);
  return properties;
}

async function parse(path: string): Promise<Topology> {
  await fileSize(path);
  const value = await wholeJson(path);
  const topology = value as Partial<Topology> | null;
  if (typeof topology !== 'object' || topology === null || topology.type !== 'Topology')
    throw new ReadError(
      'file_corrupt',
      path,
      null,
      `has type ${JSON.stringify((topology as { type?: unknown } | null)?.type)}; "Topology" was expected`,
    );
  if (!Array.isArray(topology.arcs) || typeof topology.objects !== 'object' || topology.objects === null)
    throw new ReadError('file_corrupt', path, null, 'the Topology lacks its arcs or its objects');
  return topology as Topology;
}

/** Returns the object to read: the named one, else the only one. @throws ReadError part_missing. */
function objectOf(topology: Topology, options: FormatOptions, path: string): TopoObject {
  const names = Object.keys(topology.objects);
  const { layer } = options;
  const name = layer ?? (names.length === 1 ? names[0]! : undefined);
  if (name !== undefined && names.includes(name)) return topology.objects[name] as TopoObject;
  throw new ReadError(
    'part_missing',
    path,
    null,
    layer === undefined
      ? `holds ${names.length} objects (${names.join(', ')}); set options.layer to one of them`
      : `has no object "${layer}"; it holds ${names.join(', ')}`,
    { option: 'layer', names },
  );
}

class TopologySource implements Source {
  readonly crs: string | null;
  readonly columns: readonly string[] = [];
  readonly count: number;
  readonly #path: string;
  readonly #topology: Topology;
  readonly #objects: readonly TopoObject[];

  constructor(path: string, topology: Topology, object: TopoObject, options: FormatOptions) {
    this.#path = path;
    this.#topology = topology;
    this.crs = statedCrs(null, options) ?? DEFAULT_CRS;
    this.#objects = object.type === 'GeometryCollection' ? (object.geometries ?? []) : [object];
    this.count = this.#objects.length;
  }

  #geometry(object: TopoObject, number: number): Geometry | null {
    if (object.type === null || object.type === undefined) return null;
    let decoded: ReturnType<typeof feature>;
    try {
      decoded = feature(this.#topology, object as GeometryObject);
    } catch (error) {
      const cause = `its arcs cannot be followed (${(error as Error).message})`;
      throw new ReadError('file_corrupt', this.#path, number, cause);
    }
    return fromGeoJSON((decoded as { geometry: unknown }).geometry, this.#path, number);
  }

  rows(signal?: AbortSignal): AsyncGenerator<Row[]> {
    return batches(this.#rows(), this.#path, signal);
  }

  *#rows(): Generator<Row> {
    let number = 0;
    for (const object of this.#objects) {
      number++;
      yield { number, properties: propertiesOf(object), ...readable(() => this.#geometry(object, number)) };
    }
  }

  async close(): Promise<void> {}
}

/**
 * Reads TopoJSON, quantized or not, also gzipped. `options.layer` names the object if there are several. Each geometry of a
 * GeometryCollection is a row; one without a type is a row without geometry. The whole topology is in memory.
 */
export const reader: Reader = {
  name: 'topojson',
  endings: ['.topojson.gz', '.topo.json', '.topojson'],
  async open(path, options) {
    try {
      const topology = await parse(path);
      return new TopologySource(path, topology, objectOf(topology, options, path), options);
    } catch (error) {
      throw readFailure(error, path, null);
    }
  },
};
