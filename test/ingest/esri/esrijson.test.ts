import { describe, expect, it } from 'vitest';
import { openSource } from '../../../ingest/format.ts';
import { readRows, scratch } from '../readers/scratch.ts';

const write = scratch();
type Xy = readonly unknown[];
const square = (x: number, y: number): Xy[] => [
  [x, y],
  [x, y + 1],
  [x + 1, y + 1],
  [x + 1, y],
  [x, y],
];
const FIELDS = [
  { name: 'OBJECTID', type: 'esriFieldTypeOID' },
  { name: 'PIN', type: 'esriFieldTypeString' },
  { name: 'SALE', type: 'esriFieldTypeDate' },
  { name: 'ACRES', type: 'esriFieldTypeDouble' },
];
const HEAD = { geometryType: 'esriGeometryPolygon', spatialReference: { wkid: 4326 }, fields: FIELDS };
const features = (...geometries: unknown[]) =>
  geometries.map((geometry, i) => ({ attributes: { OBJECTID: i + 1 }, geometry }));
const esri = (rows: readonly unknown[], head: object = HEAD) => JSON.stringify({ ...head, features: rows });
const shapes = async (text: string) =>
  (await readRows(write('a.json', text))).map(({ geometry, unread }) =>
    geometry ? `${geometry.type} ${geometry.xy.length / 2}` : (unread?.reason ?? null),
  );

describe('Esri JSON', () => {
  it('has parts of several kinds in one file, which GDAL refuses', async () => {
    const [one, two] = [{ rings: [square(-85, 42)] }, { rings: [square(-85, 42), square(-80, 42)] }];
    expect(await shapes(esri(features(one, two)))).toEqual(['Polygon 5', 'MultiPolygon 10']);
    expect(await shapes(esri(features(two, one)))).toEqual(['MultiPolygon 10', 'Polygon 5']);
    const [path, paths] = [{ paths: [square(-85, 42)] }, { paths: [square(-85, 42), square(-80, 42)] }];
    expect(await shapes(esri(features(paths, path)))).toEqual(['MultiLineString 10', 'LineString 5']);
  });

  it('loses the one row without a geometry that can be read', async () => {
    const whole = { rings: [square(-85, 42)] };
    const odd = [
      { rings: [] },
      null,
      { x: 'NaN', y: 'NaN' },
      { rings: [[[1, 2], 7]] },
      { rings: 'a' },
      { rings: [[[1]]] },
    ];
    const read = await shapes(esri(features(...odd, { rings: [square(-85, 42).map(xy => [...xy, null])] }, whole)));
    expect(read.slice(0, 3)).toEqual([null, null, null]);
    expect(read[3]).toContain('a segment is 7');
    expect(read[4]).toContain('its geometry is no Esri JSON');
    expect(read[5]).toContain('a vertex is [1]');
    expect(read.slice(6)).toEqual(['Polygon 5', 'Polygon 5']);
    const bare = esri(features({ x: -85, y: 42 }, { x: 'NaN', y: 'NaN' })).replaceAll('"NaN"', 'NaN');
    expect(await shapes(bare)).toEqual(['Point 1', null]);
  });

  it('has values as their fields say, and all digits of a number', async () => {
    const text = `{"features":[{"attributes":{"OBJECTID":12345678901234567,"PIN":5,"SALE":1583280000000,"ACRES":"1.5"}},{"attributes":{}}],"geometryType":"esriGeometryPoint","spatialReference":{"wkid":102100},"fields":${JSON.stringify(FIELDS)}}`;
    const path = write('b.json', text);
    const source = await openSource(path);
    expect([source.crs, source.columns]).toEqual(['ESRI:102100', ['OBJECTID', 'PIN', 'SALE', 'ACRES']]);
    expect((await readRows(path)).map(({ properties }) => properties)).toEqual([
      { OBJECTID: '12345678901234567', PIN: '5', SALE: '2020-03-04T00:00:00Z', ACRES: 1.5 },
      { OBJECTID: null, PIN: null, SALE: null, ACRES: null },
    ]);
  });
});
