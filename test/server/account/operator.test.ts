import { afterEach, expect, it } from 'vitest';
import type { PlaceState } from '../../../query/release/home/place-states.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';
import { describeStores } from '../state/state-stores.ts';

const well = { askedAt: '2026-11-28T03:00:00.000Z', newAt: '2026-11-21T03:00:00.000Z', failedSince: null, why: null };
const failing = { ...well, failedSince: '2026-11-14T03:00:00.000Z', why: 'answered 404' };
const STATES: Readonly<Record<string, PlaceState>> = {
  'a-me': { ...well, files: {} },
  'b-me': { ...well, files: { 'zoning.geojson': failing } },
};

describeStores('what operators see', kind => {
  let fixture: Fixture | null = null;
  afterEach(() => fixture?.app.close());

  it('is how places stand, the failing ones first, and for a session of an operator alone', async () => {
    fixture = await openFixture({
      state: await kind.open(await kind.place()),
      between: services => ({ ...services, places: () => STATES }),
    });
    const { app, state, token, account } = fixture;
    const ask = async (bearer: string) => {
      const reply = await app.inject({ url: '/v1/operator/places', headers: { authorization: `Bearer ${bearer}` } });
      return { status: reply.statusCode, json: reply.json() };
    };
    const session = await fixture.session();
    expect((await ask(session)).json.detail.error).toBe('operator_only');
    await state.accountRecords.setOperator(account.id, true, Date.now(), 'test');
    expect((await ask(token)).json.detail.error).toBe('auth_method_not_allowed');
    const { status, json } = await ask(session);
    expect([status, json.places.map(({ place }: { place: string }) => place)]).toEqual([200, ['b-me', 'a-me']]);
    expect(json.places[0].files).toEqual([
      {
        file: 'zoning.geojson',
        asked_at: well.askedAt,
        new_at: well.newAt,
        failed_since: failing.failedSince,
        why: 'answered 404',
      },
    ]);
    expect((await app.inject('/readyz')).json()).not.toHaveProperty('places');
  });
});
