import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Fixture, openFixture } from '../service-fixture.ts';

const [OLD, NEW] = ['20261101-0f1e2d3c', '20261120-ab12cd34'];
let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());
beforeEach(() => {
  const { engine } = fixture;
  engine.comparisons.length = 0;
  engine.kept = [OLD, NEW];
  engine.current = { ...engine.current, release: NEW };
  engine.changed = { layers: [], parcels: [], gaps: [], next: null };
  engine.before = async () => {};
});

async function get(query: string, of: Fixture = fixture, token = of.token) {
  const reply = await of.app.inject({ url: `/v1/changes${query}`, headers: { authorization: `Bearer ${token}` } });
  return { status: reply.statusCode, headers: reply.headers, body: reply.json() };
}
const refused = async (query: string, of = fixture, token = of.token) => {
  const { status, body } = await get(query, of, token);
  return { status, ...body.detail };
};

describe('GET /v1/changes', () => {
  it('answers what the engine found of the two releases', async () => {
    const layers = [{ dataset: 'parcel_store', layer: 'main', added: 1, removed: 0, changed: 2 }];
    fixture.engine.changed = { layers, parcels: [], gaps: [], next: null };
    const { status, body } = await get(`?since=${OLD}&state=ME&fields=parcel_apn,apn,parcel_apn&limit=7`);
    expect([status, body]).toEqual([
      200,
      { since: OLD, release: NEW, layers, parcels: [], gaps: [], next_cursor: null },
    ]);
    expect(fixture.engine.comparisons).toEqual([
      expect.objectContaining({
        since: OLD,
        to: NEW,
        state: 'ME',
        fields: ['parcel_apn', 'apn'],
        limit: 7,
        from: null,
      }),
    ]);
  });

  it('costs nothing', async () => {
    await get(`?since=${OLD}`);
    const usage = await fixture.app.inject({
      url: '/v1/users/me/usage',
      headers: { authorization: `Bearer ${fixture.token}` },
    });
    expect(usage.json()).toMatchObject({ credits_used: 0 });
  });

  it('names the releases that are kept when another one is asked for', async () => {
    expect(await refused('?since=20250101-00000000')).toMatchObject({
      status: 404,
      error: 'release_not_kept',
      retryable: false,
      kept: [OLD, NEW],
      message: expect.stringContaining(`Kept are ${OLD}, ${NEW}`),
    });
    fixture.engine.kept = [];
    fixture.engine.current = { ...fixture.engine.current, release: null };
    expect(await refused(`?since=${OLD}`)).toMatchObject({ error: 'release_not_kept', kept: [] });
    expect(fixture.engine.comparisons).toEqual([]);
  });

  it.each([
    ['', 422],
    ['?since=yesterday', 422],
    [`?since=${OLD}&state=Maine`, 422],
    [`?since=${OLD}&limit=0`, 422],
    [`?since=${OLD}&limit=1001`, 422],
    [`?since=${OLD}&fields=`, 422],
    [`?since=${OLD}&fields=a,,b`, 422],
    [`?since=${OLD}&since=${NEW}`, 422],
    [`?since=${OLD}&states=ME`, 422],
    [`?since=../../etc/passwd`, 422],
  ])('refuses %s by its shape', async (query, status) => {
    const reply = await get(query);
    expect([reply.status, Array.isArray(reply.body.detail)]).toEqual([status, true]);
  });

  it('refuses fields that are none, and more than fifty', async () => {
    expect(await refused(`?since=${OLD}&fields=apn,elevatoin,nothing`)).toMatchObject({
      status: 400,
      error: 'fields_unknown',
      fields_unknown: ['elevatoin', 'nothing'],
    });
    const many = Array.from({ length: 51 }, (_, i) => `filler_${i}`).join();
    expect(await refused(`?since=${OLD}&fields=${many}`)).toMatchObject({ error: 'fields_too_many', max: 50 });
  });

  it('goes on where a page ended, with the same two releases', async () => {
    const next = { of: 'parcels', county: 'ME/23019', share: 0, side: 'after', ord: 40 } as const;
    fixture.engine.changed = { layers: [], parcels: [], gaps: [], next };
    const query = `?since=${OLD}&state=ME&fields=apn,parval`;
    const { body } = await get(query);
    expect(body.next_cursor).toMatch(/^[\w-]+$/);
    // Another release is published meanwhile.
    fixture.engine.kept = [OLD, NEW, '20261121-00000000'];
    fixture.engine.current = { ...fixture.engine.current, release: '20261121-00000000' };
    const cursor = body.next_cursor;
    const more = await get(`?since=${OLD}&state=ME&fields=parval,apn&limit=3&cursor=${cursor}`);
    expect(more).toMatchObject({ status: 200, body: { release: NEW } });
    expect(fixture.engine.comparisons.at(-1)).toMatchObject({ to: NEW, from: next, limit: 3 });
    for (const [other, reason] of [
      [`?since=${OLD}&fields=apn,parval`, 'made for another'],
      [`?since=${NEW}&state=ME&fields=apn,parval`, 'made for another'],
      [`${query},city`, 'made for another'],
    ])
      expect(await refused(`${other}&cursor=${cursor}`)).toMatchObject({
        status: 422,
        error: 'changes_cursor_invalid',
        message: expect.stringContaining(reason!),
      });
    expect((await refused(`${query}&cursor=${cursor}x`)).message).toContain('not one that this service made');
    const other = await fixture.tokens.issue(await fixture.state.openAccount('other@example.org', 'build'));
    expect((await refused(`${query}&cursor=${cursor}`, fixture, other)).message).toContain('another account');
    fixture.engine.kept = [OLD];
    expect(await refused(`${query}&cursor=${cursor}`)).toMatchObject({ error: 'release_not_kept', kept: [OLD] });
    fixture.engine.kept = [OLD, NEW];
    fixture.clock.time += 3600_000;
    expect((await refused(`${query}&cursor=${cursor}`)).message).toContain('expired');
    fixture.clock.time -= 3600_000;
  });

  it('says why releases cannot be compared now', async () => {
    fixture.engine.changed = { failed: 'release x cannot be opened', late: false };
    const { status, headers, body } = await get(`?since=${OLD}`);
    expect([status, headers['retry-after'], body.detail]).toMatchObject([
      503,
      '3',
      { error: 'changes_unavailable', retryable: true, message: expect.stringContaining('cannot be opened') },
    ]);
    await using bare = await openFixture({ cursors: false });
    bare.engine.kept = [OLD, NEW];
    expect(await refused(`?since=${OLD}`, bare)).toMatchObject({ status: 503, error: 'changes_unavailable' });
  });
});
