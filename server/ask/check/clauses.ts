import { folded, isEmpty, rawWords, stemOf } from '../retrieval/words.ts';

/** A part of a sentence that claims one thing. */
export interface Clause {
  readonly text: string;
  /** Whether an odd number of its words denies. */
  readonly denied: boolean;
}

const VULGAR = /(?<=\d)(?=[¼-¾⅐-⅞])/gu;

/** A text in compatible characters (NFKC), with plain apostrophes, minus signs and spaces, without invisible characters. */
export const normalized = (text: string): string =>
  text
    .replace(VULGAR, ' ')
    .normalize('NFKC')
    .replace(/[\p{Cf}]/gu, '')
    .replace(/[’ʼ]/g, "'")
    .replace(/[−‐‑]/g, '-')
    .replace(/⁄/g, '/')
    .replace(/\s+/g, ' ')
    .trim();

/** Idioms in which a word that denies denies nothing. */
const IDIOMS =
  /\b(?:not (?:only|just|merely)|no (?:doubt|matter|question|wonder)|without (?:a )?doubt|nothing but|if not|why not|whether or not|(?:cannot|can't|can not) (?:be )?ruled? out)\b/gi;
/** Words that deny what they stand beside. */
const DENIES =
  /\b(?:not|no|none|never|neither|nobody|nothing|nowhere|without|cannot|un(?:available|mapped|likely|protected|restricted|developed|affected)|avoid(?:s|ed|ing)?|lack(?:s|ed|ing)?|absent|fail(?:s|ed|ing)?|misse[sd]|hardly|zero|exclude[sd]?|(?:clear|free|short|devoid) of|(?:free|away|apart) from|far from|rather than|instead of|exempt(?:s|ed)?|(?:can|may|could) (?:be )?ruled? (?:it |this |that )?out)\b|n't\b/gi;
/** The same of places. Beside a number they compare. */
const ELSEWHERE = /\b(?:outside|beyond|off|out of(?! \d))\b/gi;

/** How many words of a text deny. @param places whether words for another place count. */
export function denials(text: string, places: boolean): number {
  const plain = text.replace(IDIOMS, ' ');
  const own = plain.match(DENIES)?.length ?? 0;
  // In "not … nor", as in "neither … nor", both deny the same.
  const nor = own === 0 ? (plain.match(/\bnor\b/gi)?.length ?? 0) : 0;
  return own + nor + (places ? (plain.match(ELSEWHERE)?.length ?? 0) : 0);
}

const BOUNDARY =
  /\s*[;:—–]\s*|\s-\s|,?\s+(?!and (?:a|an|one|two|three) (?:half|quarters?|thirds?)\b)(?=(?:but|although|though|however|because|since|so|while|whereas|which|yet|unless|meaning|and|if|until|when|where)\s)|,\s+/i;
/** Words by which a part says something itself, rather than going on with a list. */
const SAYS =
  /\b(?:is|are|was|were|be|been|has|have|had|do|does|did|can|could|may|might|will|would|must|should|needs?|lies?|falls?|sits?|stands?|covers?|shows?|means?|requires?|reports?|binds?|burn(?:s|ed|t)?|exceeds?|outside|inside|within|beyond|in|on|not|no|never|neither|nor|none|nothing|nobody|without)\b|n't\b|(?:begins?|qualif(?:y|ies)|belongs?|faces?|meets?|reduces?|brings?|calls|places|triggers?|rises?|ranks?|stays?|remains?|ends?|starts?|runs?|serves?|gives?|makes?|applies|comes?|goes|adds?|takes?|costs?|holds?|keeps?|floods?|drains?)\b/i;

/** The clauses of a normalized sentence. A part of a list goes with what it is listed after. */
export function clausesOf(sentence: string): Clause[] {
  const parts: string[] = [];
  for (const part of sentence.split(BOUNDARY)) {
    const text = part.trim();
    if (text === '') continue;
    const last = parts.length - 1;
    if (last >= 0 && !SAYS.test(text)) parts[last] = `${parts[last]}, ${text}`;
    else parts.push(text);
  }
  return parts.map(text => ({ text, denied: denials(text, true) % 2 === 1 }));
}

/** Words that say where or what kind of thing, and name no matter. */
const GENERAL = new Set(
  `point fall land place site spot location property parcel lot home address area zone map record design lie sit stand cover any
  mean recorded within inside outside near nearest close distance number count total share percent fraction level true false
  mapped mapping designated whether current currently annual average people m km cm mm ft mi meter metre kilometer foot feet mile acre hectare inch percent degree
  square year day hour usd dollar down up away about roughly
  one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty hundred thousand million dozen
  half third quarter fourth fifth sixth eighth tenth`
    .split(/\s+/)
    .map(stemOf),
);

/** The stems of the words of a text that name a matter. */
export const mattersOf = (text: string): Set<string> =>
  new Set(
    rawWords(text)
      .filter(word => !isEmpty(word) && !/^\p{N}/u.test(word))
      .map(word => stemOf(folded(word)))
      .filter(stem => !GENERAL.has(stem) && stem.length > 1),
  );

/** How many members two sets share. */
export const shared = (a: ReadonlySet<string>, b: ReadonlySet<string>): number =>
  [...a].reduce((sum, one) => sum + (b.has(one) ? 1 : 0), 0);

/** Whether a clause supposes or advises, and claims nothing. */
export const isSupposed = (text: string): boolean =>
  /^(?:but |and |so )?(?:if|unless|whether|should|when|where|until|even if|ask|check|read|order|confirm|verify|consider|note that|remember|have|get|see)\b|\b(?:if|whether|unless)\b|\bwould(?: have)? be\b/i.test(
    text,
  );
