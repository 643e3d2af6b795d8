import { clausesOf } from '../../ask/plan/clauses.ts';
import { isEmpty, rawWords } from '../../ask/retrieval/words.ts';
import { type Unit, unitsIn } from '../../ask/units.ts';
import type { KeptBody } from '../schema.ts';
import { refusalOf } from './refusals.ts';

/** One value that a request asks for. */
export interface SubAsk {
  /** In the requester's words. */
  readonly ask: string;
  /** The subject of the ask, without units, radius, place, courtesies and purpose. */
  readonly subject: string;
  /** Search radius in metres; null when none is given. */
  readonly radiusM: number | null;
  readonly units: readonly Unit[];
  /** The unit as it is written, such as `degrees`; empty where none is named. */
  readonly unit: string;
}

const COURTESY =
  /\b(?:we(?:'d| would| are| will)?|i(?:'d| would| am)?)\s+(?:like to (?:know|have|get)|need(?: to know| to have)?|want(?: to know| to have)?|require|(?:are |am )?(?:looking for|interested in|after)|(?:are |am )?trying to find(?: out)?)\b|\b(?:please )?(?:provide|return|report|add|include|give (?:me|us)|tell (?:me|us)|show (?:me|us))\b|\bfield (?:for|with|that says)\b/gi;
const PURPOSE =
  /[,;(]?\s*\b(?:so that|because|in order to|so we can|to (?:decide|estimate|price|judge|assess|rank|score|help|support|inform)|needed for|used for|for use in|as (?:an? )?input|for (?:our|my|an?|the) (?:[\w-]+ )?(?:model|underwriting|analysis|purposes?|portfolio|pricing|siting|planning|study|report|screening|clients?|customers?|team|product|app))\b.*$/i;
const EVERYWHERE =
  /\b(?:at|for|of|on|from|near|around) (?:each|every|any|our|my|the|this|a given|a) (?:site|location|parcel|property|address|point|place|lot|house|home|building|store)s?\b/gi;
const STATES =
  'Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|New Jersey|New Mexico|New York|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|South Carolina|South Dakota|Tennessee|Texas|Utah|Vermont|Virginia|Washington|West Virginia|Wisconsin|Wyoming|New England';
const SOMEWHERE = new RegExp(
  `\\b(?:in|across|throughout|for|of) (?:the )?(?:(?:state|city|town) of )?(?:(?:[A-Z][a-z]+ )+(?:County|Parish|Borough)(?:, (?:${STATES}|[A-Z]{2}))?|(?:[A-Z][a-z]+, )?(?:${STATES})|[A-Z][a-z]+, [A-Z]{2})\\b`,
  'g',
);
const METRES = { m: 1, km: 1000, mi: 1609.344, ft: 0.3048, yd: 0.9144 } as const;
const RADIUS =
  /\b(?:within|in|inside) (?:an? |the )?(?:radius of )?(\d+(?:\.\d+)?|one|half|a quarter)[\s-]*(miles?|mi|kilomet(?:er|re)s?|km|met(?:er|re)s?|m|feet|ft|yards?)\b(?: radius)?(?: of (?:it|there|here))?|\b(\d+(?:\.\d+)?)[\s-]?(mile|mi|km|kilomet(?:er|re)|m|met(?:er|re))[\s-]radius\b/i;
const UNITS =
  /[,(]?\s*\b(?:measured |expressed |given |reported )?in (?:square )?(?:miles|met(?:er|re)s|feet|kilomet(?:er|re)s|km|acres|hectares|percent|inches|yards|degrees(?: (?:fahrenheit|celsius))?|fahrenheit|celsius|mph|m|ft)\)?(?=$|[\s,.)])/gi;

/** Phrases and the catalog's words for them: "how far is the closest" asks for a distance. */
const SAID: readonly (readonly [RegExp, string])[] = [
  [/\bhow (?:far|close)(?: away)?(?: is| are)?(?: it to)?(?: the)?(?= (?:closest|nearest)\b)/gi, 'distance to the'],
  [/\bclosest\b/gi, 'nearest'],
  [/\b(?:how many|(?:total )?number of)\b/gi, 'count of'],
  [/\bcensus tracts?\b/gi, 'tract'],
  [
    /\b(whether|is|does|lies) (?:the|this|our) (?:site|parcel|property|location|lot|place|address)\b(?: is| lies| sits)?/gi,
    '$1',
  ],
];

function unitOf(word: string): keyof typeof METRES {
  if (/^k/i.test(word)) return 'km';
  if (/^mi/i.test(word)) return 'mi';
  if (/^f/i.test(word)) return 'ft';
  return /^y/i.test(word) ? 'yd' : 'm';
}

function metresOf(match: RegExpExecArray): number {
  const [, plain, unit, before, other] = match;
  const number = plain ?? before!;
  const count = { one: 1, half: 0.5, 'a quarter': 0.25 }[number.toLowerCase()] ?? Number(number);
  return count * METRES[unitOf((unit ?? other)!)];
}

/** Reads one ask. */
function readAsk(ask: string): SubAsk {
  let rest = ask.normalize('NFKC').replace(/\s+/g, ' ');
  const match = RADIUS.exec(rest);
  if (match) rest = rest.replace(match[0], ' ');
  const units = unitsIn(rest);
  const [measured = ''] = rest.match(UNITS) ?? [];
  for (const [pattern, said] of SAID) rest = rest.replace(pattern, said);
  for (const pattern of [PURPOSE, COURTESY, EVERYWHERE, SOMEWHERE, UNITS]) rest = rest.replace(pattern, ' ');
  const subject = rest.replace(/\s+/g, ' ').replace(/^[\s,;:.]+|[\s,;:.?!]+$/g, '');
  return {
    ask: ask.trim(),
    subject,
    radiusM: match ? metresOf(match) : null,
    units,
    unit: measured.replace(/^.*\bin /i, ''),
  };
}

/** Whether a text contains any significant word. */
const says = (text: string) => rawWords(text).some(word => !isEmpty(word));

/** The values that a request asks for: those it lists, otherwise the clauses of its description. */
export function subAsksOf({ requested_fields: listed = [], description }: KeptBody): SubAsk[] {
  if (listed.length > 0) return listed.map(({ ask }) => readAsk(ask));
  const whole = readAsk(description);
  const read = clausesOf(description.replace(PURPOSE, ' ').replace(UNITS, ' '))
    .wanted.map(readAsk)
    .filter(({ subject }) => says(subject));
  // A description that is refused as a whole must not be split into parts that are not.
  const torn = refusalOf(description) !== null && read.every(({ ask }) => refusalOf(ask) === null);
  if (read.length === 0 || torn) return [whole];
  return read.map(one =>
    one.unit !== '' || one.units.length > 0 ? one : { ...one, units: whole.units, unit: whole.unit },
  );
}

/** The parts of a description that it says it does not want. */
export const unwantedOf = ({ description }: KeptBody): readonly string[] => clausesOf(description).unwanted;
