import { isStreetEnd } from './crossing.ts';

/** Words that say where a place lies from another: that other place is not the one that is meant. */
const RELATION =
  '(?:NEAR(?:BY)?|NEXT (?:DOOR )?TO|ACROSS (?:THE (?:STREET|ROAD) )?FROM|BEHIND|OPPOSITE|CLOSE TO|ADJACENT TO|BETWEEN|IN FRONT OF)';
/** A house number and street with such words behind them, which are a note: 73 HARLOW ST NEAR CENTER ST. */
const NOTE = new RegExp(`^(\\s*\\d[^,]*[A-Z]) (?=(?:${RELATION}|NR) [A-Z\\d])`);
const FIRST = new RegExp(`^(?:JUST |LOT |LAND )?(${RELATION}) `);
const LATER = new RegExp(`^([^,]*?),? (${RELATION}) [A-Z\\d]`);

/** A text with a comma in front of a note behind its street. */
export const withNote = (text: string): string => text.replace(NOTE, '$1, ');

/**
 * What says of an address that its place lies somewhere from another one: NEAR 73 HARLOW ST, UNION ST BETWEEN MAIN ST AND
 * CEDAR ST. Behind a house number it is a note, and before one it may be who lives there.
 * @param text as words in capitals.
 * @returns those words; null where there are none.
 */
export function relationIn(text: string): string | null {
  const [, first] = FIRST.exec(text) ?? [];
  if (first) return /, \d+[A-Z]? [A-Z]/.test(text) ? null : first;
  const [, street, later] = LATER.exec(text) ?? [];
  return later && !/\d[A-Z]? /.test(street!) && isStreetEnd(street!.split(' ')) ? later : null;
}
