import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readPlaceFile } from '../../../pipelines/place/place-schema.ts';
import { problems, problemsOf } from './problems.ts';

const folder = mkdtempSync(join(tmpdir(), 'plat-inherit-'));
mkdirSync(join(folder, 'counties'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

/** What the counties of a state share. */
const STATE = `abstract: true
state: NC
coverage: { extent: true }
provenance: { publisher: State, url: null, licence: none, vintage: "2025", note: null }
layers:
  - id: parcels
    dataset: parcel_store
    layer: main
    file: parcels.geojson
    options: { crs: "EPSG:2264", encoding: latin1 }
    expectRows: 5
    where: KIND = 'lot'
    columns: { apn: PIN, owner: OWNER, block: BLOCK }
    unpublished: rest
    provenance: { source: state_parcels, title: Parcels of the state }
  - dataset: usfws_nwi
    layer: main
    file: wetlands.geojson
    columns: { ATTRIBUTE: code }
    unpublished: rest
    provenance: { source: marsh, title: Marshes }
`;
const COUNTY = `extends: ../state.yaml
name: one-nc
title: One County
county: "37001"
provenance: { vintage: "2026" }
layers:
  - id: parcels
    file: one.geojson
    where: null
    options: { encoding: utf-8 }
    columns: { lot: LOT, block: null }
    provenance: { note: Stands in for the files of towns. }
  - { id: "usfws_nwi:main", omit: true }
  - dataset: local_zoning
    layer: main
    file: zoning.geojson
    columns: { ZONE: zone }
    unpublished: rest
    provenance: { source: zoning, title: Zoning }
`;
const state = (text = STATE) => file('state.yaml', text);
const county = (text = COUNTY) => file('counties/one.yaml', text);
const changed = (from: string, to: string) => {
  expect(COUNTY).toContain(from);
  return problemsOf(county(COUNTY.replace(from, to)));
};

describe('a place that extends a template', () => {
  it('takes over its layers and changes them by their ids, key by key', () => {
    state();
    const place = readPlaceFile(county());
    expect(place).toMatchObject({
      name: 'one-nc',
      title: 'One County',
      state: 'NC',
      county: '37001',
      coverage: { extent: true },
    });
    for (const key of ['extends', 'abstract', 'provenance']) expect(place).not.toHaveProperty(key);
    expect(place.layers.map(l => l.dataset)).toEqual(['parcel_store', 'local_zoning']);
    const [parcels] = place.layers;
    expect(parcels).toMatchObject({ file: 'one.geojson', options: { crs: 'EPSG:2264', encoding: 'utf-8' } });
    expect(parcels!.columns).toEqual({ apn: 'PIN', owner: 'OWNER', lot: 'LOT' });
    expect(parcels!.unpublished).toContain('block');
    // The rows were those of the other file.
    expect(parcels).not.toHaveProperty('expectRows');
    expect(parcels).not.toHaveProperty('where');
    expect(parcels!.provenance).toEqual({
      publisher: 'State',
      url: null,
      licence: 'none',
      vintage: '2026',
      note: 'Stands in for the files of towns.',
      source: 'state_parcels',
      title: 'Parcels of the state',
    });
  });

  it('may be JSON, extend a place that extends another, and one of this build by its name', () => {
    state();
    county();
    const heir = file(
      'heir.json',
      JSON.stringify({ extends: 'counties/one.yaml', name: 'two-nc', title: 'Two', county: '37003' }),
    );
    expect(readPlaceFile(heir)).toMatchObject({
      name: 'two-nc',
      county: '37003',
      layers: [{ file: 'one.geojson' }, {}],
    });
    const town = file('town.yaml', 'extends: mecklenburg-nc\nname: town-nc\ntitle: Town\ncounty: "37119"\n');
    const { layers, state: code } = readPlaceFile(town);
    expect(code).toBe('NC');
    expect(layers.map(l => l.dataset)).toEqual(['census_tiger', 'census_tiger', 'nces_edge']);
  });

  it('has a name, a title and a county of its own', () => {
    state();
    expect(problemsOf(county('extends: ../state.yaml\n'))).toEqual(
      ['name', 'title', 'county'].map(key => `${join(folder, 'counties/one.yaml')}:1:1: "${key}" is missing`),
    );
  });

  it('has errors in the file and at the line where the wrong text stands', () => {
    state();
    const [own, parent] = [join(folder, 'counties/one.yaml'), join(folder, 'state.yaml')];
    expect(changed('lot: LOT', 'lott: LOT')[0]).toMatch(`${own}:11:16: unknown column "lott"`);
    expect(changed('file: one', 'file: /one')).toEqual([
      `${own}:8:11: "/one.geojson" leaves the sources folder; expected a path below it`,
    ]);
    expect(changed('lot: LOT', 'deed: null')[0]).toMatch(`${own}:11:16: unknown column "deed"`);
    state(STATE.replace('apn: PIN', 'apn: { form: PIN }'));
    expect(problemsOf(county())[0]).toMatch(`${parent}:13:23: unknown key "form"`);
    state(STATE.replace('crs: ', 'csr: '));
    expect(problemsOf(county())).toEqual([`${parent}:10:16: unknown key "csr"`]);
    state(STATE.replace('licence: none', 'licence: 5'));
    expect(problemsOf(county())).toEqual([`${parent}:4:53: 5 must be string`]);
    state(STATE.replace('state: NC', 'state: North Carolina'));
    expect(problemsOf(county())).toEqual([`${parent}:2:8: "North Carolina": expected a two-letter state code`]);
    state(STATE.replace('layers:', 'layers: ['));
    expect(problemsOf(county())[0]).toMatch(RegExp(`^${parent}:\\d+:\\d+: `));
  });

  it('says which layer it changes', () => {
    state();
    const own = join(folder, 'counties/one.yaml');
    expect(changed('id: parcels', 'id: parcel')).toEqual([
      `${own}:7:9: no inherited layer is "parcel"; there are parcels, usfws_nwi:main`,
    ]);
    expect(changed('"usfws_nwi:main"', 'wetlands')).toEqual([
      `${own}:13:11: no inherited layer is "wetlands"; there are parcels, usfws_nwi:main`,
    ]);
    expect(changed('dataset: local_zoning\n', 'id: parcels\n    dataset: local_zoning\n')).toEqual([
      `${own}:14:9: "parcels" is changed twice; a further layer of this kind needs an id of its own`,
    ]);
    state(`${STATE}${STATE.slice(STATE.indexOf('  - dataset: usfws_nwi'))}`);
    expect(problemsOf(county())).toEqual([
      `${own}:13:11: 2 inherited layers are "usfws_nwi:main"; give them an id in their own file`,
    ]);
  });

  it('names a parent that is there and does not lead back to itself', () => {
    state();
    const own = join(folder, 'counties/one.yaml');
    expect(changed('../state.yaml', 'atlantis')[0]).toMatch(
      `${own}:1:10: no place "atlantis" to extend; known: alexandria-va`,
    );
    expect(changed('../state.yaml', 'state.yaml')[0]).toMatch(
      `${own}:1:10: cannot be read: ${join(folder, 'counties/state.yaml')}: ENOENT`,
    );
    state(`extends: counties/one.yaml\n${STATE}`);
    expect(problemsOf(county())).toEqual([
      `${join(folder, 'state.yaml')}:1:10: "counties/one.yaml" extends this place in turn; one of them must stand on its own`,
    ]);
    expect(changed('../state.yaml', 'one.yaml')[0]).toMatch(`${own}:1:10: "one.yaml" extends this place in turn`);
    state('5');
    expect(problemsOf(county())).toEqual([`${join(folder, 'state.yaml')}:1:1: expected a place file: a map of keys`]);
  });
});

describe('a template', () => {
  it('is not ingested itself', () => {
    expect(problemsOf(state())).toEqual([
      `${join(folder, 'state.yaml')}:1:1: a template is not ingested itself; name a place file that extends it`,
    ]);
  });

  it('is what alone has layers to leave out', () => {
    const standing = COUNTY.replace('extends: ../state.yaml', 'state: NC\ncoverage: { everywhere: true }');
    expect(
      problems(standing.replace('{ id: "usfws_nwi:main", omit', '{ dataset: a, layer: b, file: c, columns: {}, omit')),
    ).toContain('my.yaml:14:51: only an inherited layer is left out, and this place extends none');
    expect(problems(standing)).toContainEqual(expect.stringMatching(/^my\.yaml:\d+:\d+: "dataset" is missing$/));
  });

  it('gives each of its layers an id of its own', () => {
    state(STATE.replace('- dataset: usfws_nwi', '- id: parcels\n    dataset: usfws_nwi'));
    const plain = COUNTY.slice(0, COUNTY.indexOf('layers:'));
    expect(problemsOf(county(plain))).toEqual([
      `${join(folder, 'state.yaml')}:16:9: "parcels" is the id of another layer too`,
    ]);
  });
});
