import { describe, expect, it } from 'vitest';
import { ordinal, ordinalAt } from '../../../../query/geocode/address/ordinal.ts';
import { stateOf, stateOfZip } from '../../../../query/geocode/address/state.ts';
import { streetOf, streetText } from '../../../../query/geocode/address/street.ts';
import { spellingsOf, suffixNameOf, suffixOf } from '../../../../query/geocode/address/suffix.ts';
import { capitals } from '../../../../query/geocode/address/text.ts';
import { houseNumberOf } from './house-number-of.ts';

const street = (text: string) => streetOf(capitals(text).split(' '));

describe('street names', () => {
  it.each([
    ['Harlow Street', 'HARLOW ST'],
    ['N Green St', 'N GREEN ST'],
    ['North Park Street', 'N PARK ST'],
    ['N St', 'N ST'],
    ['North Ave', 'NORTH AVE'],
    ['West Broadway', 'W BROADWAY'],
    ['Graham Ave North', 'GRAHAM AVE N'],
    ['Kenduskeag Plz W', 'KENDUSKEAG PLZ W'],
    ['State St Ave', 'STATE STREET AVE'],
    ['Hogan Rd Ext', 'HOGAN ROAD EXT'],
    ['1st St N.W.', '1ST ST NW'],
    ['North West 5th Avenue', 'NW 5TH AVE'],
    ['US 221A HWY', 'US HIGHWAY 221A'],
    ['US 74 BUS HWY', 'US HIGHWAY 74 BUS'],
    ['Old US 74 Hwy', 'OLD US HIGHWAY 74'],
    ['Old US Highway 74', 'OLD US HIGHWAY 74'],
    ['Old County Rd', 'OLD COUNTY RD'],
    ['I-95', 'INTERSTATE 95'],
    ['Co Hwy X', 'COUNTY HIGHWAY X'],
    ['CR 12', 'COUNTY ROAD 12'],
    ['FM 1234', 'FM 1234'],
    ['Kentucky Hwy 33', 'STATE HIGHWAY 33'],
    ['Twp Rd 20', 'TOWNSHIP ROAD 20'],
    ['Broadway', 'BROADWAY'],
  ])('%s is %s', (text, normal) => expect(streetText(street(text))).toBe(normal));

  it.each([
    ['1st St', 'First Street'],
    ['22nd Ave', 'Twenty Second Ave'],
    ['St John Ave', 'Saint John Avenue'],
    ['Mt Hope Ave', 'Mount Hope Avenue'],
    ['Ft Knox Ave', 'Fort Knox Ave'],
    ['Mountain View Ave', 'Mountainview Ave'],
    ['Bald Mtn Dr', 'Bald Mountain Drive'],
    ['MLK Jr Blvd', 'Martin Luther King Boulevard'],
    ['Avenida Ashford', 'Ave Ashford'],
    ["Nadine's Way", 'Nadines Wy'],
    ['J E Morrow Rd', 'JE Morrow Road'],
    ['I St', 'Eye Street'],
    ['M L King Blvd', 'Martin Luther King Jr Boulevard'],
    ['Dr Martin Luther King Blvd', 'MLK Blvd'],
    ['US 74 BUS HWY', 'US Business 74'],
    ['US 221 Alt', 'US 221A HWY'],
    ['Alt US 221', 'US Hwy 221 Alternate'],
    ['Business 74', 'Highway 74 Bus'],
  ])('%s and %s are compared as one name', (a, b) => expect(street(a).whole).toBe(street(b).whole));

  it('has every spelling of appendix C1 and the state of every ZIP code prefix', () => {
    for (const [spelling, abbreviation] of [
      ['AVENU', 'AVE'],
      ['ALLEE', 'ALY'],
      ['CRSENT', 'CRES'],
      ['STRAVN', 'STRA'],
      ['WY', 'WAY'],
      ['XING', 'XING'],
      ['TRAFFICWAY', 'TRFY'],
      ['BLVD', 'BLVD'],
    ])
      expect(suffixOf(spelling!)).toBe(abbreviation);
    expect(suffixOf('BROADWAY')).toBeNull();
    expect(['RD', 'PRK', 'WY', 'WALKS', 'RUN'].map(suffixNameOf)).toEqual(['ROAD', 'PARK', 'WAY', 'WALK', 'RUN']);
    expect(spellingsOf('ST')).toEqual(['ST', 'STREET', 'STRT', 'STR']);
    expect([
      stateOfZip('04401'),
      stateOfZip('94110'),
      stateOfZip('20500'),
      stateOfZip('00901'),
      stateOfZip('09012'),
    ]).toEqual(['ME', 'CA', 'DC', 'PR', null]);
    expect([stateOf('N CAROLINA'), stateOf('MASS'), stateOf('D C'), stateOf('NOWHERE')]).toEqual([
      'NC',
      'MA',
      'DC',
      null,
    ]);
  });

  it('reads ordinals in words and digits', () => {
    expect(ordinalAt(['TWENTY', 'FIRST'], 0)).toEqual({ is: 21, words: 2 });
    expect([1, 2, 3, 4, 11, 12, 13, 21, 101, 111].map(ordinal)).toEqual([
      '1ST',
      '2ND',
      '3RD',
      '4TH',
      '11TH',
      '12TH',
      '13TH',
      '21ST',
      '101ST',
      '111TH',
    ]);
  });

  it('reads house numbers of every kind', () => {
    const value = (text: string) => houseNumberOf(text)?.value ?? null;
    expect(
      ['73', '12A', '12 1/2', '37-16', '413-419', 'N6W23001', 'W148 N9748', '5TH', 'MAIN', '123456789'].map(value),
    ).toEqual([73, 12, 12, 3716, 413, 23001, 9748, null, null, null]);
    expect(houseNumberOf('413-419')).toMatchObject({ value: 413, high: 419 });
  });
});
