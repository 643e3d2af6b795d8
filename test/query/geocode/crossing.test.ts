import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localAnswer } from '../../../server/geocoder/local-tier.ts';
import { requireMatch, verdictOf } from '../../../server/geocoder/verdict.ts';
import type { Fixture } from '../release-fixture.ts';
import { addressRelease, areas, asker, points, roads, row } from './atlas.ts';

let fixture: Fixture;
let ask: ReturnType<typeof asker>['ask'];
beforeAll(async () => {
  const street = (FULLNAME: string, ...at: [number, number][]) => ({ FULLNAME, at });
  fixture = await addressRelease(
    [
      points('VT', [
        ...row('MAIN ST', 'MILLTON', null, ['20', '22'], -73, 44),
        ...row('N MAIN ST', 'MILLTON', null, ['73'], -73, 44.01),
        ...row('LANE ST', 'MILLTON', null, ['5'], -73, 44.02),
        ...row('LANE ST', 'MILLTON', null, ['42'], -73.01, 44.02),
        ...row('S PARK ST', 'MILLTON', null, ['20'], -73, 44.04),
      ]),
    ],
    [],
    [
      roads('VT', [
        street('Hammond St', [-73, 44.1], [-72.99, 44.1], [-72.98, 44.1], [-72.97, 44.1], [-72.96, 44.1]),
        street('West Broadway', [-72.99, 44.1], [-72.99, 44.11]),
        street('Broadway', [-73, 44.13], [-72.98, 44.13]),
        street('Union St', [-72.98, 44.1], [-72.98, 44.12], [-72.98, 44.13]),
        street('Elm St', [-72.97, 44.1], [-72.97, 44.11]),
        street('Elm Ave', [-72.96, 44.1], [-72.96, 44.09]),
        street('Front St', [-72.98, 44.12], [-72.97, 44.12]),
        // A vertex on the border of two cells of a millionth of a degree, written with one more digit.
        street('South Park St', [-72.98, 44.1050005], [-72.97, 44.1050005]),
        street('Union St', [-72.98, 44.10500049], [-72.98, 44.106]),
        street('Dover-Foxcroft Rd', [-72.9, 44.1], [-72.9, 44.11]),
        street('Dover St', [-72.91, 44.1], [-72.91, 44.11]),
        street('Foxcroft Rd', [-72.92, 44.1], [-72.92, 44.11]),
        street('Rolling Meadows Dr', [-72.95, 44.1], [-72.95, 44.11]),
      ]),
    ],
    [areas('VT', 'NAMELSAD', { 'Millton city': [-73.1, 43.9, -72.8, 44.2] }, () => ({ GEOID: '5000001' }))],
  );
  ({ ask } = asker(fixture));
});
afterAll(() => fixture.remove());

/** What a text may mean, sorted. */
async function meanings(text: string) {
  const verdict = verdictOf(localAnswer(await ask(/millton/i.test(text) ? text : `${text}, Millton, VT`)));
  if (verdict.kind === 'found') return [verdict.match.normalizedAddress];
  return verdict.kind === 'several' ? verdict.matches.map(match => match.normalizedAddress).sort() : verdict.kind;
}

describe('two streets with what joins them', () => {
  it.each([
    'Hammond-Union',
    'hammond-union',
    'Hammond St-Union St',
    'Hammond – Union',
    'Hammond—Union',
    'Hammond/Union',
    'Hammond \\ Union',
    'Hammond@Union',
    'Hammond x Union',
    'Hammond and Union',
    'Hammond, Union',
    'Hammond St, Union',
    'corner of Hammond-Union',
    'the corner of Hammond/Union',
    'NE corner Hammond/Union',
    'at the intersection of Hammond and Union',
    'Hammond, corner of Union',
    'Hammond St corner of Union St',
    'Hammond St cor. Union St',
    'Hammond at the corner of Union',
    'Hammond & Union intersection',
    'Hammond-Union Millton VT',
    'hammond & union millton vt',
  ])('are a crossing: %s', async text => {
    expect(await meanings(text)).toEqual(['HAMMOND ST & UNION ST, MILLTON, VT']);
  });

  it('meet where their vertices do, whatever cell of a degree these fall into', async () => {
    expect(await meanings('Union St & South Park St')).toEqual(['UNION ST & S PARK ST, MILLTON, VT']);
    expect(await meanings('Union & South Park')).toEqual(['UNION ST & S PARK ST, MILLTON, VT']);
  });

  it('are both crossings where the type that is left out tells two apart', async () => {
    expect(await meanings('Hammond & Elm')).toEqual([
      'HAMMOND ST & ELM AVE, MILLTON, VT',
      'HAMMOND ST & ELM ST, MILLTON, VT',
    ]);
    expect(await meanings('Hammond & Elm St')).toEqual(['HAMMOND ST & ELM ST, MILLTON, VT']);
  });

  it('may be called as a unit is', async () => {
    expect(await meanings('Front & Union')).toEqual(['FRONT ST & UNION ST, MILLTON, VT']);
    expect(await meanings('Front x Hammond')).toBe('none');
  });

  it.each([
    'Hammond & Broadway',
    'Broadway and Hammond',
    'Hammond-Broadway',
    'Hammond St/Broadway',
    'Hammond & Brodway',
  ])('are no crossing with a directional that nobody said: %s', async text => {
    expect(await meanings(text)).toBe('none');
    expect(await meanings(text.replace(/Br(oa|o)dway/, 'W Broadway'))).toEqual([expect.stringContaining('W BROADWAY')]);
  });

  it('are named by the refusal where they do not meet', async () => {
    const address = 'Hammond & Broadway, Millton, VT';
    const answer = localAnswer(await ask(address));
    expect(() => requireMatch(answer, address)).toThrow('HAMMOND ST and BROADWAY are known and do not meet');
  });

  it('may be a name with a hyphen, and are a crossing only where they meet', async () => {
    expect(await meanings('Dover-Foxcroft Rd')).toEqual(['DOVER FOXCROFT RD, MILLTON, VT']);
    expect(await meanings('Dover & Foxcroft')).toBe('none');
    expect(verdictOf(localAnswer(await ask('Winston-Salem, VT'))).kind).toBe('none');
  });
});

it.each([
  'Hammond Union',
  'Hammond Union Millton VT',
  'Broadway Park',
  'Hammond St Union',
  'Elm Frost',
  'Elm, corner of Rolling Meadows',
])('the middle of a street answers for no words that nothing explains: %s', async text => {
  expect(await meanings(text)).toBe('none');
});

it('a number that the street has not is none of a street with a directional', async () => {
  expect(await meanings('73 Main')).toBe('none');
  expect(await meanings('73 Main St')).toBe('none');
  expect(await meanings('73 N Main')).toEqual(['73 N MAIN ST, MILLTON, VT']);
  expect(await meanings('20 Main')).toEqual(['20 MAIN ST, MILLTON, VT']);
  expect(await meanings('20 South Park')).toEqual(['20 S PARK ST, MILLTON, VT']);
});

it.each([
  '42_5',
  '42:5',
  '42*5',
  '42 * 5',
  "42'5",
  '42+5',
  '42,5',
  '42\u22125',
  '42\u00D75',
  '#5 #42',
  'No. 5 No. 42',
  '#5 No 42',
])('%s has two readings, and no sign in it is free', async number => {
  expect(await meanings(`${number} Lane St`)).toEqual(['42 LANE ST, MILLTON, VT', '5 LANE ST, MILLTON, VT']);
});

it.each(['\u0664\u0662', '\u096A\u0968', '\uFF14\uFF12', '42\u00BA', '4\u200B2', '42\u00B2', '# 42', 'No. 42'])(
  'digits of any script are digits: %s',
  async number => {
    expect(await meanings(`${number} Lane St`)).toEqual(['42 LANE ST, MILLTON, VT']);
  },
);

it('letters of other scripts are letters of a name', async () => {
  expect(await meanings('\u041B\u043E\u043C\u043E Lane St')).toBe('none');
  expect(await meanings('42 L\u00E5ne St')).toEqual(['42 LANE ST, MILLTON, VT']);
  expect(await meanings('42 \u2018Lane\u2019 St')).toEqual(['42 LANE ST, MILLTON, VT']);
});
