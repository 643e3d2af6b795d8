/** What a clause asks of the data behind an answer rather than of the place. */
export type OfSource = 'vintage' | 'confidence' | 'source';

const DATA =
  '(?:data|dataset|map|maps|figures?|values?|numbers?|information|records?|source|survey|datos|mapa|informacion)';
const QUESTIONS: readonly (readonly [OfSource, RegExp])[] = [
  [
    'vintage',
    new RegExp(
      `\\b(?:from |of |as of )?(?:which|what) (?:year|date) (?:is|are|was|were|does|do)?\\b.*\\b${DATA}\\b|\\bhow (?:old|recent|current|fresh|up to date|up-to-date) (?:is|are) (?:the |that |this |your |these )?(?:\\p{L}+ )?(?:data|dataset|information|figures?|source)\\b|^(?:from|as of) (?:which|what) (?:year|date) (?:is|are) (?:the|that|this) |^(?:and )?(?:from|as of) (?:which|what|when) ?(?:year|date)?$|\\bde que (?:ano|fecha)\\b`,
      'u',
    ),
  ],
  [
    'confidence',
    /\bhow (?:sure|certain|reliable|accurate|confident|trustworthy|exact|precise) (?:is|are|was|were)?\b|^(?:and )?how (?:sure|certain|reliable|accurate)$|\b(?:que tan|cuan) (?:segur[oa]s?|fiables?|confiables?|exact[oa]s?)\b/u,
  ],
  [
    'source',
    /\b(?:where|who) (?:does|do|did|is|are) .*\bfrom\b.*\bdata\b|\bwhere (?:does|do|did|is|are) (?:(?:the|your|these|those) )?(?:\p{L}+ ){0,2}(?:data|dataset|maps?|information|figures?|values?|numbers?|that|this|it|they) (?:come |taken )?from\b|\bwhat(?:'s| is| are) (?:the|your|its) sources?\b|\bsegun quien\b/u,
  ],
];
const WORDS = new RegExp(
  `\\b(?:from|as of|which|what|year|date|how|old|recent|current|fresh|up to date|sure|certain|reliable|accurate|confident|exact|precise|are you|come|comes|sources?|${DATA})\\b`,
  'gu',
);

/** What a clause asks of its data, and what is left of it to search for. @param clause folded. */
export function ofSourceIn(clause: string): { readonly kind: OfSource; readonly rest: string } | null {
  const kind = QUESTIONS.find(([, pattern]) => pattern.test(clause))?.[0];
  return kind === undefined ? null : { kind, rest: clause.replace(WORDS, ' ').replace(/\s+/g, ' ').trim() };
}
