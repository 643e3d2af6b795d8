/**
 * Publication 28, appendix C2: secondary unit designators by their spellings, and whether a range (an identifier) must
 * follow. https://pe.usps.com/text/pub28/28apc_003.htm
 */
const DESIGNATORS: Readonly<Record<string, { readonly is: string; readonly range: boolean }>> = Object.fromEntries(
  [
    ['APT', true, 'APT APARTMENT APPT APMT APTO APARTAMENTO'],
    ['BSMT', false, 'BSMT BASEMENT'],
    ['BLDG', true, 'BLDG BUILDING BLD BLG EDIF EDIFICIO'],
    ['DEPT', true, 'DEPT DEPARTMENT'],
    ['FL', true, 'FL FLOOR FLR PISO'],
    ['FRNT', false, 'FRNT FRONT'],
    ['HNGR', true, 'HNGR HANGER HANGAR'],
    ['KEY', true, 'KEY'],
    ['LBBY', false, 'LBBY LOBBY'],
    ['LOT', true, 'LOT'],
    ['LOWR', false, 'LOWR LOWER'],
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
    ['STE', true, 'STE SUITE SUIT'],
    ['TRLR', true, 'TRLR TRAILER'],
    ['UNIT', true, 'UNIT UNT UT'],
    ['UPPR', false, 'UPPR UPPER'],
    ['#', true, '#'],
  ].flatMap(([is, range, spellings]) =>
    (spellings as string).split(' ').map(word => [word, { is: is as string, range: range as boolean }]),
  ),
);

/** A unit is at most this: `3`, `12B`, `A-101`, `C`. Words are none, so that LOT LANE and KEY ROAD stay streets. */
const RANGE = /^(?:[A-Z]{0,2}-?\d+[A-Z]?(?:-[A-Z\d]+)?|[A-Z])$/;

/**
 * The secondary unit at a position in a list of words in capitals.
 * @returns Publication 28 form and the number of words it takes; null when none begins there.
 */
export function unitAt(words: readonly string[], at: number): { readonly unit: string; readonly words: number } | null {
  const word = words[at]!;
  const glued = /^#(.+)$/.exec(word);
  if (glued && RANGE.test(glued[1]!)) return { unit: `# ${glued[1]}`, words: 1 };
  if (!Object.hasOwn(DESIGNATORS, word)) return null;
  const { is, range } = DESIGNATORS[word]!;
  const next = words[at + 1];
  if (next === '#' && words[at + 2] !== undefined) return { unit: `${is} ${words[at + 2]}`, words: 3 };
  const bare = next?.replace(/^#/, '');
  if (bare !== undefined && RANGE.test(bare)) return { unit: `${is} ${bare}`, words: 2 };
  if (range) return null;
  return { unit: is, words: 1 };
}

/** Whether a word may be a unit's identifier without its designator: `3B`, `104`, `A101`. */
export const isBareUnit = (word: string): boolean => /\d/.test(word) && RANGE.test(word);
