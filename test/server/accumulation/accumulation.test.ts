import geographiclib from 'geographiclib-geodesic';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomOf } from '../../query/star.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());

async function send(payload: string | Buffer, type = 'text/csv'): Promise<string> {
  const reply = await fixture.app.inject({
    method: 'POST',
    url: '/v1/uploads',
    headers: { authorization: `Bearer ${fixture.token}`, 'content-type': type },
    payload,
  });
  expect(reply.statusCode).toBe(201);
  return reply.json().upload_id;
}

async function post(body: object, token = fixture.token) {
  const reply = await fixture.app.inject({
    method: 'POST',
    url: '/v1/accumulation',
    headers: { authorization: `Bearer ${token}` },
    payload: body,
  });
  return { status: reply.statusCode, body: reply.json() };
}

describe('POST /v1/accumulation', () => {
  it('answers what every pair of 2,500 rows of several parts says', async () => {
    const random = randomOf(7);
    const rows = Array.from({ length: 2_500 }, (_, i) => ({
      ...{ custom_id: `r${i}`, lat: 44 + 0.05 * random(), lng: -69 + 0.05 * random() },
      tiv: i % 50 === 0 ? null : Math.round(1e6 * random()),
    }));
    const csv = [
      'custom_id,lat,lng,note,tiv',
      ...rows.map(r => `${r.custom_id},${r.lat},${r.lng},"a, b",${r.tiv ?? ''}`),
    ];
    const { status, body } = await post({
      upload_id: await send(csv.join('\n')),
      value: 'tiv',
      within_m: 250,
      limit: 2_400,
    });
    expect(status).toBe(200);
    const { WGS84 } = geographiclib.Geodesic;
    const circle = (at: number) => {
      const { lat, lng } = rows[at]!;
      const near = rows.filter(row => row.tiv !== null && WGS84.Inverse(lat, lng, row.lat, row.lng).s12! <= 250);
      return { sum: near.reduce((sum, row) => sum + row.tiv!, 0), points: near.length };
    };
    for (const { row, custom_id: id, sum, points } of body.circles.filter((_: object, i: number) => i % 100 === 0)) {
      expect(id).toBe(rows[row - 1]!.custom_id);
      expect({ sum, points }).toEqual(circle(row - 1));
    }
    const sums = body.circles.map(({ sum }: { sum: number }) => sum);
    expect(sums).toHaveLength(2_400);
    expect(sums).toEqual(sums.toSorted((a: number, b: number) => b - a));
    const { row, lat, lng } = body.worst;
    expect(body.worst).toEqual(body.circles[0]);
    expect([lat, lng]).toEqual([rows[row - 1]!.lat, rows[row - 1]!.lng]);
    expect(body).toMatchObject({ rows: 2_500, without_value: 50, status: 'complete' });
    expect(body.warnings).toEqual([expect.stringContaining('50 rows have no number')]);
    expect(body.total).toBe(rows.reduce((sum, { tiv }) => sum + (tiv ?? 0), 0));
  });

  const point = { type: 'Point', coordinates: [-68, 44] };
  const feature = { type: 'Feature', geometry: point, properties: { tiv: 5, note: 'x', '__proto__ ': 1 } };
  const parquet = parquetWriteBuffer({
    columnData: [
      { name: 'lat', data: [44], type: 'DOUBLE' },
      { name: 'lon', data: [-68], type: 'DOUBLE' },
      { name: 'tiv', data: [5n], type: 'INT64' },
      { name: 'note', data: ['x'], type: 'STRING' },
    ],
  });
  it.each<[string, string, string | Buffer]>([
    ['NDJSON', 'application/x-ndjson', '{"lat": 44, "lng": -68, "tiv": 5, "note": {"a": 1}}\n'],
    ['GeoJSON', 'application/geo+json', JSON.stringify({ type: 'FeatureCollection', features: [feature] })],
    ['Parquet', 'application/vnd.apache.parquet', Buffer.from(parquet)],
  ])('sums the numbers of %s', async (_, type, bytes) => {
    const { body } = await post({ upload_id: await send(bytes, type), value: 'tiv', within_m: 10 });
    expect(body).toMatchObject({ total: 5, worst: { row: 1, custom_id: null, sum: 5, points: 1, lat: 44, lng: -68 } });
  });

  it('tells of a column that is none, and of the nearest name', async () => {
    const id = await send('lat,lng,tiv_usd,note\n44,-68,1,x\n');
    for (const value of ['tiv_us', 'note', 'lat', '__proto__', 'constructor']) {
      const { status, body } = await post({ upload_id: id, value, within_m: 10 });
      expect([status, body.detail.issues[0].path]).toEqual([422, 'value']);
      if (value === 'tiv_us') expect(body.detail.issues[0].hint).toContain('tiv_usd');
      expect(JSON.stringify(body)).not.toContain('__proto__');
    }
  });

  it('wants points', async () => {
    const id = await send('address,tiv\n"73 Harlow St, Bangor, ME 04401",3\n');
    const { status, body } = await post({ upload_id: id, value: 'tiv', within_m: 10 });
    expect([status, body.detail.issues[0].path]).toEqual([422, 'upload_id']);
  });

  it('knows uploads of the account alone', async () => {
    const body = { upload_id: `upl_${'0'.repeat(32)}`, value: 'tiv', within_m: 10 };
    expect(await post(body)).toMatchObject({ status: 404, body: { detail: { error: 'upload_not_found' } } });
  });

  it.each([
    [{ value: 'tiv', within_m: 10 }, 'upload_id'],
    [{ upload_id: 7, value: 'tiv', within_m: 10 }, 'upload_id'],
    [{ upload_id: 'u', value: '', within_m: 10 }, 'value'],
    [{ upload_id: 'u', value: 'tiv' }, 'within_m'],
    [{ upload_id: 'u', value: 'tiv', within_m: 0 }, 'within_m'],
    [{ upload_id: 'u', value: 'tiv', within_m: 100_001 }, 'within_m'],
    [{ upload_id: 'u', value: 'tiv', within_m: 10, limit: 10_001 }, 'limit'],
  ])('refuses %j', async (wrong, path) => {
    const { status, body } = await post(wrong);
    expect(status).toBe(422);
    expect(body.detail.issues.map((issue: { path: string }) => issue.path)).toEqual([path]);
  });
});
