import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fixture } from '../release-fixture.ts';
import { asker, atlas } from './atlas.ts';

let fixture: Fixture;
let ask: ReturnType<typeof asker>['ask'];
let answered: ReturnType<typeof asker>['answered'];
beforeAll(async () => {
  fixture = await atlas();
  ({ ask, answered } = asker(fixture));
});
afterAll(() => fixture.remove());

/** The only answer to an address. */
async function only(address: string) {
  const matches = await answered(address);
  expect({ address, matches: matches.map(m => m.normalizedAddress) }).toEqual({
    address,
    matches: [expect.any(String)],
  });
  return matches[0]!;
}

describe('an address that is known', () => {
  const MAIN = '12 MAIN ST, SPRINGTON, MA 01199';
  const forms: Readonly<Record<string, readonly string[]>> = {
    [MAIN]: [
      '12 Main St, Springton, MA 01199',
      '12 MAIN STREET SPRINGTON MASSACHUSETTS',
      '12 main str. springton mass 01199-1234',
      'Springton, MA 01199, 12 Main St',
      'Springton MA 01199 12 Main St',
      '12 Main St Apt 4B, Springton, MA',
      'Unit 7, 12 Main St, Springton, MA',
      '12 Main St #7 Springton MA 01199',
      '12, Main St, Springton, MA',
      'Main St 12, Springton, MA',
      'One moment Hall, 12 Main St, Springton, MA',
      '12 Main St, Springton, Hampton County, MA 01199, USA',
      '12 Main St, 01199',
      '12 Main Strete, Springton, MA',
      '12 Mian St, Springton, MA',
      '12 Main St, Sprnigton, MA',
      '12 Main St, Springton, MW 01199',
      '012 Main St, Springton, MA',
    ],
    '30 N MAIN ST, SPRINGTON, MA 01199': ['30 North Main St, Springton MA', '30 N. Main Street, Springton, MA'],
    '5 W BROADWAY, SPRINGTON, MA 01199': ['5 West Broadway, Springton, MA', '5 W Broadway Springton MA'],
    '5 BROADWAY, SPRINGTON, MA 01199': ['5 Broadway, Springton, MA'],
    '3 FIRST ST, SPRINGTON, MA 01199': [
      '3 1st St, Springton, MA',
      '3 First Street, Springton, MA',
      '3 FRIST ST, Springton, MA',
    ],
    '8 TWENTY SECOND ST, SPRINGTON, MA 01199': [
      '8 22nd St, Springton, MA',
      '8 22 St, Springton, MA',
      '8 Twenty-Second St, Springton, MA',
    ],
    '40 ST JAMES AVE, SPRINGTON, MA 01199': ['40 Saint James Ave, Springton, MA', "40 St. James' Avenue, Springton MA"],
    '41 MT PLEASANT RD, SPRINGTON, MA 01199': [
      '41 Mount Pleasant Road, Springton, MA',
      '41 Mt. Pleasant Rd Springton MA',
    ],
    '42 MEADOWBROOK LN, SPRINGTON, MA 01199': ['42 Meadow Brook Lane, Springton, MA'],
    '900 STATE HIGHWAY 9, SPRINGTON, MA 01199': [
      '900 State Route 9, Springton, MA',
      '900 Hwy 9, Springton MA',
      '900 MA-9, Springton, MA',
      '900 SR 9, Springton, MA',
    ],
    '901 US HIGHWAY 20, SPRINGTON, MA 01199': [
      '901 US-20, Springton, MA',
      '901 U.S. Route 20, Springton, MA',
      '901 Route 20 Springton MA',
    ],
    '17 N ST, SPRINGTON, MA 01199': ['17 N St, Springton, MA', '17 N Street, Springton, MA'],
    '77 CENTER ST, FORT ASHBY, MA 01198': ['77 Center St, Ft. Ashby, MA', '77 Centre Street, Fort Ashby MA'],
    '77 CENTER ST, SAINT ALBANS, MA 01197': ['77 Center St, St Albans, MA', '77 Center St, St. Albans, Massachusetts'],
    '14A MAIN ST, SPRINGTON, MA 01199': [
      '14A Main St, Springton, MA',
      '14-A Main St, Springton, MA',
      '14 A Main St, Springton, MA',
    ],
    '123 S 400 E, LAKETOWN, UT 84199': ['123 S 400 E, Laketown, UT', '123 South 400 East, Laketown UT'],
    '123 E 400 S, LAKETOWN, UT 84199': ['123 E 400 S, Laketown, UT 84199'],
    'N6W23001 BLUEMOUND RD, WAUKETON, WI 53199': [
      'N6W23001 Bluemound Rd, Wauketon, WI',
      'N6 W23001 Bluemound Road Wauketon WI',
    ],
    '37-16 82ND ST, QUEENSTOWN, NY 11399': ['37-16 82nd St, Queenstown, NY', '3716 82nd Street, Queenstown NY 11399'],
    '12 1/2 ELM ST, UPTON, NY 14999': ['12 1/2 Elm St, Upton, NY', '12-1/2 Elm Street, Upton NY'],
    '150 CALLE SOL, SAN JUANITO, PR 00999': [
      '150 Calle Sol, San Juanito, PR',
      'URB LAS GLADIOLAS, 150 CALLE SOL, SAN JUANITO PR 00999',
      '150 Cll Sol, San Juanito, Puerto Rico',
    ],
    '1055 AVE ASHFORD, SAN JUANITO, PR 00999': [
      '1055 Avenida Ashford, San Juanito, PR',
      '1055 Ave. Ashford, San Juanito PR',
    ],
    '500 FM 1234, RANCHO, TX 78699': [
      '500 FM 1234, Rancho, TX',
      '500 Farm to Market Road 1234, Rancho, TX',
      '500 F.M. 1234 Rancho Texas',
    ],
    '12400 RANCH ROAD 620, RANCHO, TX 78699': [
      '12400 RR 620, Rancho, TX',
      '12400 Ranch Road 620, Rancho, TX',
      '12400 RM 620 Rancho TX',
    ],
    '42 COUNTY ROAD 12, RANCHO, TX 78699': [
      '42 CR 12, Rancho, TX',
      '42 Co Rd 12, Rancho TX',
      '42 County Rd 12, Apt 3, Rancho, TX 78699',
    ],
  };
  for (const [normalized, addresses] of Object.entries(forms))
    it.each(addresses)(`${normalized}: %s`, async address => {
      const match = await only(address);
      expect(match).toMatchObject({
        normalizedAddress: normalized,
        accuracyType: 'rooftop',
        matchType: 'address_point',
      });
    });

  it('says where it is, in which city, ZIP code and county, and what published it', async () => {
    const match = await only('12 Main St, Springton, MA 01199');
    expect(match).toEqual({
      lng: -72.49975,
      lat: 42.1,
      similarity: 1,
      accuracyType: 'rooftop',
      matchType: 'address_point',
      normalizedAddress: MAIN,
      source: 'source_of_MA',
      city: 'SPRINGTON',
      state: 'MA',
      zip: '01199',
      countyFips: '25013',
    });
    expect(await ask('12 Main St, Springton, MA 01199')).toMatchObject({ city: 'SPRINGTON', uncovered: false });
  });

  it('tells a parcel with a building, vacant land and the building itself apart', async () => {
    expect(await only('5 Quarry Rd, Springton, MA')).toMatchObject({
      accuracyType: 'rooftop',
      matchType: 'parcel_situs',
    });
    expect(await only('7 Quarry Rd, Springton, MA')).toMatchObject({
      accuracyType: 'point',
      matchType: 'parcel_situs',
    });
    const house = await only('9 Quarry Rd, Springton, MA');
    expect(house).toMatchObject({ accuracyType: 'rooftop', matchType: 'building_centroid' });
    expect(house.lng).toBeCloseTo(-72.4401, 6);
    expect(house.lat).toBeCloseTo(42.20212, 6);
  });
});

describe('a house number that is not known', () => {
  it('is estimated along the range of its side, never a rooftop', async () => {
    const match = await only('51 Main St, Springton, MA 01199');
    expect(match).toMatchObject({ accuracyType: 'range_interpolation', matchType: 'street_range' });
    // 51 lies (51 - 1) / (99 - 1) of the way from the west end.
    expect(match.lng).toBeCloseTo(-72.5 + (50 / 98) * 0.01, 6);
    expect(match.similarity).toBeLessThan(1);
    expect(match.similarity).toBeGreaterThanOrEqual(0.8);
  });

  it('is estimated between two known neighbours where there is no range', async () => {
    const match = await only('37-17 82nd St, Queenstown, NY').catch(() => null);
    expect(match).toBeNull();
    const between = await only('6 Quarry Rd, Springton, MA').catch(() => null);
    expect(between).toBeNull();
    expect(await only('32 S Main St, Springton, MA')).toMatchObject({
      accuracyType: 'range_interpolation',
      matchType: 'between_address_points',
      normalizedAddress: '32 S MAIN ST, SPRINGTON, MA 01199',
    });
  });

  it('with another suffix is the structure next to it', async () => {
    expect(await only('12C Main St, Springton, MA')).toMatchObject({
      accuracyType: 'nearest_rooftop_match',
      normalizedAddress: '12 MAIN ST, SPRINGTON, MA 01199',
    });
  });

  it('is refused beyond every range, also where a street of a like name has it', async () => {
    for (const address of [
      '5000 Main St, Springton, MA',
      '9 West Broadway, Springton, MA',
      '7 Broadway, Springton, MA',
      '61 N St, Springton, MA',
      '34 N Main St, Springton, MA',
    ])
      expect({ address, rooftops: (await answered(address)).filter(m => m.accuracyType === 'rooftop') }).toEqual({
        address,
        rooftops: [],
      });
    expect(await answered('5000 Main St, Springton, MA')).toEqual([]);
  });
});

describe('streets, crossings and areas', () => {
  it('answers an intersection where the lines meet, in any wording', async () => {
    for (const address of [
      'Main St & Oak Ave, Springton, MA',
      'oak ave and main st, springton, ma',
      'Main Street at Oak Avenue, Springton MA 01199',
      'Main St @ Oak Ave Springton MA',
      'corner of Main St and Oak Ave, Springton, MA',
      'Main St & Oka Ave, Springton, MA',
      'Mian St & Oak Ave, Springton, MA',
    ])
      expect(await only(address)).toMatchObject({ accuracyType: 'intersection', lng: -72.49, lat: 42.1 });
    expect(await answered('Main St & Elm Ave, Springton, MA')).toEqual([]);
  });

  it('answers the middle of a street', async () => {
    const match = await only('Oak Ave, Springton, MA');
    expect(match).toMatchObject({ accuracyType: 'street_center', normalizedAddress: 'OAK AVE, SPRINGTON, MA 01199' });
    expect(match.lat).toBeCloseTo(42.105, 6);
  });

  it('names areas as such', async () => {
    const coarse = async (address: string) =>
      (await ask(address)).matches.map(m => [m.accuracyType, m.normalizedAddress]);
    expect(await coarse('Springton, MA')).toEqual([['place', 'SPRINGTON, MA']]);
    expect(await coarse('01199')).toEqual([['place', '01199']]);
    expect(await coarse('02199')).toEqual([['state', 'MASSACHUSETTS']]);
    expect(await coarse('Hampton County, MA')).toEqual([['county', 'HAMPTON COUNTY, MA']]);
    expect(await coarse('Massachusetts')).toEqual([['state', 'MASSACHUSETTS']]);
  });
});

describe('what is not the place that was meant', () => {
  it('never answers a Massachusetts address with a California street', async () => {
    for (const address of [
      '55 Harlequin Ct, Springton, MA',
      '55 Harlequin Ct, Calton, MA',
      '55 Harlequin Ct, MA 01199',
      '55 Harlequin Ct, Calton, MA 94999',
      '11 Main St, Calton, MA',
    ])
      expect({ address, states: (await ask(address)).matches.filter(m => m.state === 'CA') }).toEqual({
        address,
        states: [],
      });
    expect(await only('55 Harlequin Ct, Calton, CA')).toMatchObject({ state: 'CA' });
  });

  it('answers no address of one state with a place of another, whatever else agrees', async () => {
    const known = [
      ['10 Main St', 'Springton', 'MA', '01199'],
      ['900 State Hwy 9', 'Springton', 'MA', '01199'],
      ['55 Harlequin Ct', 'Calton', 'CA', '94999'],
      ['123 S 400 E', 'Laketown', 'UT', '84199'],
      ['N6W23001 Bluemound Rd', 'Wauketon', 'WI', '53199'],
      ['37-16 82nd St', 'Queenstown', 'NY', '11399'],
      ['150 Calle Sol', 'San Juanito', 'PR', '00999'],
      ['500 FM 1234', 'Rancho', 'TX', '78699'],
    ] as const;
    for (const [line, city, state, zip] of known) {
      expect(await only(`${line}, ${city}, ${state} ${zip}`)).toMatchObject({ state });
      for (const [, otherCity, other, otherZip] of known) {
        if (other === state) continue;
        for (const address of [
          `${line}, ${city}, ${other} ${zip}`,
          `${line}, ${city}, ${other}`,
          `${line}, ${otherCity}, ${other} ${otherZip}`,
          `${line}, ${otherZip}`,
          `${line} ${other}`,
        ])
          for (const match of (await ask(address)).matches)
            expect({ address, state: match.state }).toEqual({ address, state: other });
      }
    }
  });

  it('takes no bare word for a street', async () => {
    for (const word of ['Harlequin', 'Broadway', 'Quarry', 'meadowbrook']) expect(await answered(word)).toEqual([]);
    expect(await only('42 Meadowbrook Ln')).toMatchObject({
      normalizedAddress: '42 MEADOWBROOK LN, SPRINGTON, MA 01199',
    });
  });

  it('refuses another city, and says which was named', async () => {
    expect(await answered('12 Main St, Fort Ashby, MA')).toEqual([]);
    const { matches, city } = await ask('12 Main St, Fort Ashby, MA');
    expect(city).toBe('FORT ASHBY');
    expect(matches[0]).toMatchObject({ city: 'SPRINGTON' });
    expect(matches[0]!.similarity).toBeLessThan(0.8);
    expect(await answered('12 Main St, Nowhereville, MA')).toEqual([]);
  });

  it('returns every place that fits alike', async () => {
    const names = async (address: string) => (await answered(address)).map(m => m.normalizedAddress).sort();
    expect(await names('77 Center St, MA')).toEqual([
      '77 CENTER ST, FORT ASHBY, MA 01198',
      '77 CENTER ST, SAINT ALBANS, MA 01197',
    ]);
    expect(await names('30 Main St S N, Springton, MA')).toHaveLength(0);
    expect(await names('61 Fose St, Springton, MA')).toEqual([
      '61 POSE ST, SPRINGTON, MA 01199',
      '61 ROSE ST, SPRINGTON, MA 01199',
    ]);
  });

  it('lowers a contradicting ZIP code and refuses one that nothing supports', async () => {
    const [plain] = await answered('12 Main St, Springton, MA');
    const [other] = await answered('12 Main St, Springton, MA 01102');
    expect(other!.similarity).toBeLessThan(plain!.similarity);
    expect(await answered('12 Main St, 01102')).toEqual([]);
  });
});

describe('what is no address', () => {
  it.each([
    '',
    ' ',
    ',,,,',
    '&',
    '#',
    '🙂🙂🙂',
    '1234567890',
    '12345678901234567890 Main St',
    "'; DROP TABLE parcels; --",
    'SELECT * FROM addresses WHERE 1=1',
    '../../etc/passwd',
    '\u0000\u0007\uffff',
    '10 Downing St, London SW1A 2AA',
    '24 Sussex Dr, Ottawa, ON K1M 1M4, Canada',
    'PO Box 5, Springton, MA',
    'General Delivery, Springton, MA',
    'R001',
    'a '.repeat(128),
    '1 '.repeat(128),
    '1 & '.repeat(64),
    ', '.repeat(128),
    'It was the best of times, it was the worst of times, it was the age of wisdom, it was the age of foolishness, it was the epoch of belief, it was the epoch of incredulity, it was the season of Light, it was the season of Darkness, it was the spring of hope',
  ])('answers nothing: %j', async text => expect(await answered(text)).toEqual([]));

  it('says that a release without addresses covers none', async () => {
    const empty = await (await import('../release-fixture.ts')).createFixture([], {});
    expect(await asker(empty).ask('12 Main St, Springton, MA')).toEqual({ matches: [], city: null, uncovered: true });
    empty.remove();
  });
});
