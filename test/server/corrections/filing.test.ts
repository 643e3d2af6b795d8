import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { correctedValue, sameNames } from '../../../server/corrections/correctable.ts';
import { ShapeError } from '../../../server/http/shape.ts';
import { type Fixture, openFixture, smallCatalog } from '../service-fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(() => {
  fixture.engine.reset();
  fixture.engine.answers.set('elevation', { value: 12.5 });
});

const BODY = {
  field: 'elevation',
  lat: 44.8,
  lng: -68.77,
  value: 17,
  evidence: { url: 'https://surveys.example.org/17', note: 'A surveyor measured it.' },
};

const post = (payload: object, token = fixture.token) =>
  fixture.app.inject({
    method: 'POST',
    url: '/v1/corrections',
    headers: { authorization: `Bearer ${token}` },
    payload,
  });
const get = (path: string, token = fixture.token) =>
  fixture.app.inject({ url: `/v1/corrections${path}`, headers: { authorization: `Bearer ${token}` } });

it('a correction is filed with what was answered, read and listed, and costs nothing', async () => {
  const filed = await post(BODY);
  expect(filed.statusCode).toBe(202);
  const { correction_id: id, ...rest } = filed.json();
  expect(id).toMatch(/^cor_[a-z2-7]{26}$/);
  expect(rest).toEqual({ status: 'received', poll: `/v1/corrections/${id}` });
  const record = (await get(`/${id}`)).json();
  expect(record).toEqual({
    correction_id: id,
    status: 'received',
    field: 'elevation',
    value: 17,
    unit: 'm',
    place: { lat: 44.8, lng: -68.77, parcel_id: null },
    evidence: BODY.evidence,
    source_says: {
      value: 12.5,
      status: 'ok',
      source: 'test_dem',
      source_url: 'https://example.org/dem',
      dataset_vintage: '2021',
      release: 'r1',
    },
    reason: null,
    created_at: expect.any(String),
    updated_at: record.created_at,
  });
  expect((await get('?limit=1')).json()).toEqual({ corrections: [record], next_cursor: null });
});

it('a field of the parcel is corrected for the parcel that holds the place, and for none where there is none', async () => {
  const body = { ...BODY, field: 'zoning', value: 'x' };
  expect((await post(body)).json()).toMatchObject({ detail: { error: 'parcel_not_found' } });
  const point = { lng: -68.7701, lat: 44.8001 };
  const properties = { apn: '1' };
  fixture.engine.parcel = {
    status: 'matched',
    parcel: { parcelId: 'pcl_a', analysisPoint: point, properties } as never,
  };
  const { correction_id: id } = (await post(body)).json();
  expect((await get(`/${id}`)).json().place).toEqual({ ...point, parcel_id: 'pcl_a' });
  fixture.engine.parcel = { status: 'no_match', reason: 'none' };
});

it('what cannot be corrected, and what cannot be a value of the field, is refused and nothing is filed', async () => {
  const count = async () => (await get('')).json().corrections.length;
  const before = await count();
  const wrong: readonly [object, number, string][] = [
    [{ ...BODY, field: 'elevatoin' }, 400, 'fields_unknown'],
    [{ ...BODY, field: 'owner', value: 'Me' }, 422, 'says who owns'],
    [{ ...BODY, field: 'owner_assemblage', value: 'x' }, 422, 'says who owns|calculated'],
    [{ ...BODY, field: 'acreage', value: 3 }, 422, 'outline'],
    [{ ...BODY, field: 'geoid', value: '23019' }, 422, 'which parcel'],
    [{ ...BODY, field: 'parcel_apn', value: 'x' }, 422, 'which parcel'],
    [{ ...BODY, value: 'high' }, 422, 'a number'],
    [{ ...BODY, field: 'flood_note', value: 3 }, 422, 'a text'],
    [{ ...BODY, field: 'flood_note', value: 'two\nlines' }, 422, 'a text of one line'],
    [{ ...BODY, value: 12.5 }, 422, 'differ from what is answered'],
    [{ ...BODY, value: null }, 422, 'value'],
    [{ ...BODY, evidence: { note: ' ' } }, 422, 'note'],
    [{ ...BODY, evidence: { ...BODY.evidence, url: 'javascript:alert(1)' } }, 422, 'url'],
    [{ ...BODY, evidence: { ...BODY.evidence, url: 'https://a.example/\u202egpj.exe' } }, 422, 'url'],
    [{ ...BODY, evidence: { ...BODY.evidence, url: 'https://a.example/\u009b31m' } }, 422, 'url'],
    [{ ...BODY, address: '73 Harlow St' }, 422, 'invalid_locator'],
    [{ ...BODY, parcel_id: 'pcl_a' }, 422, 'invalid_locator'],
    [{ ...BODY, lat: 0 }, 400, 'coord_out_of_bounds'],
    [{ ...BODY, callback: { webhook_url: 'https://10.0.0.1/hook' } }, 422, 'webhook_url'],
    [{ ...BODY, status: 'accepted' }, 422, 'extra_forbidden'],
  ];
  for (const [body, status, says] of wrong) {
    const reply = await post(body);
    expect([reply.statusCode, reply.body]).toEqual([status, expect.stringMatching(says)]);
  }
  expect(await count()).toBe(before);
});

it('an account may have 20 that nobody decided, and reads none of another', async () => {
  const other = await fixture.state.openAccount('other@example.org', 'build');
  const token = await fixture.tokens.issue(other);
  const ids: string[] = [];
  for (let i = 0; i < 20; i++) {
    const reply = await post({ ...BODY, value: 100 + i }, token);
    expect(reply.statusCode).toBe(202);
    ids.push(reply.json().correction_id);
  }
  // Whether a guess is right is not told either, or it would be told for nothing.
  const guess = await post({ ...BODY, value: 12.5 }, token);
  expect(guess.json().detail.error).toBe('corrections_limited');
  const full = await post({ ...BODY, value: 99 }, token);
  expect([full.statusCode, full.json().detail.error]).toEqual([429, 'corrections_limited']);
  expect((await get(`/${ids[0]}`)).json().detail.error).toBe('correction_not_found');
  expect((await get('/cor_x', token)).statusCode).toBe(404);
});

it('the names of one value are corrected together', () => {
  expect([sameNames(smallCatalog, 'parcel_apn'), sameNames(smallCatalog, 'apn')]).toEqual([['apn'], ['parcel_apn']]);
  expect([sameNames(smallCatalog, 'elevation'), sameNames(smallCatalog, 'zoning')]).toEqual([[], []]);
});

it('values are brought into the form that the field answers', () => {
  const field = (type: string, precision: number | null = null) =>
    ({ name: 'a', type, unit: null, precision, dataset: 'd' }) as Parameters<typeof correctedValue>[0];
  expect(correctedValue(field('number', 0.1), 12.3456)).toBe(12.3);
  expect(correctedValue(field('string'), ' R-1 ')).toBe('R-1');
  expect(correctedValue(field('date'), '2026-02-28')).toBe('2026-02-28');
  expect(correctedValue(field('timestamp'), '2026-02-28T08:00:00+02:00')).toBe('2026-02-28T06:00:00.000Z');
  expect(correctedValue(field('boolean'), false)).toBe(false);
  for (const [type, value] of [
    ['integer', 1.5],
    ['number', Number.NaN],
    ['date', '2026-02-30x'],
    ['date', '2026-02-30'],
    ['timestamp', 'soon'],
    ['timestamp', '1'],
    ['timestamp', '2026-02-30T08:00:00Z'],
    ['string', 'R\u202e1'],
    ['string', 'two\u2028lines'],
    ['string', 'half \ud800'],
    ['boolean', 'yes'],
    ['string', '  '],
  ] as const)
    expect(() => correctedValue(field(type), value), type).toThrow(ShapeError);
  // The list of what is corrected would have no number there, and could not be read any more.
  expect(() => correctedValue(field('number', 0.1), 1e308)).toThrow(ShapeError);
});
