import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../../datasets/catalog.ts';
import { countiesOf } from '../../../../datasets/codes/county-boxes.ts';
import { licenceOf } from '../../../../datasets/directory/licence.ts';
import { definitionsOf, readDirectory } from '../../../../datasets/directory/source-directory.ts';
import { places } from '../../../../datasets/places.ts';
import { placeNewCommand } from '../../../../pipelines/commands/place/new.ts';
import { countyOf } from '../../../../pipelines/place/new/county.ts';
import { newPlace, newPlaceYaml } from '../../../../pipelines/place/new/place-file.ts';
import { wantedLayers } from '../../../../pipelines/place/new/wanted.ts';
import { parsePlace } from '../../../../pipelines/place/place-schema.ts';
import { publishedFiles } from '../../../../pipelines/refresh/published-files.ts';

const directory = readDirectory();
const folder = mkdtempSync(join(tmpdir(), 'plat-place-new-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const written = (county: string, only: string[] = [], without: string[] = [], isOpen = false) =>
  newPlace(catalog, places.get('synthetic')!, directory, countyOf(county), {
    name: null,
    wanted: wantedLayers(catalog, only, without),
    isOpen,
  });

describe('a county by its name', () => {
  it.each([
    ['23019', '23019'],
    ['Penobscot, ME', '23019'],
    ['penobscot county, Maine', '23019'],
    ['St. Louis, MN', '27137'],
    ['45.3, -68.6', '23019'],
    ['-68.6, 45.3', '23019'],
  ])('%s', (text, county) => expect(countyOf(text).county).toBe(county));

  it.each([
    ['99999', 'is the code of no county'],
    ['Penobscot', 'names no county with its state'],
    ['Nowhere, ME', 'names no county of Maine'],
    ['10, 20', 'lies in no county'],
    ['44.8, -68.75', 'may lie in one of'],
  ])('%s is none', (text, why) => expect(() => countyOf(text)).toThrow(why));
});

describe('the place file of a county', () => {
  it('has the layers whose files reach it and the sources of the directory, within its outline', () => {
    const { place, left } = written('24003');
    const layers = new Set(place.layers.map(({ dataset, layer }) => `${dataset}:${layer}`));
    expect(layers.size).toBeGreaterThan(65);
    for (const name of ['usdot_nad:main', 'census_tiger:road_graph', 'fema_nfhl:S_FLD_HAZ_AR', 'mrlc_nlcd:land_cover'])
      expect(layers).toContain(name);
    expect(place.coverage).toEqual({ file: 'census_tiger/county.shp.zip', where: "GEOID = '24003'" });
    // Every layer of the catalog is in the place, or named with the reason.
    const named = new Set([...layers, ...left.map(({ what }) => what)]);
    const all = [...catalog.datasets.values()].flatMap(({ id, layers: own }) =>
      Object.keys(own).map(n => `${id}:${n}`),
    );
    expect(all.filter(name => !named.has(name) && name !== 'parcel_store:main')).toEqual([]);
  });

  it('is valid for counties of every state, and tells where each file is', () => {
    for (const county of countiesOf().filter((_, i) => i % 400 === 0)) {
      const place = parsePlace(newPlaceYaml(written(county), directory, 'new.yaml'), 'new.yaml');
      const files = publishedFiles(place);
      expect(files.length).toBe(new Set([...place.layers.map(({ file }) => file), 'census_tiger/county.shp.zip']).size);
    }
  });

  it('has what presets and fields need, and not what is left out', () => {
    const ids = (place: ReturnType<typeof written>) => new Set(place.place.layers.map(({ dataset }) => dataset));
    expect(ids(written('06013', ['fema_flood_zone', 'parcel']))).toEqual(new Set(['fema_nfhl', 'parcel_store']));
    expect(ids(written('06013', ['flood_risk'], ['fema_nfhl']))).not.toContain('fema_nfhl');
    expect(() => written('06013', ['flod_risk'])).toThrow('"flod_risk" is no preset');
  });

  it('takes with an open licence only what everybody may use, and names the rest', () => {
    const closed = written('24003', ['parcel', 'usdot_nad'], [], true);
    expect(closed.left.map(({ why }) => why).join()).toContain('its licence is not stated');
    for (const { state, counties } of directory.definitions.filter(({ scope }) => scope === 'county').slice(0, 60))
      for (const county of counties) {
        const of = { state: state!, county, name: null };
        const wanted = wantedLayers(catalog, ['parcel', 'usdot_nad'], []);
        const { place } = newPlace(catalog, places.get('synthetic')!, directory, of, {
          name: null,
          wanted,
          isOpen: true,
        });
        for (const { file, provenance } of place.layers)
          if (file.startsWith('openaddresses/'))
            expect(licenceOf({ license: provenance!.licence! }).closed, `${file}: ${provenance!.licence}`).toBeNull();
      }
  });

  it('is written by the command, once', async () => {
    const out = join(folder, 'place.yaml');
    const lines: string[] = [];
    const terminal = { json: true, interactive: false, out: (line: string) => lines.push(line), err: () => {} };
    const run = () => placeNewCommand.run(['Penobscot, ME'], { out, for: 'flood_risk' }, terminal);
    expect(await run()).toBe(0);
    expect(JSON.parse(lines[0]!)).toMatchObject({ out, county: '23019', name: 'penobscot-me' });
    expect(readFileSync(out, 'utf8')).toContain('OpenAddresses');
    await expect(run()).rejects.toThrow('exists');
  });
});

describe('the licence of a source', () => {
  it.each([
    [undefined, 'not stated', 'not stated'],
    ['Unknown', 'not stated', 'not stated'],
    ['CC BY 4.0', 'CC BY 4.0', null],
    [{ text: 'Public Domain', url: 'https://a.example' }, 'Public Domain, https://a.example', null],
    [{ url: 'https://a.example/terms' }, 'https://a.example/terms', 'not stated'],
    [{ text: 'CC BY-SA 4.0' }, 'CC BY-SA 4.0', 'share-alike'],
    [{ text: 'CC BY 4.0', 'share-alike': true }, 'CC BY 4.0 (share-alike)', 'share-alike'],
    [{ url: 'https://creativecommons.org/licenses/by-nc-sa/4.0/' }, expect.any(String), 'non-commercial'],
    [{ text: 'Public Domain', presumed: true }, 'Public Domain', 'not stated'],
  ])('%j', (license, text, closed) => expect(licenceOf({ license: license! })).toMatchObject({ text, closed }));
});

it('a county has the definitions of its own, its cities and its state', () => {
  const paths = definitionsOf(directory, 'NC', '37119').map(({ path }) => path.replace('sources/us/', ''));
  expect(paths).toEqual(['nc/mecklenburg.json', 'nc/charlotte.json', 'nc/statewide.json', 'countrywide.json']);
});
