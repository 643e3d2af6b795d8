import nlp from 'compromise';
import { folded } from '../retrieval/words.ts';
import type { Segment } from './segments.ts';
import { SPANISH_NEIGHBOR } from './spanish.ts';
import { type NamedPlace, plain, STATES } from './whereabouts.ts';

/** Words of the names of things that lie near a place: a question that names one is about the place all the same. */
const FEATURE =
  /\b(?:streams?|rivers?|creeks?|brooks?|lakes?|ponds?|bays?|harbou?rs?|coves?|oceans?|seas?|gulfs?|sound|reservoirs?|dams?|canals?|falls|springs?|wells?|mounts?|mt|mountains?|hills?|ridges?|valleys?|notch|islands?|isle|beach(?:es)?|coast|forests?|woods|parks?|refuge|preserve|trails?|streets?|st|roads?|rd|avenues?|ave|lanes?|drives?|dr|courts?|ct|way|boulevard|blvd|highways?|hwy|routes?|rte|interstate|turnpike|pike|bridge|airports?|station|schools?|hospitals?|university|college|church|cemetery|stadium|mall|company|co|inc|llc|corp|electric|power|energy|water|gas|bank|trust|association|department|agency|act|survey|index|program|system|zones?|districts?|fault|nation|tribe|tribal|reservation|base|fort|camp|plant|substation|line|railroad|railway|farm|ranch|estates?|subdivision|hoa|hurricane|storm|fire|section|schedule|article|chapter|class|category|type|group|grade|level|phase|unit|great lakes|standard|register|medical center|center|sites?|lots?|parcels?|propert(?:y|ies)|buildings?|country)\b/;
/** Capitalized words that name no place after `in`: ways to answer, months, seasons, sources, networks. */
const NO_PLACE =
  /^(?:json|csv|xml|yaml|markdown|english|spanish|french|portuguese|chinese|german|fahrenheit|celsius|kelvin|navd ?88|january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|fall|autumn|winter|monday|tuesday|wednesday|thursday|friday|saturday|sunday|fema|congress|the senate|senate|parliament|kwh|mwh|kw|mw|kv|mph|mbps|gbps|gpm|cfs|fema|usda|epa|usgs|census|nri|nwi|nlcd|google|zillow|excel|word|short|brief|total|general|particular|feet|meters|metres|miles|acres|dollars|percent)$/iu;
/** An abbreviation or a code. */
const CODE = /^[\p{Lu}\p{N}]{2,}s?$/u;
/** Whole countries that contain every place. */
const NATION =
  /^(?:the )?(?:us|usa|u s|u s a|united states(?: of america)?|america|contiguous united states|conus|north america)$/;

const NEIGHBOR = new RegExp(
  `\\b(?:neighbou?r'?s?'? (?:house|home|lot|parcel|property|land|yard|place|building|roof|field|farm|barn|well|garage)|(?:house|home|lot|property|parcel|land|building|field|farm|place) (?:next door|next to (?:us|me|mine|ours|it|this)|across the (?:street|road)|behind (?:us|me|it|this)|down the (?:street|road))|(?<=\\b(?:do|does|did|are|is) (?:all |any of )?)(?:the |my |our )?neighbou?rs?(?= (?:have|has|own|owns|use|uses|zoned|pay|pays|grow|grows|keep|keeps|run|raise|raises|plant|doing|building)\\b)|next[- ]door neighbou?rs?|(?<=\\b(?:lives?|owns?|owned|built|building|opening|planned) )next door|(?:across|over|on the other side of) (?:the|my|our) (?:property|lot|boundary) line|(?:adjacent|adjoining|abutting|neighbou?ring) (?:lot|parcel|property|land|tract|house|farm|plot)|${SPANISH_NEIGHBOR})\\b`,
  'u',
);
/** A latitude and a longitude. */
const COORDINATES = /(-?\d{1,2}\.\d{2,})\s*°?\s*[ns]?\s*[,;/\s]\s*(-?\d{1,3}\.\d{2,})/giu;
/** A capitalized name in the genitive. */
const GENITIVE = /\b(\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)*)[’']s\b/gu;
/** Another place that a segment speaks of without naming it; null for none. */
export const unnamedPlaceIn = (text: string): string | null => NEIGHBOR.exec(folded(text))?.[0] ?? null;

/** A mountain or a lake whose own height or depth is asked. */
const MEASURED_FEATURE =
  /\b(?:elevation|height|altitude|depth|how (?:high|tall|deep) (?:is|are)) (?:of )?((?:Mount|Mt\.?|Lake) \p{Lu}\p{L}+(?: \p{Lu}\p{L}+)*)/gu;

/** The places that a segment names. What lies near a place, such as a river or a street, is none. */
export function placesNamedIn({ text, tagged }: Segment): NamedPlace[] {
  const points = [...text.matchAll(COORDINATES)].map(
    ([written, lat, lng]): NamedPlace => ({ name: written.trim(), coordinates: [Number(lat), Number(lng)] }),
  );
  const listed = tagged.places().json({ offset: false }) as readonly { text: string }[];
  const inOnes = tagged.match('(in|en|of) [#ProperNoun+]', 0).json() as readonly { text: string }[];
  // The library tags a name in the genitive as a possessive alone.
  const owners = [...text.matchAll(GENITIVE)]
    .map(([, name]) => ({ text: name! }))
    .filter(one => nlp(one.text).places().found);
  const names = [...listed, ...inOnes, ...owners]
    .map(({ text: name }) => name.replace(/(?:[’']s)?[\s?!.,;:)]*$/, '').replace(/^[\s(¿]+/, ''))
    .filter(name => name.length > 3 && isNamed(name, text))
    .map(name => withState(name, text));
  const features = [...text.matchAll(MEASURED_FEATURE)].map(([, name]) => name!);
  const different = [...names, ...features].filter(
    (name, i, all) => !all.some((other, j) => other.includes(name) && (other !== name || j < i)),
  );
  return [...points, ...different.map(name => ({ name }))];
}

/** A name with the postal code of the state that follows it. */
function withState(name: string, text: string): string {
  const [, code] = /^,?\s+(\p{Lu}{2})\b/u.exec(text.slice(text.indexOf(name) + name.length)) ?? [];
  return code !== undefined && STATES.has(code.toLowerCase()) ? `${name}, ${code}` : name;
}

/** What a government does: who declares a disaster is no other place. */
const GOVERNS =
  /^\s+(?:has |have |had |ever )?(?:declare[sd]?|consider(?:s|ed)?|call(?:s|ed)?|require[sd]?|sa(?:ys|id)|wants?|pays|designate[sd]?|rate[sd]?)\b/i;

/** A capitalized word beside a common noun: a Superfund site is no place of that name. */
const HALF_NAMED = /\p{Lu}.* (?!(?:of|the|and|de|del|la|las|los|el)\b)\p{Ll}/u;

/** Whether a name stands in a text as that of a place. */
function isNamed(name: string, text: string): boolean {
  if (HALF_NAMED.test(name)) return false;
  if (NO_PLACE.test(name) || CODE.test(name) || FEATURE.test(plain(name)) || NATION.test(plain(name))) return false;
  const index = text.indexOf(name);
  const [before, after] = [text.slice(0, index), text.slice(index + name.length)];
  if (GOVERNS.test(after)) return false;
  if (/^\s*(?:\p{L}+\s+)?$/u.test(after) || !FEATURE.test(plain(/^\s*\p{L}+/u.exec(after)?.[0] ?? ''))) {
    // Words that are also common ones (bath, mobile, nice) name a place only where one is expected.
    return /^\p{Lu}/u.test(name) || /\b(?:in|of|than|from|for|vs\.?|versus)\s+(?:the\s+)?$/i.test(before);
  }
  return false;
}
