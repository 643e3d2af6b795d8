import type { Random } from '../random.ts';

const FIRST = 'Ash Birch Cole Dun Elm Fal Gar Hol Ives Jor Kel Lin Mar Nor Oak Pen Rath Sel Thorn Win'.split(' ');
const LAST = 'by croft den field ford gate ham land ley man mere ton well wick worth'.split(' ');
/** Streets of a town from its middle outwards. */
const STREETS = [
  ...'Main Harbor Mill School Ferry Granite Spruce Orchard Heron Ledge Church Water Pleasant Union Maple Chestnut'.split(
    ' ',
  ),
  ...'Summer Winter High Bridge Cottage Court Pearl Prospect Dennett Cedar Laurel Middle Pond Green Front River'.split(
    ' ',
  ),
];
const WORDS = 'First Second Third Fourth Fifth Sixth Seventh Eighth Ninth Tenth'.split(' ');
const GIVEN = 'ALEX JO SAM LEE ROBIN CHRIS PAT DANA KIM TERRY JAMIE MORGAN CASEY DREW JESSE QUINN'.split(' ');

/** A made-up name for people and places, from the seed. */
export function surname(random: Random): string {
  return random.pick(FIRST) + random.pick(LAST);
}

/** A given name as the roll writes it. */
export function givenName(random: Random): string {
  return random.pick(GIVEN);
}

/** Up to 1,832 names of which none is repeated: those of the list, then composed ones, then these with a word in front. */
export function placeName(index: number): string {
  if (index < STREETS.length) return STREETS[index]!;
  const count = FIRST.length * LAST.length;
  const n = index - STREETS.length;
  // A step without a common factor, so that neighbours sound unlike.
  const k = (n * 67) % count;
  const name = FIRST[k % FIRST.length]! + LAST[Math.floor(k / FIRST.length)]!;
  const front = ['', 'Old', 'Upper', 'Lower', 'East', 'West'][Math.floor(n / count)];
  return front ? `${front} ${name}` : name;
}

/** Names of roads that run inland, none of which `placeName` begins with. */
export function roadName(index: number): string {
  return `${placeName(STREETS.length + index)} ${['Hill', 'Brook', 'Corner'][index % 3]}`;
}

/** The number of an avenue: in words up to ten, with its ending beyond. */
export function ordinal(number: number): string {
  const word = WORDS[number - 1];
  if (word) return word;
  const teen = number % 100 > 10 && number % 100 < 14;
  return `${number}${(teen ? null : ['th', 'st', 'nd', 'rd'][number % 10]) ?? 'th'}`;
}
