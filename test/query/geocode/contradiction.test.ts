import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fixture } from '../release-fixture.ts';
import { addressRelease, asker, lot, points, row } from './atlas.ts';

let fixture: Fixture;
let ask: ReturnType<typeof asker>['ask'];
let answered: ReturnType<typeof asker>['answered'];
const lines = async (asked: string) => (await answered(asked)).map(m => m.normalizedAddress.split(',')[0]);

/** Points of a county of Maine. */
const inPenobscot = (rows: Parameters<typeof points>[1]) => ({ ...points('ME', rows), key: 'ME/23019' });

beforeAll(async () => {
  fixture = await addressRelease(
    [
      inPenobscot([
        ['5', 'OHIO ST', 'BANGOR', null, -68.775, 44.8],
        ['2519', 'OHIO ST', 'BANGOR', null, -68.858, 44.86],
        ['805', 'ESSEX ST', 'BANGOR', null, -68.77, 44.82],
        ['1805', 'ESSEX ST', 'BANGOR', null, -68.774, 44.86],
        ['1447', 'HAMMOND ST', 'BANGOR', null, -68.83, 44.79],
        ['447', 'HAMMOND ST', 'BANGOR', null, -68.78, 44.8],
        ['98', 'BIRCH ST', 'BANGOR', null, -68.759, 44.807],
        ['102', 'BIRCH ST', 'BANGOR', null, -68.759, 44.8072],
        ['12', 'TWIN ST', 'BANGOR', null, -68.75, 44.807],
        ['14', 'TWIN ST', 'BANGOR', null, -68.75, 44.80701],
        ['85', 'SMITH ST', 'BANGOR', null, -68.78, 44.81],
        ['7', 'UNORGANIZED RD', null, null, -68.5, 44.95],
        // Its point stands on the lot of 1105 UNION ST.
        ['983', 'OHIO ST', 'BANGOR', null, -68.8112, 44.8195],
      ]),
      points('DC', [
        ...row('KENNEDY ST', 'WASHINGTON', null, ['25'], -77.008, 38.956),
        ...row('KENNEDY ST NW', 'WASHINGTON', null, ['25'], -77.0107, 38.957),
        ...row('H ST', 'WASHINGTON', null, ['1378'], -76.98, 38.9),
        ...row('H ST NW', 'WASHINGTON', null, ['2119'], -77.047, 38.9),
        ...row('K ST SE', 'WASHINGTON', null, ['410'], -77, 38.878),
        ...row('4TH ST NE', 'WASHINGTON', null, ['1959'], -77, 38.917),
        ...row('RHODE ISLAND AVE NE', 'WASHINGTON', null, ['1530'], -76.983, 38.926),
        ...row('3RD PL NW', 'WASHINGTON', null, ['44'], -77.016, 38.93),
      ]),
      points('NC', row('US HIGHWAY 221A', 'FOREST CITY', null, ['510'], -81.847, 35.294)),
    ],
    [
      {
        key: 'ME/23019',
        place: 'bangor',
        features: [
          lot('983 OHIO ST', -68.8075, 44.8237, { city: 'Bangor' }),
          lot('1105 UNION ST', -68.8113, 44.8194, { city: 'Bangor' }),
          // A roll that calls its own lot otherwise says nothing where it has no other lot of the address.
          lot('87 SMITH ST', -68.7801, 44.8099, { city: 'Bangor' }),
        ],
      },
    ],
    [],
  );
  ({ ask, answered } = asker(fixture));
});
afterAll(() => fixture.remove());

describe('a point on the lot of another address', () => {
  it('gives way to the lot that the roll calls by the address', async () => {
    const [match, ...others] = await answered('983 Ohio St, Bangor, ME');
    expect(others).toEqual([]);
    expect(match).toMatchObject({
      accuracyType: 'rooftop',
      matchType: 'parcel_situs',
      lat: expect.closeTo(44.8238, 3),
    });
  });

  it('stays where the roll has no such lot', async () => {
    const [match] = await answered('85 Smith St, Bangor, ME');
    expect(match).toMatchObject({ matchType: 'address_point', similarity: 1 });
  });
});

describe('two numbers in front of a street', () => {
  it.each(['2519, 5 Ohio St', '2519; 5 Ohio St', '2519\n5 Ohio St', '(2519) 5 Ohio St', '2519 5 Ohio St'])(
    'are asked back: %j',
    async asked => expect((await lines(`${asked}, Bangor, ME`)).toSorted()).toEqual(['2519 OHIO ST', '5 OHIO ST']),
  );

  it.each(["1'805", '1’805', '1•805', '1…805', '1×805', '1;805'])('may be one that a sign parts: %s', async number =>
    expect((await lines(`${number} Essex St, Bangor, ME`)).toSorted()).toEqual(['1805 ESSEX ST', '805 ESSEX ST']),
  );

  it('are one behind a sign of money', async () =>
    expect(await lines('$1,447 Hammond St, Bangor, ME')).toEqual(['1447 HAMMOND ST']));

  it.each(['98-102', '98 to 102', '98, 102'])(
    'are the ends of a range, and two houses where both are known: %s',
    async asked =>
      expect((await lines(`${asked} Birch St, Bangor, ME`)).toSorted()).toEqual(['102 BIRCH ST', '98 BIRCH ST']),
  );

  it('are one house where they stand at one place', async () =>
    expect(await lines('12-14 Twin St, Bangor, ME')).toEqual(['12 TWIN ST']));
});

it('two addresses in one are asked back, also where one names its city less well', async () => {
  expect((await lines('410 K St SE, 1959 4th St NE, Washington, DC')).toSorted()).toEqual([
    '1959 4TH ST NE',
    '410 K ST SE',
  ]);
});

describe('a place that the address contradicts', () => {
  it.each([
    '85 Smith St, 04101',
    '85 Smith St, ME 04101',
    '85 Smith St, Bangor, Cumberland County, ME',
    '85 Smith St, Bangor, Cumberland Co, Maine',
    '85 Smith St, Bangor, Gwynedd LL57',
    '85 Smith St, Bangor, Co. Down BT20',
    '7 Unorganized Rd, 03901',
  ])('is refused: %s', async asked => expect(await answered(asked)).toEqual([]));

  it('costs where the city agrees and its ZIP code does not', async () => {
    const similarity = async (zip: string) => (await ask(`85 Smith St, Bangor, ME ${zip}`)).matches[0]!.similarity;
    expect(await similarity('04401')).toBe(1);
    expect(await similarity('04402')).toBe(1);
    expect(await similarity('04101')).toBe(0.86);
  });

  it.each(['85 Smith St, Bangor, Penobscot County, ME', '85 Smith St, Bangor, Apt 3', '85 Smith St, Bangor, USA'])(
    'is answered where nothing does: %s',
    async asked => expect((await answered(asked)).map(m => m.similarity)).toEqual([1]),
  );
});

describe('a quadrant of the District', () => {
  it.each([
    ['25 Kennedy St, Washington, DC NW', ['25 KENNEDY ST NW']],
    ['25 Kennedy St, Washington, DC NW 20011', ['25 KENNEDY ST NW']],
    ['1959 4th St, Washington, DC NE', ['1959 4TH ST NE']],
    ['Washington, DC: 1959 4th St NE', ['1959 4TH ST NE']],
    ['1959 4th St NE, Wash DC', ['1959 4TH ST NE']],
    ['1530 Rhode Island NE, Washington, DC', ['1530 RHODE ISLAND AVE NE']],
    ['44 3-rd Pl NW, Washington, DC', ['44 3RD PL NW']],
    // Without one any is as likely, and a row that lacks it is no street of its own.
    ['2119 H St, Washington, DC', ['2119 H ST NW']],
    ['25 Kennedy St, Washington, DC', ['25 KENNEDY ST', '25 KENNEDY ST NW']],
  ])('%s', async (asked, found) => expect((await lines(asked)).toSorted()).toEqual(found));
});

describe('a unit and a road as people write them', () => {
  it.each(['Mail Stop 12', 'Townhouse 3', 'Parcel B', 'Right side'])('behind the street: %s', async unit =>
    expect(await lines(`85 Smith St ${unit}, Bangor, ME`)).toEqual(['85 SMITH ST']),
  );

  it.each(['Floor 2 rear', 'Bsmt -', 'Bsmt'])('in front of the number: %s', async unit =>
    expect(await lines(`${unit} 85 Smith St, Bangor, ME`)).toEqual(['85 SMITH ST']),
  );

  it('a letter of a highway cut off', async () =>
    expect(await lines('510 Highway 221 A, Forest City, NC')).toEqual(['510 US HIGHWAY 221A']));
});
