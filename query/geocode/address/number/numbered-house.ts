import { readLine } from '../../index/address-index-builder.ts';
import { parseAddress } from '../address.ts';
import { type HouseNumber, holds, numberAt } from '../house-number.ts';
import { type Street, streetOf } from '../street.ts';

/** House number and street of an address as a whole. */
interface NumberedHouse {
  readonly number: HouseNumber;
  readonly street: Street;
}

/** The house that an address names, as its likeliest reading has it; null when it names none. */
export function houseOf(address: string): NumberedHouse | null {
  const { located, zip } = parseAddress(address);
  for (const { state, readings } of located)
    for (const { number, street, city } of readings)
      if (number && street) return { number: numberAt(number, { state, county: null, zip, city }), street };
  return null;
}

/** Whether one number stands for the other, what stands behind it aside: 12 for 12C and for 12-3, 13-17 for 15, 71 for 7L. */
export function isSameNumber(a: HouseNumber, b: HouseNumber): boolean {
  if (a.grid === b.grid)
    return holds(a, b.value) || holds(b, a.value) || (a.misread !== null && holds(b, a.misread.value));
  // A hyphen that makes no range may part a house from its unit.
  return isUnitOf(a, b) || isUnitOf(b, a);
}

/** Whether a house is that of either part of a number with a hyphen: both 5-2519 and 2519-5 may be unit 5 of 2519. */
const isUnitOf = ({ grid, hyphen }: HouseNumber, house: HouseNumber): boolean =>
  grid.endsWith('-') && house.grid === '' && [hyphen!.first, hyphen!.second].some(part => holds(house, Number(part)));

/** Whether a situs line is the house: on the same street, its number or a range that holds it. */
export function isSitusOf({ number, street }: NumberedHouse, line: string): boolean {
  const read = readLine(line);
  if (!read || streetOf(read.street.split(' ')).key !== street.key) return false;
  const { suffix } = read.number;
  return suffix === number.suffix && holds(read.number, number.value) && holds(read.number, number.high);
}
