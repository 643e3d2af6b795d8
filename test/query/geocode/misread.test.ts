import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Fixture } from '../release-fixture.ts';
import { addressRelease, asker, points } from './atlas.ts';

const NUMBERS = ['4', '6', '6L', '10', '41', '48', '45', '61', '81', '85', '100', '481', '1414'];
let fixture: Fixture;
let answered: ReturnType<typeof asker>['answered'];
beforeAll(async () => {
  // A kilometre from each number to the next: none is an estimate of another.
  const houses = NUMBERS.map((number, i) => [number, 'MAIN ST', 'SPRINGTON', '01199', -72.5 + i / 80, 42.1] as const);
  const apart = [
    ['9', 'ELM ST', 'SPRINGTON', '01199', -72.5, 42.2],
    ['91', 'ELM ST', 'SPRINGTON', '01198', -72.4, 42.2],
  ] as const;
  fixture = await addressRelease([points('MA', [...houses, ...apart])], [], []);
  ({ answered } = asker(fixture));
});
afterAll(() => fixture.remove());

it.each([
  ['lO Main St', []],
  ['l0 Main St', ['10']],
  ['I0 Main St', ['10']],
  ['1O Main St', ['10']],
  ['4l4 Main St', []],
  ['l4l4 Main St', ['1414']],
  ['14!4 Main St', ['1414']],
  ['14|4 Main St', ['1414']],
  // A letter behind a number is its own where a file has it so, and else as likely a digit.
  ['6L Main St', ['6L']],
  ['10O Main St', ['100', '10']],
  ['4l Main St', ['41', '4']],
  ['4I Main St', ['41', '4']],
  ['4| Main St', ['41', '4']],
  ['4! Main St', ['41', '4']],
  ['4B Main St', ['48', '4']],
  ['4S Main St', ['45', '4']],
  ['10B Main St', ['10']],
  ['4A Main St', ['4']],
  // Of two numbers either may be the unit.
  ['41 4 Main St', ['4', '41']],
  ['41 6B Main St', ['41', '6']],
  // No house 8 is known beside 85: S is rather a letter.
  ['8S Main St', []],
  // A letter that looks less like a digit neither begins nor parts a number.
  ['B1 Main St', []],
  ['4B1 Main St', []],
])('a letter for a digit: %s is %j', async (asked, numbers) => {
  const all = await answered(`${asked}, Springton, MA`);
  expect(all.map(m => m.normalizedAddress.split(',')[0])).toEqual(numbers.map(number => `${number} MAIN ST`));
});

it('is asked back also where the other house lies in another ZIP code than the one that was said', async () => {
  const all = await answered('9L Elm St, Springton, MA 01199');
  expect(all.map(m => m.normalizedAddress)).toEqual([
    '9 ELM ST, SPRINGTON, MA 01199',
    '91 ELM ST, SPRINGTON, MA 01198',
  ]);
});
