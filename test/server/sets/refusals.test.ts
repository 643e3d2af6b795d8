import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Fixture, openFixture } from '../service-fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());

const STATE = { field: 'state', op: 'eq', value: 'ME' };
const ACRES = { field: 'acreage', direction: 'desc' };
const COUNT = { op: 'count' };

async function post(url: string, body: unknown) {
  const response = await fixture.app.inject({
    method: 'POST',
    url,
    headers: { authorization: `Bearer ${fixture.token}`, 'content-type': 'application/json' },
    payload: typeof body === 'string' ? body : JSON.stringify({ filters: [STATE], ...(body as object) }),
  });
  return { status: response.statusCode, body: response.json() };
}

describe('POST /v1/rank', () => {
  it('asks the engine what was meant and adds nothing to its matches', async () => {
    fixture.engine.ranked = {
      matches: '[{"apn":"7","rank":1}]',
      considered: 9,
      absent: 2,
      failed: 1,
      unknown: 3,
      unread: true,
      empty: ['acreage'],
      notices: [],
    };
    const { status, body } = await post('/v1/rank', {
      order_by: [{ field: 'city', direction: 'asc' }, ACRES],
      fields: ['apn'],
    });
    expect(status).toBe(200);
    expect(body).toEqual({
      matches: [{ apn: '7', rank: 1 }],
      considered: 9,
      absent: 2,
      failed: 1,
      unknown: 3,
      warnings: [expect.stringContaining('acreage'), expect.stringMatching(/^Not all parcels .* the ranking is of/)],
    });
    expect(fixture.engine.rankings.at(-1)).toMatchObject({
      criteria: [
        { name: 'city', kind: 'string', direction: 'asc' },
        { name: 'acreage', kind: 'number', direction: 'desc' },
      ],
      scored: false,
      limit: 20,
      outputs: ['state', 'apn'],
    });
  });

  it('takes what a score prefers', async () => {
    const score = [{ field: 'acreage', weight: 0.5, prefer: { near: 44.8 } }];
    expect((await post('/v1/rank', { score, limit: 1_000 })).status).toBe(200);
    expect(fixture.engine.rankings.at(-1)).toMatchObject({
      criteria: [{ name: 'acreage', weight: 0.5, prefer: { near: 44.8 } }],
      scored: true,
      limit: 1_000,
    });
  });

  it.each<[string, unknown, string]>([
    ['neither order nor score', {}, 'body'],
    ['both', { order_by: [ACRES], score: [{ field: 'acreage', weight: 1, prefer: 'high' }] }, 'body'],
    ['an empty order', { order_by: [] }, 'order_by'],
    ['six fields', { order_by: Array.from({ length: 6 }, () => ACRES) }, 'order_by'],
    ['a field twice', { order_by: [ACRES, ACRES] }, 'order_by'],
    ['an unknown direction', { order_by: [{ ...ACRES, direction: 'up' }] }, 'order_by[0].direction'],
    ['an unknown name', { order_by: [{ ...ACRES, field: 'acres' }] }, 'order_by[0].field'],
    ['an outline', { order_by: [{ ...ACRES, field: 'geometry' }] }, 'order_by[0].field'],
    ['a further key', { order_by: [{ ...ACRES, nulls: 'first' }] }, 'order_by[0]'],
    ['a score of text', { score: [{ field: 'city', weight: 1, prefer: 'high' }] }, 'score[0].field'],
    ['a weight of nothing', { score: [{ field: 'acreage', weight: 0, prefer: 'high' }] }, 'score[0].weight'],
    ['a wish for nothing', { score: [{ field: 'acreage', weight: 1, prefer: {} }] }, 'score[0].prefer'],
    ['a wish of null', { score: [{ field: 'acreage', weight: 1, prefer: null }] }, 'score[0].prefer'],
    ['a thousand and one', { order_by: [ACRES], limit: 1_001 }, 'limit'],
    ['a cursor', { order_by: [ACRES], cursor: 'x' }, 'body'],
    ['NaN', '{"filters": [], "score": [{"field": "acreage", "weight": NaN, "prefer": "high"}]}', 'body'],
    [
      'more than any number',
      '{"filters": [{"field": "state", "op": "eq", "value": "ME"}], "score": [{"field": "acreage", "weight": 1e999, "prefer": "high"}]}',
      'score[0].weight',
    ],
  ])('refuses %s', async (_, body, path) => {
    const { length } = fixture.engine.rankings;
    const answer = await post('/v1/rank', body);
    expect(answer.status).toBe(422);
    expect(answer.body.detail).toMatchObject({ error: 'search_invalid_request', retryable: false });
    expect(answer.body.detail.issues.map((issue: { path: string }) => issue.path)).toEqual([path]);
    expect(fixture.engine.rankings).toHaveLength(length);
  });
});

describe('POST /v1/aggregate', () => {
  it('asks the engine what was meant', async () => {
    const measures = [COUNT, { op: 'quantile', field: 'acreage', q: 0.5 }, { op: 'max', field: 'saledate' }];
    const group_by = ['county', { h3: 7 }, { bins: 'acreage', edges: [1, 5] }];
    expect((await post('/v1/aggregate', { group_by, measures, geometry: true, min_count: 9 })).status).toBe(200);
    expect(fixture.engine.aggregates.at(-1)).toMatchObject({
      groupBy: [{ by: 'county' }, { by: 'h3', resolution: 7 }, { by: 'bins', edges: [1, 5] }],
      measures: [
        { op: 'count', field: null },
        { op: 'quantile', field: { name: 'acreage', kind: 'number' }, q: 0.5 },
        { op: 'max', field: { name: 'saledate', kind: 'date' } },
      ],
      geometry: true,
      minCount: 9,
      stacked: false,
    });
  });

  it('says that there are too many groups', async () => {
    const { aggregated } = fixture.engine;
    fixture.engine.aggregated = { tooMany: 10_000 };
    const { status, body } = await post('/v1/aggregate', { group_by: ['apn'], measures: [COUNT] });
    fixture.engine.aggregated = aggregated;
    expect(status).toBe(422);
    expect(body.detail).toMatchObject({ error: 'groups_too_many', retryable: false });
  });

  it.each<[string, unknown, string]>([
    ['no measures', {}, 'measures'],
    ['an unknown operation', { measures: [{ op: 'median', field: 'acreage' }] }, 'measures[0].op'],
    ['a sum of nothing', { measures: [{ op: 'sum' }] }, 'measures[0].field'],
    ['a sum of text', { measures: [{ op: 'sum', field: 'city' }] }, 'measures[0].field'],
    ['a mean of dates', { measures: [{ op: 'mean', field: 'saledate' }] }, 'measures[0].field'],
    ['a quantile without a share', { measures: [{ op: 'quantile', field: 'acreage' }] }, 'measures[0].q'],
    ['a share above all', { measures: [{ op: 'quantile', field: 'acreage', q: 1.1 }] }, 'measures[0].q'],
    ['a share of a sum', { measures: [{ op: 'sum', field: 'acreage', q: 0.5 }] }, 'measures[0].q'],
    ['four groupings', { group_by: ['city', 'zip', 'county', 'apn'], measures: [COUNT] }, 'group_by'],
    ['cells of countries', { group_by: [{ h3: 3 }], measures: [COUNT] }, 'group_by[0].h3'],
    ['edges that fall', { group_by: [{ bins: 'acreage', edges: [2, 1] }], measures: [COUNT] }, 'group_by[0].edges'],
    ['bins of text', { group_by: [{ bins: 'city', edges: [1] }], measures: [COUNT] }, 'group_by[0].bins'],
    ['an unknown grouping', { group_by: [{ hex: 7 }], measures: [COUNT] }, 'group_by[0]'],
    ['a geometry without cells', { group_by: ['city'], measures: [COUNT], geometry: true }, 'geometry'],
    ['a truth value as text', { measures: [COUNT], stacked: 'yes' }, 'stacked'],
  ])('refuses %s', async (_, body, path) => {
    const { length } = fixture.engine.aggregates;
    const answer = await post('/v1/aggregate', body);
    expect(answer.status).toBe(422);
    expect(answer.body.detail.issues.map((issue: { path: string }) => issue.path)).toEqual([path]);
    expect(fixture.engine.aggregates).toHaveLength(length);
  });
});

describe('filters of sets', () => {
  it('ask for values and for parts of texts', async () => {
    const filters = [
      STATE,
      { field: 'city', op: 'contains', value: 'Oro' },
      { field: 'apn', op: 'starts_with', value: '0' },
      { field: 'acreage', op: 'is_null' },
      { field: 'saledate', op: 'not_null' },
    ];
    expect((await post('/v1/search/count', { filters })).status).toBe(200);
    expect(fixture.engine.countings.at(-1)!.filters.slice(1)).toEqual([
      { name: 'city', kind: 'city', op: 'contains', text: 'oro' },
      { name: 'apn', kind: 'string', op: 'starts_with', text: '0' },
      { name: 'acreage', kind: 'number', op: 'is_null', text: '' },
      { name: 'saledate', kind: 'date', op: 'not_null', text: '' },
    ]);
  });

  it.each<[string, object, string]>([
    ['a value where none is taken', { field: 'city', op: 'is_null', value: null }, 'filters[1].value'],
    ['no text', { field: 'city', op: 'contains', value: '' }, 'filters[1].value'],
    ['a number as text', { field: 'city', op: 'starts_with', value: 7 }, 'filters[1].value'],
    ['a part of a number', { field: 'acreage', op: 'contains', value: '7' }, 'filters[1].op'],
    ['a value that is missing', { field: 'city', op: 'eq' }, 'filters[1]'],
    ['an enrichment of one parcel', { field: 'owner_assemblage', op: 'not_null' }, 'filters[1].field'],
  ])('are refused: %s', async (_, filter, path) => {
    const answer = await post('/v1/search/count', { filters: [STATE, filter] });
    expect(answer.status).toBe(422);
    expect(answer.body.detail.issues.map((issue: { path: string }) => issue.path)).toEqual([path]);
  });

  it('are no filters of a page', async () => {
    const filters = [STATE, { field: 'city', op: 'contains', value: 'oro' }];
    const answer = await post('/v1/search', { filters });
    expect(answer.status).toBe(422);
    expect(answer.body.detail.issues[0].path).toBe('filters[1].op');
  });
});
