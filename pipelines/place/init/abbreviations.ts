import short from './abbreviations.json' with { type: 'json' };

/** Short form or word → the full word or words. The file has the words that publishers shorten, and their short forms. */
export const WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries<string>(short).flatMap(([word, forms]) =>
    [...forms.split(' ').filter(Boolean), word].map(form => [form, word] as const),
  ),
);

/** Words that tell little about a column, because nearly every name has one. */
export const WEAK: ReadonlySet<string> = new Set(
  'number code name id value description type date total full'.split(' '),
);
