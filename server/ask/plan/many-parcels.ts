import { folded } from '../retrieval/words.ts';

const PARCELS = '(?:parcels|(?<!parking )lots(?! of)|plots|landowners|land owners|landholders|parcelas|lotes|terrenos)';
/** At most three words that do not lead to another thing: "how many large vacant lots", not "how many trees on the lots". */
const ADJECTIVES = "(?:(?!(?:on|in|of|per|from|to|by|en|de|is|are)\\b)[\\p{L}\\p{N}'.,-]+ ){0,3}";

/** Ways to ask about a set of parcels: how many, which, all, the sum or the most of them. */
const ABOUT_MANY: readonly RegExp[] = [
  new RegExp(`\\b(?:how many|number of|count(?: of)?|cuant[ao]s) ${ADJECTIVES}${PARCELS}\\b`, 'u'),
  new RegExp(
    `\\b(?:which|what|list|find|show|get|give|search for|look for|any|all|every|busca|muestra|todas|todos|que) (?:me )?(?:all )?(?:of )?(?:the )?${ADJECTIVES}${PARCELS}\\b`,
    'u',
  ),
  new RegExp(
    `^(?:(?:the )?[\\p{L}\\p{N}]+ )?${PARCELS} (?:over|under|above|below|with|within|without|in|near|larger|smaller)\\b`,
    'u',
  ),
  new RegExp(`\\b(?:average|mean|median|total|sum|share|percent(?:age)?|fraction|most)\\b.*\\b${PARCELS}\\b`, 'u'),
  /\b(?:largest|biggest|smallest|top|leading|major|greatest|main|principal(?:es)?|mayor(?:es)?)\b(?: \p{N}+)? (?:private |property |land )?(?:land ?owners?|land ?holders?|landlords?|owners?|propietari[oa]s?|duen[oa]s?)\b/u,
  /\b(?:owns?|has|holds?) (?:the )?(?:most|largest|biggest|greatest) (?:land|acres|acreage|parcels|lots|property|properties|holdings?|tracts?)\b/u,
  /\bowns? (?:the )?most\b/u,
  /\b(?:average|mean|median|typical) (?:residential |commercial |building )?(?:lot|parcel|plot)\b/u,
];

/** What an answer says instead. */
export const ABOUT_ONE_PLACE =
  'This asks about many parcels, and an answer here is about one place: POST /v1/search lists the parcels that pass filters; it neither ranks them nor adds them up.';

/** Whether a clause asks about a set of parcels, of which the values of one place say nothing. */
export function asksOfMany(clause: string): boolean {
  const text = folded(clause);
  return ABOUT_MANY.some(pattern => pattern.test(text));
}
