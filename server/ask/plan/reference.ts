import type { Catalog } from '../../../datasets/catalog.ts';
import { inCatalog, rankFields, wordsOf } from '../retrieval/retrieval.ts';
import { areMeasures, folded, rawWords, stemOf } from '../retrieval/words.ts';

/** What may be asked of a thing → the ends of names of fields that say it, those that say it best first. */
const ATTRIBUTES: readonly (readonly [RegExp, readonly RegExp[]])[] = [
  [
    /\b(?:who|whom|whose|owners?|owns?|operators?|operates?|operated|runs?|manages?|company|quien|dueno)\b/,
    [/_(?:owner|operator|manager)$/, /_name$/],
  ],
  [
    /\b(?:growing|shrinking|rising|falling|declining|going (?:up|down)|(?:they|it|prices) up|up or down|trend|chang(?:e|ed|ing)|creciendo|subiendo|bajando)\b/,
    [/_yoy_pct$|_growth_1yr_pct$/, /_change_since_/],
  ],
  [/\b(?:reliable|reliability|outages?|goes out)\b/, [/_saidi_minutes$/]],
  [/\b(?:strongest|worst|biggest|largest|highest|most severe|mas fuerte|peor|mas grande)\b/, [/_max_/]],
  [/\b(?:voltage|volts|kv|kilovolts|voltaje)\b/, [/_voltage_kv$/]],
  [/\b(?:when|year|date|how (?:old|recent)|cuando|ano|fecha)\b/, [/_(?:year|date)$/]],
  [/\b(?:how much water|how (?:fast|much) does it (?:flow|carry)|flow)\b/, [/_mean_flow_/]],
  [/\b(?:how much(?! (?:of|is|are)\b)|price|pays?|paid|cuanto|precio)\b/, [/_price_usd$/]],
  [
    /\b(?:how (?:big|large)|size|capacity|acres|acreage|grande|tamano)\b/,
    [/_area_m2$/, /_capacity_mw$/, /_order$/, /_max_size_/, /_acres_/],
  ],
  [/\b(?:how often|how frequent(?:ly)?|how many times|cuantas veces)\b/, [/_count(?:_|$)/, /_frequency$/]],
  [/\b(?:higher|above|mas alto|por encima)\b/, [/^height_above_/]],
  [/\b(?:how (?:tall|high)|height|altura)\b/, [/_height_m$/]],
  [
    /\b(?:class(?:ification)?|classified|category|dangerous|kind|type|sort|tipo|clase)\b/,
    [/_(?:class|type|category|hazard_potential|technology)$/],
  ],
  [/\b(?:how many|number of|cuant[oa]s)\b/, [/_count(?:_|$)/]],
  [
    /\b(?:how (?:far|close|near)|distance|nearest|closest|where|miles|lejos|distancia|donde|cercan[oa])\b/,
    [/_distance_m$/],
  ],
  [/\b(?:burns?|fuel|runs? on|powered|technology|combustible)\b/, [/_technology$/]],
  [/\b(?:number|code|id|numero|codigo)\b/, [/_(?:geoid|code|id)$/, /^huc_12$/]],
  [/\b(?:names?|named|call(?:ed)?|which|llaman?|nombre|cual)\b/, [/_name$/]],
];
/** Stands for what was named before. */
const PRONOUN =
  /^(?:and )?(?:what(?: is|['’]?s)? )?(?:the |its )?(?:code|number|id|voltage|operator|distance|size|capacity|height|name)$|^(?:and )?(?:in |since |from )?(?:what|which|que) (?:year|date|ano)$|^(?:and )?(?:since when|for how much|how often|how much|desde cuando)\b(?: \p{L}+){0,2}$|\b(?:the (?:next|closest|nearest|strongest|biggest|largest|worst) one|it|its|that|they|them|their|those|ones?|se llaman?|su)\b|^(?:and )?(?:if so )?(?:since )?(?:who|whose|when|by whom)\b|^(?:and )?how many(?: (?:are|is) there| of them)?$|^(?:and )?how (?:far|close|near|big|large|old|tall|high|deep|wide)(?: (?:away|off|apart))?$/u;
/** Names the place itself, or what contains it. */
const OF_PLACE = /\b(?:land|property|parcel|house|home|site|lot|place|area|county|state|town)\b/;
/** Words of a name that tell no thing from another. */
const OF_ALL = new Set(
  'nearest within in at on of and or county tract area land nri risk score distance count m m2 km 1km 5km 10km 25km 40km 50km 100km 100m 500m 800m mean max annual owner operator name class type voltage year code id'.split(
    ' ',
  ),
);

const thingIn = (name: string): string[] => name.split('_').filter(word => !OF_ALL.has(word));

/** Whether a clause has a word for what was named before. */
export const refers = (catalog: Catalog, clause: string): boolean => {
  const text = folded(clause);
  if (PRONOUN.test(text)) return true;
  // What only says how far or how many says it of what was named before.
  return /^(?:and )?how\b/.test(text) && !OF_PLACE.test(text) && areMeasures(wordsOf(catalog, clause));
};

/**
 * Fields that answer a clause about a thing that was named before, such as "who runs it" after a substation; empty where it
 * names a thing itself, or where no field says that of the thing.
 * @param last the field that answers best what was asked before.
 */
export function referred(catalog: Catalog, clause: string, last: string): readonly string[] {
  const text = folded(clause).replace(/['’]s\b/g, ' is');
  const attribute = ATTRIBUTES.find(([pattern]) => pattern.test(text));
  if (!attribute) return [];
  const { title, terms } = catalog.fields.get(last)!;
  const own = new Set([last.replaceAll('_', ' '), title, ...terms].flatMap(rawWords).map(stemOf));
  const isOfThing = ({ written, stem, weight }: ReturnType<typeof wordsOf>[number]) =>
    own.has(stem) || (weight < 1 && !OF_PLACE.test(written)) || ATTRIBUTES.some(([pattern]) => pattern.test(written));
  const words = wordsOf(catalog, clause).filter(word => inCatalog(catalog, word));
  // What is a term of a field by itself, such as "owner", asks of the place.
  const isTerm = rankFields(catalog, clause, 1)[0]?.term === 1;
  if (
    !words.every(isOfThing) ||
    (!refers(catalog, clause) &&
      words.some(({ weight, written }) => weight === 1 && (isTerm || !attribute[0].test(written))))
  )
    return [];
  const thing = thingIn(last);
  // It was answered already, such as the category of a hurricane.
  if (words.some(({ written, stem }) => attribute[0].test(written) && thing.map(stemOf).includes(stem))) return [last];
  const shared = (name: string) => thingIn(name).filter(word => thing.includes(word)).length;
  for (const end of attribute[1]) {
    const able = [...catalog.fields.keys()].filter(name => end.test(name) && shared(name) > 0);
    const most = Math.max(...able.map(shared));
    const [best] = able.filter(name => shared(name) === most);
    if (best !== undefined) return [best];
  }
  return [];
}
