import type { KeptBody } from '../schema.ts';

/** Why an ask is refused, and where to go instead. */
export interface Refusal {
  readonly code: string;
  readonly explanation: string;
  readonly suggestion: string;
}

/** Words of persons, and what is theirs alone. Of people in the plural, as of a tract, age and income are statistics. */
const OWNER = '(?:home-?)?owner|landlord|taxpayer|proprietor';
const OCCUPANT = 'residents?|tenants?|occupants?|renters?|lessees?|inhabitants?|neighbou?rs?';
const CONTACT =
  '(?:(?:cell|mobile|home|work)[- ]?)?(?:tele)?phones?(?: numbers?)?|(?:cell|mobile) numbers?|e-?mails?(?: address(?:es)?)?|contact (?:details?|info(?:rmation)?|data)';
const PRIVATE = 'age|birth ?da(?:y|te)|income|religion|ethnicity|race|gender|marital status|employer|debts?';

/** A pattern of what belongs to a person, said either way: "the owner's phone", "phone of the owner". */
const belonging = (what: string, person: string): string =>
  `(?:${person})(?:['’]s?)? (?:${what})|(?:${what}) (?:of|for) (?:the |an? |its |each |every |this )*(?:${person})`;

/** Matches an ask about persons. A lone word for how to reach somebody is one. */
const PERSONAL = new RegExp(
  `\\b(?:${belonging(CONTACT, `(?:${OWNER})s?|${OCCUPANT}`)}|${belonging(PRIVATE, OWNER)}|${belonging('names?', OCCUPANT)}` +
    '|phone numbers?|e-?mail addresses|social security|ssn|credit scores?|criminal records?|medical (?:records?|history)|dates? of birth|voter registration|names? of (?:the )?(?:person|people) (?:who|that) lives?|who lives|income of the household at|religion of)\\b' +
    `|^(?:the |their )?(?:${CONTACT})$`,
  'i',
);

const REFUSALS: readonly (readonly [RegExp, Refusal])[] = [
  [
    PERSONAL,
    {
      code: 'personal_data',
      explanation: 'It asks about persons. Plat answers about places, from public data.',
      suggestion: 'Aggregates of a census tract are in the catalog: GET /v1/meta/fields.',
    },
  ],
  [
    /\b(?:real[- ]?time|right now|at this moment|this very moment|live (?:traffic|feed|data|camera|count)|up[- ]to[- ]the[- ]minute|minute[- ]by[- ]minute|current(?:ly)? (?:traffic|weather|temperature|wait|prices?|wind|occupancy)|today'?s (?:weather|traffic|price))\b/i,
    {
      code: 'realtime_only',
      explanation:
        'It changes by the minute. Plat answers from releases of published layers, which are days to years old.',
      suggestion: 'Ask a live service of its publisher, such as api.weather.gov or the traffic service of the state.',
    },
  ],
  [
    /\b(?:should (?:i|we)|is it (?:a )?(?:good|wise|smart)|good investment|worth (?:buying|it)|what will|predict|forecast|going to (?:rise|fall|increase|happen)|(?:will|would) .*\b(?:appreciate|go up|increase in value)|best (?:place|site|location) to)\b/i,
    {
      code: 'opinion_or_forecast',
      explanation: 'It asks for a judgment or the future. Fields are facts that a publisher states.',
      suggestion: 'POST /v1/ask answers questions about a place from such facts.',
    },
  ],
  [
    /\b(?:drive[- ]?times?|driving (?:time|distance|minutes)|minutes? (?:by car|drive|driving|away by)|travel times?|isochrones?|commut(?:e|ing) times? (?:to|from)|walking time)\b/i,
    {
      code: 'other_endpoint',
      explanation: 'Travel times are computed between places, not looked up at one.',
      suggestion: 'POST /v1/proximity (matrix, nearest, screen, isochrone).',
    },
  ],
  [
    /\b(?:list|find|export|which|all) (?:of )?(?:all |the |every )?(?:parcels|properties|lots) (?:that|where|with|whose|in|over|above|larger)\b/i,
    {
      code: 'other_endpoint',
      explanation: 'It asks for places that meet conditions, not for a value at a place.',
      suggestion: 'POST /v1/parcels/search.',
    },
  ],
  [
    /\b(?:geocode|latitude and longitude of|coordinates (?:of|for) (?:an? |the |each |our )?address(?:es)?|convert(?:ing)? address(?:es)?)\b/i,
    {
      code: 'other_endpoint',
      explanation: 'It asks where an address lies.',
      suggestion: 'POST /v1/geocode.',
    },
  ],
  [
    /\b(?:exchange rate|stock (?:price|market)|recipe|translate|write (?:me )?an? (?:email|essay|letter|poem)|legal advice|lottery|sports? scores?|horoscope|bitcoin|cryptocurrency)\b/i,
    {
      code: 'not_about_a_place',
      explanation: 'It is no property of a place.',
      suggestion: 'Plat has nothing for it; GET /v1/meta/fields says what there is.',
    },
  ],
  [
    /\b(?:mls|zillow|zestimate|redfin|costar|listing prices? from)\b/i,
    {
      code: 'licensed_data',
      explanation: 'Its publisher does not let it be passed on.',
      suggestion: 'License it from its publisher; assessed values of parcels are in the catalog.',
    },
  ],
];

const ABROAD =
  /^(?:canada|mexico|europe|france|germany|spain|italy|uk|united kingdom|england|china|india|japan|brazil|australia|ontario|quebec|british columbia|alberta)\b/i;

/** The refusal of an ask by its subject; null when it is not refused. */
export const refusalOf = (ask: string): Refusal | null => REFUSALS.find(([pattern]) => pattern.test(ask))?.[1] ?? null;

/** The refusal of a request by its area; null when it is not refused. */
export function abroad({ area_of_interest }: KeptBody): Refusal | null {
  const names = area_of_interest?.names ?? [];
  if (names.length === 0 || !names.every(name => ABROAD.test(name.trim()))) return null;
  return {
    code: 'outside_coverage',
    explanation: `It is for ${names.join(', ')}; Plat answers about the United States.`,
    suggestion: 'Ask the statistical or mapping agency of that country.',
  };
}
