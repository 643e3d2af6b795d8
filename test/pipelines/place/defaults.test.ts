import { describe, expect, it } from 'vitest';
import { HEAD, parsed, problems } from './problems.ts';

const TEXT = `${HEAD}provenance:
  publisher: Village
  url: null
  licence: none
  vintage: "2026"
  note: null
layers:
  - dataset: usfws_nwi
    layer: main
    file: wetlands.geojson
    columns: { ATTRIBUTE: code }
    unpublished: rest
    provenance: { source: marsh, title: Marshes, vintage: "1997" }
  - dataset: fema_nfhl
    layer: S_FLD_HAZ_AR
    file: zones.geojson
    columns: { FLD_ZONE: zone, SFHA_TF: sfha }
    unpublished: [rest, "FLD_ZONE in ('V','VE')"]
    provenance: { source: zones, title: Zones, note: Stands in for zones of all risks. }
`;
const changed = (from: string, to: string) => {
  expect(TEXT).toContain(from);
  return problems(TEXT.replace(from, to));
};

describe('defaults of a place', () => {
  it('fill the provenance of its layers key by key', () => {
    const { layers, ...place } = parsed(TEXT);
    expect(place).not.toHaveProperty('provenance');
    const village = { publisher: 'Village', url: null, licence: 'none' };
    expect(layers.map(l => l.provenance)).toEqual([
      { ...village, source: 'marsh', title: 'Marshes', vintage: '1997', note: null },
      { ...village, source: 'zones', title: 'Zones', vintage: '2026', note: 'Stands in for zones of all risks.' },
    ]);
  });

  it('may be the whole provenance of a layer', () => {
    const all = TEXT.replace('publisher: Village', 'publisher: Village\n  source: all\n  title: All');
    expect(parsed(all.replace(/ {4}provenance: .*\n/g, '')).layers[1]!.provenance).toMatchObject({
      source: 'all',
      title: 'All',
    });
  });

  it('are wrong where they are written, and what they leave out is missing in each layer', () => {
    expect(changed('licence: none', 'licence: 5')).toEqual(['my.yaml:9:12: 5 must be string']);
    expect(changed('licence: none', 'license: none')).toEqual(['my.yaml:9:3: unknown key "license"']);
    expect(changed('  licence: none\n', '')).toEqual([
      'my.yaml:17:17: "licence" is missing',
      'my.yaml:23:17: "licence" is missing',
    ]);
    expect(changed('    provenance: { source: marsh, title: Marshes, vintage: "1997" }\n', '')).toEqual([
      'my.yaml:13:5: "source" is missing',
      'my.yaml:13:5: "title" is missing',
    ]);
  });
});

describe('unpublished: rest', () => {
  it('is every column that the mapping does not fill; conditions stand beside it', () => {
    const [wetlands, zones] = parsed(TEXT).layers;
    expect(wetlands!.unpublished).toEqual(['WETLAND_TYPE', 'ACRES']);
    expect(zones!.unpublished).toEqual([
      "FLD_ZONE in ('V','VE')",
      'DFIRM_ID',
      'FLD_AR_ID',
      'ZONE_SUBTY',
      'STATIC_BFE',
      'V_DATUM',
      'LEN_UNIT',
    ]);
  });

  it('leaves out what the ingest computes', () => {
    const text = `${HEAD}layers:
  - { dataset: parcel_store, layer: main, file: p.geojson, columns: { apn: PIN }, unpublished: rest,
      provenance: { source: s, title: t, publisher: p, url: null, licence: l, vintage: v, note: null } }`;
    const { unpublished } = parsed(text).layers[0]!;
    expect(unpublished).toContain('owner');
    expect(unpublished).not.toContain('apn');
    expect(unpublished).not.toContain('centroid_lon');
  });

  const cases: [string, string, string, string | RegExp][] = [
    [
      'another word',
      'unpublished: rest',
      'unpublished: others',
      'my.yaml:17:18: "others" is none of the values allowed here: "rest" or a list',
    ],
    [
      'a column that is mapped',
      '[rest, ',
      '[rest, SFHA_TF, ',
      'my.yaml:23:25: column "SFHA_TF" is mapped and called unpublished; choose one',
    ],
    [
      'a condition that reads unknown columns',
      "FLD_ZONE in ('V'",
      "ZONE in ('V'",
      /^my\.yaml:23:25: unknown column "ZONE in/,
    ],
  ];
  for (const [name, from, to, expected] of cases)
    it(`is refused with ${name}`, () => {
      expect(changed(from, to)).toContainEqual(
        typeof expected === 'string' ? expected : expect.stringMatching(expected),
      );
    });
});
