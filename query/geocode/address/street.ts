import { DIRECTION_NAMES, directionalOf, leadingDirectional } from './directional.ts';
import { type Highway, highwayOf } from './highway.ts';
import { ordinalAt } from './ordinal.ts';
import { suffixNameOf, suffixOf } from './suffix.ts';

/** A street name in its parts (Publication 28, section 23), in capitals. */
export interface Street {
  /** `N`; null where there is none. */
  readonly pre: string | null;
  /** `HARLOW`; of a numbered road its standard form without directionals (`US HIGHWAY 1`). */
  readonly name: string;
  /** Standard abbreviation; null where there is none. */
  readonly suffix: string | null;
  readonly post: string | null;
  /** The name spelled out and run together, so that MT VIEW and Mountview, FIRST and 1ST compare. */
  readonly key: string;
  /** The same of the whole street: what a mistyped directional or suffix is compared by. */
  readonly whole: string;
  /** Numbers in the name, which are never taken for one another. */
  readonly digits: string;
  readonly highway: Highway | null;
}

/** Words of names by what they are compared as; suffixes are spelled out besides. */
const WORDS: Readonly<Record<string, string>> = {
  STE: 'SAINTE',
  SNT: 'SAINT',
  SANTA: 'SANTA',
  DOCTOR: 'DRIVE',
  AVENIDA: 'AVENUE',
  AVDA: 'AVENUE',
  CLL: 'CALLE',
  CALLEJON: 'CALLEJON',
  CAM: 'CAMINO',
  CARR: 'CARRETERA',
  PASEO: 'PASEO',
  PSO: 'PASEO',
  BO: 'BARRIO',
  MLK: 'MARTIN LUTHER KING',
  JR: '',
  JUNIOR: '',
  THE: '',
  AND: '',
  INTL: 'INTERNATIONAL',
  IND: 'INDUSTRIAL',
  UNIV: 'UNIVERSITY',
  CH: 'CHURCH',
  CEM: 'CEMETERY',
  HOSP: 'HOSPITAL',
  SCH: 'SCHOOL',
  GEN: 'GENERAL',
  GOV: 'GOVERNOR',
  PRES: 'PRESIDENT',
  SGT: 'SERGEANT',
  CAPT: 'CAPTAIN',
  MEM: 'MEMORIAL',
  NATL: 'NATIONAL',
  MTN: 'MOUNTAIN',
};

/** A name that has many forms, with the title in front of it and the word behind it that are left out as often. */
const KING = /^(?:(?:DR|DOCTOR|REV) )?(?:M L|ML|MLK|MARTIN L|MARTIN LUTHER)(?: KING)?(?: JR| JUNIOR)?$/;
/** Letters that are spelled as they sound, so that I ST is not taken for 1ST: streets of Washington and elsewhere. */
const LETTERS: Readonly<Record<string, string>> = { EYE: 'I', QUE: 'Q' };

/** The words of a name spelled out. @param alone whether they are all of the name: then a letter is a letter. */
function spelledOut(words: readonly string[], alone: boolean): string[] {
  if (words.length > 1 && KING.test(words.join(' '))) return ['MARTINLUTHERKING'];
  if (alone && words.length === 1 && Object.hasOwn(LETTERS, words[0]!)) return [LETTERS[words[0]!]!];
  const out: string[] = [];
  for (let i = 0; i < words.length; ) {
    const word = words[i]!;
    const ordinal = ordinalAt(words, i);
    if (ordinal) {
      out.push(String(ordinal.is));
      i += ordinal.words;
      continue;
    }
    i++;
    // J E MORROW has two initials, as JE MORROW has.
    const initial = word.length === 1 && (words[i - 2]?.length === 1 || words[i]?.length === 1);
    const direction = (words.length === 1 && alone) || initial ? null : directionalOf(word);
    if (word === 'ST' && out.length === 0 && words.length > 1) out.push('SAINT');
    else if (Object.hasOwn(WORDS, word)) out.push(WORDS[word]!.replaceAll(' ', ''));
    else if (direction && word.length <= 2 && word !== 'NO' && word !== 'SO') out.push(DIRECTION_NAMES[direction]!);
    else out.push(words.length === 1 && word.length === 1 ? word : (suffixNameOf(word) ?? word));
  }
  return out;
}

function streetFrom(
  pre: string | null,
  words: readonly string[],
  suffix: string | null,
  post: string | null,
  highway: Highway | null,
): Street {
  // Of two suffixes only the last is abbreviated (Publication 28, section 234): MAIN AVENUE DR.
  const before = suffix && words.length > 1 ? suffixNameOf(words.at(-1)!) : null;
  const name = highway ? highway.name : (before ? words.with(-1, before) : words).join(' ');
  const spelled = highway ? [`${highway.class} ${highway.number}`] : spelledOut(words, true);
  // C1 SIXTH ST and 1 FOURTH ST are neither SIXTEENTH ST nor FOURTEENTH ST.
  const key = highway ? spelled[0]! : spelled.join(' ').replace(/(?<!\d) | (?!\d)/g, '');
  const ends = (direction: string | null) => (direction ? DIRECTION_NAMES[direction]! : '');
  const whole = highway ? key : `${ends(pre)}${key}${suffix ? suffixNameOf(suffix)! : ''}${ends(post)}`;
  return { pre, name, suffix, post, key, whole, digits: key.replace(/\D+/g, ' ').trim(), highway };
}

/** A road that a numbered road has left: OLD US 74 HWY is OLD US HIGHWAY 74, and not the road of that number. */
function oldHighway(words: readonly string[]): Highway | null {
  const road = words[0] === 'OLD' ? highwayOf(words.slice(1)) : null;
  return road && /\d/.test(road.number) ? { ...road, number: `OLD ${road.number}`, name: `OLD ${road.name}` } : null;
}

/**
 * Reads the name of a street.
 * @param words in capitals, without house number and unit; at least one.
 */
export function streetOf(words: readonly string[]): Street {
  const highway = highwayOf(words) ?? oldHighway(words);
  if (highway) return streetFrom(null, words, null, null, highway);
  let pre: string | null = null;
  let post: string | null = null;
  let rest = words;
  const last = rest.length > 1 ? directionalOf(rest.at(-1)!) : null;
  // SOUTH and NORTH spelled NO and SO are too rare behind a name to be read there.
  if (last && !/^(?:NO|SO)$/.test(rest.at(-1)!)) {
    post = last;
    rest = rest.slice(0, -1);
    const before = rest.length > 1 ? directionalOf(rest.at(-1)!) : null;
    if (before && /^[NS]$/.test(before) && /^[EW]$/.test(last)) {
      post = before + last;
      rest = rest.slice(0, -1);
    }
  }
  const first = leadingDirectional(rest);
  if (first && rest.length > first.words) {
    const after = rest.slice(first.words);
    // N ST and NORTH AVE are streets of that name; in E BROADWAY the word is a directional.
    if (!(after.length === 1 && suffixOf(after[0]!) !== null)) {
      pre = first.is;
      rest = after;
    }
  }
  if (pre || post) {
    const inner = highwayOf(rest);
    if (inner) return streetFrom(pre, rest, null, post, inner);
  }
  let suffix: string | null = null;
  const ending = rest.length > 1 ? suffixOf(rest.at(-1)!) : null;
  if (ending) {
    suffix = ending;
    rest = rest.slice(0, -1);
  }
  return streetFrom(pre, rest, suffix, post, null);
}

/** Publication 28 form of a street: `N HARLOW ST`, `US HIGHWAY 1`. */
export const streetText = ({ pre, name, suffix, post }: Street): string =>
  [pre, name, suffix, post].filter(part => part !== null && part !== '').join(' ');
