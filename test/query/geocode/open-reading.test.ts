import { afterAll, beforeAll, expect, it } from 'vitest';
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
        ...row('WEBSTER AVE', 'MILLTON', null, ['20'], -73, 44),
        ...row('WEBSTER AVE NO', 'MILLTON', null, ['20', '30'], -73, 44.01),
        ...row('HARLOW ST', 'MILLTON', null, ['73'], -73, 44.02),
        ...row('MILL ST', 'MILLTON', null, ['20'], -73, 44.03),
        ...row('E MILL ST', 'MILLTON', null, ['20'], -73, 44.04),
        ...row('POND ST', 'MILLTON', null, ['20', '20E'], -73, 44.05),
        ...row('E POND ST', 'MILLTON', null, ['20'], -73, 44.06),
        ...row('E LAKE ST', 'MILLTON', null, ['20'], -73, 44.07),
      ]),
    ],
    [],
    [
      roads('VT', [
        street('Hammond St', [-73, 44.1], [-72.99, 44.1], [-72.98, 44.1]),
        street('West Broadway', [-72.99, 44.1], [-72.99, 44.11]),
        street('Broadway', [-73, 44.13], [-72.98, 44.13]),
        street('Cedar St NW', [-72.97, 44.1], [-72.97, 44.11]),
        street('Pine St NW', [-72.97, 44.1], [-72.96, 44.1]),
        street('Union St', [-73, 44.12], [-72.98, 44.12]),
      ]),
    ],
    // Without it no crossing would lie in the city that is asked for, and none could be a wrong one.
    [areas('VT', 'NAMELSAD', { 'Millton city': [-73.1, 43.9, -72.8, 44.2] }, () => ({ GEOID: '5000001' }))],
  );
  ({ ask } = asker(fixture));
});
afterAll(() => fixture.remove());

/** What a text may mean, sorted. */
async function meanings(text: string) {
  const verdict = verdictOf(localAnswer(await ask(`${text}, Millton, VT`)));
  if (verdict.kind === 'found') return [verdict.match.normalizedAddress];
  return verdict.kind === 'several' ? verdict.matches.map(match => match.normalizedAddress).sort() : verdict.kind;
}
const ofMillton = (...lines: readonly string[]) => lines.map(line => `${line}, MILLTON, VT`).sort();

it.each([
  // NO is North, and announces a number.
  ['Webster Ave No. 20', ['20 WEBSTER AVE', '20 WEBSTER AVE NO']],
  ['Webster Ave No 20', ['20 WEBSTER AVE', '20 WEBSTER AVE NO']],
  ['Webster Ave No #20', ['20 WEBSTER AVE', '20 WEBSTER AVE NO']],
  ['Webster Ave No. 30', ['30 WEBSTER AVE NO']],
  ['Webster Ave Nr. 20', ['20 WEBSTER AVE']],
  ['20 Webster Ave No', ['20 WEBSTER AVE NO']],
  ['20 Webster Ave No 5', ['20 WEBSTER AVE', '20 WEBSTER AVE NO']],
  ['Harlow St No. 73', ['73 HARLOW ST']],
  ['Harlow St № 73', ['73 HARLOW ST']],
  ['73 Harlow St No. 5', ['73 HARLOW ST']],
  // E is East, and a letter of a number.
  ['20E Mill St', ['20 E MILL ST', '20 MILL ST']],
  ['20E Pond St', ['20E POND ST']],
  ['20-E Lake St', ['20 E LAKE ST']],
  ['20 E Mill St', ['20 E MILL ST']],
])('%s may be %j', async (text, lines) => expect(await meanings(text)).toEqual(ofMillton(...lines)));

it.each([
  'Hammond St, West Broadway',
  'West Broadway, Hammond St',
  'Hammond St + W Broadway',
  'Hammond St w/ West Broadway',
  'Hammond St W/West Broadway',
  'Hammond St with West Broadway',
  'corner Hammond St/West Broadway',
  'Corner of Hammond St, West Broadway',
])('%s is a crossing', async text => {
  const { matches } = await ask(`${text}, Millton, VT`);
  expect(matches.map(match => [match.accuracyType, match.lng, match.lat])).toEqual([['intersection', -72.99, 44.1]]);
});

it.each(['Cedar & Pine Sts NW', 'Cedar and Pine Streets NW', 'Cedar St NW & Pine St NW'])(
  '%s names the type of both streets',
  async text => {
    const { matches } = await ask(`${text}, Millton, VT`);
    expect(matches.map(match => match.normalizedAddress)).toEqual(['CEDAR ST NW & PINE ST NW, MILLTON, VT']);
  },
);

it.each(['Hammond St, Zebra', 'Zebra, Hammond St'])('words of %s that nothing explains cost', async text => {
  const [match] = (await ask(`${text}, Millton, VT`)).matches;
  expect(match).toMatchObject({ normalizedAddress: 'HAMMOND ST, MILLTON, VT', accuracyType: 'street_center' });
  expect(match!.similarity).toBeLessThanOrEqual(0.9);
});

/** Of streets that do not meet; W Broadway meets Hammond St, and Broadway is another street. */
const CROSSINGS = [
  'Hammond St & Union St',
  'Hammond St + Union St',
  'Hammond St, Union St',
  'Hammond St & Broadway',
  'Broadway & Hammond St',
  'Hammond St, Broadway',
];
it('answers no crossing that is none, nor digits of a unit with the middle of a street', async () => {
  for (const text of [...CROSSINGS, 'Hammond St Apt 73'])
    expect({ text, is: await meanings(text) }).toEqual({ text, is: 'none' });
});

it.each([
  ['Harlow St #73', '#73'],
  ['Harlow St Apt 5', 'APT 5'],
])('says of %s that its house number is missing', async (text, unit) => {
  const address = `${text}, Millton, VT`;
  const answer = localAnswer(await ask(address));
  expect(() => requireMatch(answer, address)).toThrow(
    `${unit} stands where a unit does, and it has no house number; write that in front of the street`,
  );
});

it('says why a place that lies somewhere from another is not answered', async () => {
  for (const [text, words] of [
    ['near 73 Harlow St', 'near'],
    ['Across from 73 Harlow St', 'across from'],
    ['Hammond St near Union St', 'near'],
    ['Hammond St between Union St and West Broadway', 'between'],
  ]) {
    const address = `${text}, Millton, VT`;
    const answer = localAnswer(await ask(address));
    expect(() => requireMatch(answer, address)).toThrow(
      `it says where a place lies from another ("${words}"); name the place by its own house number`,
    );
  }
  // Behind a house number it is a note, and in front of one it may be who lives there.
  expect(await meanings('73 Harlow St (near Union St)')).toEqual(ofMillton('73 HARLOW ST'));
  expect(await meanings('73 Harlow St near Union St')).toEqual(ofMillton('73 HARLOW ST'));
  expect(await meanings('Near North Clinic, 73 Harlow St')).toEqual(ofMillton('73 HARLOW ST'));
  expect(verdictOf(localAnswer(await ask('Downtown Millton, VT'))).kind).toBe('coarse');
});
