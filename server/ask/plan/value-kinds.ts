import { folded } from '../retrieval/words.ts';
import { measureTheSame, unitsIn } from '../units.ts';

/** What of a field tells what kind of value it gives; of fetch and of enrichment. */
interface Valued {
  readonly name: string;
  readonly type: string;
  readonly unit?: string | null;
}

/** A kind of value that a question asks for by the word that it begins with. */
export interface ValueKind {
  /** In an answer: no field gives … */
  readonly said: string;
  /** Whether a field gives such a value. */
  is(field: Valued): boolean;
}

/** What may stand before the word that a clause begins with. */
const BEFORE =
  '^(?:(?:so|and|ok|hey|hi|hello|please|but|now|also|tell me|can you tell me|do you know|i want to know|y|dime)\\s+)*';

const KINDS: readonly (readonly [RegExp, ValueKind])[] = [
  [
    new RegExp(
      `${BEFORE}(?:(?:since )?when(?! (?:\\p{L}+ing|i|we|you|they|he|she|it)\\b)(?!.*\\b(?:how|what|which|who)\\b)|(?:(?:in|from|as of|since) )?(?:what|which) (?:year|date)|how long ago|how old|(?:desde )?cuando|(?:en )?que ano)\\b`,
      'u',
    ),
    {
      said: 'a date or year',
      is: ({ name, type, unit = null }) =>
        type === 'date' || type === 'timestamp' || (unit === null && /year|date/.test(name)),
    },
  ],
  [
    /\b(?:what time(?! zones?\b)|what hours?|at what hour|que horas?|what (?:day|days)(?: of the week)?|which days?|que dias?)\b/u,
    { said: 'a day or a time of day', is: ({ type }) => type === 'date' || type === 'timestamp' },
  ],
  [
    /\b(?:how much|what|how many dollars)(?: (?:do|does|did|would|will|is|are|was))? .*\b(?:costs?|charges?|fees?|priced?|wages?|salary|salaries|run me|run us|run here|to (?:rent|hire|buy) (?:an?|one))\b|\bgoing rate\b|\bprice of\b|\bcuanto (?:cuesta|cobra|vale|se cobra|hay que pagar)/u,
    { said: 'a price', is: ({ unit = null }) => unit?.startsWith('USD') === true },
  ],
  [
    /\bhow (?:good|bad|nice|clean|crowded|busy|expensive|fancy)\b|\b(?:any good|well run|worth a damn)\b/u,
    {
      said: 'how good it is',
      is: ({ name }) =>
        !/^nearest_(?!flowline|waterbody|road|groundwater).*_(?:distance_m|name|owner|operator)$|^parcel_owner$|^unified_school/.test(
          name,
        ),
    },
  ],
  [
    new RegExp(
      `${BEFORE}(?:would|will|do|does|did) (?:the |my |our |your )(?:\\p{L}+ )?(?:sellers?|owners?|landlords?|neighbou?rs?|tenants?|teachers?|doctors?|nurses?|cops|deputies|deputy|police|sheriff|realtors?|agents?|builders?|mayor|guests?)\\b`,
      'u',
    ),
    { said: 'what people do', is: () => false },
  ],
  [
    /\bhow (?:friendly|strict|honest|welcoming|rude|reliable is the (?:internet|seller|agent))\b|\bknown (?:for|to) \p{L}+ing\b/u,
    { said: 'what people are like', is: () => false },
  ],
  [/\b(?:up|listed|what is|houses?|homes?|land|anything) for sale\b/u, { said: 'what is for sale', is: () => false }],
  [
    /\b(?:what|how (?:much|many))\b.*\b(?:going to be|will (?:the|my|our|it|they|that|this)\b)/u,
    {
      said: 'what will be',
      is: ({ name }) =>
        /projected|historic|sea_level|storm_surge|planned|queue|inundating|flame_length|soil_|_rate_/.test(name),
    },
  ],
  [/\b(?:are|made|built|trained|owns) you\b/u, { said: 'who answers', is: () => false }],
  [/\bnamed? .*\bafter\b/u, { said: 'what a name comes from', is: () => false }],
  [
    /\bhow (?:fast|quick(?:ly)?|soon) (?:do|does|did|can|could|will|would)\b.*\b(?:here|arrive|come|respond|get (?:there|out))\b/u,
    { said: 'how soon somebody comes', is: () => false },
  ],
  [
    new RegExp(
      `${BEFORE}(?:(?:who|whose|quien(?:es)?|de quien|what is (?:the|its|his|her|their) name)\\b|what is .* (?:name|called)$)`,
    ),
    { said: 'a name', is: ({ type }) => type === 'string' },
  ],
  [
    /^(?!.*\b(?:how|who) many\b).*(?:\bhow (?:far|close|near)\b|\bis (?:the )?(?:closest|nearest)\b)/u,
    {
      said: 'a distance',
      is: ({ name, unit = null }) => (unit !== null && measureTheSame('m', unit)) || /^nearest_|_name$/.test(name),
    },
  ],
];

/** The kind of value that a clause asks for, or null where its first words leave that open. */
export function valueKindOf(clause: string): ValueKind | null {
  const text = folded(clause).replace(/[’']s\b/g, ' is');
  return KINDS.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

/** Asks for so many miles, feet or the like. */
const SO_MANY = /\b(?:how many|cuant[oa]s) (\p{L}+)/iu;

/** Whether a field can be told in the length that a clause asks for: how many inches is no share and no price. */
export function isOfLength({ type, unit = null }: Valued, clause: string): boolean {
  const [length] = unitsIn(SO_MANY.exec(folded(clause))?.[1] ?? '');
  return length === undefined || !measureTheSame(length, 'm') || type === 'string' || measureTheSame(length, unit);
}
