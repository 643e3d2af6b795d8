import nlp from 'compromise';
import type { Field } from '../../../datasets/dataset.ts';
import { folded, type Word } from '../retrieval/words.ts';
import { isUnitName } from '../units.ts';

/** A field that says of a thing only where it is, what it is called, how many there are or whose they are. */
const LOCATES =
  /^nearest_(?!flowline_(?:stream|mean)|groundwater|road_(?:class|aadt)|wildfire_year|power_plant_(?:tech|cap)|transmission_line_volt|substation_volt|dam_hazard).*_(?:distance_m|name|owner|operator)$|^(?:restaurant|poi|transit_stop|wind_turbine|substation|interconnection_facility|superfund_site|tornado_track)_count_|^unified_school/;

/** Begins a question. */
const ASKS =
  /^(?:(?:so|and|ok|but|also|then|now|y|what about|if so|tell me)\s+)*(?:what|which|who|whose|how|is|are|am|was|were|does|do|did|can|could|will|would|has|have|had|should|may|might|when|why|que|cual|cuant[oa]s?|quien|a que|hay|esta|es|se|puedo)\b/u;

/** Asks of a thing what such a field says. */
const LOCATING =
  /\b(?:how (?:far|close|near|long|many)|close|closer|closest|near|nearer|nearby|far|farther|distance|where|there|within|miles?|km|kilometers?|get to|reach|away|named?|names|called|number of|next to|beside|adjacent|borders?|around here|in the area|see|hear|heard|noise|noisy|loud|smell|lejos|cerca|distancia|donde|queda|llaman?|nombre|millas|caminando|whose|downstream|upstream|needs?|ride|walk|walking|drive|driving|commute|fly (?:out|from|in)|catch|take (?:me|us|them|him|her|the (?:bus|train|kids))|respond|owns?|operates?|runs?|tap|connect|sirve|toca|da)\b/u;

/** What stands behind a preposition says where or of what something is. */
const BEHIND =
  /^(.*?)\b(?:near|at|around|by|over|under|along|next to|beside|behind|across from|off|through|in|on|from|to)\s+(?:the|my|our|your|his|her|their|its|an?|this|that)\b/u;
/** Asks about what a thing does, or which or how many of something. */
const OF_SOMETHING =
  /^(?:(?:so|and|ok|but)\s+)*(?:who|what|which|how (?:many|high|good|bad)|does|do|did|has|have|can)\b/u;
/** Says where the place itself lies. */
const LIES = /\b(?:lies?|sits?|falls?|fall|goes|is it|are we|do i live|far|close|long)\b/u;

/** The thing that a question with a form of "to be" is about. */
const SUBJECT =
  /^(?:(?:so|and|ok|but)\s+)*(?:how \p{L}+ )?(?:is|are|was|were) (?:the|my|our|your|his|her|their|these|those)\s+((?:(?!(?:in|on|at|of|for|with|by|to|from|that|which|be|been|under|over|near|within|inside|close|next)\b)[\p{L}'-]+\s?){1,3})/u;
/** What is counted. */
const COUNTED = /\b(?:how many|number of)\s+(people|folks|persons|kids|families|workers|customers)\b/u;

/** Words for the place, a building on it, or a part of either. */
const OF_PLACE =
  /^(?:lot|house|home|property|land|place|site|parcel|ground|yard|area|spot|building|structure|block|tract|county|town|city|neighborhood|address|street|field|location|dirt|soil|portion|part|piece|zone|community|way|dwelling|lote|casa|terreno|state|region|acreage|farm|people|person|point|premises|basin|bungalow|cabin|cottage|condo|apartment|ranch|barn|corner|side|land|back|front|bottom|rest|hill|air|water|ocean|sea|electricity|power|worry|enough|pay|pencil|work|fit|viable|feasible|suitable|allowed|kind|sort|type|anyone|anybody|somebody|everyone)s?$/u;

const isThing = ({ written, weight }: Word): boolean =>
  weight === 1 && /^\p{L}{3,}$/u.test(written) && !OF_PLACE.test(written) && !isUnitName(written);

/** The nouns of some words, folded. */
const nounsOf = (text: string): string[] =>
  nlp(text).match('^(#Adjective|#Noun|#Gerund|#Value)+').match('#Noun+').first().terms().out('array') as string[];

/**
 * Words of a clause for what it asks, where a field that shares words with it tells of something else: the fish of a grocery store, a
 * battle near a river. Empty where the field may be the answer.
 * @param matched words of the clause that its best fields have.
 */
export function strayFocus(
  clause: string,
  words: readonly Word[],
  matched: ReadonlySet<string>,
  { name }: Pick<Field, 'name'>,
): readonly string[] {
  const text = folded(clause).trim();
  if (!ASKS.test(text)) return [];
  const strays = words.filter(word => isThing(word) && !matched.has(word.written)).map(({ written }) => written);
  const counted = COUNTED.exec(text)?.[1];
  if (counted !== undefined && words.some(({ written }) => written === counted) && !matched.has(counted))
    return [counted];
  if (strays.length === 0) return [];
  if (LOCATES.test(name) && !LOCATING.test(text)) return strays;
  const subject = nounsOf(SUBJECT.exec(text)?.[1] ?? '');
  const last = subject.at(-1)?.replace(/'s$/, '');
  if (last !== undefined && strays.includes(last) && !subject.some(noun => matched.has(noun))) return [last];
  const before = BEHIND.exec(text)?.[1];
  if (before === undefined || !OF_SOMETHING.test(text) || LIES.test(before)) return [];
  const has = (word: string) => new RegExp(`(?<!\\p{L})${word}(?!\\p{L})`, 'u').test(before);
  const ofMatter = words.some(({ written, weight }) => weight === 1 && matched.has(written) && has(written));
  return ofMatter ? [] : strays.filter(has);
}
