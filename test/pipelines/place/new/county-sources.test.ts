import { describe, expect, it } from 'vitest';
import { catalog } from '../../../../datasets/catalog.ts';
import { readDirectory } from '../../../../datasets/directory/source-directory.ts';
import { places } from '../../../../datasets/places.ts';
import { countyOf } from '../../../../pipelines/place/new/county.ts';
import { newPlace } from '../../../../pipelines/place/new/place-file.ts';
import { sourcesOf } from '../../../../pipelines/place/new/sources.ts';
import { wantedLayers } from '../../../../pipelines/place/new/wanted.ts';
import { compileTest } from '../../../../pipelines/steps/normalise.ts';

const directory = readDirectory();

const written = (county: string, only: string[] = ['parcel', 'usdot_nad']) =>
  newPlace(catalog, places.get('synthetic')!, directory, countyOf(county), {
    ...{ name: null, wanted: wantedLayers(catalog, only, []), isOpen: false, answers: null },
  });

/** Files of the addresses of a county, and what is left out. */
const addresses = (county: string) => {
  const { layers, left } = sourcesOf(directory, countyOf(county), 'addresses', false);
  return { layers, files: layers.map(({ file }) => file.slice('openaddresses/'.length)), left };
};

describe('a county whose code another one has by mistake', () => {
  it('takes nothing of it, and says so; the other one has it, with a note', () => {
    const marion = written('45067');
    expect(JSON.stringify(marion.place.layers)).not.toContain('marlboro');
    expect(marion.place.unavailable).toMatchObject({
      'sources/us/sc/marlboro.json parcels':
        'the directory gives it the code of this county, but its name is that of Marlboro',
    });
    const [layer] = written('45069', ['parcel']).place.layers;
    expect(layer!.columns).toMatchObject({ county: { const: 'Marlboro' }, geoid: { const: '45069' } });
    expect(layer!.provenance!.note).toContain('gives its county the code 45067; by its name it is 45069');
  });
});

describe('sources of a city', () => {
  it('cover the city alone where the county has none, and the place file says what is not known', () => {
    const { place, left } = written('01081', ['parcel']);
    const outline = 'census_tiger/al/place.shp.zip';
    expect(place.layers).toMatchObject([
      {
        file: expect.stringContaining('city_of_auburn/parcels'),
        coverage: { file: outline, where: "GEOID = '0103076' and NAME like 'Auburn%'" },
      },
    ]);
    expect(place.files![outline]).toEqual({ dataset: 'census_tiger', layer: 'place' });
    const why = expect.stringContaining(
      'of the rest of the county nothing is known, so it is not said that there are none',
    );
    expect(left).toContainEqual({ what: 'parcels beyond cities', why });
  });

  it('have no outline of another city, whose code theirs is', () => {
    const meets = (county: string, row: Readonly<Record<string, string>>) => {
      const { coverage } = written(county, ['parcel']).place.layers[0]!;
      return compileTest((coverage as { where: string }).where, '2026-01-01')(row);
    };
    const nome = { GEOID: '0254920', NAME: 'Nome' };
    // Both cities have the code of Nome.
    expect([meets('02180', nome), meets('02050', nome)]).toEqual([true, false]);
    expect(meets('28047', { GEOID: '2806220', NAME: 'Biloxi' })).toBe(true);
    const quoted = sourcesOf(directory, countyOf('28047'), 'parcels', false).layers[1]!.layer.coverage as {
      where: string;
    };
    expect(compileTest(quoted.where, '2026-01-01')({ GEOID: '2819180', NAME: "D'Iberville" })).toBe(true);
  });

  it('have a coverage of their own in every county', () => {
    for (const { state, counties } of directory.definitions.filter(({ scope }) => scope === 'city'))
      for (const kind of ['addresses', 'parcels'] as const) {
        const of = { state: state!, county: counties[0]!, name: null };
        const { layers, scope } = sourcesOf(directory, of, kind, false);
        for (const { layer } of layers) expect(layer.coverage === undefined, layer.file).toBe(scope !== 'city');
      }
  });

  it('give way to the parcels of the state, which has the whole county', () => {
    const { place } = written('25017', ['parcel']);
    expect(place.extends).toBe('ma-parcels');
    expect(place.unavailable).not.toHaveProperty('parcels beyond cities');
  });
});

describe('sources that overlap', () => {
  it.each([
    ['26125', ['mi/oakland/addresses-county.geojson'], 'mi/semcog'],
    ['40109', ['ok/oklahoma/addresses-county.geojson'], 'ok/acog-counties'],
    ['48491', ['tx/williamson/addresses-county.geojson'], 'tx/capcog'],
    ['35013', ['nm/dona_ana/addresses-county.geojson'], 'nm/dona_ana-2'],
    ['13021', ['ga/bibb/addresses-county.geojson'], 'ga/bibb2'],
    ['27059', ['mn/isanti/addresses-address_points.geojson'], 'mn/isanti.json addresses/parcels'],
  ])('in %s give way to the own one of the county, and are named', (county, files, named) => {
    const { files: taken, left } = addresses(county);
    expect(taken).toEqual(files);
    expect(left).toContainEqual({
      what: expect.stringContaining(named),
      why: expect.stringMatching(/has its ground|have its ground/),
    });
  });

  it('are all taken where they are parts of the county', () => {
    expect(addresses('27147').files).toHaveLength(2);
    expect(addresses('55027').files).toHaveLength(2);
  });

  it('of a region are cut to the county that has none of its own', () => {
    const { layers, files } = addresses('26093');
    expect(files).toEqual(['mi/semcog/addresses-county.geojson', 'mi/semcog/addresses-condos.geojson']);
    for (const { layer } of layers) expect(layer.cut).toEqual({ outline: true });
  });
});

describe('what of the sources fills nothing', () => {
  it('is named: units of addresses, buildings and centrelines', () => {
    const { left } = written('48491', ['usdot_nad', 'fema_usa_structures']);
    const why = 'the layer of addresses has no column for it';
    expect(left).toContainEqual({
      what: 'unit and district of openaddresses/tx/williamson/addresses-county.geojson',
      why,
    });
    const what = 'sources/us/tx/williamson.json buildings/county';
    expect(left).toContainEqual({ what, why: expect.stringContaining("FEMA's footprints are taken instead") });
    expect(written('48491', ['usdot_nad']).place.unavailable).not.toHaveProperty(what);
    const roads = written('26125', ['census_tiger:road_graph']).left;
    expect(roads).toContainEqual({ what: 'sources/us/mi/oakland.json centerlines/county', why: expect.any(String) });
  });
});
