import { folded } from '../retrieval/words.ts';
import type { Segment } from './segments.ts';
import { SPANISH_MAP, SPANISH_SET } from './spanish.ts';

/** At most four words that do not lead to another thing: "how many large vacant lots", not "how many trees on the lots". */
const BETWEEN = "(?:(?!(?:on|in|of|per|from|to|by|en|de|is|are|does|do)\\b)[\\p{L}\\p{N}'.,&-]+ ){0,4}";
const PARCELS =
  '(?:parcels|(?<!parking )lots(?! of)|plots|landowners|land owners|landholders|(?<!soil )properties(?! of (?:the|this)))';
const AREAS =
  '(?:countries|nations|(?<!united )states|counties|cities|towns|municipalities|villages|provinces|economies|continents|regions|islands|capitals)';
/** Areas that stand for everything in them when they are named in the plural after these words. */
const AMONG =
  'across|among|between|throughout|by|for|in|within|of|near|outside|other|all|every|each|both|surrounding|neighboring';
const SEEKING =
  'which|what|how many|number of|count|list|find|show|get|give|identify|compare|rank|search for|look for|any|most';

const SETS: readonly RegExp[] = [
  new RegExp(
    `\\b(?:${SEEKING}) (?:me )?(?:all )?(?:of )?(?:the )?${BETWEEN}(?:${PARCELS}|${AREAS})\\b(?! (?:is|are|does|do) (?:it|this|that|the|my|we|i)\\b)`,
    'u',
  ),
  new RegExp(`\\b(?:${AMONG}) (?:the )?${BETWEEN}${AREAS}\\b`, 'u'),
  new RegExp(
    `\\b(?:all|every|both|two|three|these|those) (?:of )?(?:the |these |those )?${BETWEEN}(?:parcels|(?<!parking )lots(?! of)|plots)\\b`,
    'u',
  ),
  new RegExp(
    `^(?:(?:the )?[\\p{L}\\p{N}]+ )?${PARCELS} (?:over|under|above|below|with|within|without|in|near|larger|smaller)\\b`,
    'u',
  ),
  /\b(?:average|mean|median|total|sum|share|percent(?:age)?|fraction)\b.*\b(?:parcels|(?<!parking )lots(?! of)|plots)\b/u,
  /\b(?:largest|biggest|smallest|top|leading|major|greatest|main|principal(?:es)?|mayor(?:es)?)\b(?: \p{N}+)? (?:private )?(?:land ?owners?|land ?holders?|landlords?|owners?|propietari[oa]s?|duen[oa]s?)\b/u,
  /\b(?:list|rank|find)\b.{0,12}\bowners\b/u,
  /\bowns? (?:the )?most\b/u,
  /\b(?:average|mean|median|typical) (?:residential |commercial |building )?(?:lot|parcel|plot)\b/u,
  /\b(?:by|per|each) (?:country|nation|state|county|region|city|province)(?=$|[,.;?!]| (?:in|for|and|with|of|over)\b)/u,
  /\b(?:globally|global(?! (?:horizontal|irradiance|radiation))|worldwide|nationwide|(?:in|of|across|around|throughout) the (?:whole |entire )?(?:world|globe|usa|us|u\.s\.|united states)|in (?:usa|north america))\b/u,
  /\bwhere (?:(?:should|can|could|do|would) (?:i|we|you|one)|is|are)\b.*\b(?:best|cheapest|safest|worst|(?:buy|find) (?:land|an? (?:lot|parcel|plot|house|place)))\b/u,
  new RegExp(
    `\\b(?:${SPANISH_SET.before}) ${BETWEEN}(?:${SPANISH_SET.plural})\\b|\\b(?:${SPANISH_SET.division}|${SPANISH_SET.world})\\b`,
    'u',
  ),
];

const PICTURE = 'maps?|heat ?maps?|bivariate|choropleth|contours?|contour lines?|charts?|graphs?|histograms?|plots?';
const MAPS: readonly RegExp[] = [
  new RegExp(
    `\\b(?:make|create|generate|produce|draw|build|show|give|print|display|plot|chart|render)\\b(?: me| us)?(?: and \\p{L}+)?(?: an?| the| some| at one)? ${BETWEEN}(?:${PICTURE})\\b(?! (?:panel|number|unit|date|and lot))`,
    'u',
  ),
  /^(?:please )?(?:map|plot|visuali[sz]e|draw|chart|display)\s+(?!panel|number|unit|lot|and)/u,
  /^(?:please )?(?:show|display|give|compare)(?: me)? (?:the )?(?:\p{L}+ ){0,3}(?:distribution|patterns|relationship|variation)s?\b/u,
  /\b(?:list and make a map|on a (?:world )?map|heatmap)\b/u,
  new RegExp(`\\b(?:${SPANISH_MAP})\\b`, 'u'),
];

/** Says that this place is one of a set: it asks about this place. */
const ONE_OF = new RegExp(`\\b(?:one of (?:the|those|these)|among the) ${BETWEEN}(?:${PARCELS}|${AREAS})\\b`, 'gu');

/** Whether a segment asks about a set of places, of which the values of one place say nothing. */
export const asksOfSet = (text: string): boolean => {
  const rest = folded(text).replace(ONE_OF, ' ');
  return SETS.some(pattern => pattern.test(rest));
};

/** Whether a segment asks for a picture. */
export const asksForMap = (text: string): boolean => MAPS.some(pattern => pattern.test(folded(text)));

/** Things that a people or a country names without being about it: a Mexican restaurant. */
const OF_A_KIND =
  '(restaurant|restaurants|food|cuisine|grocery|groceries|bakery|church|store|stores|speakers|families|settlers|immigrants|drywall|style)';
const NATIVE = '(native|american|indian|indians|americans|spanish|english|mexican|canadian)';

/** The people or country that a segment is about, such as African in "African power stations"; null for none. */
export function peopleOf({ tagged }: Segment): string | null {
  const latin = tagged.match('(latin|south|central) american');
  const people = latin.found ? latin : tagged.match('#Demonym').not(NATIVE);
  if (!people.found || tagged.has(`#Demonym ${OF_A_KIND}`)) return null;
  return people
    .first()
    .text('text')
    .replace(/[^\p{L}\p{N} ]/gu, '')
    .trim();
}
