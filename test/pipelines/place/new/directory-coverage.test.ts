import { describe, expect, it } from 'vitest';
import { countyFips } from '../../../../datasets/codes/county-fips.ts';
import { STATE_FIPS } from '../../../../datasets/codes/state-fips.ts';
import { coverageOf } from '../../../../datasets/directory/coverage.ts';
import type { Definition } from '../../../../datasets/directory/definition.ts';
import { readDirectory } from '../../../../datasets/directory/source-directory.ts';
import { sourcesOf } from '../../../../pipelines/place/new/sources.ts';
import { compileTest } from '../../../../pipelines/steps/normalise.ts';

const directory = readDirectory();
const { definitions } = directory;
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

/** A name in the order of the Census Bureau, which numbers the places of a state by the alphabet. */
const sortKey = (name: string) =>
  name
    .toLowerCase()
    .replace(/^mc/, 'mac')
    .replace(/[^a-z]/g, '');

/** The fewest cities of a state without which the others are in the order of their codes and of their names. */
function outOfOrder(cities: readonly Definition[]): readonly Definition[] {
  const sorted = [...cities].sort((a, b) => (a.place! < b.place! ? -1 : 1));
  const chains: (readonly Definition[])[] = [];
  for (const one of sorted) {
    const before = chains.filter(chain => sortKey(chain.at(-1)!.city!) <= sortKey(one.city!));
    chains.push([...before.reduce((best, chain) => (chain.length > best.length ? chain : best), []), one]);
  }
  const longest = new Set(chains.reduce((best, chain) => (chain.length > best.length ? chain : best), []));
  return sorted.filter(one => !longest.has(one));
}

describe('the outline of a city', () => {
  const cities = definitions.filter(({ scope, place }) => scope === 'city' && place !== undefined);

  it('is in the whole directory that of its code and its name, without which its source is left out', () => {
    let compared = 0;
    for (const { state, counties, place, city, path } of cities)
      for (const kind of ['addresses', 'parcels'] as const)
        for (const { file, layer } of sourcesOf(
          directory,
          { state: state!, county: counties[0]!, name: null },
          kind,
          false,
        ).layers) {
          const { coverage } = layer;
          const slug = path.replace(/^sources\/us\//, 'openaddresses/').replace(/\.json$/, '/');
          if (!file.startsWith(slug) || coverage === undefined || !('file' in coverage)) continue;
          expect(coverage.optional, file).toBe(true);
          const meets = compileTest(coverage.where!, '2026-01-01');
          const named = (city ?? 'x').replace(/(?<![A-Za-z])[a-z]/g, letter => letter.toUpperCase());
          expect(meets({ GEOID: place!, NAME: `${named} (balance)` }), file).toBe(true);
          if (city !== undefined) expect(meets({ GEOID: place!, NAME: 'Zzyzx' }), file).toBe(false);
          expect(meets({ GEOID: '0000000', NAME: named }), file).toBe(false);
          compared++;
        }
    expect(compared).toBeGreaterThan(20);
  });

  it('has another code than its own, where the order of codes is not that of names, for these alone', () => {
    const states = Map.groupBy(
      cities.filter(({ city }) => city !== undefined),
      ({ state }) => state,
    );
    const wrong = [...states.values()].flatMap(outOfOrder).map(({ path, place }) => `${path.slice(11)} ${place}`);
    expect(wrong.sort()).toEqual([
      // The code of Nome.
      'ak/city_of_bethel.json 0254920',
      // Its own code under the name of Bryan: the name of the file counts too.
      'tx/city_of_college_station.json 4815976',
      // A code among those of names in B.
      'wa/city_of_spokane.json 5306367',
    ]);
  });
});
