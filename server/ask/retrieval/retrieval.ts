import MiniSearch from 'minisearch';
import type { Catalog } from '../../../datasets/catalog.ts';
import { closedListOf } from '../../../datasets/closed-list.ts';
import type { Field } from '../../../datasets/dataset.ts';
import { type EnrichCatalog, enrichCatalogOf } from '../../../datasets/enrich/enrich.ts';
import { SEARCH } from '../plan/fit.ts';
import { MATTERS } from '../plan/matters.ts';
import { strangeCompounds } from './compounds.ts';
import { questionWords } from './question-words.ts';
import { createSpeller, type Speller } from './spelling.ts';
import { inEnglish, isEmpty, positivesOf, rawWords, stemOf, unshortened, type Word, weightOf } from './words.ts';

/** A field that matches some words. */
export interface RankedField {
  readonly name: string;
  /** Comparable only within one ranking. */
  readonly score: number;
  /** 0 to 1: the share of the text that the field's own words cover. Rare words count more than common ones. */
  readonly coverage: number;
  /** 0 to 1: the share of the text that a term of the field covers which is in it as a whole. */
  readonly term: number;
  /** Words of the text that matched, as written there. */
  readonly matched: readonly string[];
}

type Part = keyof typeof SEARCH.weights;
const PARTS = Object.keys(SEARCH.weights) as Part[];

/** Most different words of a text that are looked up, and most that are corrected, so that no text takes long. */
const MAX_WORDS = 100;
const MAX_CORRECTIONS = 12;
/** Most words of a text that are read, including repeated ones. */
const MAX_STANDING = 1_000;

/** Spanish for "whose": two words that say nothing one by one. */
const DE_QUIEN = /\bde qui[eé]n(?:es)?\b/giu;

type Document = { readonly id: string } & Readonly<Record<Part, string>>;

/** A catalog whose fields can be found by words. */
type Fields = Pick<Catalog, 'fields'> | EnrichCatalog;

const said = (name: string): string => name.replaceAll('_', ' ');

/** Terms with what the Spanish ones among them are in English: a question is looked up in English words. */
function inBoth(terms: readonly string[]): string {
  const english = terms.flatMap(term => {
    const written = rawWords(term).filter(word => !isEmpty(word));
    const read = written.map(word => inEnglish(word).join(' ') || word);
    return read.some((word, i) => word !== written[i]) ? [read.join(' ')] : [];
  });
  return [...new Set([...terms, ...english])].join(' ; ');
}

/** What begins the id of a matter that no field tells: no field is called so. */
const MATTER = '?';

const EMPTY_PARTS = { name: '', title: '', question: '', description: '', values: '', unit: '' };

/** The everyday words and definitions of fields, by part; then those of matters that no field tells. */
function documentsOf(catalog: Catalog): Document[] {
  const fields = [...catalog.fields.values()].map((field: Field) => ({
    id: field.name,
    name: said(field.name),
    terms: inBoth(field.terms),
    title: field.title,
    question: questionWords(field),
    description: field.description,
    values: (closedListOf(catalog, field) ?? []).join(' ; '),
    unit: field.unit ?? '',
  }));
  const matters = Object.entries(MATTERS).map(([name, terms]) => ({
    ...EMPTY_PARTS,
    id: `${MATTER}${name}`,
    terms: inBoth(terms),
  }));
  return [...fields, ...matters];
}

/** The same for enrichment, whose fields have neither titles nor lists of values. */
function enrichDocumentsOf(enrich: EnrichCatalog): Document[] {
  return enrich.list.map(({ name, terms, description, unit }) => ({
    id: name,
    name: said(name),
    terms: inBoth(terms),
    title: '',
    question: '',
    description,
    values: '',
    unit: unit ?? '',
  }));
}

interface FieldIndex {
  readonly search: MiniSearch<Document>;
  readonly speller: Speller;
  /** Stems in the catalog with their rarity: the logarithm of the number of fields per field that has the stem. */
  readonly rarity: ReadonlyMap<string, number>;
  /** Stems that fields have, without those that only other matters have; and those by which fields are called. */
  readonly ofFields: ReadonlySet<string>;
  readonly called: ReadonlySet<string>;
  /** For each field: its terms, title and name as stems, without empty words. */
  readonly whole: ReadonlyMap<string, readonly (readonly string[])[]>;
  /** For each field: the stems in its definition. */
  readonly own: ReadonlyMap<string, ReadonlySet<string>>;
  /** For each field: those of them that stand only in terms or values of several words. */
  readonly partial: ReadonlyMap<string, ReadonlySet<string>>;
}

const stems = (text: string): string[] => rawWords(text).map(stemOf);

function createIndex(documents: readonly Document[]): FieldIndex {
  const search = new MiniSearch<Document>({
    fields: PARTS,
    tokenize: stems,
    processTerm: term => term,
    searchOptions: { tokenize: text => text.split(' '), boost: SEARCH.weights, bm25: SEARCH.bm25 },
  });
  search.addAll(documents);
  const vocabulary = new Map<string, number>();
  const held = new Map<string, number>();
  const own = new Map<string, ReadonlySet<string>>();
  const ofFields = new Set<string>();
  const called = new Set<string>();
  for (const { id, ...parts } of documents) {
    const words = Object.values(parts).flatMap(rawWords);
    // A misspelt word is that of a field: corrected to that of another matter, it would be refused.
    if (!id.startsWith(MATTER)) for (const word of words) vocabulary.set(word, (vocabulary.get(word) ?? 0) + 1);
    own.set(id, new Set(words.map(stemOf)));
    for (const stem of own.get(id)!) {
      held.set(stem, (held.get(stem) ?? 0) + 1);
      if (!id.startsWith(MATTER)) ofFields.add(stem);
    }
    if (!id.startsWith(MATTER))
      for (const stem of stems(`${parts.terms} ${parts.title} ${parts.name}`)) called.add(stem);
  }
  return {
    search,
    speller: createSpeller(vocabulary),
    ofFields,
    called,
    rarity: new Map([...held].map(([stem, fields]) => [stem, Math.log(1 + documents.length / fields)])),
    whole: new Map(
      documents.map(({ id, terms, title, name }) => [
        id,
        [...terms.split(' ; '), title, name].map(term =>
          [...new Set(rawWords(term).filter(word => !isEmpty(word)))].map(stemOf),
        ),
      ]),
    ),
    own,
    partial: new Map(
      documents.map(({ id, terms, values, ...parts }) => {
        const phrases = `${terms} ; ${values}`.split(' ; ').map(stems);
        const alone = [...Object.values(parts).flatMap(stems), ...phrases.filter(({ length }) => length === 1).flat()];
        return [id, new Set(phrases.flat().filter(stem => !alone.includes(stem)))];
      }),
    ),
  };
}

const indexes = new WeakMap<Fields, FieldIndex>();

function indexOf<T extends Fields>(fields: T, documents: (fields: T) => readonly Document[]): FieldIndex {
  let index = indexes.get(fields);
  if (!index) {
    index = createIndex(documents(fields));
    indexes.set(fields, index);
  }
  return index;
}

/** Makes a function that reads a word: nothing for empty words, the word itself when no field has it. */
function reader({ rarity, speller }: FieldIndex): (written: string) => Word[] {
  const occurs = (word: string) => rarity.has(stemOf(word));
  let corrections = 0;
  const readings = (written: string): Word[] => {
    const read = (word: string, share = 1) => {
      const stem = stemOf(word);
      return { written, stem, weight: weightOf(stem) * share };
    };
    const english = [...inEnglish(written), ...unshortened(written)].filter(occurs);
    if (english.length > 0) return english.map(word => read(word));
    // What compares says how much: "higher" is no line of 115 kV or higher.
    const measure = positivesOf(written).find(word => weightOf(stemOf(word)) < 1 && occurs(word));
    if (measure !== undefined) return [read(measure)];
    if (occurs(written)) return [read(written)];
    const positive = positivesOf(written).find(occurs);
    if (positive !== undefined) return [read(positive)];
    // A number that no field has is an amount, not a subject.
    if (/^\p{N}/u.test(written)) return [];
    const corrected = corrections++ < MAX_CORRECTIONS ? speller.correct(written) : null;
    if (corrected === null) return [read(written)];
    return isEmpty(corrected) ? [] : [read(corrected, SEARCH.corrected)];
  };
  const before = new Map<string, Word[]>();
  return written => {
    const words = before.get(written) ?? readings(written);
    before.set(written, words);
    return words;
  };
}

function wordsFor(index: FieldIndex, text: string): Word[] {
  const standing = rawWords(text.replace(DE_QUIEN, 'owner')).slice(0, MAX_STANDING);
  const reading = reader(index);
  const strange = strangeCompounds(
    standing,
    word => reading(word).map(({ stem }) => stem),
    (first, head) => [...index.own].some(([id, own]) => !id.startsWith(MATTER) && own.has(first) && own.has(head)),
  );
  const within = new Set(strange.flatMap(({ words }) => words));
  const different = [...new Set(standing)]
    // A single letter is a unit or the rest of a word.
    .filter(word => !isEmpty(word) && !/^\p{L}$/u.test(word) && !within.has(word))
    .slice(0, MAX_WORDS);
  // No field has such a stem.
  const compounds = strange.map(({ written }) => ({ written, stem: written.replace(' ', '_'), weight: 1 }));
  return [...compounds, ...different.flatMap(reading)];
}

/**
 * The significant words of a text: without empty words, Spanish ones in English, misspelt ones corrected to the nearest
 * word of the catalog.
 */
export const wordsOf = (catalog: Catalog, text: string): Word[] => wordsFor(indexOf(catalog, documentsOf), text);

/** Whether any field of the catalog has a word. */
export const inCatalog = (catalog: Catalog, word: Word): boolean =>
  indexOf(catalog, documentsOf).ofFields.has(word.stem);

/**
 * Ranks fields by how well some everyday words match them, best first: BM25+ over their words, with a bonus for terms
 * that are in the text as a whole. Pure: the same catalog and text give the same ranking.
 * @param text a question or a few words, English or Spanish, in any spelling and of any length.
 * @param limit most fields returned. Fields that share no word with the text are left out.
 */
export const rankFields = (catalog: Catalog, text: string, limit = 50): RankedField[] =>
  rank(indexOf(catalog, documentsOf), text)
    .filter(({ name }) => !name.startsWith(MATTER))
    .slice(0, limit);

/** The same with matters that no field tells among the fields. */
export const rankMatters = (catalog: Catalog, text: string): RankedField[] => rank(indexOf(catalog, documentsOf), text);

/** A matter that a text asks for and no field tells. */
export interface MatterOfText {
  /** The words of its term in the text, as written. */
  readonly written: string;
  /** Words of its longest term. */
  readonly words: number;
  /** Share of the text that a whole term of it covers. */
  readonly term: number;
  /** Its score as a share of that of the best field. */
  readonly share: number;
  /** Whether a term of it has a word by which no field is called. */
  readonly isForeign: boolean;
}

/** The matter that no field tells and that a text names best by a whole term; null for none. */
export function matterIn(catalog: Catalog, text: string): MatterOfText | null {
  const index = indexOf(catalog, documentsOf);
  const ranked = rank(index, text);
  const named = ranked.find(({ name, term }) => name.startsWith(MATTER) && term > 0);
  if (named === undefined) return null;
  const best = ranked.find(({ name }) => !name.startsWith(MATTER))?.score ?? 0;
  const words = wordsFor(index, text);
  const inText = (stem: string) => words.some(word => word.stem === stem);
  const whole = index.whole.get(named.name)!.filter(term => term.length > 0 && term.every(inText));
  const longest = whole.reduce((a, b) => (b.length > a.length ? b : a));
  const ofTerm = words.filter(({ stem }) => longest.includes(stem));
  const full = ofTerm.filter(({ weight }) => weight === 1);
  const said = (full.length > 0 ? full : ofTerm).map(({ written }) => written);
  return {
    written: [...new Set(said)].join(' '),
    words: longest.length,
    term: named.term,
    share: best === 0 ? Number.POSITIVE_INFINITY : named.score / best,
    isForeign: whole.some(term => term.some(stem => !index.called.has(stem))),
  };
}

/** The same for the fields of enrichment: those of fetch, those stored with parcels, and those of enrichment only. */
export const rankEnrichment = (catalog: Catalog, text: string, limit = 50): RankedField[] =>
  rank(indexOf(enrichCatalogOf(catalog), enrichDocumentsOf), text).slice(0, limit);

function rank(index: FieldIndex, text: string): RankedField[] {
  const { search, rarity, whole, own, partial } = index;
  const words = wordsFor(index, text);
  const weights = new Map<string, number>();
  for (const { stem, weight } of words) weights.set(stem, Math.max(weight, weights.get(stem) ?? 0));
  if (weights.size === 0) return [];
  // A word that no field has counts as the rarest.
  const rarest = Math.log(1 + own.size);
  const worth = (stem: string) => (rarity.get(stem) ?? rarest) * (weights.get(stem) ?? 0);
  // A word that is looked up as two, such as a short form, counts once.
  const readings = [...Map.groupBy(words, ({ written }) => written).values()].map(read => read.map(({ stem }) => stem));
  const total = readings.reduce((sum, read) => sum + Math.max(...read.map(worth)), 0);
  const isFull = (stem: string) => weightOf(stem) === 1;
  const found = search.search([...weights.keys()].join(' '), { boostTerm: stem => weights.get(stem) ?? 1 });
  return found
    .map(({ id, score, queryTerms }) => {
      const name = String(id);
      const terms = whole.get(name)!.filter(term => term.length > 0 && term.every(stem => weights.has(stem)));
      const worths = terms.map(term => term.reduce((sum, stem) => sum + worth(stem), 0));
      const exact = terms.some(term => new Set(term).size === weights.size);
      const named = new Set(terms.flat());
      const has = new Set(queryTerms.filter(stem => own.get(name)!.has(stem)));
      const share = (stem: string) =>
        has.has(stem) ? worth(stem) * (partial.get(name)!.has(stem) && !named.has(stem) ? SEARCH.partial : 1) : 0;
      const covered = readings.reduce((sum, read) => sum + Math.max(...read.map(share)), 0);
      return {
        name,
        score: (score + SEARCH.wholeTerm * Math.max(0, ...worths)) * (exact ? SEARCH.exact : 1),
        coverage: Math.min(1, covered / total),
        // Words that only measure name a field where nothing else is said.
        term: Math.min(1, Math.max(0, ...worths.filter((_, i) => exact || terms[i]!.some(isFull))) / total),
        matched: [...new Set(words.filter(({ stem }) => queryTerms.includes(stem)).map(({ written }) => written))],
      };
    })
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
}
