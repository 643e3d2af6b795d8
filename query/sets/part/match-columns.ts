import { serialize } from 'node:v8';
import { latLngToCell } from 'h3-js';
import type { ColumnPick } from '../../format/column-pick.ts';
import { CalculatedOutputs } from '../../search/page/calculated-outputs.ts';
import { MatchValues } from '../../search/page/match-values.ts';
import type { CountySet } from '../county-set.ts';
import type { SetRequest } from '../ground/set-ground.ts';
import { type GeometryPack, GeometryPacker } from './geometry-pack.ts';

/** Parcels of a set as columns. */
export interface MatchTable {
  readonly count: number;
  /** By name, null where a parcel has no value: what a match shows, its id, its analysis point with the H3 cell, and its outputs. */
  readonly columns: ReadonlyMap<string, unknown[]>;
  /** Of each parcel: outputs without a value and how each stands, as `name:status` with a space between. */
  readonly lacks: readonly string[];
  /** The outlines, where they were asked for. */
  readonly shapes: GeometryPack | null;
}

/** What is read of one county's parcels. */
interface CountyRead {
  readonly set: CountySet;
  readonly computed: CalculatedOutputs;
  readonly values: MatchValues;
  readonly point: ColumnPick;
}

/** Makes a table of parcels, one after another. */
export class MatchColumns {
  readonly #request: Pick<SetRequest, 'outputs' | 'countyByFips'>;
  readonly #resolution: number;
  readonly #columns = new Map<string, unknown[]>();
  readonly #lacks: string[] = [];
  readonly #shapes: GeometryPacker | null;
  #county: CountyRead | null = null;

  /** @param resolution of the H3 cells. @param shapes whether outlines are wanted. */
  constructor(request: Pick<SetRequest, 'outputs' | 'countyByFips'>, resolution: number, shapes: boolean) {
    this.#request = request;
    this.#resolution = resolution;
    this.#shapes = shapes ? new GeometryPacker() : null;
  }

  /** @throws DamagedFile when the row cannot be read. */
  async add(set: CountySet, row: number, id: string): Promise<void> {
    const { parcels } = set;
    if (this.#county?.set !== set) {
      const { outputs, countyByFips } = this.#request;
      const computed = new CalculatedOutputs(set.calculated, outputs, parcels);
      const values = new MatchValues(parcels, set.source, outputs, countyByFips);
      this.#county = { set, computed, values, point: parcels.columnPick(['centroid_lat', 'centroid_lon']) };
    }
    const { computed, values, point } = this.#county;
    await computed.read(row);
    let lack = '';
    values.read(row, computed, (name, value, status) => {
      this.#put(name, value);
      if (status !== 'ok') lack += `${lack === '' ? '' : ' '}${name}:${status}`;
    });
    const { centroid_lat: lat, centroid_lon: lng } = parcels.pick(row, point);
    this.#put('parcel_id', id);
    this.#put('lat', lat);
    this.#put('lng', lng);
    this.#put('h3', latLngToCell(Number(lat), Number(lng), this.#resolution));
    this.#shapes?.add(parcels.boundary(row));
    this.#lacks.push(lack);
  }

  /** Sets a value of the parcel that is added; the last one counts. */
  #put(name: string, value: unknown): void {
    let column = this.#columns.get(name);
    if (!column) {
      column = [];
      this.#columns.set(name, column);
    }
    column[this.#lacks.length] = value;
  }

  /** Bytes of the table (v8.serialize), which the thread that serves everybody has but to store. */
  bytes(): Uint8Array {
    // Of a row that could not be read some values may stand behind the last.
    for (const column of this.#columns.values()) column.length = this.#lacks.length;
    const table: MatchTable = {
      count: this.#lacks.length,
      columns: this.#columns,
      lacks: this.#lacks,
      shapes: this.#shapes?.pack() ?? null,
    };
    return serialize(table);
  }
}
