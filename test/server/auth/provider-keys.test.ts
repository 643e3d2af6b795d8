import { decodeProtectedHeader, jwtVerify } from 'jose';
import { expect, it } from 'vitest';
import { createSeal } from '../../../server/auth/seal.ts';
import { issueIdToken } from '../../../server/provider/id-token.ts';
import { createProviderKeys } from '../../../server/provider/keys.ts';
import { FakeClock } from '../fake-clock.ts';
import { ISSUER, SECRET } from '../service-fixture.ts';
import { describeStores } from '../state/state-stores.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

describeStores('keys of the embedded provider', kind => {
  const clock = new FakeClock();
  const user = { id: 'u', email: 'u@example.org', password: null, verifiedAt: 1 };
  const server = async (place: Awaited<ReturnType<typeof kind.place>>, secret = SECRET) => {
    const { signingKeys } = await kind.open(place);
    const keys = createProviderKeys(signingKeys, createSeal(secret, 'keys'), clock);
    return {
      signingKeys,
      issue: () => issueIdToken(user, { issuer: ISSUER, audience: 'plat', keys, clock }),
      accepts: (token: string) =>
        jwtVerify(token, keys.verifying, { currentDate: new Date(clock.now()) }).then(
          () => true,
          () => false,
        ),
    };
  };

  it('are shared by servers that start at once, and verify each others tokens', async () => {
    const place = await kind.place();
    const [a, b] = await Promise.all([server(place), server(place)]);
    const [one, two] = await Promise.all([a.issue(), b.issue()]);
    clock.time += 2_000;
    for (const token of [one, two]) for (const { accepts } of [a, b]) expect(await accepts(token)).toBe(true);
  });

  it('rotate every thirty days, published a day before, and every token lives its hour', async () => {
    const place = await kind.place();
    const [a, b] = [await server(place), await server(place)];
    const kid = async () => decodeProtectedHeader(await a.issue()).kid;
    const first = await kid();
    clock.time += 29 * DAY_MS + 1_000;
    expect(await kid()).toBe(first);
    expect(await a.signingKeys.keys(clock.time)).toHaveLength(2);
    const last = await a.issue();
    clock.time += DAY_MS;
    expect(await kid()).not.toBe(first);
    expect(await b.accepts(last)).toBe(false);
    clock.time -= DAY_MS - 3_500_000;
    expect(await b.accepts(last)).toBe(true);
    clock.time += 40 * DAY_MS;
    expect(await b.accepts(await a.issue())).toBe(true);
  });

  it('are sealed in the store; with another secret there are new ones', async () => {
    const place = await kind.place();
    const a = await server(place);
    const token = await a.issue();
    const [row] = await a.signingKeys.keys(clock.time);
    expect(row!.sealed).not.toMatch(/"d"|kty/);
    const other = await server(place, 'another secret of thirty-two characters');
    expect(await other.accepts(token)).toBe(false);
    expect(await other.accepts(await other.issue())).toBe(true);
  });
});
