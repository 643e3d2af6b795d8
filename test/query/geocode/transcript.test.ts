import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fixture } from '../release-fixture.ts';
import { asker, atlas } from './atlas.ts';

let fixture: Fixture;
let answered: ReturnType<typeof asker>['answered'];
beforeAll(async () => {
  fixture = await atlas();
  ({ answered } = asker(fixture));
});
afterAll(() => fixture.remove());

const found = async (address: string) =>
  (await answered(address)).map(m => [m.accuracyType, m.normalizedAddress.split(',')[0]]);

describe('an address as letters, forms and tables have it', () => {
  it.each([
    'c/o Jane Roe 12 Main St, Springton, MA',
    'C/O Jane Roe\n12 Main St\nSprington MA 01199',
    'located at 12 Main St, Springton, MA',
    'property at 12 Main Street in Springton, Massachusetts',
    'what is at 12 Main St, Springton MA?',
    'Street: 12 Main St City: Springton State: MA Zip: 01199',
    'Street Address: 12 Main St\nCity: Springton\nState: MA\nZIP Code: 01199',
    'Address: 12 Main St, Springton, MA',
    'Springton: 12 Main St, MA',
    '12 Main St&nbsp;Springton, MA',
    '12.0 Main St, Springton, MA 1199.0',
    '12 Main St - Springton - MA - 01199',
    '12 Main St – Springton, MA',
    '12 Main St - blue house, Springton, MA',
    '12 Main St Springton, Springton, MA 01199',
    '12Main St, Springton, MA',
    '12 Main St at Elm St, Springton, MA',
    '12 Main St & Elm St Springton MA',
    '<b>12 Main St</b><br>Springton, MA',
    '{"street":"12 Main St","city":"Springton","state":"MA"}',
    '01199 Springton, 12 Main St',
    '12-A5 Main St, Springton, MA',
    'A5-12 Main St, Springton, MA',
    '12 Main St Unit A/B, Springton, MA',
    '12 Main St Bsmt Apt, Springton, MA',
    '12 Main St Apt 1st floor, Springton, MA',
    'House # 12, Main St, Springton, MA',
    'House No. 12, Main St, Springton, MA',
    'Main St, 12, Springton, MA',
    'VFW Post 9, 12 Main St, Springton, MA',
    '12 Main St (rear entrance), Springton, MA',
    '12 main st springton ma (white house)',
    '12 Main St Springton Massachusetts - ring twice',
    '12 Main St Springton MA [gate code 1234]',
    '12 Main St, Springton, Hampton, MA',
    'MA, Springton, 12 Main St',
    '12 Main St, Springton, MA 1199',
  ])('%s', async asked => expect(await found(asked)).toEqual([['rooftop', '12 MAIN ST']]));

  it.each([
    ['1,055 Ave Ashford, San Juanito, PR', '1055 AVE ASHFORD'],
    ['1055,Ave Ashford,San Juanito,PR', '1055 AVE ASHFORD'],
  ])('%s', async (asked, line) => expect(await found(asked)).toEqual([['rooftop', line]]));

  it('with a blank in its number, or a letter for a zero, is the number with or without it', async () => {
    expect(await found('1 2 Main St, Springton, MA')).toEqual([['rooftop', '12 MAIN ST']]);
    // 00 is no house: 100 it is.
    expect(await found('1 00 Main St, Springton, MA')).toEqual([['rooftop', '100 MAIN ST']]);
    expect((await found('1 0 Main St, Springton, MA')).map(([, line]) => line)).toEqual(['10 MAIN ST']);
    expect(await found('1O Main St, Springton, MA')).toEqual([['rooftop', '10 MAIN ST']]);
  });

  it('with a wrong ending of an ordinal is its street, and pays for it', async () => {
    const [match] = await answered('8 22th St, Springton, MA');
    expect(match).toMatchObject({ normalizedAddress: '8 TWENTY SECOND ST, SPRINGTON, MA 01199', similarity: 0.99 });
  });

  it('with a list of numbers is a range, whose ends are asked back where both are known', async () => {
    const houses = (...numbers: number[]) => numbers.map(number => ['nearest_rooftop_match', `${number} MAIN ST`]);
    expect(await found('10, 12 Main St, Springton, MA')).toEqual(houses(10, 12));
    for (const asked of ['10, 12, 14 Main St', '10,12,14,Main St'])
      expect(await found(`${asked}, Springton, MA`)).toEqual(houses(10, 14));
  });

  it('whose number a table has destroyed has none', async () =>
    expect(await found('1.2E+03 Main St, Springton, MA')).toEqual([]));

  it('with a unit in a cell of its own, before or behind the number, leaves open which is which', async () => {
    for (const asked of ['12(3) Main St', '12, 3, Main St', '3,12,Main St'])
      expect(await found(`${asked}, Springton, MA`)).toEqual([['nearest_rooftop_match', '12 MAIN ST']]);
    expect(await found('12, 100, Main St, Springton, MA')).toHaveLength(2);
  });
});

describe('a unit behind the street', () => {
  it.each([
    'Level 2',
    'Wing B',
    'Tower 2',
    'Door 5',
    'Flat 3',
    'Studio 2',
    'Units 1-4',
    'Apts 2-3',
    'Unit No. 3',
    'Apt No 3',
    'Suite One',
    'Apt Three',
  ])('%s', async unit => expect(await found(`12 Main St ${unit}, Springton, MA`)).toEqual([['rooftop', '12 MAIN ST']]));
});

describe('a number that is no house number', () => {
  it.each([
    'Pole 12 Main St',
    'Pole #12, Main St',
    'MM 12 Main St',
    'MP 12 Main St',
    'Mile Marker 12 Main St',
    'Milepost 12 on Main St',
    'Exit 12 Main St',
    'Km 12 Main St',
    'Lot 12 Main St',
    'Main St and 12 Nonesuch Blvd',
  ])('%s', async line =>
    expect((await found(`${line}, Springton, MA`)).filter(([type]) => type !== 'street_center')).toEqual([]),
  );
});
