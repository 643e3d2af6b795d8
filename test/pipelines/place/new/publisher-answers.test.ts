import { afterAll, beforeAll, expect, it } from 'vitest';
import { readDirectory } from '../../../../datasets/directory/source-directory.ts';
import { Client } from '../../../../ingest/acquire/client.ts';
import { parseMirror } from '../../../../ingest/acquire/mirror.ts';
import { countyOf } from '../../../../pipelines/place/new/county.ts';
import { askPublishers } from '../../../../pipelines/place/new/publisher-answers.ts';
import { sourcesOf } from '../../../../pipelines/place/new/sources.ts';
import { columnsOfExpression } from '../../../../pipelines/steps/normalise.ts';
import { mapServer } from '../../../ingest/acquire/map-server.ts';
import { Publisher } from '../../../ingest/acquire/publisher.ts';

const publisher = new Publisher();
const of = countyOf('24003');
const { layers: sources } = sourcesOf(readDirectory(), of, 'parcels', false);
const pathOf = (url: string) => url.replace('https:/', '').replace(/\?.*$/, '');
const WATERSHEDS = '/hydro.nationalmap.gov/arcgis/rest/services/wbd/MapServer/4/query';
const SOILS = '/sdmdataaccess.sc.egov.usda.gov/Tabular/post.rest';
const client = () => new Client({ mirror: parseMirror(`*=${publisher.origin}`), wait: async () => {}, retries: 1 });

beforeAll(() => publisher.start());
afterAll(() => publisher.stop());

it('tell the pieces of a county, and what the columns of its parcels are beside their number', async () => {
  const asked: URLSearchParams[] = [];
  publisher.handlers.set(WATERSHEDS, (_, response, { searchParams }) => {
    asked.push(searchParams);
    const features = ['02060003', '02060004', '02060006', '02070010'].map(HUC8 => ({ attributes: { HUC8 } }));
    response.end(JSON.stringify({ features }));
  });
  publisher.handlers.set(SOILS, (request, response) => {
    request.resume();
    const rows = [
      ['areasymbol', 'saverest'],
      ['MD003', '9/5/2025 4:47:36 PM'],
      ['US', '10/1/2025 1:00:00 AM'],
    ];
    request.on('end', () => response.end(JSON.stringify({ Table: rows })));
  });
  const [source] = sources;
  const number = columnsOfExpression(source!.layer.columns.apn!)[0]!;
  const ids = Array.from({ length: 80 }, (_, i) => i + 1);
  const rows = ids.map(id => {
    const [x, y] = [-76.6 + 0.001 * id, 38.9];
    const ring = [
      [x, y],
      [x, y + 0.0008],
      [x + 0.0008, y + 0.0008],
      [x + 0.0008, y],
      [x, y],
    ];
    const attributes = {
      OBJECTID: id,
      [number]: `02-000-${String(90_000_000 + id)}`,
      OWNER_NAME: `${['SMITH', 'JONES', 'LEE', 'GARCIA'][id % 4]} ${['ANN', 'BOB', 'CARL'][id % 3]}`,
      LAND_VALUE: 50_000 + 137 * id,
      YEAR_BUILT: 1950 + (id % 70),
      ZONING: ['R1', 'R2', 'C1'][id % 3],
      SHAPE_LENG: 12.5 * id,
    };
    return { attributes, geometry: { rings: [ring] } };
  });
  mapServer(publisher, pathOf(source!.at.url!), {
    ...{ rows, ids, field: 'OBJECTID', offsets: 'taken' },
    description: {
      geometryType: 'esriGeometryPolygon',
      fields: Object.keys(rows[0]!.attributes).map(name => ({
        name,
        type: name === 'OBJECTID' ? 'esriFieldTypeOID' : 'esriFieldTypeString',
      })),
    },
  });
  const { pieces, guesses, open } = await askPublishers(of, [source!], () => true, client());
  expect(open).toEqual([]);
  expect(pieces.get('huc4')).toEqual(['0206', '0207']);
  expect(pieces.get('area')).toEqual(['MD003']);
  expect(asked[0]!.get('geometry')!.split(',').map(Number)[0]).toBeCloseTo(-76.85, 1);
  const found = guesses.get(source!.file)!;
  const read = Object.fromEntries(Object.entries(found).map(([name, one]) => [name, columnsOfExpression(one)]));
  expect(read).toMatchObject({
    owner: ['OWNER_NAME'],
    landval: ['LAND_VALUE'],
    yearbuilt: ['YEAR_BUILT'],
    zoning: ['ZONING'],
  });
  expect(Object.keys(found)).not.toContain('apn');
});

it('stay open where nobody answers, and nothing is guessed', async () => {
  publisher.handlers.clear();
  const { pieces, guesses, open } = await askPublishers(of, sources, name => name === 'huc4', client());
  expect([pieces.size, guesses.size]).toEqual([0, 0]);
  expect(open.map(({ what }) => what)).toEqual([
    'the pieces of NHDPlus HR',
    ...sources.filter(({ at }) => at.via === 'arcgis').map(({ file }) => `columns of ${file} beside its parcel number`),
  ]);
  expect(open[0]!.why).toContain('404');
});
