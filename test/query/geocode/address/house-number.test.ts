import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { numberAt } from '../../../../query/geocode/address/house-number.ts';
import type { Fixture } from '../../release-fixture.ts';
import { addressRelease, asker, lot, points, roads, row } from '../atlas.ts';
import { houseNumberOf } from './house-number-of.ts';

let fixture: Fixture;
let answered: ReturnType<typeof asker>['answered'];
beforeAll(async () => {
  fixture = await addressRelease(
    [
      points('VT', [
        ...row('ELM ST', 'MILLTON', '05999', ['12-14', '1214', '83', '20-26', '22', '101-109', '4830-4883'], -73, 44),
        ...row('OAK ST', 'MILLTON', '05999', ['8-3', '83', '13-17', '30', '30 1/2', '30A', '30 REAR'], -73, 44.01),
        ...row('ASH ST', 'MILLTON', '05999', ['40', '50A', '60 REAR', '70R', '70'], -73, 44.02),
        ...row('FIR ST R', 'MILLTON', '05999', ['5'], -73, 44.03),
        ...row('AVENUE R', 'MILLTON', '05999', ['5'], -73, 44.04),
        ...row('PADDED ST', 'MILLTON', '05999', ['0012-0020'], -73, 44.05),
        // The gap between 2 and 40 is too wide for an estimate.
        ...row('GAP ST', 'MILLTON', '05999', ['2', '40'], -73, 44.06),
      ]),
      points('NY', [
        ...row('30TH AVE', 'ASTORIA', '11102', ['12-14', '37-12', '37-06'], -73.93, 40.76),
        ...row('ELM ST', 'UPTON', '14999', ['12-14'], -77, 42.9),
      ]),
      points('HI', row('FORT WEAVER RD', 'EWA BEACH', '96706', ['91-1001', '91-080', '12-20'], -158, 21.3)),
      points('WI', row('BLUEMOUND RD', 'WAUKETON', '53199', ['N6W23001', 'W204N11912'], -88.2, 43)),
      points('IL', row('HILLVIEW RD', 'WESTON', '60199', ['28W645'], -88.2, 41.9)),
    ],
    [
      {
        key: 'MA/25013',
        place: 'MA',
        features: [lot('13 - 17 DEPOT ST', -72.4, 41.5), lot('19 DEPOT ST', -72.401, 41.5)],
      },
    ],
    [
      roads('NY', [
        {
          FULLNAME: '31st Ave',
          LFROMADD: '37-01',
          LTOADD: '37-99',
          ZIPL: '11102',
          at: [
            [-73.93, 40.77],
            [-73.92, 40.77],
          ],
        },
      ]),
    ],
  );
  ({ answered } = asker(fixture));
});
afterAll(() => fixture.remove());

const found = async (address: string) => (await answered(address)).map(m => [m.accuracyType, m.normalizedAddress]);
const vermont = (line: string) => found(`${line}, Millton, VT`);

describe('a range of house numbers', () => {
  it.each([
    ['12-14 Elm St', '12-14 ELM ST'],
    ['12 Elm St', '12-14 ELM ST'],
    ['14 Elm St', '12-14 ELM ST'],
    ['12 - 14 Elm St', '12-14 ELM ST'],
    ['12–14 Elm St', '12-14 ELM ST'],
    ['13 Oak St', '13-17 OAK ST'],
    ['15 Oak St', '13-17 OAK ST'],
    ['17 Oak St', '13-17 OAK ST'],
    ['13-17 Oak St', '13-17 OAK ST'],
    ['13-15 Oak St', '13-17 OAK ST'],
    ['101 Elm St', '101-109 ELM ST'],
    ['105 Elm St', '101-109 ELM ST'],
    ['109 Elm St', '101-109 ELM ST'],
    ['24 Elm St', '20-26 ELM ST'],
    ['16 Padded St', '12-20 PADDED ST'],
    ['4830 Elm St', '4830-4883 ELM ST'],
    ['4883 Elm St', '4830-4883 ELM ST'],
  ])('%s is at %s', async (asked, line) =>
    expect(await vermont(asked)).toEqual([['rooftop', `${line}, MILLTON, VT 05999`]]),
  );

  it('is none of the numbers of the other side, nor one written in a row', async () => {
    for (const asked of ['13 Elm St', '104 Elm St', '14 Oak St', '16 Oak St', '4850 Elm St', '1317 Oak St'])
      expect({ asked, rooftops: (await vermont(asked)).filter(([type]) => type === 'rooftop') }).toEqual({
        asked,
        rooftops: [],
      });
    expect(await vermont('1214 Elm St')).toEqual([['rooftop', '1214 ELM ST, MILLTON, VT 05999']]);
  });

  it('gives way to the number itself', async () =>
    expect(await vermont('22 Elm St')).toEqual([['rooftop', '22 ELM ST, MILLTON, VT 05999']]));

  it('of which one number is known is beside it', async () =>
    expect(await vermont('40-44 Ash St')).toEqual([['nearest_rooftop_match', '40 ASH ST, MILLTON, VT 05999']]));

  it('is that of a parcel as well', async () => {
    for (const number of ['13', '15', '17', '13-17'])
      expect(await found(`${number} Depot St, Millton, MA`)).toEqual([['rooftop', '13-17 DEPOT ST, MILLTON, MA']]);
    expect((await found('14 Depot St, Millton, MA')).filter(([type]) => type === 'rooftop')).toEqual([]);
  });
});

describe('a hyphen that makes no range', () => {
  it('keeps its number apart from others', async () => {
    expect(await vermont('8-3 Oak St')).toEqual([['rooftop', '8-3 OAK ST, MILLTON, VT 05999']]);
    expect(await vermont('83 Oak St')).toEqual([['rooftop', '83 OAK ST, MILLTON, VT 05999']]);
    expect((await vermont('8-3 Elm St')).filter(([, line]) => line!.startsWith('83'))).toEqual([]);
    expect(await vermont('30-7 Oak St')).toEqual([['nearest_rooftop_match', '30 OAK ST, MILLTON, VT 05999']]);
  });

  it('is of the number in Queens and Hawaii, with the hyphen and without', async () => {
    const queens = (line: string) => found(`${line}, Astoria, NY 11102`);
    for (const [asked, line] of [
      ['37-12', '37-12'],
      ['3712', '37-12'],
      ['37-06', '37-06'],
      ['3706', '37-06'],
      ['12-14', '12-14'],
      ['1214', '12-14'],
    ])
      expect(await queens(`${asked} 30th Ave`)).toEqual([['rooftop', `${line} 30TH AVE, ASTORIA, NY 11102`]]);
    for (const asked of ['12', '14', '37']) expect(await queens(`${asked} 30th Ave`)).toEqual([]);
    expect(await queens('37-51 31st Ave')).toEqual([['range_interpolation', '37-51 31ST AVE, NY 11102']]);
    for (const [asked, line] of [
      ['91-1001', '91-1001'],
      ['911001', '91-1001'],
      ['91-080', '91-080'],
      ['12-20', '12-20'],
    ])
      expect(await found(`${asked} Fort Weaver Rd, Ewa Beach, HI`)).toEqual([
        ['rooftop', `${line} FORT WEAVER RD, EWA BEACH, HI 96706`],
      ]);
    expect(await found('14 Fort Weaver Rd, Ewa Beach, HI')).toEqual([]);
  });

  it('is a range in the rest of New York', async () => {
    for (const number of ['12', '14', '12-14'])
      expect(await found(`${number} Elm St, Upton, NY`)).toEqual([['rooftop', '12-14 ELM ST, UPTON, NY 14999']]);
    expect(await found('1214 Elm St, Upton, NY')).toEqual([]);
  });

  it('leaves grid addresses what they are', async () => {
    for (const number of ['N6W23001', 'W204N11912', 'W204 N11912'])
      expect(await found(`${number} Bluemound Rd, Wauketon, WI`)).toEqual([
        ['rooftop', `${number.replace(' ', '')} BLUEMOUND RD, WAUKETON, WI 53199`],
      ]);
    for (const number of ['23001', '11912', 'N7W23001'])
      expect(await found(`${number} Bluemound Rd, Wauketon, WI`)).toEqual([]);
    expect(await found('28W645 Hillview Rd, Weston, IL')).toEqual([
      ['rooftop', '28W645 HILLVIEW RD, WESTON, IL 60199'],
    ]);
    expect(await found('645 Hillview Rd, Weston, IL')).toEqual([]);
  });

  it.each([
    ['12-14', 12, 14],
    ['8-12', 8, 12],
    ['98-102', 98, 102],
    ['413-419', 413, 419],
    ['1901-2001', 1901, 2001],
    ['0012-0020', 12, 20],
    ['715-0729', 715, 729],
    ['12-0020', 12, 20],
    ['05-09', 5, 9],
    // None: the second is less, an odd step of small numbers, too far, a zero in front, more digits.
    ['8-3', 83, 83],
    ['8-13', 813, 813],
    ['15-636', 15636, 15636],
    ['37-06', 3706, 3706],
    ['5-105', 5105, 5105],
  ])('%s reads from %i to %i', (text, value, high) => expect(houseNumberOf(text)).toMatchObject({ value, high }));

  it('says by county, ZIP code or city where it is one number', () => {
    const at = (text: string, state: string | null, more: object = {}) =>
      numberAt(houseNumberOf(text)!, { state, county: null, zip: null, city: null, ...more }).text;
    const one = (text: string, state: string | null, more: object = {}) => {
      const { high, value } = numberAt(houseNumberOf(text)!, { state, county: null, zip: null, city: null, ...more });
      return high === value;
    };
    expect(at('37-12', 'NY', { county: '36081' })).toBe('37-12');
    expect(one('12-14', 'NY', { county: '36081' })).toBe(true);
    expect(one('12-14', 'NY', { zip: '11375' })).toBe(true);
    expect(one('12-14', null, { zip: '11375' })).toBe(true);
    expect(one('12-14', 'NY', { city: 'FLUSHING' })).toBe(true);
    expect(one('12-14', 'NY', { county: '36061', city: 'FLUSHING' })).toBe(false);
    expect(one('12-14', 'NY')).toBe(false);
    expect(one('12-14', 'MI', { city: 'FLUSHING' })).toBe(false);
    expect(one('12-14', 'HI')).toBe(true);
    expect(one('1201-1205', 'HI')).toBe(false);
    expect(one('123-125', 'NY', { county: '36081' })).toBe(false);
  });
});

describe('what stands behind a number', () => {
  it.each([
    ['30 Oak St', '30 OAK ST'],
    ['30 1/2 Oak St', '30 1/2 OAK ST'],
    ['30½ Oak St', '30 1/2 OAK ST'],
    ['30-1/2 Oak St', '30 1/2 OAK ST'],
    ['30A Oak St', '30A OAK ST'],
    ['30 Rear Oak St', '30 REAR OAK ST'],
    ['30 Oak St Rear', '30 REAR OAK ST'],
    ['30 Oak St, Rear', '30 REAR OAK ST'],
    ['Rear 30 Oak St', '30 REAR OAK ST'],
    ['60R Ash St', '60 REAR ASH ST'],
    ['70R Ash St', '70R ASH ST'],
    ['70 Rear Ash St', '70R ASH ST'],
    ['5 Fir St Rear', '5 REAR FIR ST'],
    ['5 Fir St R', '5 REAR FIR ST'],
    ['5 Avenue R', '5 AVENUE R'],
  ])('%s is %s and no other', async (asked, line) =>
    expect(await vermont(asked)).toEqual([['rooftop', `${line}, MILLTON, VT 05999`]]),
  );

  it('is never a rooftop where no file has it', async () => {
    for (const [asked, line] of [
      ['40 Rear Ash St', '40 ASH ST'],
      ['40 1/2 Ash St', '40 ASH ST'],
      ['40B Ash St', '40 ASH ST'],
      ['50 Ash St', '50A ASH ST'],
      ['60 Ash St', '60 REAR ASH ST'],
    ])
      expect(await vermont(asked!)).toEqual([['nearest_rooftop_match', `${line}, MILLTON, VT 05999`]]);
  });
});

it('a number that no file has is no rooftop, however near others are', async () => {
  const known = /^(?:12|14|1214|83|20|22|24|26|101|103|105|107|109|4830|4883)$/;
  for (let number = 1; number < 130; number++) {
    const types = (await vermont(`${number} Elm St`)).map(([type]) => type);
    expect({ number, rooftop: types.includes('rooftop') }).toEqual({ number, rooftop: known.test(String(number)) });
  }
  expect(await vermont('20 Gap St')).toEqual([]);
});
