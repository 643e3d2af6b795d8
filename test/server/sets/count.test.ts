import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Fixture, openFixture } from '../service-fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());

const STATE = { field: 'state', op: 'eq', value: 'ME' };
const LARGE = { field: 'acreage', op: 'gt', value: 5 };

async function post(body: unknown) {
  const response = await fixture.app.inject({
    method: 'POST',
    url: '/v1/search/count',
    headers: { authorization: `Bearer ${fixture.token}`, 'content-type': 'application/json' },
    payload: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.statusCode, body: response.json() };
}

it('answers with the keys of the design, filters by their place', async () => {
  fixture.engine.counted = {
    count: 3,
    outlines: 2,
    atLeast: true,
    unread: true,
    unknown: 1,
    perFilter: [
      { alone: 9, without: 5 },
      { alone: 5, without: null },
    ],
    preview: '[{"apn":"1"}]',
    notices: [{ kind: 'no_county' }],
  };
  const { status, body } = await post({ filters: [LARGE, STATE], bound: 7 });
  expect(status).toBe(200);
  expect(body).toEqual({
    count: 3,
    outlines: 2,
    at_least: true,
    unknown: 1,
    warnings: [
      'This release holds no parcels of a county that the filters leave.',
      expect.stringMatching(/^Not all parcels .* the count is of those that were\.$/),
    ],
    per_filter: [
      { index: 0, alone: 9, without: 5 },
      { index: 1, alone: 5, without: null },
    ],
    preview: [{ apn: '1' }],
  });
  const asked = fixture.engine.countings.at(-1)!;
  expect(asked.filters.map(filter => 'name' in filter && filter.name)).toEqual(['acreage', 'state']);
  expect(asked).toMatchObject({ bound: 7, outputs: ['acreage', 'state'] });
});

it('counts to a hundred thousand where no bound is sent, and to a million at most', async () => {
  await post({ filters: [STATE] });
  expect(fixture.engine.countings.at(-1)!.bound).toBe(100_000);
  expect((await post({ filters: [STATE], bound: 1_000_000 })).status).toBe(200);
});

it.each<[string, unknown, string]>([
  ['no object', [], 'body'],
  ['no JSON', '{', 'body'],
  ['no state', { filters: [LARGE] }, 'filters'],
  ['a bound of none', { filters: [STATE], bound: 0 }, 'bound'],
  ['a bound above a million', { filters: [STATE], bound: 1_000_001 }, 'bound'],
  ['a bound as text', { filters: [STATE], bound: '5' }, 'bound'],
  ['a key of pages', { filters: [STATE], limit: 5 }, 'body'],
  ['a wrong name', { filters: [STATE, { ...LARGE, field: 'acres' }] }, 'filters[1].field'],
])('refuses as a search does: %s', async (_, body, path) => {
  const { length } = fixture.engine.countings;
  const answer = await post(body);
  expect(answer.status).toBe(422);
  expect(answer.body.detail).toMatchObject({ error: 'search_invalid_request', retryable: false });
  expect(answer.body.detail.issues.map((issue: { path: string }) => issue.path)).toEqual([path]);
  expect(fixture.engine.countings).toHaveLength(length);
});

it('says when nothing could be counted', async () => {
  fixture.engine.counted = { uncounted: 'a file of the release is damaged' };
  const { status, body } = await post({ filters: [STATE] });
  expect(status).toBe(503);
  expect(body.detail).toMatchObject({ error: 'search_unavailable' });
  expect(body.detail.message).toContain('a file of the release is damaged');
});

it('answers areas that are not valid as a search does', async () => {
  const issue = { path: 'filters[1].value', description: 'Self-intersection.', hint: 'Mend it.' };
  fixture.engine.counted = { issues: [issue] };
  const { status, body } = await post({ filters: [STATE] });
  expect(status).toBe(422);
  expect(body.detail.issues).toEqual([issue]);
});
