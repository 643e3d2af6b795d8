import { afterEach, expect, it } from 'vitest';
import { createListCursors } from '../../../server/listing/cursor.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';
import { describeStores } from '../state/state-stores.ts';

const open: Fixture[] = [];
afterEach(async () => {
  for (const fixture of open.splice(0)) await fixture.app.close();
});

const POINT = { lat: 44.8, lng: -68.77 };
const RUN = { kind: 'fetch_batch', request: { locations: [POINT, { lat: 1, lng: 1 }], fields: ['elevation'] } };
const REQUEST = { description: 'the age of the sewers', example_locations: [POINT], context_blob: 'mine' };

/** Each list, what files an entry of it, and how entries are named. */
const LISTS = [
  { path: '/v1/runs', body: RUN, entries: 'runs', id: 'run_id' },
  { path: '/v1/field-requests', body: REQUEST, entries: 'field_requests', id: 'request_id' },
] as const;

describeStores('lists', kind => {
  const fixtureOf = async () => {
    const fixture = await openFixture({ state: await kind.open(await kind.place()) });
    open.push(fixture);
    const stranger = await fixture.tokens.issue(await fixture.state.openAccount('stranger@example.org', 'build'));
    const call = (url: string, payload?: object, token = fixture.token) =>
      fixture.app.inject({
        method: payload ? 'POST' : 'GET',
        url,
        headers: { authorization: `Bearer ${token}` },
        ...(payload ? { payload } : {}),
      });
    return { fixture, stranger, call };
  };

  it.each(LISTS)('$path: newest first, page after page, each entry as its own read has it', async list => {
    const { fixture, call, stranger } = await fixtureOf();
    expect((await call(list.path)).json()).toEqual({ [list.entries]: [], next_cursor: null });
    const filed: string[] = [];
    for (let i = 0; i < 5; i++) {
      // Two of them within one millisecond: their ids tell which comes first.
      if (i !== 3) fixture.clock.time += 1_000;
      filed.push((await call(list.path, list.body)).json()[list.id]);
    }
    await call(list.path, list.body, stranger);
    const pages: Record<string, unknown>[][] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await call(`${list.path}?limit=2${cursor && `&cursor=${cursor}`}`);
      expect(page.statusCode, page.payload).toBe(200);
      pages.push(page.json()[list.entries]);
      cursor = page.json().next_cursor;
      // What comes meanwhile is newer than what is read.
      if (pages.length === 1) await call(list.path, list.body);
    }
    expect(pages.map(page => page.length)).toEqual([2, 2, 1]);
    const seen = pages.flat();
    const twins = filed.slice(2, 4).sort().reverse();
    expect(seen.map(entry => entry[list.id])).toEqual([filed[4], ...twins, filed[1], filed[0]]);
    const {
      request: _request,
      result: _result,
      context_blob: _blob,
      ...own
    } = (await call(`${list.path}/${filed[0]}`)).json();
    expect(seen.at(-1)).toEqual(own);
    expect((await call(list.path)).json()[list.entries]).toHaveLength(6);
    expect((await call(list.path, undefined, stranger)).json()[list.entries]).toHaveLength(1);
  });

  it.each(LISTS)('$path: a cursor that is not its own is refused, and so is a limit that is none', async list => {
    const { fixture, call, stranger } = await fixtureOf();
    for (let i = 0; i < 2; i++) await call(list.path, list.body);
    const { next_cursor: cursor } = (await call(`${list.path}?limit=1`)).json();
    const refused = async (text: string, token?: string) => {
      const reply = await call(`${list.path}?limit=1&cursor=${text}`, undefined, token);
      expect([reply.statusCode, reply.json().detail.error]).toEqual([422, 'list_cursor_invalid']);
      return reply.json().detail.message;
    };
    expect(await refused(cursor, stranger)).toContain('another account');
    expect(await refused((cursor[0] === 'A' ? 'B' : 'A') + cursor.slice(1))).toContain(
      'not one that this service made',
    );
    const other = LISTS.find(({ path }) => path !== list.path)!;
    const elsewhere = await call(`${other.path}?cursor=${cursor}`);
    expect(elsewhere.json().detail.message).toContain('it goes on with');
    fixture.clock.time += 3_600_000;
    const fresh = await fixture.tokens.issue(fixture.account);
    expect(await refused(cursor, fresh)).toContain('expired');
    for (const query of ['limit=0', 'limit=51', 'limit=x', 'cursor=', 'state=ME']) {
      const reply = await call(`${list.path}?${query}`, undefined, fresh);
      expect(reply.statusCode, query).toBe(422);
    }
  });

  it('runs that have expired are listed no more', async () => {
    const { fixture, call } = await fixtureOf();
    await call('/v1/runs', RUN);
    fixture.clock.time += 30 * 24 * 3_600_000;
    const token = await fixture.tokens.issue(fixture.account);
    expect((await call('/v1/runs', undefined, token)).json()).toEqual({ runs: [], next_cursor: null });
  });
});

it('a cursor says nothing to who reads it', () => {
  const cursors = createListCursors('s'.repeat(32), { now: () => 0 });
  const cursor = cursors.issue('acc_1', 'runs', { createdAt: 5, id: 'run_a' });
  expect(cursors.judge('acc_1', 'runs', cursor)).toEqual({ createdAt: 5, id: 'run_a' });
  expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toContain('run_a');
});
