import { directionalOf } from './directional.ts';
import { stateOf } from './state.ts';

const QUADRANT = /[A-Z],? (?:[NS][EW]|(?:NORTH|SOUTH)(?:EAST|WEST))$/;
/** A quadrant behind the code of a state: WASHINGTON, DC NW. */
const BEHIND_STATE = /^(.*?)(, (?:[A-Z ,]*[ ,])?([A-Z]{2}|D C)),? ([NS][EW]|NORTH(?:EAST|WEST)|SOUTH(?:EAST|WEST))$/;

/**
 * An address with the quadrant behind its state where it belongs, at the end of its first piece: 25 KENNEDY ST NW, WASHINGTON, DC. So
 * NE behind another state is North East and not Nebraska.
 * @param text as words in capitals, without ZIP code and country.
 */
export function withQuadrant(text: string): string {
  if (!QUADRANT.test(text)) return text;
  const [, street, behind, state, words] = BEHIND_STATE.exec(text) ?? [];
  if (street === undefined || !/^\d/.test(street) || stateOf(state!) === null) return text;
  const quadrant = directionalOf(words!)!;
  const last = directionalOf(street.split(' ').at(-1)!);
  return last === null ? `${street} ${quadrant}${behind}` : last === quadrant ? street + behind : text;
}
