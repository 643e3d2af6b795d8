import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cityCost } from '../../../query/geocode/address/city.ts';
import type { Fixture } from '../release-fixture.ts';
import { addressRelease, asker, lot, points, roads, row } from './atlas.ts';

let fixture: Fixture;
let ask: ReturnType<typeof asker>['ask'];
let answered: ReturnType<typeof asker>['answered'];
beforeAll(async () => {
  fixture = await addressRelease(
    [
      points('VT', [
        ...row('OHIO ST', 'MILLTON', '05999', ['7', '9'], -73, 44),
        ...row('OHIO ST', 'MILLTON', '05999', ['2519', '2521'], -72.9, 44.05),
        ...row('HARLOW ST', 'MILLTON', '05999', ['73', '112', '112 1/2'], -73, 44.01),
        ...row('ROUND ST', 'MILTON', '05998', ['1'], -72.5, 44.5),
        // Five digits on both sides of a range.
        ...row('LONG ST', 'MILLTON', '05999', ['10500-10520', '6', '206'], -73, 44.02),
        ...row('D ST SE', 'MILLTON', '05999', ['4916'], -73, 44.03),
        ...row('D ST NE', 'MILLTON', '05999', ['4916'], -72.9, 44.03),
        ...row('WASHINGTON ST', 'MILLTON', '05999', ['212'], -73, 44.04),
        ...row('S BROADWAY', 'MILLTON', '05999', ['647'], -73, 44.06),
        ...row('S BROADWAY ST', 'MILLTON', '05999', ['859'], -73, 44.065),
        ...row('OLD US 74 HWY', 'MILLTON', '05999', ['141'], -73, 44.07),
        ...row('US 74 HWY', 'MILLTON', '05999', ['141'], -73, 44.08),
        ...row('WASHINGTON ST', 'MILLTON', '05999', ['4', '6'], -73, 44.041),
        ...row('WAGY RD', 'MILLTON', '05999', ['251'], -73, 44.09),
        ...row('R ST NW', 'MILLTON', '05999', ['21'], -73, 44.095),
      ]),
      points('WA', row('W MAIN ST', 'CHICO', '98999', ['212'], -120, 47)),
      points('NE', row('PEACH ST', 'ATLANTIS', '68999', ['1180'], -99, 41)),
      points('GA', row('PEACH ST NE', 'ATLANTIS', '30399', ['1180'], -84, 33)),
    ],
    [
      {
        key: 'VT/50001',
        place: 'a',
        features: [
          lot('617 47TH ST', -73, 44.1),
          lot('47TH PL', -73.001, 44.1),
          lot('0 ELM CT', -73.002, 44.1),
          lot('5 ELM ST', -73.003, 44.1),
          lot('TWELVE OAKS DR', -73.004, 44.1),
          lot('103 MAINE AVE (BIA)', -73.005, 44.1),
          lot('4452 MACARTHUR BLVD1/2 NW', -73.006, 44.1),
          lot('112 FRANKLIN ST B2', -73.007, 44.1),
          lot('740 #1-6 E MAIN ST', -73.008, 44.1),
          lot('543 WAGY RD', -73, 44.12),
        ],
      },
    ],
    [
      roads('VT', [
        {
          FULLNAME: 'Ohio St',
          LFROMADD: '2501',
          LTOADD: '2599',
          ZIPL: '05999',
          at: [
            [-72.9, 44.05],
            [-72.89, 44.05],
          ],
        },
      ]),
    ],
  );
  ({ ask, answered } = asker(fixture));
});
afterAll(() => fixture.remove());

const found = async (address: string) =>
  (await answered(address)).map(m => [m.accuracyType, m.normalizedAddress.split(',')[0]]);
const vermont = (line: string) => found(`${line}, Millton, VT`);

it('number 0 is no lot without a number', async () => {
  for (const line of ['0 Elm Ct', '0 47th Pl', '00 Elm Ct']) expect(await vermont(line)).toEqual([]);
});

describe('a number with a hyphen that is no range', () => {
  it.each([
    ['5-2519 Ohio St', [['nearest_rooftop_match', '2519 OHIO ST']]],
    ['2519-5 Ohio St', [['nearest_rooftop_match', '2519 OHIO ST']]],
    ['3-73 Harlow St', [['nearest_rooftop_match', '73 HARLOW ST']]],
    ['73-3 Harlow St', [['nearest_rooftop_match', '73 HARLOW ST']]],
    // A street with a number like each of the parts leaves open which is meant.
    [
      '7-2519 Ohio St',
      [
        ['nearest_rooftop_match', '2519 OHIO ST'],
        ['nearest_rooftop_match', '7 OHIO ST'],
      ],
    ],
    // One file says the city of its part, the other does not.
    [
      '543-251 Wagy Rd',
      [
        ['nearest_rooftop_match', '251 WAGY RD'],
        ['nearest_rooftop_match', '543 WAGY RD'],
      ],
    ],
    // No file has 2541, which would lie far from 7 and in a city that nothing tells: 7 is rather its unit.
    ['7-2541 Ohio St', []],
    // The street has numbers of four digits: 4999 need be no unit. 27123 is one.
    ['7-4999 Ohio St', []],
    ['4999-7 Ohio St', []],
    ['7-27123 Ohio St', [['nearest_rooftop_match', '7 OHIO ST']]],
    ['10500-10520 Long St', [['rooftop', '10500-10520 LONG ST']]],
    ['10510 Long St', [['rooftop', '10500-10520 LONG ST']]],
    ['1234567-7654321 Long St', []],
  ])('%s', async (line, expected) => expect(await vermont(line)).toEqual(expected));
});

it('a street that is called by a letter is no slip of nothing or of another letter', async () => {
  for (const line of ['21 D St NW', '21D St NW', '21 St NW', '21 Q St NW']) expect(await vermont(line)).toEqual([]);
  expect(await vermont('21 R St NW')).toEqual([['rooftop', '21 R ST NW']]);
});

describe('a unit in front of a street', () => {
  it.each([
    'Apt 5/73 Harlow St',
    'B/73 Harlow St',
    '5B/73 Harlow St',
    'Unit 5 - 73 Harlow St',
    'Apt 5-73 Harlow St',
    'Apt 5, 73 Harlow St',
    '#5 - 73 Harlow St',
    '# 5, 73 Harlow St',
    '#73 Harlow St',
    '# 73 Harlow St',
    'No. 73 Harlow St',
    'No 73, Harlow St',
    'Number 73 Harlow St',
    'Suite100 73 Harlow St',
    'Harlow St 73',
    'Harlow St, 73',
  ])('leaves the number its own: %s', async line => expect(await vermont(line)).toEqual([['rooftop', '73 HARLOW ST']]));

  it('is as open in front of a comma as without one', async () =>
    expect(await vermont('5, 73 Harlow St')).toEqual(await vermont('5 73 Harlow St')));

  it.each(['Apt 73 Harlow St', 'Harlow St Apt 73', 'Harlow St #73', 'Unit 999, Harlow St', '#999 Harlow St'])(
    'is no house number, nor is the middle of the street an answer: %s',
    async line => expect(await vermont(line)).toEqual([]),
  );
});

it('digits that no part of the answer explains cost it', async () => {
  const similarity = async (line: string) => (await answered(`${line}, Millton, VT`)).map(m => m.similarity);
  expect(await similarity('Studio 54, 73 Harlow St')).toEqual([0.96]);
  expect(await similarity('Studio, 73 Harlow St')).toEqual([1]);
});

describe('a street that files know without numbers', () => {
  it('is that street, whatever another type has', async () => {
    expect(await vermont('617 47th Pl')).toEqual([]);
    expect(await vermont('617 47th St')).toEqual([['rooftop', '617 47TH ST']]);
    expect(await vermont('5 Elm Ct')).toEqual([]);
    expect(await vermont('47th Pl')).toEqual([['street_center', '47TH PL']]);
  });

  it('is not what its first word counts', async () => {
    expect(await vermont('12 Oaks Dr')).toEqual([]);
    expect(await vermont('Twelve Oaks Dr')).toEqual([['street_center', 'TWELVE OAKS DR']]);
  });
});

describe('a situs line', () => {
  it.each([
    ['103 Maine Ave', '103 MAINE AVE'],
    ['4452 1/2 MacArthur Blvd NW', '4452 1/2 MACARTHUR BLVD NW'],
    ['4452.5 MacArthur Blvd NW', '4452 1/2 MACARTHUR BLVD NW'],
    ['4452½ MacArthur Blvd NW', '4452 1/2 MACARTHUR BLVD NW'],
    ['112 Franklin St Apt B2', '112 FRANKLIN ST'],
    ['740 E Main St', '740 E MAIN ST'],
  ])('with a note, a fraction or a unit is its street: %s', async (asked, line) =>
    expect(await vermont(asked)).toEqual([['rooftop', line]]),
  );
});

describe('a street that is called after a state', () => {
  it.each([
    ['212 Washington, 1506, Millton, VT 05999', '212 WASHINGTON ST'],
    ['212 Washington St, 1506, Millton, VT', '212 WASHINGTON ST'],
    ['212 Washington, Millton, VT', '212 WASHINGTON ST'],
  ])('leaves the state to who names it: %s', async (address, line) =>
    expect(await found(address)).toEqual([['rooftop', line]]),
  );
});

describe('a quadrant behind a comma', () => {
  it.each([
    ['4916 D St, SE, Millton, VT', '4916 D ST SE', 'VT'],
    ['4916 D St, NE, Millton, VT', '4916 D ST NE', 'VT'],
    ['1180 Peach Street, NE, Atlantis, GA', '1180 PEACH ST NE', 'GA'],
    ['1180 Peach Street, NE, Atlantis, Georgia 30399', '1180 PEACH ST NE', 'GA'],
    ['1180 Peach Street, NE 30399', '1180 PEACH ST NE', 'GA'],
    ['1180 Peach Street, Atlantis, NE', '1180 PEACH ST', 'NE'],
  ])('is of the street: %s', async (address, line, state) => {
    const [best, ...others] = await answered(address);
    expect([best?.normalizedAddress.split(',')[0], best?.state, others.length]).toEqual([line, state, 0]);
  });
});

it.each([
  ['73 Harlow St, Millton, VT', 'MILLTON'],
  ['VT, Millton, 73 Harlow St', 'MILLTON'],
  ['73 Harlow St, Millton, Penobscot, VT', 'MILLTON'],
  ['Bin 73 Wine Bar, 73 Harlow St, Millton VT', 'MILLTON'],
  ['73 Harlow St, Millton, VT 5999', 'MILLTON'],
])('the city that is named is that of the reading that won: %s', async (address, city) => {
  const { matches, city: named } = await ask(address);
  expect([matches[0]?.normalizedAddress, named]).toEqual(['73 HARLOW ST, MILLTON, VT 05999', city]);
});

it('a city one letter off is that city, unless another place is spelled so', async () => {
  expect(await found('73 Harlow St, Milltin, VT')).toEqual([['rooftop', '73 HARLOW ST']]);
  expect(await found('73 Harlow St, Milton, VT')).toEqual([]);
  expect(await found('73 Harlow St, Town of Millton, VT')).toEqual([['rooftop', '73 HARLOW ST']]);
  // As the census writes its kind behind a name; Forest City is called so, and is no city of Forest.
  for (const line of ['73 Harlow St, Millton city, VT', '73 harlow st millton city vt'])
    expect(await found(line)).toEqual([['rooftop', '73 HARLOW ST']]);
  expect(cityCost('FOREST CITY', 'FOREST')).toBeNull();
});

it.each([
  'Smith & Sons LLC 73 Harlow St, Millton, VT',
  'Mr. & Mrs. A. B. Jones 73 Harlow St, Millton, VT',
  '73 Harlow St ATTN: Accounts Payable, Millton, VT',
  '73 Harlow St c/o J. Doe, Millton, VT',
  'c/o J. Doe 73 Harlow St, Millton, VT',
])('who receives it is no street: %s', async line => expect(await found(line)).toEqual([['rooftop', '73 HARLOW ST']]));

describe('roads and streets under another of their names', () => {
  it.each([
    ['647 S Broadway St, Millton, VT', '647 S BROADWAY'],
    ['647 South Broadway, Millton, VT', '647 S BROADWAY'],
    ['617 47 th St, Millton, VT', '617 47TH ST'],
    ['859 S Broadway, Millton, VT', '859 S BROADWAY ST'],
    ['141 Old US Highway 74, Millton, VT', '141 OLD US HIGHWAY 74'],
    ['141 US Highway 74, Millton, VT', '141 US HIGHWAY 74'],
    ['73 Harlow St upstairs, Millton, VT', '73 HARLOW ST'],
    ['73 Harlow St / Millton / VT', '73 HARLOW ST'],
  ])('%s is %s', async (text, line) =>
    expect((await answered(text)).map(m => m.normalizedAddress.split(',')[0])).toEqual([line]),
  );
});
