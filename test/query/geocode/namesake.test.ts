import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verdictOf } from '../../../server/geocoder/verdict.ts';
import { createFixture, type Fixture } from '../release-fixture.ts';
import { addressRelease, asker, lot, points, roads, row } from './atlas.ts';

let fixture: Fixture;
let ask: ReturnType<typeof asker>['ask'];
let answered: ReturnType<typeof asker>['answered'];
beforeAll(async () => {
  fixture = await addressRelease(
    [
      points('VT', [
        ...row('HILL ST', 'MILLTON', '05999', ['5', '7'], -73, 44),
        ...row('HILL CIR', 'MILLTON', '05999', ['11'], -73, 44.001),
        ...row('FARM RD', 'MILLTON', '05999', ['5'], -73, 44.002),
        ...row('LAKE DR', 'MILLTON', '05999', ['5'], -73, 44.003),
        ...row('LAKE LN', 'MILLTON', '05999', ['9'], -73, 44.004),
        ...row('MEADOWBROOK ST', 'MILLTON', '05999', ['5'], -73, 44.005),
        ...row('MEADOWBROOK CIR', 'MILLTON', '05999', ['1'], -73, 44.006),
        ...row('POND ST', 'MILLTON', '05999', ['5'], -73, 44.007),
        ...row('VINE ST', 'MILLTON', '05999', ['8'], -73, 44.008),
        // Of a street of the name in another town nothing follows for this one.
        ...row('FARM LN', 'FARTOWN', '05998', ['5'], -72.5, 44.5),
        ...row('MAIN ST', 'MILLTON', '05999', ['12', '14'], -73, 44.02),
        ...row('MAIN ST', 'FARTOWN', '05998', ['12'], -72.5, 44.52),
        ...row('ONLY ST', 'MILLTON', '05999', ['3'], -73, 44.03),
        ...row('SAW ST', 'MILLTON', '05999', ['7'], -73, 44.0401),
        ...row('HUDSON ST', 'MILLTON', '05999', ['25'], -73, 44.05),
        ...row('HUDSON CT', 'MILLTON', '05999', ['1'], -73, 44.051),
        ...row('HUSSON AVE', 'MILLTON', '05999', ['25', '27'], -73, 44.052),
        ...row('NEW YORK AVE', 'MILLTON', '05999', ['625'], -73, 44.07),
        ...row('N GATE ST', 'MILLTON', '05999', ['20'], -73, 44.06),
        // Two towns whose main streets meet at the town line.
        ...row('BORDER RD', 'EASTON', null, ['8'], -73, 44.2),
      ]),
      points('NH', row('MAIN ST', 'MILLTON', '03999', ['12'], -71.5, 43)),
    ],
    [
      {
        key: 'VT/50001',
        place: 'a',
        features: [
          lot('8 BORDER RD', -73.01, 44.2, { city: 'Weston' }),
          // No place holds them: their own city is not known, that of their ZIP code is.
          lot('3 SAW ST', -73, 44.04, { szip5: '05999' }),
          lot('7 SAW ST', -72.5, 44.54, { szip5: '05998' }),
        ],
      },
      { key: 'ME/23001', place: 'b', features: [lot('12 BAY ST', -70, 44, { szip5: '04998', county: 'Bayside' })] },
      { key: 'ME/23003', place: 'c', features: [lot('12 BAY ST', -68, 46, {})] },
    ],
    [
      roads('VT', [
        {
          FULLNAME: 'Pond Cir',
          at: [
            [-73, 44.0071],
            [-72.999, 44.0071],
          ],
        },
        {
          FULLNAME: 'Clary St',
          LFROMADD: '1',
          LTOADD: '9',
          ZIPL: '05998',
          at: [
            [-72.5, 44.55],
            [-72.49, 44.55],
          ],
        },
        {
          FULLNAME: 'Only St',
          LFROMADD: '1',
          LTOADD: '9',
          ZIPL: '05998',
          at: [
            [-72.5, 44.53],
            [-72.49, 44.53],
          ],
        },
      ]),
    ],
  );
  ({ ask, answered } = asker(fixture));
});
afterAll(() => fixture.remove());

const lines = async (address: string) => (await answered(address)).map(m => m.normalizedAddress).sort();
const verdict = async (address: string) => verdictOf({ provider: 'other', ...(await ask(address)) }).kind;

describe('another street type', () => {
  it('is another street where the city has the one that was asked for', async () => {
    expect(await lines('5 Hill Cir, Millton, VT')).toEqual([]);
    expect(await lines('5 Hill Circle, Millton, VT 05999')).toEqual([]);
    expect(await lines('11 Hill St, Millton, VT')).toEqual([]);
    expect(await lines('5 Hill Cir, VT')).toEqual([]);
    expect(await lines('5 Hill Cir')).toEqual([]);
    expect(await lines('5 Hill St, Millton, VT')).toEqual(['5 HILL ST, MILLTON, VT 05999']);
    expect(await lines('11 Hill Cir, Millton, VT')).toEqual(['11 HILL CIR, MILLTON, VT 05999']);
  });

  it('is another street also where a layer without numbers has it, or the name is mistyped', async () => {
    expect(await lines('5 Pond Cir, Millton, VT')).toEqual([]);
    expect(await lines('5 Meadowbrok Cir, Millton, VT')).toEqual([]);
  });

  it('is another street where the city has the name under two types', async () =>
    expect(await lines('5 Lake Ct, Millton, VT')).toEqual([]));

  it('is taken for a slip where the city has no other', async () => {
    expect(await lines('5 Farm St, Millton, VT')).toEqual(['5 FARM RD, MILLTON, VT 05999']);
    expect(await lines('5 Farm Ln, Millton, VT')).toEqual(['5 FARM RD, MILLTON, VT 05999']);
  });

  it('is no slip for a street of a like name, where the city has the name that was asked for', async () => {
    expect(await lines('25 Hudson Ave, Millton, VT')).toEqual([]);
    expect(await lines('27 Hudson Ave, Millton, VT')).toEqual([]);
    expect(await lines('625 New Park Ave, Millton, VT')).toEqual([]);
    expect(await lines('625 Nwe Yrok Ave, Millton, VT')).toEqual(['625 NEW YORK AVE, MILLTON, VT 05999']);
    expect(await lines('27 Hussn Ave, Millton, VT')).toEqual(['27 HUSSON AVE, MILLTON, VT 05999']);
  });

  it('is no slip where most towns have a street of the name that was asked for', async () => {
    expect(await lines('8 Pine St, Millton, VT')).toEqual([]);
    expect(await lines('8 Fine St, Millton, VT')).toEqual(['8 VINE ST, MILLTON, VT 05999']);
  });

  it('or another name is no slip where the number is only estimated', async () => {
    expect(await lines('5 Clary St, VT 05998')).toEqual(['5 CLARY ST, VT 05998']);
    expect(await lines('5 Clary Ave, VT 05998')).toEqual([]);
    expect(await lines('5 Clhry St, VT 05998')).toEqual([]);
  });
});

describe('a directional', () => {
  it('may be left out, but not together with another type', async () => {
    expect(await lines('20 Gate St, Millton, VT')).toEqual(['20 N GATE ST, MILLTON, VT 05999']);
    expect(await lines('20 Gate Rd, Millton, VT')).toEqual([]);
  });

  it('that the street has not is of another street', async () => {
    for (const asked of ['5 W Farm Rd', '5 Farm Rd NW', '5 North Farm Road', '20 S Gate St'])
      expect(await lines(`${asked}, Millton, VT 05999`)).toEqual([]);
  });
});

describe('a name that stands in two cities', () => {
  it('is both without a city, also where the state is named', async () => {
    const vermont = ['12 MAIN ST, FARTOWN, VT 05998', '12 MAIN ST, MILLTON, VT 05999'];
    expect(await lines('12 Main St, VT')).toEqual(vermont);
    expect(await verdict('12 Main St, VT')).toBe('several');
    expect(await lines('12 Main St')).toEqual([...vermont, '12 MAIN ST, MILLTON, NH 03999'].sort());
    expect(await lines('14 Main St, VT')).toEqual(['14 MAIN ST, MILLTON, VT 05999']);
  });

  it('is both where the city lies in two states', async () => {
    expect(await lines('12 Main St, Millton')).toEqual([
      '12 MAIN ST, MILLTON, NH 03999',
      '12 MAIN ST, MILLTON, VT 05999',
    ]);
    expect(await verdict('12 Main St, Millton')).toBe('several');
  });

  it('is both where the cities lie side by side', async () => {
    expect(await lines('8 Border Rd, VT')).toEqual(['8 BORDER RD, EASTON, VT', '8 BORDER RD, WESTON, VT']);
    expect(await lines('8 Border Rd, Weston, VT')).toEqual(['8 BORDER RD, WESTON, VT']);
  });

  it('is both where two sources name no city', async () => {
    expect((await answered('12 Bay St, ME')).map(m => Math.round(m.lng)).sort()).toEqual([-68, -70]);
    expect(await verdict('12 Bay St, ME')).toBe('several');
  });

  it('is both where one of them is only estimated', async () => {
    const types = (await answered('3 Only St, VT')).map(m => [m.accuracyType, m.zip]);
    expect(types).toEqual([
      ['rooftop', '05999'],
      ['range_interpolation', '05998'],
    ]);
    expect(await lines('3 Only St, Millton, VT')).toEqual(['3 ONLY ST, MILLTON, VT 05999']);
  });
});

describe('a source without a city', () => {
  const similarity = async (address: string) => (await answered(address)).map(m => m.similarity);
  it('is believed by its ZIP code where rows of that name the city, less so of another city', async () => {
    expect(await similarity('3 Saw St, Millton, VT 05999')).toEqual([0.98]);
    expect(await similarity('3 Saw St, Miltton, VT 05999')).toEqual([0.93]);
    expect(await similarity('3 Saw St, Fartown, VT 05999')).toEqual([0.9]);
    expect(await similarity('3 Saw St, Boston, VT 05999')).toEqual([0.9]);
  });

  it('does not beat an address point of the city that was named', async () =>
    expect((await answered('7 Saw St, Millton, VT 05998')).map(m => [m.city, m.similarity])).toEqual([
      ['MILLTON', 0.92],
      [null, 0.9],
    ]));
});

describe('an area alone', () => {
  it.each([
    ['Vermont', 'state'],
    ['VT', 'state'],
    ['vt, usa', 'state'],
    ['State of Vermont', 'state'],
    ['California', 'state'],
    ['CA', 'state'],
    ['Washington', 'state'],
    ['D.C.', 'state'],
    ['Puerto Rico', 'state'],
    ['VT 05999', 'state'],
    ['New York, NY', 'state'],
    ['05999', 'place'],
    ['05999-1234', 'place'],
    ['05999 VT', 'state'],
    ['05999, VT', 'state'],
    ['05999-1234 Vermont', 'state'],
    ['05999 Millton', 'place'],
    ['05999, Millton', 'place'],
    ['05999 Millton VT', 'place'],
    ['05999, Millton, VT, USA', 'place'],
    ['90210', 'place'],
    ['Millton', 'place'],
    ['Millton, VT', 'place'],
    ['City of Millton, VT', 'place'],
    ['Weston, VT', 'place'],
    ['Millton, VT 05999', 'place'],
    ['Washington, DC', 'place'],
    ['Bayside County, ME', 'county'],
    ['Bayside County', 'county'],
  ])('%s is a %s without a layer of it', async (address, area) => {
    expect(await ask(address)).toMatchObject({ area, uncovered: false });
    expect(await verdict(address)).toBe('coarse');
  });

  it.each([
    'Nowhereville, VT',
    'Elsewhere County, ME',
    'Ontario',
    'Bayside County, VT',
    'Hill',
    '5 Nowhere St, Millton, VT',
    '05999 Nowhereville',
    '05999 Hill St, Millton, VT',
    // A ZIP code of another state is a house number, and what it names no street.
    '90210 Weston',
    '90210 VT',
    '00000',
    'American Samoa',
  ])('%s is none that anything names', async address => expect(await verdict(address)).toBe('none'));

  it('is a state even where the release holds no addresses', async () => {
    const empty = await createFixture([], {});
    for (const address of ['Vermont', 'VT']) {
      const geocoded = await asker(empty).ask(address);
      expect(geocoded).toMatchObject({ area: 'state', uncovered: false });
      expect(verdictOf({ provider: 'other', ...geocoded }).kind).toBe('coarse');
    }
    empty.remove();
  });
});
