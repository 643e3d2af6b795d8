import { type HouseNumber, houseNumbers } from '../../../../query/geocode/address/house-number.ts';

/** A text that is a house number and nothing else; null when it is none. */
export function houseNumberOf(text: string): HouseNumber | null {
  const words = text.split(' ');
  const [only] = houseNumbers(words);
  return only?.words === words.length ? only.number : null;
}
