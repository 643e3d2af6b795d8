import { SPANISH_JOINT, SPANISH_UNWANTED, SPANISH_WANTED } from '../reading/spanish.ts';
import { folded } from '../retrieval/words.ts';
import { isUnitName } from '../units.ts';

/** The clauses of a question: wanted and unwanted. */
interface Clauses {
  readonly wanted: readonly string[];
  readonly unwanted: readonly string[];
}

/** Most clauses of one question that are read. */
const MAX_CLAUSES = 12;

const SENTENCE = /[?!;\n\r]+|(?<!\b(?:vs|st|mt|ft|dr|ave|no|e\.g|i\.e|approx))\.(?=\s|$)|¿|¡/i;
/** Where a sentence changes to another subject. */
const JOINT = new RegExp(
  String.raw`,\s*(?:and|or|plus|but|y|e|o|pero)\s+|,\s+|\s+(?:and also|and|plus|as well as|(?<!\b(?:get|gets|got|getting) )along with|also|but also|y|${SPANISH_JOINT})\s+|\s*[&+/]\s+|\s*\bas compared to\b\s*|\s+(?:compared (?:to|with)|versus|vs\.?)\s+|\s+than\s+(?=(?:to )?the\s)|\s+(?:or|o|u)\s+(?=(?:an?|the|in|is|are|do|does|how|what|what['’]s|which|who|where|de|del|la|el|en|una?)\s)`,
  'i',
);
/** The beginning of an unwanted part, which runs to the end of its clause. */
const UNWANTED = new RegExp(
  String.raw`\b(?:but\s+)?(?:(?<=\bbut\s+)not(?=\s+(?!(?:the|its|any|their|about|including|interested|more|less|too|only|in|on|at|if|when|very|so|how|what|yet|sure|really)\b)[a-z])|not\s+(?:about\s+|including\s+|interested in\s+)?(?:the|its|any|their)\b|not\s+(?:about|including)\b|not interested in|i?\s*(?:do not|don'?t|dont|doesn'?t|no need to)\s+(?:need|want|care about|care for|tell me(?: about)?|include|mention|show|give me|bother with)|no need for|(?<=\b(?:anything|everything|all) )but(?:\s+(?:the|its|any))?|except(?:\s+for)?|excluding|other than|apart from|aside from|leave out|leaving out|ignore|ignoring|skip|omit|forget(?: about)?|never mind|without(?= the\b)|rather than|instead of|${SPANISH_UNWANTED})\s+`,
  'gi',
);

/** Words that a clause takes over from the one before, as in "how far is the school and the hospital". */
export const CARRIED =
  /\b(?:how far|how close|how many|how much|how high|how old|distance|nearest|closest|who owns|name of|number of|que tan lejos|cuantos|cuantas|cerca|cercano|cercana)\b/i;

/** Says of a thing which one it is: the clause before still says what is asked of it. */
const WHICH_ONE = /^(?:nearest|closest|cercan[oa]|cerca)$/i;

/** Says that what follows is wanted after all. */
const ONLY = new RegExp(`^(?:only|just|${SPANISH_WANTED.first})\\s|\\s(?:${SPANISH_WANTED.last})$`, 'iu');
/** Refuses a thing in a list of what is wanted. */
const NOT_THIS = /^(?:but )?(?:not?|nor)\s+(?=\p{L})(?!more|less|idea|longer)/iu;

/** Says only when or why something is asked. */
const ASIDE =
  /^(?:(?:as )?compared (?:to|with) (?:\p{L}+ ){0,3}(?:years?|decades?|ago|back|before)\b|over the (?:last|past)\b)|^(?:if|because|since(?! when)|according to|unless|assuming|given|considering|now that|so that|in case) (?:i|we|you|it|the|my|our|that|what)\b(?!.*\b(?:needs?|wants?)\b)/iu;

/** A condition that its question follows without a comma: "if it burned how long would the flames be". */
const CONDITION = /^(?:if|when|because|since)\b.*\b(?:how|what|which|who)\b/iu;

/** Makes a clause a question or wish of its own. */
const OWN =
  /\b(?:is|are|am|was|does|do|did|can|could|will|would|has|have|what|whats|how|who|whose|which|where|when|why|tell|give|show|want|need|que|como|cual|quien|donde|hay|esta|es)\b/i;

/** Asks for a part of what the clause before asks, and takes nothing over: its name, the owner. */
const OF_IT = /^(?:its|their|the|his|her) (?:names?|owners?|operators?|code|number|voltage|year|date)$/iu;

/** What somebody wants an answer for: it says no matter. */
const PURPOSE =
  /(?:^|,?\s+)(?:so (?:that )?(?:i|we|you|he|she|they|my|our) (?:can|could|may|might|know|knows|don'?t|will|would)\b|for (?:the|my|our|a|an|your) (?:\p{L}+ ){0,3}(?:worksheet|form|file|report|application|permit|loan|policy|quote|memo|model|listing|spreadsheet|brochure|paperwork|records|deck|article|story)(?=$|[\s,.;?!])).*$/iu;

/** Says of a thing that its asker is after it, and nothing of the thing. */
const LOOKED_AT =
  /\s+(?:that |which )?(?:we|i|they|you)(?:['’]?(?:re|m|d|ve)| are| am| have| had| would)?(?: been)? (?:looking at|thinking (?:of|about)|considering|talking about|eyeing|interested in|after|want(?:ing)? to buy|buying|under contract (?:for|on))(?=$|[\s,.;?!])/giu;

/** Says who else has what is asked for. */
const KEPT_BY =
  /\s+(?:that |which )?(?:the|my|our) (?:\p{L}+ ){0,2}(?:office|district|county|assessor|town|city|bank|lender|agent|seller|state|insurer|carrier) (?:uses?|keeps?|lists?|goes by|gave(?: us| me)?|has(?: on file)?|assigned|wants?|needs?|asks? for)(?=$|[\s,.;?!])/giu;

/** What people say before they go on. */
const FILLER =
  /^(?:(?:well|i mean|at least|anyway|actually|basically|like)[, ]+)+(?=how|what|which|who|is|are|does|do|can|where)/i;

/** Words around a unit that say nothing. */
const POLITE = /^(?:please|all|both|everything)[ ,]+|[ ,]+(?:please|thanks|instead|for both|por favor)$/gi;

/** Two words that mean one thing. */
const PAIR = /\b(rise|rises|up|ups|back|in|out|more) and (fall|falls|down|downs|forth|out|about|more)\b/giu;
/** A head in the plural that two words before it share: state house and senate districts. */
const SHARED_HEAD =
  /(?<![\p{L}-])(?!(?:and|the|an?|of|for|to|in|districts?|rates|prices|scores?|losses|risks|lines)\b)(\p{L}+) (and|or|y) (\p{L}+) ((?:\p{L}+ )?(?:districts?|rates|prices|scores?|losses|risks|lines|permits|storms|pipelines|groups|standards|speeds|temperatures|codes|depths))\b/giu;
/** The same of a longer list, whose things are of one word: hail, tornado and straight-line wind scores. */
const LISTED_HEAD =
  /(?<![\p{L}-])((?:\p{L}+, )+)(\p{L}+),? (and|or|y) ((?:[\p{L}-]+ ){1,2})(scores?|losses|risks)\b/giu;
/** A loss or a score that is asked of the next thing too: the loss for hurricanes and for hail. */
const OF_NEXT =
  /\b((?:(?:expected|average|annual|yearly) )*(?:dollar )?loss(?:es)?|(?:risk )?scores?)\b.*\b(?:for|from|on|of|to)\b/iu;
const NEXT = /^(?:then |also )?(?:for|from|on|of|to) (?!.*\b(?:loss|score))/iu;
/** Numbers that the last of them says the unit and the thing of: the 2, 10 and 100 year rainfall. */
const SHARED_NUMBERS =
  /(?<![\d.$-])(\d+(?:, ?\d+)*),? (?:and|or|y|o|&) (\d+)([- ](?:years?|kv|m|meters?|feet|ft|km|miles?|hours?)\b[^,.;?!]*)/giu;
/** Numbers with units that share the thing behind the second: the 100-year or the 500-year floodplain. */
const SHARED_THING =
  /(?<![\p{L}\d])(\d+[- ](?:year|kv|hour|percent|foot|meter|m)) (and|or|y|o) (?:the |an? )?(\d+[- ](?:year|kv|hour|percent|foot|meter|m)) (?!(?:and|or|of|in|from|to|away|nearby)\b)(\p{L}+)/giu;
/** What is asked of two things at once: the assessed value of the land and the building. */
const SHARED_MEASURE =
  /\b((?:\p{L}+ )?(?:value|price|cost|distance|depth|height|area|size|age|name|owner|class|type|share|risk|score|loss)) of (the )?(\p{L}+) and (?:the |of the |of )?(\p{L}+)(?=[?.!,;]|$| separately| each| here)/giu;
/** What is asked of a thing, in brackets behind it. */
const ATTRIBUTES =
  /\s*\(((?:name|distance|miles|owner|operator|voltage|code|number)(?:\s*(?:\+|,|&|and)\s*(?:name|distance|miles|owner|operator|voltage|code|number))*)\)/giu;
/** Asks of which of some things a loss, a risk or the like is more. */
const WHICH_OF =
  /\b(?:which|what) (\p{L}+(?: \p{L}+)?) (?:is|are|was) (?:the )?(?:more \p{L}+|\p{L}+(?:er|est)|worse|better|worst|best)(?: here| there| around here)?(?:,|:|, the)? (?!(?:than|one)\b)((?:(?:the |from )?\p{L}+(?: \p{L}+)?, )*(?:the |from )?\p{L}+(?: \p{L}+)?,?) or (?:the |from )?(\p{L}+(?: \p{L}+)?)(?=[?.!]|$)/giu;
/** The same with the noun behind: which is the biggest risk, tornado or hail. */
const WHICH_IS =
  /\b(?:which|what)(?: is|'s) (?:the )?(?:bigger|biggest|greater|greatest|higher|highest|larger|largest|worse|worst|lower|lowest|smaller|smallest) ((?:risk|loss)(?: score)?)(?: here| there)?(?:,|:)? (?=\p{L}+(?: \p{L}+)?(?:,| or) )/giu;
/** A question whose pairs of words are whole, each with its own head. */
const inPairs = (text: string): string =>
  text
    .replace(/\bw\/o\b/gi, 'without')
    .replace(/\bw\/\s*(?=\p{L})/giu, 'with ')
    .replace(ATTRIBUTES, (_, list: string) =>
      list
        .split(/\s*(?:\+|,|&|\band\b)\s*/)
        .map(one => `, its ${one}`)
        .join(''),
    )
    .replace(PAIR, '$1-and-$2')
    .replace(SHARED_NUMBERS, (_, before: string, last: string, thing: string) =>
      [...before.split(/, ?/), last].map(number => `${number}${thing}`).join(', and the '),
    )
    .replace(WHICH_IS, (_, noun: string) => `which ${noun.replace(/^risk$/, 'risk score')} is higher, `)
    .replace(WHICH_OF, (_, noun: string, list: string, last: string) =>
      [...list.split(/, ?/).filter(Boolean), last]
        .map(one => `the ${one.replace(/^(?:the|from) /, '')} ${noun}`)
        .join(', '),
    )
    .replace(SHARED_MEASURE, '$1 of $2$3 and $1 of $2$4')
    .replace(SHARED_THING, '$1 $4, $2 the $3 $4')
    .replace(
      LISTED_HEAD,
      (_, list: string, last: string, and: string, own: string, head: string) =>
        `${list.replaceAll(',', ` ${head},`)}${last} ${head} ${and} ${own}${head}`,
    )
    .replace(SHARED_HEAD, '$1 $4 $2 $3 $4');

const trimmed = (text: string): string => text.trim().replace(/\s+/g, ' ');

/** Cuts the unwanted part out of a clause. */
function cut(clause: string): { readonly kept: string; readonly unwanted: string | null } {
  UNWANTED.lastIndex = 0;
  const match = UNWANTED.exec(clause);
  if (!match) return { kept: clause, unwanted: null };
  return { kept: clause.slice(0, match.index), unwanted: clause.slice(match.index + match[0].length) };
}

/**
 * Splits a question into clauses: sentences, and within them the parts that `and`, commas and the like join. A clause
 * that only names a thing takes `how far`, `how many` and the like from the clause before. What follows `not the`,
 * `except` or `I don't need` is unwanted up to the next comma or sentence, together with what `or` or `nor` adds. A unit that
 * stands alone goes with every clause of its sentence.
 */
export function clausesOf(question: string): Clauses {
  const wanted: string[] = [];
  const unwanted: string[] = [];
  for (const sentence of inPairs(question.normalize('NFKC')).split(SENTENCE)) {
    let carried = '';
    let refusing = false;
    const from = wanted.length;
    let unit = '';
    for (const piece of sentence.split(JOINT)) {
      const { kept, unwanted: refused } = cut(
        trimmed(wanted.length > from ? piece.replace(NOT_THIS, 'not the ') : piece),
      );
      if (refused !== null) {
        unwanted.push(trimmed(refused));
        refusing = true;
      }
      const text = trimmed(kept.replace(PURPOSE, '').replace(LOOKED_AT, '').replace(KEPT_BY, '').replace(FILLER, ''));
      // A bare amount belongs to what was asked before it: "at hub height, 100 m".
      const amount = /^(?:at )?\d[\d.]*\s*(\p{L}*)$/u.exec(text);
      const ofOne = /^(?:the )?(?!which|what)(\p{L}+) ones?$/iu.exec(text);
      if (
        wanted.length > from &&
        ((amount !== null && (amount[1] === '' || isUnitName(amount[1]!))) || ofOne !== null)
      ) {
        wanted[wanted.length - 1] += ` ${ofOne?.[1] ?? text}`;
        continue;
      }
      // This clause only names the unit for what its sentence asks, or all that was asked before.
      const named = text.replace(POLITE, '');
      if (isUnitName(named.replace(/^(?:in|en|as)\s+/i, ''))) {
        if (wanted.length === 0) unit = named;
        for (let i = wanted.length > from ? from : 0; i < wanted.length; i++) wanted[i] += `, ${named}`;
        continue;
      }
      if (text === '' || /^(?:but|and|or|nor|y|pero|i|just|(?:the )?(?:past|present|future|now|then))$/i.test(text))
        continue;
      // "not the slope or the aspect": a clause that only names a thing continues the refusal.
      if (refused === null && refusing && !OWN.test(folded(text)) && !ONLY.test(text)) {
        unwanted.push(text);
        continue;
      }
      refusing = refused !== null;
      const head = NEXT.test(text) && wanted.length > from ? OF_NEXT.exec(wanted.at(-1)!)?.[1] : undefined;
      const matter = head === undefined ? text : `${head} ${text}`;
      const told = unit === '' ? matter : `${matter}, ${unit}`;
      const own = CARRIED.exec(text)?.[0];
      wanted.push(
        (own === undefined || WHICH_ONE.test(own)) && carried !== '' && !OWN.test(folded(text)) && !OF_IT.test(text)
          ? `${carried} ${told}`
          : told,
      );
      // "How many miles to the school and the park" asks for miles twice.
      const next =
        own === undefined ? '' : (/^\s+(\p{L}+)/u.exec(text.slice(text.indexOf(own) + own.length))?.[1] ?? '');
      if (own !== undefined && !(WHICH_ONE.test(own) && carried !== '' && !OWN.test(folded(text))))
        carried = isUnitName(next) ? `${own} ${next}` : own;
    }
  }
  const told = wanted.filter(text => !ASIDE.test(text) || CONDITION.test(text));
  return { wanted: (told.length > 0 ? told : wanted).slice(0, MAX_CLAUSES), unwanted: unwanted.slice(0, MAX_CLAUSES) };
}
