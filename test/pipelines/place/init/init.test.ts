import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Place } from '../../../../datasets/place/place.ts';
import { initPlace } from '../../../../pipelines/place/init/init.ts';
import { placeYaml } from '../../../../pipelines/place/init/write.ts';
import { parsePlace } from '../../../../pipelines/place/place-schema.ts';
import { UsageError } from '../../../../query/engine/command.ts';
import { folder } from '../../village.ts';
import { fiveCommands } from './five-commands.ts';
import { OHIO_SOUTH, writeTown } from './town.ts';

const sources = folder();
const home = folder();
const out = join(home, 'town.yaml');
let files: string[];
let yaml: string;
let place: Place;

const flags = { sources, name: 'millbrook-oh', state: null, county: '39017' };
const layer = (id: string) => place.layers.find(l => `${l.dataset}:${l.layer}` === id)!;

beforeAll(async () => {
  files = writeTown(sources);
  yaml = placeYaml(await initPlace({ files, ...flags }), out);
  place = parsePlace(yaml, out);
});
afterAll(() => {
  for (const path of [sources, home]) rmSync(path, { recursive: true, force: true });
});

describe('place init of a town that it has never seen', () => {
  it('knows every file by its layer, and the outline as the coverage', () => {
    expect(place.layers.map(l => `${l.file} ${l.dataset}:${l.layer}`).sort()).toEqual([
      'address_points.csv usdot_nad:main',
      'fema_flood_zones.geojson fema_nfhl:S_FLD_HAZ_AR',
      'tax_parcels.geojson parcel_store:main',
      'zoning_districts.geojson local_zoning:main',
    ]);
    expect(place.coverage).toEqual({ file: 'village_limits.geojson' });
    expect([place.state, place.county]).toEqual(['OH', '39017']);
  });

  it('finds the zone of the state plane that coordinates in feet are in, against what GeoJSON says', () => {
    for (const id of ['parcel_store:main', 'local_zoning:main'])
      expect(layer(id).options).toMatchObject({ crs: OHIO_SOUTH, overrideCrs: true });
    expect(yaml).toContain(`the file does not say its CRS: ${OHIO_SOUTH}`);
  });

  it('joins the table whose numbers have no marks, past the line above its header', () => {
    const join = [layer('parcel_store:main').join!].flat()[0]!;
    expect(join).toMatchObject({ file: 'auditor.csv', options: { skipLines: 1 } });
    expect(join.key).toMatchObject({ from: 'ParcelNo' });
    expect(join.to).toMatchObject({ from: 'PARCELID' });
  });

  it('says what several rows of one key become: text is listed, numbers are none', () => {
    const join = [layer('parcel_store:main').join!].flat().find(({ file }) => file === 'building_cards.csv');
    expect(join).toMatchObject({ prefix: 'buildingcard', several: { BldgStyle: 'list', NumUnits: null } });
  });

  it('says by one word what no file publishes, and names it in a comment', () => {
    const { unpublished } = layer('parcel_store:main');
    expect(unpublished).toContain('lot');
    expect(yaml.match(/^ {4}unpublished: rest$/gm)).toHaveLength(place.layers.length);
    expect(yaml).toMatch(/^ {4}# The rest: .*\blot\b/ms);
  });

  it('maps the columns of both', () => {
    const from = (target: string) => {
      const expression = layer('parcel_store:main').columns[target];
      return typeof expression === 'string' ? expression : expression?.from;
    };
    const wanted = {
      apn: 'PARCELID',
      address: 'SITEADDR',
      tax_district: 'TAXDIST',
      owner: 'auditor.OwnerName',
      mailadd: 'auditor.OwnerAddr1',
      mail_city: 'auditor.OwnerCity',
      mail_state2: 'auditor.OwnerState',
      mail_zip: 'auditor.OwnerZip',
      property_class: 'auditor.PropClass',
      usecode: 'auditor.LUC',
      usedesc: 'auditor.LUCDescr',
      landval: 'auditor.LandVal',
      improvval: 'auditor.BldgVal',
      parval: 'auditor.TotVal',
      yearbuilt: 'auditor.YrBlt',
      living_area_sqft: 'auditor.SFLA',
      numbedrooms: 'auditor.NumBeds',
      saledate: 'auditor.SaleDate',
      saleprice: 'auditor.SalePrice',
      legaldesc: 'auditor.LegalDesc',
      deeded_acres: 'auditor.DeedAcres',
    };
    expect(Object.fromEntries(Object.keys(wanted).map(target => [target, from(target)]))).toEqual(wanted);
    expect(layer('parcel_store:main').columns.saledate).toMatchObject({ dateFormat: 'MM/DD/YYYY' });
    expect(layer('parcel_store:main').columns.yearbuilt).toMatchObject({ null: [0] });
    expect(layer('fema_nfhl:S_FLD_HAZ_AR').columns.SFHA_TF).toMatchObject({ lookup: { AE: 'T', X: 'F' } });
    // The outline names the village that no column of the parcels does.
    expect(layer('parcel_store:main').columns.city).toEqual({ const: 'Millbrook' });
    expect(layer('usdot_nad:main').columns).toMatchObject({
      Post_City: 'City',
      Add_Number: 'HouseNum',
      St_Name: 'StName',
      StNam_Full: { from: ['StName', 'StType'] },
    });
  });

  it('marks every guess with how sure it is', () => {
    expect(yaml).toMatch(/apn: PARCELID {2}# guess (1\.00|0\.\d\d)/);
    const mapped = place.layers.flatMap(l =>
      Object.values(l.columns).filter(e => !(typeof e === 'object' && 'const' in e)),
    );
    expect(yaml.match(/guess [01]\.\d\d/g)!.length).toBeGreaterThan(mapped.length);
  });

  it('asks for what files do not say, and refuses what cannot be', async () => {
    const refused = (options: Partial<Parameters<typeof initPlace>[0]>) =>
      initPlace({ files, ...flags, ...options }).then(
        () => 'made',
        error => [error instanceof UsageError, error.message],
      );
    expect(await refused({ county: null })).toEqual([true, expect.stringMatching(/--county/)]);
    expect(await refused({ state: 'ME' })).toEqual([true, expect.stringMatching(/39017 is not in --state ME/)]);
    expect(await refused({ county: '17' })).toEqual([true, expect.stringMatching(/five-digit/)]);
    expect(await refused({ files: [join(sources, 'none.shp')] })).toEqual([
      true,
      expect.stringMatching(/no such file/),
    ]);
  });

  it('goes from files to a checked release in five commands', async () => {
    const done = await fiveCommands(files, { home, sources, out, init: { county: '39017', name: 'millbrook-oh' } });
    expect(readFileSync(out, 'utf8')).toBe(yaml);
    expect(done.run.answer).toMatchObject({ changed: true, place: 'millbrook-oh' });
  });
});
