import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { places } from '../../../datasets/places.ts';
import { checkPlace } from '../../../pipelines/place/place-check.ts';
import { builtInPlace, PlaceError, parsePlace } from '../../../pipelines/place/place-schema.ts';
import { village } from '../village.ts';

const TEXT = `name: village
title: A village
state: ME
county: "23019"
coverage: { file: boundary.geojson }
layers:
  - dataset: usfws_nwi
    layer: main
    file: wetlands.geojson
    columns:
      ATTRIBUTE: code
      WETLAND_TYPE: { from: code, lookup: { PEM1: Emergent } }
    unpublished: [ACRES]
    provenance:
      source: village_files
      title: Files
      publisher: Test
      url: null
      licence: none
      vintage: "2026"
      note: null
`;

function problems(text: string): readonly string[] {
  try {
    parsePlace(text, 'my.yaml');
  } catch (error) {
    if (error instanceof PlaceError) return error.lines;
    throw error;
  }
  return [];
}
const changed = (from: string, to: string) => {
  expect(TEXT).toContain(from);
  return problems(TEXT.replace(from, to));
};

describe('a place file', () => {
  it('that is right is read, as YAML and as JSON', () => {
    expect(problems(TEXT)).toEqual([]);
    expect(parsePlace(JSON.stringify(village), 'my.json')).toEqual(village);
    expect(parsePlace(stringify(village), 'my.yaml')).toEqual(village);
  });

  it('names ground among parcels alone, by conditions', () => {
    const parcels = TEXT.replace('usfws_nwi', 'parcel_store')
      .replace(/ {4}columns:(\n {6}.*)+/, '    columns: { apn: number }')
      .replace('unpublished: [ACRES]', 'unpublished: rest\n    GROUND');
    const withGround = (text: string) => problems(parcels.replace('GROUND', text));
    expect(withGround("ground: [{ kind: road, where: number like 'RD%' }]")).toEqual([]);
    expect(withGround('ground: [{ kind: street, where: number = 1 }]')).toEqual([
      'my.yaml:12:22: "street" is none of road, railroad, water, other',
    ]);
    expect(withGround('ground: [{ kind: road, where: number = }]')).toEqual([
      expect.stringMatching(/^my\.yaml:12:35: Condition "number =": expected a value/),
    ]);
    expect(withGround('ground: []')).toEqual([expect.stringMatching(/^my\.yaml:12:13: /)]);
    expect(
      changed('file: wetlands.geojson', 'file: wetlands.geojson\n    ground: [{ kind: road, where: a = 1 }]'),
    ).toEqual(['my.yaml:10:5: only a layer of parcels (parcel_store:main) has rows that are no parcels']);
  });

  it('says of a raster the unit, scale and numbers without data that its file does not', () => {
    const raster = TEXT.replace('usfws_nwi', 'usgs_3dep').replace(
      / {4}columns:(\n {6}.*)+\n.*\n/,
      '    columns: {}\n    OPTIONS\n',
    );
    const withOptions = (text: string) => problems(raster.replace('OPTIONS', `options: { ${text} }`));
    expect(withOptions('unit: US survey foot, scale: 0.01, nodata: [-9999, 0]')).toEqual([]);
    expect(withOptions('unit: K')).toEqual(['my.yaml:11:22: "K" is no unit that becomes m']);
    expect(withOptions('scale: -1')).toEqual([expect.stringMatching(/^my\.yaml:11:23: -1 must be > 0/)]);
    expect(withOptions('scale: 0.01x')).toEqual([expect.stringMatching(/^my\.yaml:11:23: "0.01x" must be number/)]);
    expect(withOptions('nodata: none')).toEqual([expect.stringMatching(/^my\.yaml:11:24: /)]);
    expect(withOptions('nodata: []')).toEqual([expect.stringMatching(/^my\.yaml:11:24: /)]);
    for (const [key, value] of Object.entries({ unit: 'ft', scale: '2', nodata: '0' }))
      expect(changed('file: wetlands.geojson', `file: wetlands.geojson\n    options: { ${key}: ${value} }`)).toEqual([
        `my.yaml:10:16: only a raster takes ${key}; columns have expressions`,
      ]);
    const codes = raster
      .replace('usgs_3dep', 'mrlc_nlcd')
      .replace('layer: main', 'layer: land_cover')
      .replace('OPTIONS', 'options: { unit: ft }');
    expect(problems(codes)).toEqual(['my.yaml:11:16: the layer holds codes, which have no unit']);
  });

  const cases: [string, string, string, string | RegExp][] = [
    [
      'an unknown dataset, with those known',
      'usfws_nwi',
      'usfws_nwy',
      /^my\.yaml:7:14: unknown dataset "usfws_nwy"; known: .*usfws_nwi/,
    ],
    ['an unknown layer', 'layer: main', 'layer: mian', 'my.yaml:8:12: unknown layer "mian"; usfws_nwi has main'],
    [
      'an unknown column, at its key',
      'ATTRIBUTE: code',
      'ATTRIBUT: code',
      /^my\.yaml:11:7: unknown column "ATTRIBUT" \(nearest: `ATTRIBUTE`\); columns of usfws_nwi:main: .*ATTRIBUTE/,
    ],
    ['an unknown key of an expression', 'lookup:', 'lokup:', /^my\.yaml:12:35: unknown key "lokup"; known: when, from/],
    [
      'a column neither mapped nor unpublished',
      '[ACRES]',
      '[]',
      'my.yaml:10:5: not mapped and not in unpublished: ACRES',
    ],
    [
      'a column mapped and unpublished',
      '[ACRES]',
      '[ACRES, ATTRIBUTE]',
      'my.yaml:13:26: column "ATTRIBUTE" is mapped and called unpublished; choose one',
    ],
    ['a missing key', '      licence: none\n', '', /^my\.yaml:\d+:\d+: "licence" is missing$/],
    ['a county that is a number', '"23019"', '23019', 'my.yaml:4:9: 23019 must be string'],
    ['a county of four digits', '"23019"', '"2301"', 'my.yaml:4:9: "2301": expected a five-digit county FIPS code'],
    [
      'a file outside the sources',
      'file: wetlands.geojson',
      'file: ../../etc/passwd',
      /^my\.yaml:9:11: "\.\.\/\.\.\/etc\/passwd" leaves the sources folder/,
    ],
    ['a coverage that is none', '{ file: boundary.geojson }', '{ fiel: x }', /^my\.yaml:5:11: expected \{file/],
    [
      'a condition that does not parse',
      'file: wetlands.geojson',
      'file: wetlands.geojson\n    where: "a = "',
      /^my\.yaml:10:12: Condition "a = ": expected a value/,
    ],
    [
      'a pattern that is no regular expression',
      'code, lookup: { PEM1: Emergent }',
      "code, patterns: [{ match: '(', value: x }]",
      /^my\.yaml:12:21: Invalid regular expression/,
    ],
    [
      'a constant of the wrong type',
      '{ from: code, lookup: { PEM1: Emergent } }',
      '{ const: x, from: code }',
      /^my\.yaml:12:21: expected exactly one of from, template, sum, const; found 2/,
    ],
    ['text that is no YAML', 'layers:', 'layers: [', /^my\.yaml:\d+:\d+: /],
    [
      'dissolving by a column that is not mapped',
      '[ACRES]',
      '[ACRES]\n    dissolve: ACRES',
      /^my\.yaml:14:15: "ACRES" is no mapped column/,
    ],
    ['the reserved name', 'name: village', 'name: national', /^my\.yaml:1:7: "national": expected/],
  ];
  for (const [name, from, to, expected] of cases)
    it(`names ${name}`, () => {
      const lines = changed(from, to);
      expect(lines.length).toBeGreaterThan(0);
      if (typeof expected === 'string') expect(lines).toContain(expected);
      else expect(lines).toContainEqual(expect.stringMatching(expected));
    });

  it('is told all its problems at once', () => {
    const lines = problems(TEXT.replace('state: ME', 'state: Maine').replace('layer: main', 'layer: mian'));
    expect(lines.map(l => l.split(':')[1])).toEqual(['3', '8']);
  });
});

describe('places of this build', () => {
  it('there are some, and all obey the same rules', () => {
    expect(places.size).toBeGreaterThan(0);
    for (const [name, place] of places)
      expect(checkPlace(place).map(p => `${name} ${p.path.join('.')}: ${p.message}`)).toEqual([]);
  });

  it('an unknown one is answered with those known', () => {
    expect(() => builtInPlace('atlantis')).toThrow(/No place "atlantis"; known: .*bangor-me/);
  });
});

describe('the notes of a layer', () => {
  it('stand on every value where the layer stands in for another or is synthetic, else on columns of it', () => {
    expect(changed('note: null', 'note: Stands in for all wetlands.')).toEqual([]);
    expect(changed('note: null', 'note: No owners.')).toEqual([expect.stringContaining('begins with "Stands in for"')]);
    const on = (column: string) => `note: null\n      notes: [{ columns: [${column}], text: Of the state. }]`;
    expect(changed('note: null', on('ACRES'))).toEqual([]);
    expect(changed('note: null', on('ACRE'))).toEqual([expect.stringContaining('unknown column "ACRE"')]);
  });
});
