import type { Value } from '../../../datasets/dataset.ts';
import type { Finding } from '../../evaluate/finding.ts';
import type { FeatureFile } from '../../format/flatgeobuf.ts';
import type { Calculated, Take } from '../../parcel/calculated-values.ts';
import { Interrupted } from '../../release/fault.ts';
import type { MaybePromise } from '../../release/maybe-promise.ts';
import { isMissing } from '../columns/columns.ts';

/** The outputs of a search that are calculations, of one parcel at a time. */
export class CalculatedOutputs {
  readonly #calculated: Calculated;
  readonly #parcels: Pick<FeatureFile, 'corrected'>;
  /** One list for all parcels: where its values stand is found once. */
  readonly #names: readonly string[];
  /** Place of each among all outputs. */
  readonly #places: readonly number[];
  /** Calculations that were not carried out in the county: all of them failed. */
  readonly #missing: number;
  /** By place among all outputs; null of those that are no calculations. */
  readonly status: (Finding['status'] | null)[];
  readonly values: Value[];

  /** @param outputs names of all outputs, in order. @param parcels the file that knows what is corrected. */
  constructor(calculated: Calculated, outputs: readonly string[], parcels: Pick<FeatureFile, 'corrected'>) {
    this.#calculated = calculated;
    this.#parcels = parcels;
    const found = outputs.flatMap((name, place) => (calculated.locate(name) ? [{ name, place }] : []));
    this.#names = found.map(({ name }) => name);
    this.#places = found.map(({ place }) => place);
    this.status = outputs.map(name => (isMissing(calculated, name) ? 'failed' : null));
    this.#missing = this.status.filter(status => status !== null).length;
    this.values = outputs.map(() => null);
  }

  /** How many there are. */
  get count(): number {
    return this.#names.length + this.#missing;
  }

  /**
   * Reads what was computed for a parcel. All of it failed where it cannot be read, because a match stays a match.
   * @returns how many failed.
   */
  read(ord: number): MaybePromise<number> {
    // Most searches ask for none, and to wait for nothing takes longer than to write a value.
    if (this.#names.length === 0) return this.#missing;
    this.#failures = this.#missing;
    this.#corrected = this.#parcels.corrected?.get(ord) ?? null;
    try {
      const reading = this.#calculated.each(ord, this.#names, this.#take);
      if (!(reading instanceof Promise)) return this.#failures;
      return reading.then(
        () => this.#failures,
        (error: unknown) => this.#allFailed(error),
      );
    } catch (error) {
      return this.#allFailed(error);
    }
  }

  #failures = 0;
  /** What is corrected of the parcel that is read. */
  #corrected: ReadonlyMap<string, Value> | null = null;

  readonly #take: Take = (i, { status }, value) => {
    const place = this.#places[i]!;
    const own = status === 'failed' ? undefined : this.#corrected?.get(this.#names[i]!);
    this.status[place] = own === undefined ? status : 'ok';
    this.values[place] = own === undefined ? value : own;
    if (status === 'failed') this.#failures++;
  };

  #allFailed(error: unknown): number {
    if (error instanceof Interrupted) throw error;
    for (const place of this.#places) {
      this.status[place] = 'failed';
      this.values[place] = null;
    }
    return this.count;
  }
}
