import { directionalOf } from './directional.ts';
import { cardinalOf, ordinalAt } from './ordinal.ts';
import { suffixOf } from './suffix.ts';

/**
 * Publication 28, appendix C2: secondary unit designators by their spellings, and whether a range (an identifier) must
 * follow. https://pe.usps.com/text/pub28/28apc_003.htm
 */
const DESIGNATORS: Readonly<Record<string, { readonly is: string; readonly range: boolean }>> = Object.fromEntries(
  [
    ['APT', true, 'APT APTS APARTMENT APARTMENTS APPT APMT APTO APARTAMENTO'],
    ['BSMT', false, 'BSMT BASEMENT'],
    ['BLDG', true, 'BLDG BUILDING BLD BLG EDIF EDIFICIO'],
    ['DEPT', true, 'DEPT DEPARTMENT'],
    ['FL', true, 'FL FLOOR FLR PISO'],
    ['FRNT', false, 'FRNT FRONT'],
    ['HNGR', true, 'HNGR HANGER HANGAR'],
    ['KEY', true, 'KEY'],
    ['LBBY', false, 'LBBY LOBBY'],
    ['LOT', true, 'LOT'],
    ['LOWR', false, 'LOWR LOWER DOWNSTAIRS'],
    ['OFC', false, 'OFC OFFICE OFICINA'],
    ['PH', false, 'PH PENTHOUSE'],
    ['PIER', true, 'PIER'],
    ['PMB', true, 'PMB'],
    ['REAR', false, 'REAR'],
    ['RM', true, 'RM ROOM'],
    ['SIDE', false, 'SIDE'],
    ['SLIP', true, 'SLIP'],
    ['SPC', true, 'SPC SPACE'],
    ['STOP', true, 'STOP'],
    ['STE', true, 'STE STES SUITE SUITES SUIT'],
    ['TRLR', true, 'TRLR TRAILER'],
    ['UNIT', true, 'UNIT UNITS UNT UT'],
    ['UPPR', false, 'UPPR UPPER UPSTAIRS'],
    ['#', true, '#'],
  ].flatMap(([is, range, spellings]) =>
    (spellings as string).split(' ').map(word => [word, { is: is as string, range: range as boolean }]),
  ),
);

/** Words for parts of a building that Publication 28 has not: many streets are named so, and units stand behind a street. */
const PARTS: ReadonlySet<string> = new Set(
  'BAY CABIN CONDO COTTAGE DOCK DOOR FLAT GATE LEVEL LOFT PAD PARCEL SITE STALL STUDIO TOWER TOWNHOME TOWNHOUSE VILLA WING'.split(
    ' ',
  ),
);

const SIDES = /^(?:RIGHT|LEFT|FRONT|BACK)$/;

/** A unit is at most this: `3`, `12B`, `A-101`, `C`. Words are none, so that LOT LANE and KEY ROAD stay streets. */
const RANGE = /^(?:[A-Z]{0,2}-?\d+[A-Z]?(?:-[A-Z\d]+)?|[A-Z])$/;
/** A designator written together with its identifier: SUITE100, APT4B. */
const GLUED = /^(APT|APARTMENT|UNIT|SUITE|STE|ROOM|RM|FLOOR|FL|BLDG|LOT|SPC)-?(\d+[A-Z]?)$/;
/** Floors are counted before the word: 4TH FLOOR, GROUND FL. */
const FLOOR = /^(?:FLOOR|FLR|FL|LEVEL)$/;
const FLOOR_NAMES = /^(?:GROUND|TOP|MAIN|UPPER|LOWER|MEZZANINE)$/;

/**
 * The secondary unit at a position in a list of words in capitals.
 * @returns Publication 28 form and the number of words it takes; null when none begins there.
 */
export function unitAt(words: readonly string[], at: number): { readonly unit: string; readonly words: number } | null {
  const word = words[at]!;
  const hash = /^#(.+)$/.exec(word);
  if (hash && RANGE.test(hash[1]!)) return { unit: `# ${hash[1]}`, words: 1 };
  // # APT 2 is written by who reads a column's name with its value.
  if (hash && Object.hasOwn(DESIGNATORS, hash[1]!)) return unitAt(words.with(at, hash[1]!), at);
  const glued = GLUED.exec(word);
  if (glued) return { unit: `${DESIGNATORS[glued[1]!]!.is} ${glued[2]}`, words: 1 };
  const next = words[at + 1];
  const second = next !== undefined && FLOOR.test(next) ? ordinalAt(words, at) : null;
  if (second?.words === 1) return { unit: `FL ${second.is}`, words: 2 };
  if (next !== undefined && FLOOR.test(next) && FLOOR_NAMES.test(word)) return { unit: `FL ${word}`, words: 2 };
  const before = at > 1 ? words[at - 1]! : '';
  const isBehind = (suffixOf(before) ?? directionalOf(before)) !== null;
  // MAIL STOP 12, RIGHT SIDE.
  if (isBehind && word === 'MAIL' && next === 'STOP' && RANGE.test(words[at + 2] ?? ''))
    return { unit: `STOP ${words[at + 2]}`, words: 3 };
  if (isBehind && next === 'SIDE' && SIDES.test(word)) return { unit: `SIDE ${word}`, words: 2 };
  const isPart = PARTS.has(word) && isBehind;
  if (!isPart && !Object.hasOwn(DESIGNATORS, word)) return null;
  // APT 1ST FLOOR, UNIT UPSTAIRS; BASEMENT APT, REAR UNIT.
  const inner = isBehind && /^(?:APT|APARTMENT|UNIT)$/.test(word) && next !== undefined ? unitAt(words, at + 1) : null;
  if (inner) return { unit: `APT ${inner.unit}`, words: 1 + inner.words };
  const isLast = isBehind && at + 2 === words.length && /^(?:APT|APARTMENT|UNIT)$/.test(next!);
  if (isLast && !isPart && !DESIGNATORS[word]!.range) return { unit: `${DESIGNATORS[word]!.is} APT`, words: 2 };
  const { is, range } = isPart ? { is: word, range: true } : DESIGNATORS[word]!;
  const third = words[at + 2];
  if (next === '#' && third !== undefined) return { unit: `${is} ${third}`, words: 3 };
  if (/^(?:NO|NUM|NUMBER)$/.test(next ?? '') && third !== undefined && RANGE.test(third))
    return { unit: `${is} ${third}`, words: 3 };
  const bare = next?.replace(/^#/, '');
  if (bare !== undefined && RANGE.test(bare)) return { unit: `${is} ${bare}`, words: 2 };
  // SUITE ONE; 12 KEY ONE may be a street.
  const spelled = bare === undefined || !isBehind ? null : cardinalOf(bare);
  if (spelled !== null) return { unit: `${is} ${spelled}`, words: 2 };
  if (range) return null;
  return { unit: is, words: 1 };
}

/** Whether a word is a unit by itself: BSMT, REAR, UPSTAIRS. */
export const needsNoNumber = (word: string): boolean => Object.hasOwn(DESIGNATORS, word) && !DESIGNATORS[word]!.range;

/** Whether a word may be a unit's identifier without its designator: `3B`, `104`, `A101`. */
export const isBareUnit = (word: string): boolean => /\d/.test(word) && RANGE.test(word);
