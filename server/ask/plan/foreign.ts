import { folded } from '../retrieval/words.ts';

/**
 * Matters that people ask of a place and that no field tells, though fields have some of their words: taxes owed are no
 * assessment, and the pH of a soil is no soil type. English, then Spanish, folded.
 */
const MATTERS: readonly string[] = [
  // Inside of a building.
  'bed ?rooms?|bath ?rooms?|kitchens?|furnaces?|boilers?|plumbing|wiring|hvac|shingles?|garages?|swimming pools?|appliances|asbestos|lead (?:paint|pipes)|mold|termites?|insulation|(?:age|condition) of the roof|(?:new|old) roof|finished basement|living area|parking spaces?|elevators?|pets?|furniture|windows',
  // Law and money.
  "liens?|encumbrances?|mortgages?|foreclos\\p{L}+|judgments?|lawsuits?|litigation|covenants?|deeds?|adverse possession|statutes?|(?:state |federal |local |county |city )?laws?(?! enforcement)|evict\\p{L}*|eminent domain|squatters?|probate|hoa|homeowners'? association|dues|(?:mineral|water|hunting|timber) rights|(?:back|income|sales|transfer|estate) tax(?:es)?|mill rate|tax(?:es)? (?:owed|due|us|me|bills?|rates?)|(?:owe|pay) in taxes|(?:home ?owners?'?s?|home|house|renters?'?|title|car|life|health) insurance|premiums?|deductibles?|loss ratio|interest rates?|down payments?|closing costs?|commissions?|cap rate|return on investment|rent roll|asking price|list(?:ing)? price|days on (?:the )?market|zillow|zestimate|apprais\\p{L}+|recs?|ppa|net metering|curtailment|hosting capacity|rebates?|subsid\\p{L}+|bushels?|seeds?|(?:price|prices) of (?:corn|soy\\p{L}*|wheat|cattle|hay|milk)|what price are",
  // People.
  'crimes?|criminal|burglar\\p{L}*|robber\\p{L}*|murders?|thefts?|break-?ins?|shootings?|gangs?|drugs|sex offenders?|vandal\\p{L}*|violen\\p{L}*|arrests?|test scores?|teachers?|graduation rates?|class sizes?|tuition|greatschools|race|racial|ethnic\\p{L}*|religio\\p{L}*|voted?|voters?|elections?|republicans?|democrats?|mayors?|median age|friendly|part(?:y|ies)|plumbers?|contractors?|roofers?|electricians?|realtors?',
  // Rules and permits of a town.
  'ordinances?|bylaws?|speed limits?|building codes?|variances?|airbnb|short[- ]term rentals?|permits? (?:costs?|fees?)|cost of (?:a |the )?permits?|side lot lines?|setbacks? (?:do|does|is|are|required|requirements?)',
  // Nature that nobody maps here.
  'ph|organic matter|nitrogen|phosph\\p{L}+|potassium|nutrients?|fertili[sz]ers?|pesticides?|herbicides?|salinity|deer|ticks?|mosquito\\p{L}*|bears?|snakes?|coyotes?|pollen|humidity|uv index|sunsets?|sunrise|forecast|asteroids?',
  // No matter of any place.
  'passwords?|poems?|jokes?|super ?bowl|pizza|recipes?|lottery|horoscope|stock price',
  'plomeros?|cuartos?|hipotecas?|crimen(?:es)?|delincuencia|robos?|banos?|recamaras?|dormitorios?|habitaciones|cocinas?|gravamen(?:es)?|escrituras?|cuesta (?:el|un) permiso|impuestos (?:atrasados|debo|se pagan)|alcalde|maestros?',
];
const FOREIGN = new RegExp(`(?<![\\p{L}\\p{N}])(?:${MATTERS.join('|')})(?![\\p{L}\\p{N}])`, 'u');

/** A list in which such a matter is one of two things: termites or radon. */
const BESIDE_OTHER = new RegExp(
  `(?:(?<![\\p{L}\\p{N}])(?:${MATTERS.join('|')}) (?:or|and|nor|o|y|ni) (?:the |about )?(?=\\p{L}{3,}\\W*$))|(?: (?:or|and|nor|o|y|ni) (?:the |about )?(?:${MATTERS.join('|')})(?=\\W*$))`,
  'iu',
);

/** A clause as one of what no field tells and one of the rest, where it asks for two things; alone where it does not. */
export function apart(clause: string): string[] {
  const match = BESIDE_OTHER.exec(clause);
  if (match === null) return [clause];
  const rest = `${clause.slice(0, match.index)}${clause.slice(match.index + match[0].length)}`;
  return [match[0].replace(/^ (?:or|and|nor|o|y|ni) | (?:or|and|nor|o|y|ni) $/giu, ''), rest];
}

/** What of a clause no field tells; null for nothing. */
export const foreignIn = (clause: string): string | null => FOREIGN.exec(folded(clause))?.[0] ?? null;
