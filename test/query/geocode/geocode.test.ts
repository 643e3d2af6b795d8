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
