import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { noMatches } from '../../../query/search/page/written-page.ts';
import type { Position } from '../../../query/search/request/position.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(() => {
  fixture.engine.searches.length = 0;
  fixture.engine.found = { matches: noMatches(), status: 'complete', reason: 'exhausted', next: null };
});

const STATE = { field: 'state', op: 'eq', value: 'ME' };
const _AT: Position = { state: 'ME', fips: '23019', ord: 4, file: 'f', key: ['852b1b4ffffffff', 7, 'd'] };
const square = (x: number, y: number, size = 0.1) => ({
  type: 'Polygon',
  coordinates: [
    [
      [x, y],
      [x + size, y],
      [x + size, y + size],
      [x, y + size],
      [x, y],
    ],
  ],
});

interface Detail {
  error: string;
  message: string;
  retryable: boolean;
  docs_url: string;
  request_id: string;
  issues: { path: string; description: string; hint: string }[];
}

async function post(body: unknown, of: Fixture = fixture, token = of.token) {
  const response = await of.app.inject({
    method: 'POST',
    url: '/v1/search',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-request-id': 'r-1' },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.statusCode, headers: response.headers, text: response.body, body: response.json() };
}

const filtered = (...filters: unknown[]) => ({ filters: [STATE, ...filters] });

async function refusal(body: unknown): Promise<Detail> {
  const { status, body: answer } = await post(body);
  expect(status, JSON.stringify(answer)).toBe(422);
  expect(Object.keys(answer.detail).sort()).toEqual([
    'docs_url',
    'error',
    'issues',
    'message',
    'request_id',
    'retryable',
  ]);
  expect(answer.detail).toMatchObject({ retryable: false, request_id: 'r-1' });
  for (const issue of answer.detail.issues) expect(Object.keys(issue).sort()).toEqual(['description', 'hint', 'path']);
  expect(fixture.engine.searches).toEqual([]);
  return answer.detail;
}

describe('what is refused before any read', () => {
  it.each<[string, unknown, string]>([
    ['no body', '', 'body'],
    ['malformed JSON', '{"filters": [secretword', 'body'],
    ['a name given twice', '{"filters": [], "filters": []}', 'body'],
    ['a list', [], 'body'],
    ['no filters', {}, 'filters'],
    ['null filters', { filters: null }, 'filters'],
    ['no state', { filters: [{ field: 'acreage', op: 'gt', value: 1 }] }, 'filters'],
    ['a county alone', { filters: [{ field: 'county', op: 'eq', value: '23019' }] }, 'filters'],
    ['an area alone', { filters: [{ field: 'geometry', op: 'within', value: square(0, 0) }] }, 'filters'],
    ['ne alone', { filters: [{ field: 'state', op: 'ne', value: 'ME' }] }, 'filters'],
    ['an empty list of states', { filters: [{ field: 'state2', op: 'in', value: [] }] }, 'filters[0].value'],
    ['no state code', { filters: [{ field: 'state', op: 'eq', value: 'Maine' }] }, 'filters[0].value'],
    ['a territory', { filters: [{ field: 'state', op: 'eq', value: 'PR' }] }, 'filters[0].value'],
    ['between of states', { filters: [{ field: 'state', op: 'between', value: ['ME', 'NH'] }] }, 'filters[0].op'],
    ['an unknown key', { ...filtered(), secretword: 1 }, 'body'],
    ['parcel_filters', { ...filtered(), parcel_filters: [] }, 'parcel_filters'],
    ['fetch_filters', { ...filtered(), fetch_filters: [] }, 'fetch_filters'],
    ['a top-level state', { ...filtered(), state: 'ME' }, 'state'],
    ['a key too many in a filter', filtered({ ...STATE, secretword: 1 }), 'filters[1]'],
    ['a filter without a value', filtered({ field: 'apn', op: 'eq' }), 'filters[1]'],
    ['an unknown name', filtered({ field: 'secretword', op: 'eq', value: 1 }), 'filters[1].field'],
    ['an internal name', filtered({ field: 'parcel_key', op: 'eq', value: 'x' }), 'filters[1].field'],
    ['an enrich-only name', filtered({ field: 'owner_assemblage', op: 'eq', value: 'x' }), 'filters[1].field'],
    ['a name without a column', filtered({ field: 'elevation', op: 'gt', value: 1 }), 'filters[1].field'],
    ['an output as a filter', filtered({ field: 'parcel_geometry_wkt', op: 'eq', value: 'x' }), 'filters[1].field'],
    ['an unknown operator', filtered({ field: 'acreage', op: 'secretword', value: 1 }), 'filters[1].op'],
    ['order of text', filtered({ field: 'apn', op: 'lt', value: 'x' }), 'filters[1].op'],
    ['order of booleans', filtered({ field: 'struct', op: 'gte', value: true }), 'filters[1].op'],
    ['an area of a number', filtered({ field: 'acreage', op: 'within', value: 1 }), 'filters[1].op'],
    ['eq of an area', filtered({ field: 'geometry', op: 'eq', value: square(0, 0) }), 'filters[1].op'],
    ['null', filtered({ field: 'acreage', op: 'eq', value: null }), 'filters[1].value'],
    ['null in a list', filtered({ field: 'acreage', op: 'in', value: [1, null] }), 'filters[1].value[1]'],
    ['a numeric string', filtered({ field: 'acreage', op: 'eq', value: '1' }), 'filters[1].value'],
    ['a number for a code', filtered({ field: 'apn', op: 'eq', value: 12 }), 'filters[1].value'],
    ['a string for a boolean', filtered({ field: 'struct', op: 'eq', value: 'true' }), 'filters[1].value'],
    ['a county without its zero', filtered({ field: 'county', op: 'eq', value: '1001' }), 'filters[1].value'],
    ['a county as a number', filtered({ field: 'county', op: 'eq', value: 23019 }), 'filters[1].value'],
    ['one bound', filtered({ field: 'acreage', op: 'between', value: [1] }), 'filters[1].value'],
    ['bounds that descend', filtered({ field: 'acreage', op: 'between', value: [2, 1] }), 'filters[1].value'],
    ['in without a list', filtered({ field: 'acreage', op: 'in', value: 1 }), 'filters[1].value'],
    ['30 February', filtered({ field: 'saledate', op: 'eq', value: '2024-02-30' }), 'filters[1].value'],
    [
      'parts of a millisecond',
      filtered({ field: 'saledate', op: 'eq', value: '2024-02-03T00:00:00.0009Z' }),
      'filters[1].value',
    ],
    ['a ligature for two letters', { filters: [{ field: 'state', op: 'eq', value: 'ﬂ' }] }, 'filters[0].value'],
    ['local time', filtered({ field: 'updated_at', op: 'lt', value: '2024-02-03T10:00:00' }), 'filters[1].value'],
    ['enrich null', { ...filtered(), enrich: null }, 'enrich'],
    ['enrich as text', { ...filtered(), enrich: 'true' }, 'enrich'],
    ['enrich as a number', { ...filtered(), enrich: 1 }, 'enrich'],
    ['limit 0', { ...filtered(), limit: 0 }, 'limit'],
    ['limit 1.5', { ...filtered(), limit: 1.5 }, 'limit'],
    ['limit null', { ...filtered(), limit: null }, 'limit'],
    ['fields null', { ...filtered(), fields: null }, 'fields'],
    ['an unknown output', { ...filtered(), fields: ['apn', 'secretword'] }, 'fields[1]'],
    ['an enrich-only output', { ...filtered(), fields: ['parcel_constraint_zones'] }, 'fields[0]'],
    ['an internal output', { ...filtered(), fields: ['ord'] }, 'fields[0]'],
    ['a cursor that is none', { ...filtered(), cursor: 'secretword' }, 'cursor'],
    ['a null cursor', { ...filtered(), cursor: null }, 'cursor'],
  ])('%s', async (_, body, path) => {
    const { error, issues } = await refusal(body);
    expect(error).toBe('search_invalid_request');
    expect(issues.map(issue => issue.path)).toContain(path);
    expect(JSON.stringify(issues)).not.toContain('secretword');
  });

  it.each<[string, unknown, RegExp]>([
    ['broken JSON', '{"filters": [secretword', /not valid JSON/],
    ['depth', '['.repeat(70) + ']'.repeat(70), /more than 64 deep/],
    ['a mark', '\uFEFF{}', /byte order mark/],
    ['a name given twice', '{"filters": [], "filters": []}', /name twice/],
    ['an output as a filter', filtered({ field: 'parcel_geometry_wkt', op: 'eq', value: 'x' }), /an output, no filter/],
    ['an operator of areas', filtered({ field: 'apn', op: 'within', value: 'x' }), /`apn` does not take `within`/],
    ['half of a surrogate pair', filtered({ field: 'apn', op: 'eq', value: '\ud800' }), /surrogate/],
  ])('%s, saying which', async (_, body, reason) => {
    expect((await refusal(body)).issues[0]!.description).toMatch(reason);
  });

  it.each([
    ['wrong names, which are all listed', 600, (i: number) => `x${i}`, 600, ' 600 things'],
    ['more wrong names than any request has', 1_200, (i: number) => `x${i}`, 1_000, 'at least 1000 things'],
    ['values that are no names', 600, (i: number) => i, 50, 'at least 50 things'],
  ])('%s, without a wrong count', async (_, length, field, listed, count) => {
    const { issues, message } = await refusal({ ...filtered(), fields: Array.from({ length }, (_, i) => field(i)) });
    expect([issues.length, message]).toEqual([listed, expect.stringContaining(count)]);
  });

  it.each<[string, unknown, string]>([
    ['a Feature', { type: 'Feature', geometry: square(0, 0) }, ''],
    ['a crs', { ...square(0, 0), crs: {} }, ''],
    ['a Point', { type: 'Point', coordinates: [0, 0] }, '.type'],
    ['altitude', { type: 'Polygon', coordinates: [[[0, 0, 1]]] }, '.coordinates[0]'],
    [
      'altitude in a whole ring',
      { type: 'Polygon', coordinates: [square(0, 0).coordinates[0]!.map(p => [...p, 0])] },
      '.coordinates[0][0]',
    ],
    [
      'an open ring',
      { type: 'Polygon', coordinates: [square(0, 0).coordinates[0]!.slice(0, 4)] },
      '.coordinates[0][3]',
    ],
    ['longitude 181', square(180.95, 0), '.coordinates[0][0]'],
    ['no rings', { type: 'Polygon', coordinates: [] }, '.coordinates'],
    ['text in a position', { type: 'MultiPolygon', coordinates: [[[['0', 0]]]] }, '.coordinates[0][0]'],
  ])('an area with %s', async (_, value, tail) => {
    const { issues } = await refusal(filtered({ field: 'geometry', op: 'intersects', value }));
    expect(issues[0]!.path).toBe(`filters[1].value${tail}`);
  });

  it('counts vertices over all areas', async () => {
    const round = (n: number) => {
      const ring = Array.from({ length: n }, (_, i) => [
        Math.cos((2 * Math.PI * i) / n),
        Math.sin((2 * Math.PI * i) / n),
      ]);
      return { type: 'Polygon', coordinates: [[...ring, ring[0]]] };
    };
    const area = (n: number) => ({ field: 'geometry', op: 'intersects', value: round(n) });
    fixture.engine.found = { matches: noMatches(), status: 'complete', reason: 'exhausted', next: null };
    const large = await openFixture({ limits: { bodyLimit: 10_000_000 } });
    expect((await post(filtered(area(4999), area(4999)), large)).status).toBe(200);
    const over = await post(filtered(area(4999), area(5000)), large);
    expect(over.body.detail.issues[0].path).toBe('filters[2].value.coordinates[0]');
    await large[Symbol.asyncDispose]();
  });

  it('says a limit above 100 by its own code, never clamped', async () => {
    expect((await refusal({ ...filtered(), limit: 101 })).error).toBe('search_limit_exceeded');
  });

  it.each([
    [
      { done: 300, total: 3000, perSecond: 50 },
      '300 of 3000 parcels are done.',
      /in about 54 s, at the pace so far; writing/,
    ],
    [{ done: 1, total: 9001, perSecond: 1 }, '1 of 9001 parcels are done.', /in about 2\.5 h,/],
    [{ done: 0, total: 3000, perSecond: 0 }, '0 of 3000 parcels are done.', /cannot be told before the first/],
    [
      { done: 3000, total: 3000, perSecond: 50 },
      '3000 of 3000 parcels are done.',
      /shortly: the values are being written/,
    ],
  ])('by a field that is being calculated, with how long it takes: %o', async (progress, description, hint) => {
    fixture.engine.progress = { ...progress, fields: ['elevation'] };
    const test = (field: string) => ({ field, op: 'gt', value: 1 });
    const { issues } = await refusal(filtered(test('elevation'), test('slope_degrees')));
    fixture.engine.progress = null;
    expect(issues[0]).toMatchObject({
      description: `\`elevation\` is being calculated: ${description}`,
      hint: expect.stringMatching(hint),
    });
    // Nothing is promised of what is not being calculated.
    expect(issues[1]!.description).toBe(
      '`slope_degrees` has no column for parcels in this release: it is not calculated yet.',
    );
  });

  it('several things at once', async () => {
    const { issues } = await refusal({ filters: [{ field: 'apn', op: 'lt', value: 1 }], limit: 0, fields: 1 });
    expect(issues.map(issue => issue.path).sort()).toEqual(['fields', 'filters', 'filters[0].op', 'limit']);
  });

  it('a search without a token, before its body is judged', async () => {
    const response = await fixture.app.inject({ method: 'POST', url: '/v1/search', payload: '{' });
    expect(response.statusCode).toBe(401);
    expect(response.json().detail.error).toBe('auth_missing');
  });

  it('any search where no cursor secret is configured: 503 with Retry-After 3', async () => {
    const bare = await openFixture({ cursors: false });
    const { status, headers, body } = await post(filtered(), bare);
    expect([status, headers['retry-after'], body.detail.error]).toEqual([503, '3', 'search_unavailable']);
    expect(bare.engine.searches).toEqual([]);
    await bare[Symbol.asyncDispose]();
  });
});
