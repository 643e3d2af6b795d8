import { describe, expect, it } from 'vitest';
import { HEAD, parsed, problems } from './problems.ts';

/** Two layers: columns and provenance of the first are the second's too, by anchors. */
const MERGED = `${HEAD}x-shared:
  files: &files
    publisher: Test
    url: null
    licence: none
    vintage: "2026"
  names: &names { ATTRIBUTE: code }
layers:
  - dataset: usfws_nwi
    layer: main
    file: wetlands.geojson
    columns: &columns
      <<: *names
      WETLAND_TYPE: type
    unpublished: [ACRES]
    provenance: &first { <<: *files, source: one, title: One, note: null }
  - dataset: usfws_nwi
    layer: main
    file: more.geojson
    columns: { <<: *columns, ACRES: acres }
    provenance: { <<: [*first, *files], source: two }
`;

describe('merge keys of a place file', () => {
  it('bring in what an anchor holds; the map itself says it last', () => {
    const { layers, ...place } = parsed(MERGED);
    expect(Object.keys(place)).toEqual(['name', 'title', 'state', 'county', 'coverage']);
    expect(layers[1]!.columns).toEqual({ ATTRIBUTE: 'code', WETLAND_TYPE: 'type', ACRES: 'acres' });
    expect(layers[1]!.provenance).toEqual({ ...layers[0]!.provenance, source: 'two' });
    expect(layers[0]!.provenance).toMatchObject({ publisher: 'Test', source: 'one', url: null });
  });

  const cases: [string, string, string, string][] = [
    [
      'where the wrong text stands, under its anchor',
      'ATTRIBUTE: code',
      'ATTRIBUTE: { form: code }',
      'my.yaml:12:32: unknown key "form"',
    ],
    [
      'a wrong value that a list of maps merged in',
      'vintage: "2026"',
      'vintage: 2026',
      'my.yaml:11:14: 2026 must be string',
    ],
    ['an unknown column in the map that has it', 'ACRES: acres', 'ACRE: acres', 'my.yaml:25:30: unknown column "ACRE"'],
    [
      'an alias without an anchor',
      '<<: *names',
      '<<: *name',
      'my.yaml:18:11: no anchor &name stands before this *name',
    ],
    [
      'a merge key that is no map',
      '<<: *names',
      '<<: names',
      'my.yaml:18:11: << takes a map, an alias of one, or a list of them',
    ],
    ['a merge key with a list of what is no map', '[*first, *files]', '[*first, 5]', 'my.yaml:26:23: << takes a map'],
    ['a key that stands twice', 'WETLAND_TYPE: type', 'WETLAND_TYPE: type\n      WETLAND_TYPE: kind', 'my.yaml:20:7: '],
  ];
  for (const [name, from, to, expected] of cases)
    it(`have errors that name ${name}`, () => {
      expect(MERGED).toContain(from);
      const lines = problems(MERGED.replace(from, to));
      expect(lines.filter(line => line.startsWith(expected))).toHaveLength(1);
    });

  it('tell one error once, however often its anchor is used', () => {
    const lines = problems(MERGED.replace('vintage: "2026"', 'vintage: 2026'));
    expect(lines).toEqual(['my.yaml:11:14: 2026 must be string']);
  });

  it('do not let a small file grow without bounds', () => {
    const bomb = Array.from({ length: 30 }, (_, i) => `  a${i}: &a${i} [${i ? `*a${i - 1}, `.repeat(9) : '1'}]`);
    expect(problems(`x-bomb:\n${bomb.join('\n')}\n${HEAD}`)).toEqual([
      'my.yaml: anchors stand for more than 100000 values; write them out',
    ]);
  });

  it('mean nothing where they are quoted, as in JSON', () => {
    const lines = problems(`${HEAD}layers: [{ "<<": {} }]`);
    expect(lines).toContainEqual(expect.stringMatching(/^my\.yaml:6:12: unknown key "<<"/));
  });
});

describe('keys of a place file', () => {
  it('are the text that was written, also where YAML reads another value', () => {
    const columns = '{ ATTRIBUTE: { from: code, null: [x], lookup: { 010: a, 10: b, 1.50: c, true: d, ~: e } } }';
    const { layers } = parsed(
      MERGED.replace('{ <<: *columns, ACRES: acres }', columns).replace(
        '\n    provenance: { <<: [',
        '\n    unpublished: rest\n    provenance: { <<: [',
      ),
    );
    const lookup = { '010': 'a', 10: 'b', '1.50': 'c', true: 'd', '~': 'e' };
    expect(layers[1]!.columns).toEqual({ ATTRIBUTE: { from: 'code', null: ['x'], lookup } });
  });
});
