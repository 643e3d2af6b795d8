import { describe, expect, it } from 'vitest';
import { countyFips } from '../../../../datasets/codes/county-fips.ts';
import { STATE_FIPS } from '../../../../datasets/codes/state-fips.ts';
import { coverageOf } from '../../../../datasets/directory/coverage.ts';
import { readDirectory } from '../../../../datasets/directory/source-directory.ts';

const { definitions } = readDirectory();
const ofPath = (path: string) => definitions.find(one => one.path === `sources/us/${path}.json`)!;

describe('the county of a definition', () => {
  it.each([
    // The code is that of a neighbor, of no county, of a county in another state.
    ['sc/marlboro', { state: 'sc', county: 'Marlboro' }, '45067', '45069'],
    ['sd/deuel', { state: 'sd', county: 'Deuel' }, '46139', '46039'],
    ['wv/wood', { state: 'wv', county: 'Wood' }, '53107', '54107'],
    ['ms/hancock', { state: 'ms', county: 'Hancock' }, '22125', '28045'],
    // Name and code were left as the neighbor's.
    ['al/houston', { state: 'al', county: 'Franklin' }, '01059', '01069'],
  ])('%s is that of its name, and the contradiction is told', (path, written, geoid, county) => {
    const coverage = coverageOf({ ...written, 'US Census': { geoid } }, `sources/us/${path}.json`);
    expect(coverage).toMatchObject({ scope: 'county', counties: [county], contradicts: [geoid] });
    expect(ofPath(path)).toMatchObject(coverage);
  });

  it('is that of its code where no county has its name', () => {
    const written = { state: 'wv', county: 'Pocohontas', 'US Census': { geoid: '54075' } };
    expect(coverageOf(written, 'sources/us/wv/pocohontas.json')).toEqual({
      ...{ scope: 'county', state: 'WV', counties: ['54075'] },
    });
  });

  it('is not told by a code that lies elsewhere than the city', () => {
    const geometry = { type: 'Point', coordinates: [-86.395, 35.847] };
    const written = { state: 'tn', city: 'Murfreesboro', geometry, 'US Census': { geoid: '47141' } };
    expect(coverageOf(written, 'sources/us/tn/city_of_murfreesboro.json').counties).toEqual(['47149']);
  });

  it('is in the whole directory never another one than that of its name', () => {
    const wrong = definitions.filter(({ path, scope, state, counties }) => {
      if (scope !== 'county') return false;
      const words = /([^/]+)\.json$/.exec(path)![1]!.replace(/[_-]/g, ' ');
      const named = countyFips(state!, STATE_FIPS[state!]!, words);
      return counties.length === 0 || (named !== null && counties.join() !== named);
    });
    expect(wrong.map(({ path }) => path)).toEqual([]);
    const abroad = definitions.filter(({ state, counties }) =>
      counties.some(one => !one.startsWith(STATE_FIPS[state!]!)),
    );
    expect(abroad.map(({ path }) => path)).toEqual([]);
  });
});

describe('a city', () => {
  it('that is a county by itself has the sources of a county', () => {
    for (const path of ['mo/city_of_st_louis', 'md/city_of_baltimore', 'va/city_of_alexandria', 'va/city_of_lynchburg'])
      expect(ofPath(path).scope, path).toBe('county');
    expect(ofPath('hi/honolulu').scope).toBe('county');
    // A part of the county of its name, and a part of another one by its code of a place.
    expect(ofPath('ca/city_of_santa_clara').scope).toBe('city');
    expect(ofPath('il/city-of-ofallon')).toMatchObject({ scope: 'city', counties: ['17163'], place: '1755249' });
    expect(ofPath('ak/sitka').scope).toBe('county');
  });
});
