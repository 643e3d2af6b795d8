import { ColumnType } from 'flatgeobuf/lib/mjs/flat-geobuf/column-type.js';
import type { Value } from '../../../datasets/dataset.ts';
import type { Geometry } from '../../../datasets/geometry.ts';
import { memo } from '../../../datasets/memo.ts';
import { PARCEL_ATTRIBUTES } from '../../../datasets/parcel/parcel-attributes.ts';
import type { ColumnPick } from '../../format/column-pick.ts';
import type { FeatureRecord, StoredColumn } from '../../format/feature-record.ts';
import type { FeatureFile } from '../../format/flatgeobuf.ts';
import { JsonBytes, Phrase } from '../../format/json-bytes.ts';
import { parcelSquareMetres } from '../../geometry/acre.ts';
import { toWkt } from '../../geometry/wkt.ts';
import { PART } from '../../release/part.ts';
import type { CountyOf } from '../request/filter.ts';
import { PARCEL_AREA } from '../request/name.ts';
import type { CalculatedOutputs } from './calculated-outputs.ts';
import { toGeoJson, writeGeoJson } from './geojson.ts';
import type { RowTexts } from './row-texts.ts';

/** Interior point of the parcel that ingest stored, which enrichment answers for too. */
const METHOD = 'parcel_representative_point';

const END = new Phrase('}}');
const APN = new Phrase('{"apn":');
const ADDRESS = new Phrase(',"address":');
const CITY = new Phrase(',"city":');
const ACREAGE = new Phrase(',"acreage":');
const LNG = new Phrase(',"lng":');
const FIELDS = new Phrase(`,"method":"${METHOD}"},"fields":{`);
const STATUSES = new Phrase('},"field_status":{');

/** Characters of YYYY-MM-DD. */
const DAY = 10;

const STATUS = ['absent', 'ok', 'failed'] as const;
/** Statuses that are told apart as digits of a whole number below 2^53. */
const MOST_IN_PATTERN = 33;
/** Endings that a writer remembers, and writers that a file does. */
const [MOST_ENDINGS, MOST_WRITERS] = [256, 32];

/** The parts of a match that name an output, each behind a comma. */
interface Words {
  readonly key: Phrase;
  /** `,"name":"ok"` and so on, by STATUS. */
  readonly statuses: readonly Phrase[];
}

/** By what stands before the name, and by name: there are as many as the catalog has. */
const words = { ',': new Map<string, Words>(), '': new Map<string, Words>() };

/** @param comma none before the first of a list. */
function wordsOf(name: string, comma: ',' | ''): Words {
  let cached = words[comma].get(name);
  if (!cached) {
    const text = `${comma}${JSON.stringify(name)}:`;
    cached = { key: new Phrase(text), statuses: STATUS.map(status => new Phrase(`${text}"${status}"`)) };
    words[comma].set(name, cached);
  }
  return cached;
}

/** Type of an attribute; undefined for other names. */
export const typeOf = (name: string): string | undefined =>
  PARCEL_ATTRIBUTES[name as keyof typeof PARCEL_ATTRIBUTES]?.type;

/** A value as it is answered: timestamps to the millisecond. */
export function answered(type: string | undefined, value: Value): Value {
  if (value === null || type === undefined) return value;
  if (type === 'date') return String(value).slice(0, DAY);
  if (type === 'timestamp') return new Date(Date.parse(String(value))).toISOString();
  return value;
}

/** An output of the matches of one county. */
interface Output extends Words {
  readonly name: string;
  readonly type: string | undefined;
  /** Writes the value of the row that was located last; tells whether there is one. */
  readonly write: (ord: number) => boolean;
}

/** What every match shows. */
interface Shown {
  readonly key: Phrase;
  /** Instead of `key` where the parts of the county differ in it, by part. */
  readonly keys: readonly Phrase[] | null;
  readonly column: string;
  readonly place: number;
}

/** Before and after a match is written. */
const NOWHERE = new JsonBytes();

/** Writers so far. */
let writerCount = 0;

const writersOf = memo((_parcels: FeatureFile) => new Map<string, MatchWriter>());

/**
 * Writes matches of one county's parcels as JSON text, straight from the bytes of their records: numbers and plain text
 * become JSON without becoming values in between, which takes half of a page's time otherwise.
 */
export class MatchWriter {
  /** Where the match goes that is being written. */
  #out: JsonBytes = NOWHERE;
  readonly #parcels: FeatureFile;
  readonly #wanted: ColumnPick;
  readonly #at: Int32Array;
  readonly #widths: Int32Array;
  readonly #columns: readonly StoredColumn[];
  readonly #outputs: readonly Output[];
  readonly #shown: readonly Shown[];
  /** Column that says which part a row belongs to; -1 where there is one. */
  readonly #part: number;
  readonly #status: Uint8Array;
  #row: FeatureRecord | null = null;
  /** What its matches are kept by: no other writer has had it. */
  readonly #kind = writerCount++;
  /** Pages that it was asked for before this one. */
  #pages = 0;
  /** How matches end whose outputs have the same statuses, by these as digits of a number. */
  readonly #endings = new Map<number, Phrase>();

  /** The writer of such matches: pages that ask for the same outputs follow one another. Parameters as of the constructor. */
  static of(
    parcels: FeatureFile,
    county: CountyOf & { readonly sources: readonly string[] },
    outputs: readonly string[],
    countyByFips: boolean,
  ): MatchWriter {
    const cached = writersOf(parcels);
    const key = [county.state, county.fips, ...county.sources, countyByFips, ...outputs].join('\n');
    const before = cached.get(key);
    if (before) {
      before.#pages++;
      // The one used longest ago comes first.
      cached.delete(key);
      cached.set(key, before);
      return before;
    }
    if (cached.size >= MOST_WRITERS) cached.delete(cached.keys().next().value!);
    const writer = new MatchWriter(parcels, county, outputs, countyByFips);
    cached.set(key, writer);
    return writer;
  }

  /**
   * @param county state and FIPS code, which the partition's key says and a row may lack; and the source of each part.
   * @param outputs names, in order.
   * @param countyByFips whether `county` is answered by FIPS code.
   */
  constructor(
    parcels: FeatureFile,
    county: CountyOf & { readonly sources: readonly string[] },
    outputs: readonly string[],
    countyByFips: boolean,
  ) {
    this.#parcels = parcels;
    this.#columns = parcels.stored;
    this.#at = new Int32Array(this.#columns.length);
    this.#widths = new Int32Array(this.#columns.length);
    this.#outputs = outputs.map((name, i) => ({
      name,
      type: typeOf(name),
      ...wordsOf(name, i === 0 ? '' : ','),
      write: this.#writerOf(name, county, countyByFips),
    }));
    this.#status = new Uint8Array(outputs.length);
    const state = JSON.stringify(county.state);
    const sourcePhrases = county.sources.map(
      source => new Phrase(`,"source":${JSON.stringify(source)},"analysis_point":{"lat":`),
    );
    const several = county.sources.length > 1;
    this.#part = several ? parcels.placeOf(PART) : -1;
    const shown = (key: Phrase, column: string, keys: readonly Phrase[] | null = null) => ({
      key,
      keys,
      column,
      place: parcels.placeOf(column),
    });
    const every = [
      shown(APN, 'apn'),
      shown(ADDRESS, 'address'),
      shown(new Phrase(`,"state":${state},"county":`), 'county'),
      shown(CITY, 'city'),
      shown(ACREAGE, 'acreage'),
      shown(sourcePhrases[0]!, 'centroid_lat', several ? sourcePhrases : null),
      shown(LNG, 'centroid_lon'),
    ];
    this.#shown = every;
    // The area of a parcel is written from its acreage, which is shown anyway.
    this.#wanted = parcels.columnPick([...every.map(({ column }) => column), ...(several ? [PART] : []), ...outputs]);
  }

  /**
   * Writes one match.
   * @param out where it goes.
   * @param calculated read for the parcel.
   * @param texts where it may stand as it was written before.
   * @throws DamagedFile when its row cannot be read; nothing is written then.
   */
  write(out: JsonBytes, ord: number, calculated: CalculatedOutputs, texts: RowTexts): void {
    // What was asked once may never be asked again; and calculations have files of their own.
    const keeps = this.#pages > 0 && calculated.count === 0;
    if (keeps && texts.write(out, this.#kind, ord)) return;
    const row = this.#parcels.locate(ord, this.#wanted, this.#at, this.#widths);
    const before = out.length;
    this.#out = out;
    this.#row = row;
    try {
      this.#put(ord, calculated);
      if (keeps) texts.keep(this.#kind, ord, out.written(before));
    } catch (error) {
      out.truncate(before);
      throw this.#parcels.undecoded(ord, error);
    } finally {
      this.#row = null;
      this.#out = NOWHERE;
    }
  }

  #put(ord: number, calculated: CalculatedOutputs): void {
    const out = this.#out;
    const shown = this.#shown;
    const corrected = this.#parcels.corrected?.get(ord);
    for (let i = 0; i < shown.length; i++) {
      const { key, keys, column, place } = shown[i]!;
      out.say(keys ? keys[Number(this.#valueOf(this.#part))]! : key);
      const own = corrected?.get(column);
      if (own === undefined) this.#column(place);
      else out.value(own);
    }
    out.say(FIELDS);
    const outputs = this.#outputs;
    const status = this.#status;
    let pattern = 0;
    for (let i = 0; i < outputs.length; i++) {
      const { name, type, key, write } = outputs[i]!;
      out.say(key);
      const stored = calculated.status[i]!;
      const own = stored ? undefined : corrected?.get(name);
      if (own !== undefined) {
        out.value(own);
        status[i] = 1;
      } else if (stored) {
        out.value(answered(type, calculated.values[i]!));
        status[i] = STATUS.indexOf(stored);
      } else status[i] = write(ord) ? 1 : 0;
      pattern = pattern * STATUS.length + status[i]!;
    }
    const same = this.#endings.get(pattern);
    if (same) {
      out.say(same);
      return;
    }
    const from = out.length;
    out.say(STATUSES);
    for (let i = 0; i < outputs.length; i++) out.say(outputs[i]!.statuses[status[i]!]!);
    out.say(END);
    if (outputs.length <= MOST_IN_PATTERN && this.#endings.size < MOST_ENDINGS)
      this.#endings.set(pattern, new Phrase(out.written(from)));
  }

  /** How an output that is no calculation is written. */
  #writerOf(name: string, { state, fips }: CountyOf, countyByFips: boolean): Output['write'] {
    const always = (text: string) => {
      const phrase = new Phrase(JSON.stringify(text));
      return () => {
        this.#out.say(phrase);
        return true;
      };
    };
    const boundary = (text: (geometry: Geometry) => void) => (ord: number) => {
      text(this.#parcels.boundary(ord));
      return true;
    };
    switch (name) {
      case 'state':
      case 'state2':
        return always(state);
      case 'geoid':
        return always(fips);
      case 'geometry':
        return boundary(geometry => writeGeoJson(this.#out, geometry));
      case 'parcel_boundary_geojson':
        return boundary(geometry => this.#out.string(JSON.stringify(toGeoJson(geometry))));
      case 'parcel_geometry_wkt':
        return boundary(geometry => this.#out.string(toWkt(geometry)));
    }
    if (name === 'county' && countyByFips) return always(fips);
    const place = this.#parcels.placeOf(name === PARCEL_AREA ? 'acreage' : name);
    if (name === PARCEL_AREA)
      return () => {
        const acres = this.#valueOf(place);
        this.#out.value(typeof acres === 'number' ? parcelSquareMetres(acres) : null);
        return typeof acres === 'number';
      };
    const type = typeOf(name);
    if (type === 'date') return () => this.#column(place, DAY);
    if (type === 'timestamp')
      return () => {
        const value = this.#valueOf(place);
        this.#out.value(answered(type, value));
        return value !== null;
      };
    return () => this.#column(place);
  }

  #valueOf(place: number): Value {
    const at = place < 0 ? -1 : this.#at[place]!;
    return at < 0 ? null : this.#row!.value(this.#columns[place]!, at, this.#widths[place]!);
  }

  /**
   * Writes a column as it is stored; tells whether there is a value.
   * @param most bytes of a text.
   */
  #column(place: number, most = Number.POSITIVE_INFINITY): boolean {
    const at = place < 0 ? -1 : this.#at[place]!;
    if (at < 0) {
      this.#out.null();
      return false;
    }
    const column = this.#columns[place]!;
    const width = this.#widths[place]!;
    if (column.type === ColumnType.String || column.type === ColumnType.DateTime)
      this.#out.text(this.#row!.view, at, Math.min(width, most));
    else this.#out.value(this.#row!.value(column, at, width));
    return true;
  }
}
