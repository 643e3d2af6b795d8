// OWASP API1:2023, broken object level authorization: two accounts on every operation that takes an id.
import { afterEach, beforeEach, expect, it } from 'vitest';
import { noMatches } from '../../query/search/page/written-page.ts';
import { describeDoors } from '../server/state/state-stores.ts';
import { statementsOf } from '../server/state/statements.ts';
import { bearer, call, isGood, missingObject, objectFor, openWorld, type Reply, type World } from './world.ts';

/** Ids of the same form that nothing has: of each the last character is another. */
const unknownIds = (ids: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, id.slice(0, -1) + (id.endsWith('a') ? 'b' : 'a')]));

/** Whose token it is, which is remembered for a moment, and what pg-boss does by itself. */
const OTHER_WORK = /from "tokens" inner join "accounts"|plat_jobs/;

describeDoors('objects of another account', kind => {
  let world: World;
  beforeEach(async () => {
    world = await openWorld({ state: await kind.open(await kind.place()) });
  });
  afterEach(() => world.fixture.app.close());

  it('are answered as if they were none, by the same work, on every operation that takes an id, and stay their owner’s', async () => {
    const { operations, ann, bob } = world;
    const naming = operations.filter(({ ids }) => ids.length > 0);
    expect(naming.filter(({ entry }) => !entry.object).map(missingObject)).toEqual([]);
    // The first request of a session makes its account, whatever it asks.
    const usage = operations.find(({ name }) => name === 'GET /v1/users/me/usage')!;
    expect((await call(world, usage, bearer(bob.session))).status).toBe(200);
    for (const operation of naming) {
      const ids = await objectFor(world, operation, ann);
      // Mail about what was made goes on beside the next request.
      await Promise.all(world.fixture.outliving);
      const { callers, object, refuses } = operation.entry;
      const theirs = [bob.session, ...(callers === 'accounts' && !refuses ? [bob.token] : [])];
      for (const credential of theirs) {
        const answers: Reply[] = [];
        const ask = async (one: Readonly<Record<string, string>>) => {
          const work = async () => void answers.push(await call(world, operation, bearer(credential), { ids: one }));
          return (await statementsOf(work)).filter(text => !OTHER_WORK.test(text));
        };
        const work = [await ask(ids), await ask(unknownIds(ids))];
        const [foreign, unknown] = answers as [Reply, Reply];
        // The same is done for both, so that no clock tells one from the other.
        expect(work[1], operation.name).toEqual(work[0]);
        if (!operation.path.includes('/tokens/')) expect(work[0]!.length, operation.name).toBeGreaterThan(0);
        expect([foreign.status, foreign.json?.detail?.error], operation.name).toEqual([404, object!.code]);
        expect({ status: unknown.status, json: unknown.json }, operation.name).toEqual({
          status: foreign.status,
          json: foreign.json,
        });
      }
      if (operation.entry.endless) continue;
      const own = await call(world, operation, bearer(ann.session), { ids });
      expect(isGood(operation, own.status), `${operation.name}: ${own.status} ${own.text}`).toBe(true);
    }
  });

  it('keys that callers choose are of their account: the same one of another is another request', async () => {
    const { operations, ann, bob } = world;
    const batch = operations.find(({ name }) => name === 'POST /v1/fetch/batch')!;
    const ask = (who: string, fields: string[]) =>
      call(
        world,
        batch,
        { ...bearer(who), 'idempotency-key': 'shared-key-1' },
        { body: { ...batch.entry.body, fields } },
      );
    expect((await ask(ann.token, ['elevation'])).status).toBe(200);
    const other = await ask(bob.token, ['slope_degrees']);
    expect([other.status, other.json.replayed]).toEqual([200, undefined]);
    const filing = operations.find(({ name }) => name === 'POST /v1/field-requests')!;
    const file = async (who: string, description: string) =>
      (await call(world, filing, bearer(who), { body: { ...filing.entry.body, description, idempotency_key: 'k' } }))
        .json.request_id;
    expect(await file(ann.token, 'one')).not.toBe(await file(bob.token, 'another'));
  });

  it('a cursor of another account leads nowhere', async () => {
    const { fixture, operations, ann, bob } = world;
    const next = { state: 'ME', fips: '23019', ord: 1, file: 'a', key: ['852b1bcffffffff', 1, 'x'] } as const;
    fixture.engine.found = { matches: noMatches(), status: 'limited', reason: 'limit_reached', next };
    const search = operations.find(({ name }) => name === 'POST /v1/search')!;
    const first = await call(world, search, bearer(ann.token));
    expect(first.json.next_cursor).toEqual(expect.any(String));
    const go = (who: string) =>
      call(world, search, bearer(who), { body: { ...search.entry.body, cursor: first.json.next_cursor } });
    expect((await go(bob.token)).json.detail).toMatchObject({ error: 'search_invalid_request' });
    expect((await go(ann.token)).status).toBe(200);
  });

  it('usage, tokens and settings are of whoever asks', async () => {
    const { fixture, operations, ann, bob } = world;
    const of = (name: string) => operations.find(operation => operation.name === name)!;
    await call(world, of('PATCH /v1/users/me/settings'), bearer(ann.session), { body: { monthly_credit_limit: 7 } });
    await call(world, of('POST /v1/fetch'), bearer(ann.token));
    expect((await call(world, of('GET /v1/users/me/usage'), bearer(bob.token))).json).toMatchObject({
      credits_used: 0,
      self_imposed_limit: null,
    });
    const listed = (await call(world, of('GET /v1/users/me/tokens'), bearer(bob.session))).json.tokens;
    expect(listed).toHaveLength(1);
    expect((await fixture.state.tokens(bob.account.id)).map(row => row.jti)).toEqual([listed[0].id]);
  });
});
