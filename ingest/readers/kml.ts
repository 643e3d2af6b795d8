import sax from 'sax';
import type { Value } from '../../datasets/dataset.ts';
import type { Geometry } from '../../datasets/geometry.ts';
import type { FormatOptions } from '../../datasets/place/place.ts';
import { fileSize, openBytes, readFailure } from '../byte-cursor.ts';
import { statedCrs } from '../crs.ts';
import { fromGeoJSON } from '../geojson.ts';
import { limitBytes, limitPassed, readLimits } from '../read-limits.ts';
import { ReadError, type Reader, type Row, type Source } from '../reader.ts';
import { checkAborted, RowBatch } from '../row-batch.ts';
import { XmlDecoder } from '../text/xml-decoder.ts';
import { readable, tooLarge, UnreadGeometry } from '../unread.ts';

type Position = readonly [number, number];
interface Shape {
  readonly type: string;
  readonly coordinates?: unknown;
  readonly geometries?: readonly Shape[];
}

const SHAPES = new Set([
  'Point',
  'LineString',
  'LinearRing',
  'Polygon',
  'MultiGeometry',
  'Track',
  'MultiTrack',
  'Model',
]);
const CONTAINERS = new Set(['Document', 'Folder']);
const NUMBER = /^(int|uint|short|ushort|float|double)$/;
/** Elements whose text is read. */
const TEXTS = new Set(['name', 'description', 'value', 'SimpleData', 'coordinates', 'coord', 'address', 'styleUrl']);

/** Numbers of a position at most: lng, lat and height. */
const POSITION_LENGTH = 3;
const SPACED = /\s*,\s*/g;

/**
 * Reads `lng,lat[,height]` tuples, also with blanks around their commas. A tuple of more numbers is left as its text: where it
 * ends cannot be told.
 */
function positions(text: string): (Position | string)[] {
  const split = (line: string) => line.trim().split(/\s+/).filter(Boolean);
  const tuples = split(text);
  const isSpaced = tuples.some(tuple => !/[^,],[^,]/.test(tuple));
  return (isSpaced ? split(text.replaceAll(SPACED, ',')) : tuples).map(tuple => {
    const numbers = tuple.split(',');
    if (isSpaced && numbers.length > POSITION_LENGTH) return tuple;
    return [Number(numbers[0]), Number(numbers[1])];
  });
}

/** A shape whose end has not come yet. */
interface OpenShape {
  readonly type: string;
  positions: (Position | string)[];
  readonly rings: (Position | string)[][];
  readonly members: Shape[];
}

function closed({ type, positions: line, rings, members }: OpenShape): Shape {
  switch (type) {
    case 'Point':
      return { type, coordinates: line[0] ?? [] };
    case 'Polygon':
      return { type, coordinates: rings };
    case 'MultiGeometry':
    case 'MultiTrack':
      return { type: 'GeometryCollection', geometries: members };
    case 'Model':
      return { type };
    default:
      return { type: 'LineString', coordinates: line };
  }
}

/** Turns the events of the XML parser into rows, one for each Placemark. */
class Placemarks {
  readonly rows: Row[] = [];
  readonly links: string[] = [];
  readonly #path: string;
  readonly #numeric = new Set<string>();
  readonly #folders: string[] = [];
  #number = 0;
  /** What the row that is open passes. */
  #limit: ReadError | null = null;
  #tags: string[] = [];
  #text: string | null = null;
  #properties: Record<string, Value> | null = null;
  #data: Record<string, Value> = {};
  #column = '';
  #shapes: OpenShape[] = [];
  #whole: Shape[] = [];

  constructor(path: string) {
    this.#path = path;
  }

  get number(): number {
    return this.#number;
  }

  open(tag: string, attributes: Readonly<Record<string, string>>): void {
    this.#tags.push(tag);
    if (this.#tags.length > readLimits().depth) throw limitPassed('depth', this.#path, null, 'the nesting of elements');
    if (TEXTS.has(tag)) this.#text = '';
    if (CONTAINERS.has(tag)) this.#folders.push('');
    else if (tag === 'NetworkLink') this.links.push(tag);
    else if (tag === 'SimpleField' && NUMBER.test(attributes.type ?? '')) this.#numeric.add(attributes.name ?? '');
    else if (tag === 'Placemark') {
      this.#properties = { name: null, description: null };
      this.#data = {};
      this.#whole = [];
      this.#number++;
    } else if (tag === 'Data' || tag === 'SimpleData') this.#column = attributes.name ?? '';
    else if (this.#properties && SHAPES.has(tag) && !this.#isRing(tag))
      this.#shapes.push({ type: tag, positions: [], rings: [], members: [] });
  }

  text(text: string): void {
    if (this.#text === null) return;
    this.#text += text;
    if (this.#text.length <= limitBytes('valueMb')) return;
    const limit = limitPassed('valueMb', this.#path, this.#number, 'one text');
    if (!this.#properties) throw limit;
    this.#limit = limit;
    this.#text = null;
  }

  close(tag: string): void {
    this.#tags.pop();
    const text = this.#text?.trim() ?? '';
    const parent = this.#tags.at(-1);
    if (TEXTS.has(tag)) this.#text = null;
    if (tag === 'name' && parent && CONTAINERS.has(parent)) this.#folders[this.#folders.length - 1] = text;
    if (CONTAINERS.has(tag)) this.#folders.pop();
    const properties = this.#properties;
    if (!properties) return;
    if (parent === 'Placemark' && (tag === 'name' || tag === 'description' || tag === 'address'))
      properties[tag] = text || null;
    else if (tag === 'value' && parent === 'Data') this.#data[this.#column] = text || null;
    else if (tag === 'SimpleData') this.#data[this.#column] = this.#simple(text);
    else if (tag === 'coordinates') this.#line(positions(text));
    else if (tag === 'coord') this.#shapes.at(-1)?.positions.push(...positions(text.replaceAll(' ', ',')));
    else if (SHAPES.has(tag) && !this.#isRing(tag)) this.#shape();
    else if (tag === 'Placemark') this.#row(properties);
  }

  #simple(text: string): Value {
    if (text === '') return null;
    const number = Number(text);
    return this.#numeric.has(this.#column) && Number.isFinite(number) ? number : text;
  }

  /** Whether the element is a ring of the polygon that is open. */
  #isRing(tag: string): boolean {
    return tag === 'LinearRing' && this.#shapes.at(-1)?.type === 'Polygon';
  }

  #line(line: readonly (Position | string)[]): void {
    const shape = this.#shapes.at(-1);
    if (!shape) return;
    if (shape.type === 'Polygon') shape.rings.push([...line]);
    else shape.positions = [...line];
  }

  #shape(): void {
    const shape = closed(this.#shapes.pop()!);
    const whole = this.#shapes.at(-1);
    if (whole) whole.members.push(shape);
    else this.#whole.push(shape);
  }

  #geometry(): Geometry | null {
    const [shape, ...more] = this.#whole;
    if (!shape) return null;
    const whole = more.length > 0 ? { type: 'GeometryCollection', geometries: this.#whole } : shape;
    if (whole.type === 'Model') throw new UnreadGeometry(this.#path, this.#number, 'a model in space is not read');
    return fromGeoJSON(whole, this.#path, this.#number);
  }

  #row(properties: Record<string, Value>): void {
    const folder = this.#folders.at(-1) || null;
    const number = this.#number;
    const row = () => ({
      number,
      properties: { ...properties, folder, ...this.#data },
      ...readable(() => this.#geometry()),
    });
    this.rows.push(this.#limit ? tooLarge(number, this.#limit) : row());
    this.#properties = null;
    this.#limit = null;
  }
}

class KmlSource implements Source {
  readonly crs: string | null;
  readonly columns: readonly string[] = [];
  readonly count = null;
  readonly #path: string;
  readonly #encoding: string | undefined;

  constructor(path: string, options: FormatOptions) {
    this.#path = path;
    this.#encoding = options.encoding;
    this.crs = statedCrs('OGC:CRS84', options);
  }

  async *rows(signal?: AbortSignal): AsyncGenerator<Row[]> {
    const path = this.#path;
    const marks = new Placemarks(path);
    const xml = sax.parser(true);
    const local = (name: string) => name.slice(name.indexOf(':') + 1);
    xml.onopentag = ({ name, attributes }) => marks.open(local(name), attributes);
    xml.onclosetag = name => marks.close(local(name));
    xml.ontext = text => marks.text(text);
    xml.oncdata = text => marks.text(text);
    xml.onerror = error => {
      throw new ReadError(
        'file_corrupt',
        path,
        marks.number || null,
        `is no well-formed XML: ${error.message.replace(/\n/g, ', ')}`,
      );
    };
    let decoder: XmlDecoder | null = null;
    const batch = new RowBatch();
    try {
      for await (const chunk of openBytes(path)) {
        decoder ??= new XmlDecoder(path, chunk as Buffer, this.#encoding);
        xml.write(decoder.decode(chunk as Buffer, marks.number || null));
        for (const row of marks.rows.splice(0))
          if (batch.push(row)) {
            checkAborted(signal, path, row.number);
            yield batch.take();
          }
      }
      xml.write(decoder?.decode(null, marks.number || null) ?? '').close();
      for (const row of marks.rows.splice(0)) batch.push(row);
      if (marks.number === 0 && marks.links.length > 0)
        throw new ReadError(
          'format_unsupported',
          path,
          null,
          'holds only links to other KML files, which are not followed; fetch those files',
        );
      checkAborted(signal, path, marks.number);
      if (batch.size > 0) yield batch.take();
    } catch (error) {
      throw readFailure(error, path, marks.number || null);
    }
  }

  async close(): Promise<void> {}
}

/**
 * Reads KML, also gzipped: a row for each Placemark, with name, description, the folder that it stands in and its extended data.
 * GDAL's own KML driver leaves the extended data out. Links to other files are not followed.
 */
export const reader: Reader = {
  name: 'kml',
  endings: ['.kml.gz', '.kml'],
  async open(path, options) {
    await fileSize(path);
    return new KmlSource(path, options);
  },
};
