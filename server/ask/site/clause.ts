import { folded, isEmpty } from '../retrieval/words.ts';
import { SPANISH_SITE, SPANISH_STATISTICS } from './spanish.ts';
import type { Statistic } from './statistic.ts';

/** A clause of a question about a site. */
export interface SiteClause {
  /** Null where it asks for the value alone. */
  readonly statistic: Statistic | null;
  /** What it is about: without words for the site itself and for what of it is asked. Empty for the site itself. */
  readonly matter: string;
}

/** Words that stand for the site itself. */
const SITE = new Set(
  ['site', "site's", 'land', 'lands', 'area', 'property', 'tract', 'polygon', 'ground', ...SPANISH_SITE].map(folded),
);
/** Words after which these words are the site, though they say something elsewhere. */
const OF_SITE = new Set(
  'whole entire total full registered share part portion fraction percent percentage acres acreage much todo toda'.split(
    ' ',
  ),
);
/** Words that make one thing of the word before them: land cover is not the site. */
const COMPOUND = /^(?:cover|use|uses|value|values|class|classes|type|types|form|forms|owner|owners|manager|code|name)$/;

/** A text without the words for the site itself; "federal land" and "land cover" stay. */
export function withoutSite(text: string): string {
  const words = [...text.matchAll(/[\p{L}\p{N}]+(?:['’]s)?/gu)].map(match => ({
    word: folded(match[0]),
    from: match.index,
    to: match.index + match[0].length,
  }));
  let left = '';
  let end = 0;
  for (const [i, { word, from, to }] of words.entries()) {
    const [before, after] = [words[i - 1]?.word, words[i + 1]?.word];
    const isSite =
      SITE.has(word) &&
      (before === undefined || isEmpty(before) || OF_SITE.has(before) || SITE.has(before)) &&
      (after === undefined || !COMPOUND.test(after));
    if (!isSite) continue;
    left += text.slice(end, from);
    end = to;
  }
  return (left + text.slice(end)).replace(/\s+/g, ' ').trim();
}

/** An amount that something is held against. */
const LIMIT =
  /\b(?:(?:more|less|fewer|\p{L}+er) than|over|under|above|below|at least|at most|mas de|menos de)\s+[\d.,]+/gu;
/** What a person says of heights. */
const POINT = /\b(?:highest|lowest|high|low)(?:est)? (?:point|spot|part|ground|place|elevation)\b/;
/** Superlatives that name their matter, and what it is called. */
const NAMED: readonly (readonly [RegExp, string])[] = [
  [/\b(?:steepest|flattest)\b/g, 'slope'],
  [/\b(?:deepest|shallowest)\b/g, 'depth'],
  [/\btallest\b/g, 'tall'],
  [/\bwindiest\b/g, 'wind'],
];

const STATISTICS: readonly (readonly [Statistic, RegExp])[] = [
  ['least', /\b(?:lowest|minimum|min|least|smallest|flattest|shallowest)\b|\bhow (?:low|flat) (?:does|is) it get\b/],
  [
    'most',
    /\b(?:highest|maximum|max|greatest|largest|biggest|steepest|deepest|tallest|windiest|peak|at most|most(?! (?:of|common)))\b/,
  ],
  ['mean', /\b(?:average|avg|mean|typical|typically)\b/],
  [
    'share',
    /(?<!\bin )\b(?:percent(?:age)?|per cent|share|fraction|portion|proportion|how much|(?:what|which) part|acres?|acreage|hectares?|square (?:feet|miles|meters|kilometers))\b|%/,
  ],
  ['count', /\b(?:how many|number of|count of)\b/],
];
/** Words that say only what of a value is asked. */
const IDLE =
  /\b(?:lowest|highest|minimum|maximum|min|max|least|most|common|dominant|smallest|largest|biggest|greatest|average|avg|mean|typical|typically|peak|percentage|percent|per cent|share|fraction|portion|proportion|part|acres?|acreage|hectares?|square (?:feet|miles|meters|kilometers)|how (?:much|many)|number|point|spot|(?<!\bland )cover(?:ed|s)?|made|consists?|lies?|lying|falls?|exists?|size|big|large)\b|%/g;

/** What the words of a clause ask, in English or Spanish: the first that it says. */
function statisticIn(text: string): Statistic | null {
  const without = text.replace(LIMIT, ' ');
  return [...STATISTICS, ...SPANISH_STATISTICS.statistics].find(([, pattern]) => pattern.test(without))?.[0] ?? null;
}

/** Reads a clause of a question about a site. */
export function siteClauseOf(text: string): SiteClause {
  const own = folded(withoutSite(text));
  const isHeight = POINT.test(own) || SPANISH_STATISTICS.point.test(own);
  const named = NAMED.reduce((said, [pattern, matter]) => said.replace(pattern, matter), own.replace(LIMIT, ' '));
  const thing = isHeight ? named.replace(/\b(?:high|low)\b/g, ' ') : named;
  const matter = `${isHeight ? 'elevation ' : ''}${thing.replace(IDLE, ' ').replace(SPANISH_STATISTICS.idle, ' ')}`;
  return { statistic: statisticIn(own), matter: matter.replace(/\s+/g, ' ').trim() };
}
