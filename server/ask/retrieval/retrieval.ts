import MiniSearch from 'minisearch';
import type { Catalog } from '../../../datasets/catalog.ts';
import { closedListOf } from '../../../datasets/closed-list.ts';
import type { Field } from '../../../datasets/dataset.ts';
import { askedAs } from './asked-as.ts';
import { createSpeller, type Speller } from './spelling.ts';
import { inEnglish, isEmpty, rawWords, stemOf, type Word, weightOf } from './words.ts';

/** A field that some words are about. */
export interface RankedField {
  readonly name: string;
  /** Comparable only within one ranking. */
  readonly score: number;
  /** 0 to 1: how much of what the text says is among the field's own words, rare words counting more than common ones. */
  readonly coverage: number;
  /** Words of the text that it was found by, as written there. */
  readonly matched: readonly string[];
}

/**
 * What a word counts for where it stands in a field's definition: fitted on the fitting half of bench/ask. Hints speak of
 * consequences and so of other fields' matters.
 */
const WEIGHTS = { terms: 4, title: 3, name: 2, asked: 1, description: 1, values: 1, unit: 0.5, hint: 0.2 } as const;
type Part = keyof typeof WEIGHTS;
const PARTS = Object.keys(WEIGHTS) as Part[];
/** MiniSearch's own: term frequency saturates at k, b is the share of length normalisation, d lets no match count nothing. */
const BM25 = { k: 1.2, b: 0.4, d: 0.5 };
/** What a term counts for of which every word is in the text, in weights of its words. */
const WHOLE_TERM = 3;

type Document = { readonly id: string } & Readonly<Record<Part, string>>;

/** Everyday words and definition of a field, in parts. */
function documentOf(catalog: Catalog, field: Field): Document {
  return {
    id: field.name,
    name: field.name.replaceAll('_', ' '),
    terms: field.terms.join(' ; '),
    title: field.title,
    asked: askedAs(field),
    description: field.description,
    values: (closedListOf(catalog, field) ?? []).join(' ; '),
    unit: field.unit ?? '',
    hint: field.hint,
  };
}

interface FieldIndex {
  readonly search: MiniSearch<Document>;
  readonly speller: Speller;
  /** Stems of the catalog, and their rarity: the logarithm of how many fields there are to one that has it. */
  readonly rarity: ReadonlyMap<string, number>;
  /** By field, its terms as stems, empty words left out. */
  readonly terms: ReadonlyMap<string, readonly (readonly string[])[]>;
  /** By field, the stems that stand in what defines it: its hint is left out. */
  readonly own: ReadonlyMap<string, ReadonlySet<string>>;
}

const stems = (text: string): string[] => rawWords(text).map(stemOf);

function createIndex(catalog: Catalog): FieldIndex {
  const documents = [...catalog.fields.values()].map(field => documentOf(catalog, field));
  const search = new MiniSearch<Document>({
    fields: PARTS,
    tokenize: stems,
    processTerm: term => term,
    searchOptions: { tokenize: text => text.split(' '), boost: WEIGHTS, bm25: BM25 },
  });
  search.addAll(documents);
  const vocabulary = new Map<string, number>();
  const held = new Map<string, number>();
  const own = new Map<string, ReadonlySet<string>>();
  for (const { id, hint, ...parts } of documents) {
    const words = Object.values(parts).flatMap(rawWords);
    for (const word of words) vocabulary.set(word, (vocabulary.get(word) ?? 0) + 1);
    own.set(id, new Set(words.map(stemOf)));
    for (const stem of own.get(id)!) held.set(stem, (held.get(stem) ?? 0) + 1);
  }
  return {
    search,
    speller: createSpeller(vocabulary),
    rarity: new Map([...held].map(([stem, fields]) => [stem, Math.log(1 + documents.length / fields)])),
    terms: new Map(
      [...catalog.fields.values()].map(({ name, terms }) => [
        name,
        terms.map(term => [...new Set(rawWords(term).filter(word => !isEmpty(word)))].map(stemOf)),
      ]),
    ),
    own,
  };
}

const indexes = new WeakMap<Catalog, FieldIndex>();

function indexOf(catalog: Catalog): FieldIndex {
  let index = indexes.get(catalog);
  if (!index) {
    index = createIndex(catalog);
    indexes.set(catalog, index);
  }
  return index;
}

/**
 * The words of a text that say what it is about: empty words left out, Spanish ones in English, misspelt ones corrected
 * to the nearest word of the catalog.
 */
export function wordsOf(catalog: Catalog, text: string): Word[] {
  const { rarity, speller } = indexOf(catalog);
  const known = (word: string) => rarity.has(stemOf(word));
  return rawWords(text).flatMap(written => {
    if (isEmpty(written)) return [];
    const read = (word: string, share = 1) => {
      const stem = stemOf(word);
      return { written, stem, weight: weightOf(stem) * share };
    };
    const english = inEnglish(written).filter(known);
    if (english.length > 0) return english.map(word => read(word));
    if (known(written)) return [read(written)];
    const corrected = speller.correct(written);
    return [corrected === null || isEmpty(corrected) ? read(written) : read(corrected, 0.8)];
  });
}

/**
 * Fields by how well some everyday words fit them, best first: BM25+ over their words, and more for a term that is said
 * whole. Pure: the same catalog and text give the same ranking.
 * @param text a question or a few words, English or Spanish, in any spelling; of any length.
 * @param limit of fields; those that share no word with the text are left out.
 */
export function rankFields(catalog: Catalog, text: string, limit = 50): RankedField[] {
  const { search, rarity, terms, own } = indexOf(catalog);
  const words = wordsOf(catalog, text);
  const weights = new Map<string, number>();
  for (const { stem, weight } of words) weights.set(stem, Math.max(weight, weights.get(stem) ?? 0));
  if (weights.size === 0) return [];
  // A word that no field has is as rare as can be.
  const rarest = Math.log(1 + catalog.fields.size);
  const worth = (stem: string) => (rarity.get(stem) ?? rarest) * (weights.get(stem) ?? 0);
  const said = [...weights.keys()].reduce((sum, stem) => sum + worth(stem), 0);
  const found = search.search([...weights.keys()].join(' '), { boostTerm: stem => weights.get(stem) ?? 1 });
  return found
    .map(({ id, score, queryTerms }) => {
      const name = String(id);
      const whole = (terms.get(name) ?? [])
        .filter(term => term.length > 0 && term.every(stem => weights.has(stem)))
        .map(term => term.reduce((sum, stem) => sum + worth(stem), 0));
      const covered = queryTerms.filter(stem => own.get(name)!.has(stem)).reduce((sum, stem) => sum + worth(stem), 0);
      return {
        name,
        score: score + WHOLE_TERM * Math.max(0, ...whole),
        coverage: Math.min(1, covered / said),
        matched: [...new Set(words.filter(({ stem }) => queryTerms.includes(stem)).map(({ written }) => written))],
      };
    })
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
    .slice(0, limit);
}
