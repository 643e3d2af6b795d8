import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../../datasets/catalog.ts';
import { countiesOf } from '../../../../datasets/codes/county-boxes.ts';
import { licenceOf } from '../../../../datasets/directory/licence.ts';
import { definitionsOf, readDirectory } from '../../../../datasets/directory/source-directory.ts';
import { PARCEL_ATTRIBUTES } from '../../../../datasets/parcel/parcel-attributes.ts';
import { joinsOf, type Place } from '../../../../datasets/place/place.ts';
import { places } from '../../../../datasets/places.ts';
import { placeNewCommand } from '../../../../pipelines/commands/place/new.ts';
import { countyOf } from '../../../../pipelines/place/new/county.ts';
import { newPlace, newPlaceYaml } from '../../../../pipelines/place/new/place-file.ts';
import type { PublisherAnswers } from '../../../../pipelines/place/new/publisher-answers.ts';
import { sourcesOf } from '../../../../pipelines/place/new/sources.ts';
import { wantedLayers } from '../../../../pipelines/place/new/wanted.ts';
import { parsePlace } from '../../../../pipelines/place/place-schema.ts';
import { publishedFiles } from '../../../../pipelines/refresh/published-files.ts';
import { PLAT } from '../../../plat.ts';

const directory = readDirectory();
const folder = mkdtempSync(join(tmpdir(), 'plat-place-new-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const written = (
  county: string,
  only: string[] = [],
  without: string[] = [],
  isOpen = false,
  answers: PublisherAnswers | null = null,
) =>
  newPlace(catalog, places.get('synthetic')!, directory, countyOf(county), {
    name: null,
    wanted: wantedLayers(catalog, only, without),
    isOpen,
    answers,
  });

/** The place as it is read, with what it inherits. */
const read = (county: string, ...rest: (string[] | boolean)[]) =>
  parsePlace(newPlaceYaml(written(county, ...(rest as [])), directory, 'new.yaml'), 'new.yaml');

describe('the place file of a county', () => {
  it('has the layers whose files reach it and the sources of the directory, within its outline', () => {
    const { place, left } = written('24003');
    expect(place.extends).toBe('md-parcels');
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
      const place = read(county);
      const files = publishedFiles(place);
      expect(files.length).toBe(
        new Set([
          ...place.layers.flatMap(layer => [layer, ...joinsOf(layer)].map(({ file }) => file)),
          'census_tiger/county.shp.zip',
        ]).size,
      );
    }
  });

  it('has what presets and fields need, and not what is left out', () => {
    const ids = ({ layers }: Place) => new Set(layers.map(({ dataset }) => dataset));
    expect(ids(read('06013', ['fema_flood_zone', 'parcel']))).toEqual(new Set(['fema_nfhl', 'parcel_store']));
    expect(ids(read('06013', ['flood_risk'], ['fema_nfhl']))).not.toContain('fema_nfhl');
    expect(() => written('06013', ['flod_risk'])).toThrow('"flod_risk" is no preset');
  });

  it('takes with an open licence only what everybody may use, and names the rest', () => {
    const closed = written('24003', ['parcel', 'usdot_nad'], [], true);
    expect(closed.left.map(({ why }) => why).join()).toContain('its license is not stated');
    for (const { state, counties } of directory.definitions.filter(({ scope }) => scope === 'county').slice(0, 60))
      for (const county of counties) {
        const of = { state: state!, county, name: null };
        const wanted = wantedLayers(catalog, ['parcel', 'usdot_nad'], []);
        const { place } = newPlace(catalog, places.get('synthetic')!, directory, of, {
          name: null,
          wanted,
          isOpen: true,
          answers: null,
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
    const run = () => placeNewCommand.run(['Penobscot, ME'], { out, for: 'flood_risk', offline: true }, terminal);
    expect(await run()).toBe(0);
    expect(JSON.parse(lines[0]!)).toMatchObject({ out, county: '23019', name: 'penobscot-me' });
    expect(readFileSync(out, 'utf8')).toContain('OpenAddresses');
    await expect(run()).rejects.toThrow('exists');
  });
});

it('a place that begins with a minus is no flag of the command line', () => {
  const out = join(folder, 'west-first.yaml');
  const args = ['place', 'new', '--offline', '-73.97, 40.78', '--for', 'parcel', '--out', out, '--json'];
  const { stdout, stderr } = spawnSync(PLAT, args, { encoding: 'utf8', env: { ...process.env, PLAT_HOME: folder } });
  expect(stderr).not.toContain('unknown option');
  expect(JSON.parse(stdout)).toMatchObject({ county: '36061' });
});

describe('the parcels of a county', () => {
  it('are those of its state, where its own source fills fewer attributes; the file says so', () => {
    const place = read('24003');
    const [layer] = place.layers.filter(({ dataset }) => dataset === 'parcel_store');
    expect(layer).toMatchObject({ file: 'md-parcels-24003.geojson', where: "ACCTID like '02%'" });
    expect(layer!.columns.geoid).toEqual({ const: '24003' });
    expect(Object.keys(layer!.columns).length).toBeGreaterThan(50);
    expect(place.files!['md-parcels-24003.geojson']).toMatchObject({ where: "ACCTID like '02%'" });
    expect(written('24003').choice).toMatch(/Maryland.*\d+ attributes; openaddresses\/md\/anne_arundel.* has 2/);
  });

  it('are none of the state for a county that the state has not', () => {
    expect(written('47009', ['parcel']).place.extends).toBe('tn-parcels');
    expect(written('47157', ['parcel', 'usdot_nad']).place.extends).toBeUndefined();
  });

  it('are cut to its outline, where no column of the state says the county', () => {
    const [layer] = read('23019').layers.filter(({ dataset }) => dataset === 'parcel_store');
    expect(layer).toMatchObject({ file: 'me-parcels-23019.geojson', cut: { outline: true } });
  });

  it('are those of its own source, once the first rows of it tell more than the state publishes', () => {
    const [file] = sourcesOf(directory, countyOf('24003'), 'parcels', false).layers.map(one => one.file);
    const columns = Object.fromEntries(
      Object.keys(PARCEL_ATTRIBUTES)
        .slice(0, 90)
        .map(name => [name, `C_${name}`]),
    );
    const answers = { pieces: new Map(), guesses: new Map([[file!, columns]]), open: [] };
    const { place, choice } = written('24003', ['parcel'], [], false, answers);
    expect(place.extends).toBeUndefined();
    expect(place.layers[0]!.file).toBe(file);
    expect(place.layers[0]!.provenance!.notes![0]!.text).toContain('guessed');
    expect(choice).toContain('fills');
  });

  it('are left out with an open licence where the state states none', () => {
    const { place, left } = written('24003', ['parcel'], [], true);
    expect(place.extends).toBeUndefined();
    expect(left).toContainEqual({ what: 'md-parcels', why: 'its license is not stated: not stated; public record' });
    expect(written('48001', ['parcel'], [], true).place.extends).toBe('tx-parcels');
  });
});

describe('layers whose declaration says how their files are read', () => {
  const layerOf = (place: Place, name: string) =>
    place.layers.find(({ dataset, layer }) => `${dataset}:${layer}` === name)!;

  it('take every file that is joined to them from where it is published', () => {
    const place = read('23019', ['census_acs', 'census_lodes', 'census_tiger:tabblock20_internal_points']);
    const tract = layerOf(place, 'census_acs:tract');
    expect(tract.columns.B25002_003E).toBe('b25002.B25002_E003');
    expect(joinsOf(tract).map(({ file }) => place.files![file]!.with!.table)).toEqual(
      'b19013 b25077 b25064 b25002 b25003 b23025'.split(' '),
    );
    for (const name of ['census_lodes:main', 'census_tiger:tabblock20_internal_points'])
      for (const { file } of joinsOf(layerOf(place, name))) expect(place.files![file], file).toBeDefined();
    const urls = publishedFiles(place).map(({ located }) => located.url);
    expect(urls).toContain('https://lehd.ces.census.gov/data/lodes/LODES8/me/me_xwalk.csv.gz');
    // The blocks that the points take their people from are those of the layer of blocks.
    expect(place.files!['census_tiger/me/tabblock20.shp.zip']).toEqual({
      dataset: 'census_tiger',
      layer: 'tabblock20',
    });
  });

  it('have the columns of the publisher, where no place has mapped them', () => {
    const place = read('23019', ['fema_nri:county', 'silvis_wui', 'usgs_earthquake:qfaults']);
    expect(layerOf(place, 'fema_nri:county').columns.RISK_SCORE).toBe('RISK_SCORE');
    expect(layerOf(place, 'silvis_wui:main').columns.WUIFLAG2020).toBe('WUIFLAG202');
    expect(layerOf(place, 'usgs_earthquake:qfaults').options).toEqual({ member: 'Qfaults_US_Database.shp' });
  });
});

describe('what of a file belongs to a county', () => {
  const layersOf = (county: string) =>
    new Map(read(county).layers.map(layer => [`${layer.dataset}:${layer.layer}`, layer]));

  it('reaches as far as the fields that read it look', () => {
    const layers = layersOf('23019');
    // nearest_distance(census_tiger:coastline, max_km=3000, …), count_within(noaa_spc:hail, radius_m=40000, …).
    expect(layers.get('census_tiger:coastline')!.cut).toEqual({ km: 3000, whole: true });
    expect(layers.get('noaa_spc:hail')!.cut).toEqual({ km: 40, whole: true });
    // Files of the states about it are taken beside that of its own; districts matter where a place lies, not beside it.
    expect(layers.get('usgs_structures:main')!.cut).toEqual({ km: 100, whole: true });
    expect(layers.get('census_tiger:sldl')!.cut).toEqual({ km: 2 });
    for (const { national, cut } of layers.values()) expect(national && cut).toBeFalsy();
  });

  it('are the tiles of the elevation and the volume of rainfall that reach it', () => {
    const tiles = (county: string) =>
      Object.values(written(county, ['usgs_3dep']).place.files!).flatMap(at => at.with?.tile ?? []);
    expect(tiles('23019')).toEqual(expect.arrayContaining(['n45w069', 'n46w069', 'n47w069']));
    // The Dry Tortugas belong to it, the water north of them has no tile.
    expect(tiles('12087')).toContain('n25w083');
    expect(tiles('12087')).not.toContain('n26w083');
    // Lee County ends beside the parallel of 33 degrees, and slopes are taken of a kilometre about a place.
    expect(tiles('01081')).toContain('n33w085');
    expect(written('23019').place.files!['noaa_atlas14/2yr24ha-ne.asc.zip']?.with).toEqual({ volume: 'ne' });
  });

  it('are the subregions that their publisher names, and open where nobody was asked', () => {
    const left = written('23019', ['usgs_nhdplus_hr'])
      .left.map(({ why }) => why)
      .join();
    expect(left).toContain('nobody told which reach the county');
    const answers = { pieces: new Map([['huc4', ['0102', '0105']]]), guesses: new Map(), open: [] };
    const { place } = written('23019', ['usgs_nhdplus_hr'], [], false, answers);
    expect(new Set(Object.values(place.files!).flatMap(at => at.with?.huc4 ?? []))).toEqual(new Set(['0102', '0105']));
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
