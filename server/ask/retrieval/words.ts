import { stemmer } from 'stemmer';
import { SPANISH } from './spanish.ts';

/** Words that say nothing about the subject of a question. */
const EMPTY = new Set(
  `a about above actually after again ago all also am an and any anything are as ask at be because been before being below best
  better both but by can cannot could did do does doing don down each either else every exactly few find for from get
  gets give gonna got had has have having he hello help her here hers hey hi him his how i if im in info information into is
  isn it its itself just kind know let like likely ll location look lot's lots may maybe me mean might mine more most much must my
  myself need no nor not now of off ok okay on one only or other our out over per place please point pretty question quick
  re really right said same say see shall she should show so some something spot still such sure take tell than thank thanks
  that the their them then there these they thing things think this those thru to too um under until up us use used uses
  using ve very want wanna was we well were what whats when where whether which while who whom why will with within
  pls plz thx wats wat wut whats hte ty hey hello hola gracias porfa lol omg btw asap u ur r im ive id teh wher dont doesnt aint gimme gotta yall ya'll
  return returns fetch provide determine identify purposes purpose worried concerned
  lender agent client file digame dentro ultima ultimo vez saber necesito nos preocupa queremos familia
  could've around actually exist exists hear nautical fahrenheit celsius centigrade mph
  upon plus eh hmm yo dude bro folks problem problems mind even isnt made makes make answer answers confirm repeat reply
  compare compares compared comparing comparison difference versus comparar
  solo saber buen buena bueno
  neither none least worse farther further found issue issued usually normally typically generally roughly approximately probably hacer habido habia
  mess stuff without wondering would yes yet you your yours go goes went gone sorry fill
  estamos somos vivimos tenemos hemos han somos
  gonna standing going happening happen coming comes come came
  through during along across against among beneath beside toward towards throughout onto off via since although though while
  look looks looking looked sit sits sitting seem seems suppose guess wonder whats
  al algun alguna algo mucho mucha muchos muchas poco poca pocos pocas tanto tanta aqui aca como con cual cuales cuando cuanta cuantas cuanto cuantos de del desde dime donde e el ella en
  entre era es esa ese eso esta este esto estan estas estos estoy favor fue ha hace hacia hay la las le lo los mas me mi mis muy
  nos o para pero por porque puede puedo que quiero quien se ser si sin sobre son soy su sus tan tiene tengo tu tus un
  una uno unas unos usted va y ya yo`.split(/\s+/),
);

/**
 * Words that most fields are related to. They help to choose between fields that other words found, but find little by
 * themselves. By stem, with their share of a full word's weight.
 */
const WEAK: ReadonlyMap<string, number> = new Map(
  `land property parcel house home area site near nearby nearest closest close around building distance far away mile km
  next ever kilometer meter foot feet inch year day county level high low big large small good bad type name number many count long
  local service public region part live people percent share risk total average new old last week month hour
    often time times drive driving walk bike ride january february april june july august september october november december`
    .split(/\s+/)
    .map(word => [stemmer(word), 0.4] as const),
);

/** Words that say how much, which one or where of something, and not of what. By stem. */
const MEASURING: ReadonlySet<string> = new Set(
  `next ever near nearby nearest closest close around distance far away mile km kilometer meter foot feet inch year week month day hour level high low big
  large small good bad type kind name number many count long short part percent share total average new old last rate rating score
  index value drive driving walk bike ride often`
    .split(/\s+/)
    .map(word => stemmer(word)),
);

/** Whether words say only how much, which one or where, and not of what. */
export const areMeasures = (words: readonly Word[]): boolean => words.every(({ stem }) => MEASURING.has(stem));

/** Words that ask for a kind of thing and name none. By stem. */
const KINDS: ReadonlySet<string> = new Set('name number type kind'.split(' '));

/** Whether words ask only for a kind of thing, such as its name. */
export const areKinds = (words: readonly Word[]): boolean => words.every(({ stem }) => KINDS.has(stem));

/** Words for the place itself. By stem. */
const OF_PLACE: ReadonlySet<string> = new Set(
  'land property parcel house home area site lot'.split(' ').map(word => stemmer(word)),
);

/** Whether words say nothing but how much, which one or where, of the place itself. */
export const saysNoMatter = (words: readonly Word[]): boolean =>
  words.every(({ stem }) => MEASURING.has(stem) || OF_PLACE.has(stem));

/** A word of a text: as written, and as looked up. */
export interface Word {
  readonly written: string;
  /** English, folded, without its ending. */
  readonly stem: string;
  /** Its share of a full word's weight, above 0 up to 1. */
  readonly weight: number;
}

/** Lower case, without accents, in compatible characters (NFKD). */
export function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** A well in the ground, not the adverb. */
const WELL = /(?<=\b(?:an?|the|my|our|your|no|new|drill\w*|dig\w*|dug|water|deep|shallow|nearest|monitoring) )well\b/g;

/** The runs of letters and digits of a text, folded. A number keeps its decimal point and loses thousands commas. */
export function rawWords(text: string): string[] {
  const plain = folded(text)
    .replace(/\bi[’']d\b|\bid (?=(?:like|love|want|need|rather|prefer|be|have|also|just)\b)/g, 'i ')
    .replace(/(?<=\p{L})[’'](?:d|ll|re|ve|m)\b/gu, '')
    .replace(/(\d),(?=\d{3}\b)/g, '$1')
    .replace(/[’'](?=s\b)s\b|[’']/g, '')
    .replace(WELL, 'wells')
    .replace(/\bunder water\b/g, 'underwater')
    .replace(/\binside (?=(?:an?|one|two|three|five|ten|\d+) (?:km|kilom\p{L}+|miles?|m|met\p{L}+)\b)/gu, 'within ')
    .replace(/\bused (?:for|as)\b/g, 'usage')
    .replace(
      /\b(?:go|goes|went|gone|going) (?:last )?for(?=$|[\s?!.,;]*$| (?:last|in|back|when|around|on)\b)/g,
      'sold for',
    )
    .replace(/\bwithout (?:power|electricity|lights?|the lights)\b/g, 'power outage')
    .replace(
      /\b(people|folks|famil(?:y|ies)|households?|workers?) (?:(?:around |over )?here |in town )?makes?\b/g,
      '$1 income',
    )
    // The letter of a zone is its name.
    .replace(/\b([vx])[- ]zones?\b|\bzones? ([vx])\b|\bshaded (x)\b/g, (_, ...letters: (string | undefined)[]) =>
      letters[2] === 'x' ? 'shadedx zone' : `${letters[0] ?? letters[1]}zone zone`,
    );
  return plain.match(/\d+\.\d+|[\p{L}\p{N}]+/gu) ?? [];
}

/** Words that the stemmer confuses: zoning is not zone, an elevator is not elevation. */
const OWN_STEMS: ReadonlyMap<string, string> = new Map(
  `zoning zoned=zoning rezoned=zoning rezoning=zoning elevator elevators=elevator organic organ organs=organ universal universe
  international positive author authors=author compassion digital import imports=import imported=import animation hospitality
  federation medication medications=medication radiator radiators=radiator planted planting=planted transition customs general generally=general
  building buildings=building flooded=flooded burned=burned burnt=burned streaming=streaming panels=panels bearing bearings=bearing generic communication communications=communication communism`
    .split(/\s+/)
    .map(entry => entry.split('='))
    .map(([word = '', own = word]) => [word, own] as const),
);

/** The stem of a folded English word: floods, flooding and flooded have the same one. */
export const stemOf = (word: string): string => OWN_STEMS.get(word) ?? (/^\p{N}/u.test(word) ? word : stemmer(word));

/** The words whose comparative or superlative a folded word may be, likeliest first. */
export function positivesOf(word: string): readonly string[] {
  const [, stem] = /^(\p{L}{2,})(?:er|est)$/u.exec(word) ?? [];
  if (stem === undefined) return [];
  return [stem.replace(/i$/, 'y'), `${stem}e`, stem.replace(/(.)\1$/, '$1')];
}

/** Whether a folded word says nothing about the subject of a question. */
export const isEmpty = (word: string): boolean => EMPTY.has(word);

/** The weight of a stem, above 0 up to 1. */
export const weightOf = (stem: string): number => WEAK.get(stem) ?? 1;

/** Common short forms and their meanings. */
const SHORTENED: ReadonlyMap<string, string> = new Map(
  `avg=mean annual, temp=temperature, temps=temperature, elev=elevation, pop=population, sqft=area, sq=area, hwy=highway, rd=road,
bldg=building, yr=year, yrs=year, hr=hour, hrs=hour, mo=month, elec=electricity, ppl=population people, hundred=hundred 100, closet=closest, whose=owner, whos=owner, sandy=sand, mtn=hill, wx=climate, hq=quality, dist=distance, hosp=hospital, prop=property, freeze=frost, freezes=frost, datacenters=data center, klick=km, klicks=km, lawn=lot, risky=risk, premises=property, backyard=lot, datacenter=data center`
    .split(/,\s+/)
    .map(pair => pair.split('=') as [string, string]),
);

/** The long form of a folded short form; empty for other words. */
export const unshortened = (word: string): readonly string[] => SHORTENED.get(word)?.split(' ') ?? [];

/** English words for a folded Spanish one; empty for other words. A plural is also looked up by its singular. */
export function inEnglish(word: string): readonly string[] {
  const singulars = [word, word.replace(/s$/, ''), word.replace(/es$/, ''), `${word}s`];
  const found = singulars.map(form => SPANISH.get(form)).find(english => english !== undefined);
  return found?.split(' ') ?? [];
}
