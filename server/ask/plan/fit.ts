/**
 * Thresholds of planning, fitted on 1 December 2026 on the sets of bench/ask that may be read: together they score a recall of 0.96 and a
 * precision of 0.79, and 38 of 402 questions that no field answers are planned, where 99 were before. On passersby.tsv, which nobody reads
 * who fits them: recall 0.881 (0.886 before), precision 0.755 (0.750), 4 of 15 (4).
 */
export const FIT = {
  /** Least score of a field, as a share of the best field's score. */
  ratio: 0.6,
  /** Share of a clause from which on a whole term of the best field is what is meant, and the least score of others then. */
  named: 0.85,
  namedRatio: 0.55,
  /** Least share of the best field's score for a field of which no term is in the clause as a whole. */
  untermed: 0.75,
  /** Most fields of one clause. */
  most: 4,
  /** Least share of a clause that its best field must cover. Below it, the catalog has no answer. */
  coverage: 0.45,
  /** Share of a clause that a whole term of a field must cover to make the field its answer. */
  term: 0.15,
  /** The same for a clause that names so many things which the field does not have: it is about them. */
  things: 2,
  termBeside: 0.35,
  /** The same for a clause with a word that no field has: half of such a question is another question. */
  coverageBeside: 0.5,
  /** The same for a clause of one word. */
  alone: 0.8,
  /** The same for a field that has its one full word in a longer term alone. */
  partOfTerm: 0.55,
  /** Share of a clause, covered by its best field, below which the answer names what no field is about. */
  whole: 0.75,
  /** Share of a clause that a field of enrichment only must cover to be named. */
  beyond: 0.6,
  /** Share of the best field's score that a field of enrichment only must reach to be named beside it (`more`) or instead of it. */
  more: 1.1,
  rather: 2,
  /** Share of the best field's score that a yes-or-no field must reach when the clause asks yes or no. */
  whether: 0.35,
  /** Factor for a field in a unit that the clause names, and the share by which it rises for being about what was said before. */
  measured: 1.25,
  /** Factor for a field of the size or the largest of things where a clause asks for that. */
  largest: 1.6,
  context: 0.6,
  /** Factor for a field that is called by a number which the clause does not name, and by one that it names. */
  numbered: 0.95,
  called: 1.25,
  /**
   * Share of the best field's score from which on a matter that no field tells is what is meant, and the share of a clause of a term of it
   * that has a word by which no field is called.
   */
  foreign: 0.9,
  foreignTerm: 0.25,
  /** The same for a matter with a longer whole term than any field has. */
  longer: 0.5,
  /**
   * Of a field that a question as a whole names: fields looked at, the share of the best field's score, and the share of the question
   * that a term covers of a field which alone has one of its words.
   */
  wholeLooked: 40,
  wholeRatio: 0.6,
  wholeTerm: 0.3,
  /** Most fields that what was said before is about. */
  looked: 12,
  /** First fields of a ranking that a segment is about, as far as its time is concerned, and their least share of the best score. */
  timed: 3,
  timedShare: 0.5,
  /** Share of a field's own score that the unwanted clauses must reach to remove it. */
  unwanted: 0.9,
  /** Share of the most unwanted field's score at which a field is removed from a preset. */
  presetUnwanted: 0.5,
} as const;

/** Weights of the search for fields, fitted in the same way. */
export const SEARCH = {
  /**
   * The weight of a word by its place in a field's definition. Hints are not indexed, because they speak about consequences and
   * therefore about the subjects of other fields.
   */
  weights: { terms: 4, title: 3, name: 2, question: 1, description: 1, values: 1, unit: 0.5 },
  /** Parameters of BM25 in MiniSearch: k saturates term frequency, b is the share of length normalisation, d the minimum. */
  bm25: { k: 1.2, b: 0.4, d: 0.5 },
  /** The weight of a term that is in the text as a whole, in weights of its words. */
  wholeTerm: 4,
  /** What a word counts that only stands in a term or value of several words of which others are missing: a drive is no private drive. */
  partial: 0.75,
  /** Factor for a field when one of its terms is the whole text: "elevation" means elevation, not that of a flood. */
  exact: 1.25,
  /** The weight of a corrected word. */
  corrected: 0.8,
} as const;
