import type { Evidence } from '../backend.ts';
import { mattersOf, normalized, shared } from './clauses.ts';

/** The claim of a field's description: its first sentence, without what stands in brackets. */
export const claimOf = ({ description }: Evidence): string =>
  (description.split(/\.(?:\s|$)/)[0] ?? '').replace(/^Whether /, '').replace(/ \([^)]*\)/g, '');

/** What a record and its field say beside the value, in parts of sentences. */
export const remarksOf = ({ hint, description, record, area }: Evidence): string[] =>
  [hint, description, record.notes ?? '', record.error ?? '', ...area]
    .flatMap(text => normalized(text).split(/(?<=[.;:?!])\s+/))
    .filter(text => text !== '');

/** Cited records with the words by which each is told from the others. */
export class Matters {
  readonly #words: ReadonlyMap<Evidence, ReadonlySet<string>>;

  constructor(cited: readonly Evidence[]) {
    const all = new Map(cited.map(one => [one, mattersOf(`${one.title} ${claimOf(one)}`)]));
    this.#words = new Map(
      [...all].map(([one, words]) => {
        const others = [...all].filter(([other]) => other !== one).map(([, others]) => others);
        return [one, new Set([...words].filter(word => !others.some(other => other.has(word))))];
      }),
    );
  }

  /** Those of some records that a text names. */
  namedIn(text: string, among: readonly Evidence[]): Evidence[] {
    const words = mattersOf(text);
    return among.filter(one => shared(words, this.#words.get(one)!) > 0);
  }
}
