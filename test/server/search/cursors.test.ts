import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { noMatches } from '../../../query/search/page/written-page.ts';
import type { Position } from '../../../query/search/request/position.ts';
import { createSeal } from '../../../server/auth/seal.ts';
import { type Fixture, openFixture, SECRET } from '../service-fixture.ts';

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
const AT: Position = { state: 'ME', fips: '23019', ord: 4, file: 'f', key: ['852b1b4ffffffff', 7, 'd'] };
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

describe('what the engine is asked', () => {
  it('normalises states, cities, counties and dates; names each output once', async () => {
    const { status } = await post({
      filters: [
        { field: 'state2', op: 'in', value: [' me', 'NH '] },
        { field: 'city', op: 'eq', value: ' BANGOR ' },
        { field: 'county', op: 'in', value: ['Penobscot County', '33015'] },
        { field: 'saledate', op: 'between', value: ['2024-05-31', '2024-05-31T12:00:00.5Z'] },
      ],
      fields: ['apn', 'city', 'apn', 'geometry'],
      limit: 100,
    });
    expect(status).toBe(200);
    const { request } = fixture.engine.searches[0]!;
    expect(request.filters.tests.map(test => test.operands)).toEqual([
      ['ME', 'NH'],
      ['bangor'],
      ['penobscot', '33015'],
      [Date.UTC(2024, 4, 31), Date.UTC(2024, 4, 31, 12, 0, 0, 500)],
    ]);
    expect(request.outputs).toEqual(['state2', 'city', 'county', 'saledate', 'apn', 'geometry']);
    expect(request).toMatchObject({ countyByFips: true, limit: 100, after: null });
  });

  it('reads a county of a million spaces as fast as any other text', async () => {
    const name = `x${' '.repeat(1_000_000)}x`;
    const large = await openFixture({ limits: { bodyLimit: 10_000_000 } });
    for (const value of [name, `${name}  county `])
      expect((await post(filtered({ field: 'county', op: 'eq', value }), large)).status).toBe(200);
    const asked = large.engine.searches.map(({ request }) => request.filters.tests.at(-1)!.operands[0] === name);
    expect(asked).toEqual([true, true]);
    await large[Symbol.asyncDispose]();
  });

  it('takes 10 matches by default and 180 seconds', async () => {
    await post(filtered());
    const { request, deadline } = fixture.engine.searches[0]!;
    expect(request.limit).toBe(10);
    expect(deadline - fixture.clock.now()).toBe(180_000);
  });
});

describe('cursors', () => {
  const seal = createSeal(SECRET, 'plat search cursor');
  const claimsOf = (cursor: string) => JSON.parse(seal.open(cursor)!) as Record<string, unknown>;
  const page = async (body: unknown) => {
    fixture.engine.found = { matches: noMatches(), status: 'limited', reason: 'limit_reached', next: AT };
    return (await post(body)).body.next_cursor as string;
  };

  it('carry on where the page ended, with any limit', async () => {
    const cursor = await page(filtered({ field: 'acreage', op: 'in', value: [2, 1] }));
    const { status } = await post({ ...filtered({ field: 'acreage', op: 'in', value: [1, 2] }), cursor, limit: 7 });
    expect(status).toBe(200);
    expect(fixture.engine.searches[1]!.request).toMatchObject({ after: AT, limit: 7 });
  });

  it('mean enrich false, said or not', async () => {
    const cursor = await page(filtered());
    expect((await post({ ...filtered(), cursor, enrich: false })).status).toBe(200);
    const { enrich, ...before } = claimsOf(cursor);
    expect(enrich).toBe(false);
    const old = seal.close(JSON.stringify(before));
    expect((await post({ ...filtered(), cursor: old })).status).toBe(200);
    fixture.engine.searches.length = 0;
    const switched = await refusal({ ...filtered(), cursor: old, enrich: true });
    expect(switched.issues[0]!.description).toMatch(/another value of `enrich`/);
  });

  it.each<[string, (cursor: string) => Promise<unknown> | unknown, RegExp]>([
    ['changed filters', cursor => ({ ...filtered({ field: 'acreage', op: 'gt', value: 1 }), cursor }), /other filters/],
    ['changed fields', cursor => ({ ...filtered(), fields: ['apn'], cursor }), /other filters/],
    ['a changed byte', cursor => ({ ...filtered(), cursor: `${cursor.slice(0, -2)}AA` }), /not one that/],
    ['a byte less', cursor => ({ ...filtered(), cursor: cursor.slice(0, -1) }), /not one that/],
    ['a space more', cursor => ({ ...filtered(), cursor: `${cursor} ` }), /not one that/],
    ['an API token', () => ({ ...filtered(), cursor: fixture.token }), /not one that/],
  ])('are refused with %s', async (_, change, reason) => {
    const cursor = await page(filtered());
    fixture.engine.searches.length = 0;
    const { issues } = await refusal(await change(cursor));
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatchObject({ path: 'cursor', description: expect.stringMatching(reason) });
  });

  it('are refused to another account and after an hour', async () => {
    const cursor = await page(filtered());
    const other = await fixture.state.openAccount('other@example.org', 'build');
    const foreign = await post({ ...filtered(), cursor }, fixture, await fixture.tokens.issue(other));
    expect(foreign.body.detail.issues[0].description).toMatch(/another account/);
    fixture.clock.time += 3_600_000;
    const late = await post({ ...filtered(), cursor });
    expect(late.body.detail.issues[0].description).toMatch(/expired/);
  });

  it('outlive a clock that jumps an hour forward and back', async () => {
    const before = await page(filtered());
    fixture.clock.time += 3_600_000;
    const ahead = await page(filtered());
    fixture.clock.time -= 3_600_000;
    for (const cursor of [before, ahead]) expect((await post({ ...filtered(), cursor })).status).toBe(200);
  });

  it('tell nobody what they hold', async () => {
    const cursor = await page(filtered());
    expect(claimsOf(cursor)).toMatchObject({ at: AT, sub: fixture.account.id });
    expect(cursor).toMatch(/^[\w-]+$/);
    const bytes = Buffer.from(cursor, 'base64url').toString('latin1');
    for (const said of ['23019', '852b1b4', fixture.account.id]) expect(bytes).not.toContain(said);
    // The same page twice: two cursors, because each has its nonce.
    expect(await page(filtered())).not.toBe(cursor);
    expect(createSeal(SECRET, 'another purpose').open(cursor)).toBeNull();
  });
});

it('answers matches, status, reason, request id and cursor, nothing else', async () => {
  const { body } = await post(filtered());
  expect(body).toEqual({
    matches: [],
    status: 'complete',
    completion_reason: 'exhausted',
    request_id: 'r-1',
    next_cursor: null,
  });
});

it('passes on what was found wrong with an area before reads', async () => {
  fixture.engine.found = { issues: [{ path: 'filters[1].value', description: 'd', hint: 'h' }] };
  const { status, body } = await post(filtered({ field: 'geometry', op: 'within', value: square(0, 0) }));
  expect([status, body.detail.error, body.detail.issues]).toEqual([
    422,
    'search_invalid_request',
    [{ path: 'filters[1].value', description: 'd', hint: 'h' }],
  ]);
});
