import type { Catalog } from '../../datasets/catalog.ts';
import { DamagedFile } from '../format/damaged-file.ts';
import { Fault } from '../release/fault.ts';
import type { Layers } from '../release/layers.ts';
import {
  type CountyPair,
  FIRST_PARCEL,
  type ParcelChange,
  type ParcelPosition,
  parcelChanges,
} from './parcel-changes.ts';
import { ParcelSide } from './parcel-side.ts';
import { differingPairs, layerNames, PARCEL_LAYER, type PartitionPair, parcelPairs } from './partition-pair.ts';
import { countShare, NO_ROWS, type RowCounts, sharesOfPair, sum } from './row-counts.ts';
import { TimeUp, type Work } from './work.ts';

/** Where comparing goes on: with the rows of a layer, or, when all are counted, with the parcels of a county. */
export type ChangesPosition =
  | {
      readonly of: 'rows';
      readonly layer: string;
      readonly pair: string;
      readonly share: number;
      readonly counted: RowCounts;
    }
  | ({ readonly of: 'parcels'; readonly county: string } & ParcelPosition);

/** What is asked of two releases. */
export interface ChangesQuestion {
  /** Two letters: partitions of this state, and of the nation; null for all. */
  readonly state: string | null;
  /** Attributes and calculations of parcels whose old and new value is told. */
  readonly fields: readonly string[];
  /** Null for the beginning. */
  readonly from: ChangesPosition | null;
  /** Parcels of a page. */
  readonly limit: number;
}

/** A layer whose rows differ. */
export interface LayerChange extends RowCounts {
  readonly dataset: string;
  readonly layer: string;
}

/** What could not be compared. */
export interface Gap {
  readonly dataset: string;
  readonly layer: string;
  /** Area and place of the partition. */
  readonly partition: string;
  /** Of one name alone; null of all that stands there. */
  readonly field: string | null;
  readonly reason: string;
}

export interface ChangesPage {
  readonly layers: readonly LayerChange[];
  readonly parcels: readonly ParcelChange[];
  readonly gaps: readonly Gap[];
  /** Null when all is told. */
  readonly next: ChangesPosition | null;
}

/** The releases that are compared. */
export interface Compared {
  readonly before: Layers;
  readonly after: Layers;
  readonly catalog: Catalog;
}

const reasonOf = (error: unknown): string => {
  if (error instanceof TimeUp || !(error instanceof Fault || error instanceof DamagedFile)) throw error;
  return error.message;
};

/** One page of what differs between two releases, in an order that is the same each time. */
class Page {
  readonly layers: LayerChange[] = [];
  readonly parcels: ParcelChange[] = [];
  readonly gaps: Gap[] = [];
  readonly #compared: Compared;
  readonly #question: ChangesQuestion;
  readonly #work: Work;

  constructor(compared: Compared, question: ChangesQuestion, work: Work) {
    this.#compared = compared;
    this.#question = question;
    this.#work = work;
  }

  get #isFull(): boolean {
    return this.#work.isDone || this.parcels.length >= this.#question.limit;
  }

  async fill(): Promise<ChangesPosition | null> {
    const { from, fields } = this.#question;
    const next = from?.of === 'parcels' ? null : await this.#countRows(from);
    if (next || fields.length === 0) return next;
    return this.#compareParcels(from?.of === 'parcels' ? from : null);
  }

  #gap(name: string, partition: string, field: string | null, reason: string): void {
    const [dataset, layer] = name.split(':') as [string, string];
    this.gaps.push({ dataset, layer, partition, field, reason });
  }

  async #countRows(from: Extract<ChangesPosition, { of: 'rows' }> | null): Promise<ChangesPosition | null> {
    const [before, after] = [this.#compared.before.release.manifest, this.#compared.after.release.manifest];
    for (const name of layerNames(before, after)) {
      if (from && name < from.layer) continue;
      const start = from?.layer === name ? from : null;
      const { pairs } = differingPairs(before, after, name, this.#question.state);
      let counted = start?.counted ?? NO_ROWS;
      for (const pair of pairs) {
        if (start && pair.id < start.pair) continue;
        const shares = sharesOfPair(pair);
        for (let share = start?.pair === pair.id ? start.share : 0; share < shares; share++) {
          const at = { of: 'rows', layer: name, pair: pair.id, share, counted } as const;
          if (this.#isFull) return at;
          this.#work.check();
          try {
            counted = sum(
              counted,
              await countShare(this.#compared, name, pair, { number: share, of: shares }, this.#work),
            );
          } catch (error) {
            this.#gap(name, pair.id, null, reasonOf(error));
            break;
          }
        }
      }
      const [dataset, layer] = name.split(':') as [string, string];
      if (counted.added + counted.removed + counted.changed > 0) this.layers.push({ dataset, layer, ...counted });
    }
    return null;
  }

  async #compareParcels(from: Extract<ChangesPosition, { of: 'parcels' }> | null): Promise<ChangesPosition | null> {
    const { before, after } = this.#compared;
    for (const pair of parcelPairs(before.release.manifest, after.release.manifest, this.#question.state)) {
      if (from && pair.id < from.county) continue;
      const start: ParcelPosition = from?.county === pair.id ? from : FIRST_PARCEL;
      if (this.#isFull) return { of: 'parcels', county: pair.id, ...start };
      this.#work.check();
      try {
        const county = await this.#open(pair);
        const names = this.#names(county, start === FIRST_PARCEL);
        if (names.length === 0) continue;
        const rest = await parcelChanges(
          county,
          names,
          start,
          this.#work,
          () => this.#isFull,
          change => this.parcels.push(change),
        );
        if (rest) return { of: 'parcels', county: pair.id, ...rest };
      } catch (error) {
        this.#gap(PARCEL_LAYER, pair.id, null, reasonOf(error));
      }
    }
    return null;
  }

  async #open({ id, before, after }: PartitionPair): Promise<CountyPair> {
    const { catalog } = this.#compared;
    const [was, now] = [before[0], after[0]];
    const open = (layers: Layers, county: typeof was) => (county ? ParcelSide.open(layers, catalog, county) : null);
    const sha = (county: typeof was) => county?.files.find(file => file.role === 'features')?.sha256;
    return {
      key: id,
      before: await open(this.#compared.before, was),
      after: await open(this.#compared.after, now),
      sameFile: sha(was) === sha(now),
    };
  }

  /** The names whose values may differ. @param tells whether it is said which names cannot be compared. */
  #names({ key, before, after, sameFile }: CountyPair, tells: boolean): string[] {
    const sides = [before, after].filter(side => side !== null);
    return this.#question.fields.filter(name => {
      const lacking = sides.filter(side => !side.has(name));
      if (lacking.length > 0) {
        const which = lacking[0] === before ? 'earlier' : 'later';
        const reason =
          lacking.length === sides.length
            ? `${name} is not told of these parcels`
            : `the ${which} release does not tell ${name} of these parcels`;
        if (tells) this.#gap(PARCEL_LAYER, key, name, reason);
        return false;
      }
      const source = sides[0]!.source(name);
      return !(sameFile && source !== null && source === sides[1]!.source(name));
    });
  }
}

/**
 * One page of what differs between two releases: first the layers whose rows differ, then, where fields are asked for, the
 * parcels of both, county by county.
 * @throws TimeUp when one piece of the work takes longer than there is time; Interrupted.
 */
export async function changesPage(compared: Compared, question: ChangesQuestion, work: Work): Promise<ChangesPage> {
  const page = new Page(compared, question, work);
  const next = await page.fill();
  const { layers, parcels, gaps } = page;
  return { layers, parcels, gaps, next };
}
