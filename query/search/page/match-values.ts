import type { Value } from '../../../datasets/dataset.ts';
import type { ColumnPick } from '../../format/column-pick.ts';
import type { FeatureRecord } from '../../format/feature-record.ts';
import type { FeatureFile } from '../../format/flatgeobuf.ts';
import { parcelSquareMetres } from '../../geometry/acre.ts';
import { toWkt } from '../../geometry/wkt.ts';
import { PART } from '../../release/part.ts';
import { PARCEL_AREA } from '../request/name.ts';
import type { CalculatedOutputs } from './calculated-outputs.ts';
import { toGeoJson } from './geojson.ts';
import { answered, typeOf } from './match-writer.ts';
import type { MatchSource } from './page-writer.ts';

/** Gets a value of a match. @param status of an output. */
export type TakeValue = (name: string, value: Value, status: string) => void;

/** What every match shows of its row, beside state and source. */
const SHOWN = ['apn', 'address', 'county', 'city', 'acreage'];

/** As JSON has it: a number that is not finite is none, and there is one zero. */
const plain = (value: Value): Value =>
  typeof value === 'number' ? (Number.isFinite(value) ? value + 0 : null) : value;

/** Reads what MatchWriter writes of one county's parcels, as values. */
export class MatchValues {
  readonly #parcels: FeatureFile;
  readonly #from: MatchSource;
  readonly #wanted: ColumnPick;
  readonly #at: Int32Array;
  readonly #widths: Int32Array;
  readonly #shown: readonly (readonly [name: string, place: number])[];
  readonly #outputs: readonly (readonly [name: string, type: string | undefined, read: (ord: number) => Value])[];
  readonly #part: number;
  #row: FeatureRecord | null = null;

  /** @param outputs names, in order; no geometry. @param countyByFips whether `county` is answered by FIPS code. */
  constructor(parcels: FeatureFile, from: MatchSource, outputs: readonly string[], countyByFips: boolean) {
    this.#parcels = parcels;
    this.#from = from;
    this.#wanted = parcels.columnPick([...SHOWN, PART, ...outputs]);
    this.#at = new Int32Array(parcels.stored.length);
    this.#widths = new Int32Array(parcels.stored.length);
    this.#shown = SHOWN.map(name => [name, parcels.placeOf(name)]);
    this.#outputs = outputs.map(name => [name, typeOf(name), this.#readerOf(name, countyByFips)]);
    this.#part = from.sources.length > 1 ? parcels.placeOf(PART) : -1;
  }

  /** Tells what every match shows, and then the outputs. @param calculated read for the parcel. @throws DamagedFile when its row cannot be read. */
  read(ord: number, calculated: CalculatedOutputs, take: TakeValue): void {
    const parcels = this.#parcels;
    this.#row = parcels.locate(ord, this.#wanted, this.#at, this.#widths);
    const corrected = parcels.corrected?.get(ord);
    try {
      for (const [name, place] of this.#shown) {
        const own = corrected?.get(name);
        take(name, plain(own === undefined ? this.#valueOf(place) : own), 'ok');
      }
      take('state', this.#from.state, 'ok');
      take('source', this.#from.sources[Number(this.#valueOf(this.#part) ?? 0)]!, 'ok');
      const outputs = this.#outputs;
      for (let i = 0; i < outputs.length; i++) {
        const [name, type, read] = outputs[i]!;
        const stored = calculated.status[i]!;
        const own = stored ? undefined : corrected?.get(name);
        if (own !== undefined) {
          take(name, plain(own), 'ok');
          continue;
        }
        const value = plain(answered(type, stored ? calculated.values[i]! : read(ord)));
        take(name, value, stored ?? (value === null ? 'absent' : 'ok'));
      }
    } catch (error) {
      throw parcels.undecoded(ord, error);
    }
  }

  #readerOf(name: string, countyByFips: boolean): (ord: number) => Value {
    const { state, fips } = this.#from;
    switch (name) {
      case 'state':
      case 'state2':
        return () => state;
      case 'geoid':
        return () => fips;
      case 'parcel_boundary_geojson':
        return ord => JSON.stringify(toGeoJson(this.#parcels.boundary(ord)));
      case 'parcel_geometry_wkt':
        return ord => toWkt(this.#parcels.boundary(ord));
    }
    if (name === 'county' && countyByFips) return () => fips;
    const place = this.#parcels.placeOf(name === PARCEL_AREA ? 'acreage' : name);
    if (name !== PARCEL_AREA) return () => this.#valueOf(place);
    return () => {
      const acres = this.#valueOf(place);
      return typeof acres === 'number' ? parcelSquareMetres(acres) : null;
    };
  }

  #valueOf(place: number): Value {
    const at = place < 0 ? -1 : this.#at[place]!;
    return at < 0 ? null : this.#row!.value(this.#parcels.stored[place]!, at, this.#widths[place]!);
  }
}
