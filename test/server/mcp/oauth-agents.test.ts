import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, connect } from '../../contract/client.ts';
import { FakeClock } from '../fake-clock.ts';
import { Browser } from '../provider/browser.ts';
import { quickHash } from '../provider/quick-hash.ts';
import { type Fixture, ISSUER, openFixture } from '../service-fixture.ts';
import { LOGINS } from './oauth-clients.ts';

const EMAIL = 'someone@example.org';
const PASSWORD = 'correct horse battery';

/** oidc-provider looks at the machine's time. */
class MachineClock extends FakeClock {
  override time = Date.now();
}

let fixture: Fixture;
let http: Client;
let browser: Browser;
beforeAll(async () => {
  fixture = await openFixture({ clock: new MachineClock() });
  http = await connect(fixture);
  const user = await fixture.state.users.open(EMAIL, null);
  await fixture.state.users.setPassword(user.id, quickHash(PASSWORD));
  await fixture.state.users.verify(user.id, Date.now());
  browser = new Browser(fixture.app, ISSUER);
});
afterAll(() => fixture[Symbol.asyncDispose]());

/** What the outside calls the server leads to where it listens. */
const reach = (input: Parameters<typeof fetch>[0], init?: RequestInit) => {
  const asked = input instanceof Request ? input.url : String(input);
  expect(asked.startsWith(ISSUER), asked).toBe(true);
  return fetch(asked.replace(ISSUER, http.base), init);
};

/** The user: signs in unless the browser knows them, and allows what is asked. */
const visit = async (url: URL) => {
  let page = await browser.open(url.href);
  if (page.text.includes('name="password"')) page = await browser.send({ email: EMAIL, password: PASSWORD });
  expect(page.text).toContain('An agent');
  page = await browser.send({ allow: 'yes' });
  return page.url.searchParams;
};

for (const [generation, logIn] of Object.entries(LOGINS))
  it(`an agent on ${generation} comes from a 401 to its tools by itself`, async () => {
    const redirectUrl = 'http://127.0.0.1:33418/callback';
    const client = await logIn(new URL('/mcp', ISSUER), { redirectUrl, visit, fetch: reach as typeof fetch });
    expect((await client.tools()).map(({ name }) => name)).toContain('service_fetch');
    const called = await client.call('service_fetch', { lat: 44.8, lng: -68.7, fields: ['elevation'] });
    expect(called.structuredContent.fields.elevation.value).toBe(12.5);
    await client.close();
  });
