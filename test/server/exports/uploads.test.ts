import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ExportThreads } from '../../../server/exports/threads.ts';
import { exportThreads } from '../../../server/exports/threads.ts';
import { type Fixture, openFixture, smallCatalog } from '../service-fixture.ts';

let fixture: Fixture;
let threads: ExportThreads;
beforeAll(async () => {
  fixture = await openFixture();
  threads = exportThreads(smallCatalog);
});
afterAll(() => fixture.app.close());

const send = (payload: string | Buffer, type = 'text/csv', more: Readonly<Record<string, string>> = {}) =>
  fixture.app.inject({
    method: 'POST',
    url: '/v1/uploads',
    headers: { authorization: `Bearer ${fixture.token}`, 'content-type': type, ...more },
    payload,
  });

const SQUARE = {
  type: 'Polygon',
  coordinates: [
    [
      [-68, 44],
      [-67.9, 44],
      [-67.9, 44.1],
      [-68, 44],
    ],
  ],
};
const feature = (geometry: object | null, properties: object = {}) => ({ type: 'Feature', geometry, properties });
const collection = (...features: object[]) => JSON.stringify({ type: 'FeatureCollection', features });

it.each([
  ['CSV', 'text/csv; charset=utf-8', '\ufeffcustom_id,Latitude,LONGITUDE\r\na,44,-68\r\n\r\n"b",45,-69\r\n', 2],
  ['CSV of addresses', 'text/csv', 'address\n"73 Harlow St, Bangor, ME 04401"\n', 1],
  ['CSV with WKT', 'text/csv', 'id,wkt\n1,"POLYGON ((-68 44 7, -67.9 44 7, -67.9 44.1 7, -68 44 7))"\n', 1],
  ['NDJSON', 'application/x-ndjson', '{"custom_id": 7, "lat": 44, "lng": -68}\n\n{"lat": 44, "lng": -68}', 2],
  ['GeoJSONSeq', 'application/geo+json-seq', `\u001e${JSON.stringify(feature(SQUARE))}\n`, 1],
  ['GeoJSON', 'application/geo+json', collection(feature(SQUARE, { custom_id: 'a' }), feature(SQUARE)), 2],
])('%s is taken', async (_, type, body, rows) => {
  const answer = await send(body, type);
  expect([answer.statusCode, answer.json()]).toMatchObject([201, { rows }]);
  expect(Object.keys(answer.json()).sort()).toEqual(['columns', 'expires_at', 'rows', 'upload_id']);
});

it('Parquet is taken, with points in numbers or in WKB', async () => {
  const numbers = parquetWriteBuffer({
    columnData: [
      { name: 'custom_id', data: [1, 2], type: 'INT32' },
      { name: 'lat', data: [44, 45], type: 'DOUBLE' },
      { name: 'lon', data: [-68, -69], type: 'DOUBLE' },
    ],
  });
  const wkb = Buffer.alloc(21);
  wkb.writeUInt8(1, 0);
  wkb.writeUInt32LE(1, 1);
  wkb.writeDoubleLE(-68, 5);
  wkb.writeDoubleLE(44, 13);
  const shapes = parquetWriteBuffer({
    columnData: [{ name: 'geometry', data: [new Uint8Array(wkb)], type: 'BYTE_ARRAY' }],
  });
  for (const [bytes, rows] of [
    [numbers, 2],
    [shapes, 1],
  ] as const) {
    const answer = await send(Buffer.from(bytes), 'application/vnd.apache.parquet');
    expect([answer.statusCode, answer.json()]).toMatchObject([201, { rows }]);
  }
});

it.each([
  ['ids that repeat', 'text/csv', 'custom_id,lat,lng\na,1,1\nb,1,1\na,1,1', 3, 'custom_id'],
  ['a text for a number', 'text/csv', 'lat,lng\n44,-68\nnorth,-68', 2, 'lat'],
  ['half a coordinate', 'text/csv', 'lat,lng\n44,', 1, 'lng'],
  ['two ways to name a place', 'text/csv', 'lat,lng,address\n44,-68,1 Main St', 1, null],
  ['no place', 'text/csv', 'lat,lng\n,', 1, null],
  ['no column of a place', 'text/csv', 'custom_id,name\na,b', 1, null],
  ['two columns of one meaning', 'text/csv', 'lat,latitude,lng\n1,1,1', 1, 'lat'],
  ['a line of other length', 'text/csv', 'lat,lng\n44,-68\n44', 2, null],
  ['a quote that never ends', 'text/csv', 'lat,lng\n"44,-68\n44,-68', 1, null],
  ['nothing', 'text/csv', 'lat,lng\n', 1, null],
  ['places of two kinds', 'application/x-ndjson', '{"lat":44,"lng":-68}\n{"address":"1 Main St"}', 2, null],
  ['no JSON', 'application/x-ndjson', '{"lat":44,"lng":-68}\n{"lat":', 2, null],
  ['a line', 'application/geo+json', collection(feature({ type: 'LineString', coordinates: [] })), 1, 'geometry'],
  ['no geometry', 'application/geo+json', collection(feature(SQUARE), feature(null)), 2, null],
  ['no collection', 'application/geo+json', JSON.stringify(SQUARE), 1, null],
  ['no Parquet', 'application/vnd.apache.parquet', 'PAR1 and nothing', 1, null],
])('%s is refused with its row and column', async (_, type, body, row, column) => {
  const answer = await send(body, type);
  expect([answer.statusCode, answer.json().detail]).toMatchObject([422, { error: 'upload_invalid', row, column }]);
});

it('bytes that are not in UTF-8 are refused with their row, also where an older encoding has letters', async () => {
  const body = Buffer.concat([Buffer.from('address\n1 Main St\n'), Buffer.from([0x52, 0xe9, 0x0a])]);
  const answer = await send(body);
  expect(answer.json().detail).toMatchObject({ error: 'upload_invalid', row: 2, column: null });
});

it('a row more than may be is refused, and so are bytes more than may be', async () => {
  const line = '44,-68\n';
  const most = `lat,lng\n${line.repeat(100_000)}`;
  expect(await threads.takeIn('csv', Buffer.from(most))).toMatchObject({ rows: 100_000, kind: 'point' });
  const rows = await send(`${most}${line}`);
  expect([rows.statusCode, rows.json().detail.error]).toEqual([413, 'upload_too_large']);
  const bytes = await send(Buffer.alloc(64 * 1024 * 1024 + 1, '1'));
  expect([bytes.statusCode, bytes.json().detail.error]).toEqual([413, 'upload_too_large']);
});

it('other types, and compressed files, are refused', async () => {
  for (const type of ['application/json', 'text/plain', 'application/zip'])
    expect((await send('{}', type)).json().detail.error).toBe('upload_type_unsupported');
  expect((await send('lat,lng\n44,-68', 'text/csv', { 'content-encoding': 'gzip' })).statusCode).toBe(415);
});
