import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Fixture, openFixture } from '../service-fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());

const STATE = { field: 'state', op: 'eq', value: 'ME' };
/** A valid body for each endpoint that looks at `Accept`. */
const BODIES = {
  '/v1/fetch': { lat: 44.8, lng: -68.77, fields: ['elevation'] },
  '/v1/fetch/batch': { locations: [{ lat: 44.8, lng: -68.77 }], fields: ['elevation'] },
  '/v1/search': { filters: [STATE] },
  '/v1/rank': { filters: [STATE], order_by: [{ field: 'acreage', direction: 'desc' }] },
  '/v1/aggregate': { filters: [STATE], measures: [{ op: 'count' }] },
} as const;
const PATHS = Object.keys(BODIES) as (keyof typeof BODIES)[];

const post = (url: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  fixture.app.inject({
    method: 'POST',
    url,
    headers: { authorization: `Bearer ${fixture.token}`, 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(body),
  });

it.each(PATHS)('%s gives the same bytes without Accept and for every way to ask for JSON', async path => {
  const usual = await post(path, BODIES[path], { 'x-request-id': 'r' });
  expect([usual.statusCode, usual.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  for (const accept of [
    '*/*',
    'application/*',
    'application/json',
    'application/json; charset=utf-8',
    'text/html, application/json;q=0.9, */*;q=0.8',
    'text/csv;q=0.4, application/json;q=0.5',
    'application/vnd.apache.arrow.stream;q=0, */*',
  ]) {
    const { statusCode, headers, body } = await post(path, BODIES[path], { accept, 'x-request-id': 'r' });
    expect([accept, statusCode, headers.vary]).toEqual([accept, 200, usual.headers.vary]);
    expect([accept, headers['content-type'], body]).toEqual([accept, usual.headers['content-type'], usual.body]);
  }
});

it.each(PATHS)('%s answers in the format of the highest weight, and says that it depends on Accept', async path => {
  const { headers } = await post(path, BODIES[path], { accept: 'application/json;q=0.5, text/csv;q=0.6, text/html' });
  expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
  expect(headers.vary).toMatch(/(^|, )Accept$/);
});

it.each(PATHS)('%s refuses what takes none of its formats after authentication and before cost', async path => {
  const accept = 'text/html, image/png';
  const { statusCode } = await post(path, BODIES[path], { accept, authorization: 'Bearer nobody' });
  expect(statusCode).toBe(401);
  const calls = fixture.engine.calls.length;
  const refused = await post(path, BODIES[path], { accept });
  expect([refused.statusCode, refused.headers['content-type']]).toEqual([406, 'application/json; charset=utf-8']);
  expect(refused.json().detail).toMatchObject({
    error: 'not_acceptable',
    retryable: false,
    accepted: [
      'application/json',
      'application/vnd.apache.arrow.stream',
      'text/csv',
      'application/geo+json',
      'application/vnd.apache.parquet',
    ],
  });
  expect(fixture.engine.calls.length).toBe(calls);
  const { body } = await post(path, BODIES[path], { accept: 'application/json;q=0' });
  expect(JSON.parse(body).detail.error).toBe('not_acceptable');
});

it.each(PATHS)('%s tells what is wrong in JSON whatever Accept takes', async path => {
  const { statusCode, headers } = await post(path, { nonsense: 1 }, { accept: 'text/csv' });
  expect([statusCode, headers['content-type']]).toEqual([422, 'application/json; charset=utf-8']);
});

it('looks at Accept nowhere else', async () => {
  const { statusCode } = await post('/v1/search/count', { filters: [STATE] }, { accept: 'text/html' });
  expect(statusCode).toBe(200);
});

it('puts an apostrophe before text that a spreadsheet would run, in CSV alone, and never before a number', async () => {
  fixture.engine.answers.set('elevation', { value: -3.5 });
  for (const [i, text] of ['=1+1', '+1', '-1', '@sum', '=cmd|"x",1'].entries()) {
    // A place of its own: answers are kept for a day.
    const body = { lat: 44.5 + i / 100, lng: -68.7, fields: ['flood_note', 'elevation', 'slope_degrees'] };
    fixture.engine.answers.set('flood_note', { value: text });
    fixture.engine.answers.set('slope_degrees', { status: 'absent', value: null });
    const { body: csv } = await post('/v1/fetch', body, { accept: 'text/csv' });
    const [names, values] = csv.split('\r\n');
    expect(names).toBe('lat,lng,source,fetched_at,flood_note,elevation,slope_degrees,status');
    const cell = /[",]/.test(text) ? `"'${text.replaceAll('"', '""')}"` : `'${text}`;
    expect(values!.endsWith(`,${cell},-3.5,,slope_degrees:absent`), values).toBe(true);
    const { features } = (await post('/v1/fetch', body, { accept: 'application/geo+json' })).json();
    expect(features[0].properties).toMatchObject({ flood_note: text, elevation: -3.5, slope_degrees: null });
  }
});
