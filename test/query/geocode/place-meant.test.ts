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

describe('streets, crossings and areas', () => {
  it('answers an intersection where the lines meet, in any wording', async () => {
    for (const address of [
      'Main St & Oak Ave, Springton, MA',
      'oak ave and main st, springton, ma',
      'Main Street at Oak Avenue, Springton MA 01199',
      'Main St @ Oak Ave Springton MA',
      'corner of Main St and Oak Ave, Springton, MA',
      'NE corner of Main St and Oak Ave, Springton, MA',
      'northwest cor. of Main St & Oak Ave, Springton, MA',
      'Main St x Oak Ave, Springton, MA',
      'Main St, Oak Ave, Springton, MA',
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
