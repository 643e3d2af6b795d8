import { afterEach, expect, it } from 'vitest';
import { throttled } from '../../../server/rate/throttle.ts';
import { LIMITS } from '../../../server/rate/throttle-limits.ts';
import { tidy } from '../../../server/state/housekeeping.ts';
import { FakeClock } from '../fake-clock.ts';
import { Browser } from '../provider/browser.ts';
import { quickHash } from '../provider/quick-hash.ts';
import { type Fixture, ISSUER, openFixture } from '../service-fixture.ts';
import { describeDoors } from '../state/state-stores.ts';

const EMAIL = 'someone@example.org';
const PASSWORD = 'correct horse battery';
const RACERS = 64;

/** oidc-provider looks at the machine's time. */
class MachineClock extends FakeClock {
  override time = Date.now();
}

const hashed = quickHash(PASSWORD);

describeDoors('the device flow', kind => {
  const opened: Fixture[] = [];
  const servers = async (count = 1) => {
    const place = await kind.place();
    const clock = new MachineClock();
    for (let i = 0; i < count; i++) opened.push(await openFixture({ state: await kind.open(place), clock }));
    const { state } = opened[0]!;
    const user = await state.users.open(EMAIL, null);
    await state.users.setPassword(user.id, hashed);
    await state.users.verify(user.id, Date.now());
    return opened;
  };
  afterEach(async () => {
    for (const fixture of opened.splice(0)) await fixture.app.close();
  });

  const start = async ({ app }: Fixture, body?: object, remoteAddress = '127.0.0.1') => {
    const reply = await app.inject({
      method: 'POST',
      url: '/v1/mcp/device/start',
      remoteAddress,
      ...(body ? { payload: body } : {}),
    });
    expect(reply.headers['cache-control']).toBe('no-store');
    return reply;
  };
  const poll = async ({ app }: Fixture, device_code: string) => {
    const reply = await app.inject({ method: 'POST', url: '/v1/mcp/device/poll', payload: { device_code } });
    expect(reply.headers['cache-control']).toBe('no-store');
    const json = reply.json();
    const answer = { status: reply.statusCode, json, error: json.detail?.error, wait: reply.headers['retry-after'] };
    return answer;
  };
  const signedIn = async (fixture: Fixture, uri: string) => {
    const browser = new Browser(fixture.app, ISSUER);
    await browser.open(uri);
    await browser.send({ email: EMAIL, password: PASSWORD });
    return browser;
  };

  it('begins without a body, and not with one that is no object or no text', async () => {
    const [one] = await servers();
    expect((await start(one!)).statusCode).toBe(200);
    for (const payload of ['null', '[]', '{"client_name":null}', '{"client_name":"half \\udfff"}']) {
      const headers = { 'content-type': 'application/json' };
      const reply = await one!.app.inject({ method: 'POST', url: '/v1/mcp/device/start', headers, payload });
      expect(reply.statusCode, payload).toBe(422);
    }
  });

  it('logs a device in that a user approves behind sign-in', async () => {
    const [one, two] = await servers(2);
    const reply = await start(one!, { client_name: 'plat <mcp> on a laptop' });
    expect(reply.statusCode).toBe(200);
    const started = reply.json();
    expect(started).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(/^[B-Z]{4}-[B-Z]{4}$/),
      verification_uri: `${ISSUER}/device`,
      verification_uri_complete: `${ISSUER}/device?user_code=${started.user_code}`,
      expires_in: 900,
      interval: 5,
    });
    expect(await poll(two!, started.device_code)).toMatchObject({
      status: 400,
      error: 'authorization_pending',
      json: { detail: { retryable: true } },
      wait: '5',
    });
    const browser = await signedIn(two!, started.verification_uri_complete);
    expect(browser.at!.text).toContain('plat &lt;mcp&gt; on a laptop');
    for (const shown of [EMAIL, started.user_code, '127.0.0.1']) expect(browser.at!.text).toContain(shown);
    expect(browser.at!.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect((await browser.send({ allow: 'yes' })).text).toContain('Your device is logged in');
    const answer = await poll(one!, started.device_code);
    expect(Object.keys(answer.json).sort()).toEqual(['expires_at', 'token', 'token_id']);
    const usage = await two!.app.inject({
      url: '/v1/users/me/usage',
      headers: { authorization: `Bearer ${answer.json.token}` },
    });
    expect(usage.statusCode).toBe(200);
    expect(await poll(one!, started.device_code)).toMatchObject({ status: 400, error: 'expired_token' });
  });

  it('takes a code that is typed, in any spelling, and a refusal', async () => {
    const [one] = await servers();
    const started = (await start(one!)).json();
    const browser = await signedIn(one!, '/device');
    expect(browser.at!.text).toContain('name="user_code"');
    expect((await browser.open('/device?user_code=BBBB-BBBB')).status).toBe(404);
    await browser.open(`/device?user_code=${started.user_code.toLowerCase().replace('-', '+')}`);
    expect((await browser.send({ cancel: 'yes' })).text).toContain('Refused');
    expect(await poll(one!, started.device_code)).toMatchObject({
      error: 'access_denied',
      json: { detail: { retryable: false } },
    });
  });

  it('takes an approval only from the page that the user was shown', async () => {
    const [one] = await servers();
    const started = (await start(one!)).json();
    const browser = await signedIn(one!, started.verification_uri_complete);
    const page = browser.at!;
    const proof = /name="proof" value="([^"]+)"/.exec(page.text)![1]!;
    // Of as many characters, not as many bytes, is the last one.
    for (const other of ['x', `${proof}x`, 'é'.repeat(proof.length)]) {
      expect((await browser.send({ allow: 'yes', proof: other })).status).toBe(400);
      browser.at = page;
    }
    const stranger = new Browser(one!.app, ISSUER);
    stranger.at = page;
    expect((await stranger.send({ allow: 'yes' })).status).toBe(400);
    expect((await poll(one!, started.device_code)).error).toBe('authorization_pending');
    expect((await browser.send({ allow: 'yes' })).status).toBe(200);
    browser.at = page;
    expect((await browser.send({ cancel: 'yes' })).status).toBe(409);
  });

  it('gives one token to many who poll at once', async () => {
    const fixtures = await servers(2);
    const started = (await start(fixtures[0]!)).json();
    const browser = await signedIn(fixtures[0]!, started.verification_uri_complete);
    await browser.send({ allow: 'yes' });
    const answers = await Promise.all(
      Array.from({ length: RACERS }, (_, i) => poll(fixtures[i % 2]!, started.device_code)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ error }) => error === 'expired_token')).toHaveLength(RACERS - 1);
  });

  it('slows down who polls too early, and forgets what is over', async () => {
    const [one] = await servers();
    const { device_code: code } = (await start(one!)).json();
    expect((await poll(one!, code)).error).toBe('authorization_pending');
    expect(await poll(one!, code)).toMatchObject({ error: 'slow_down', wait: '10' });
    expect(await poll(one!, code)).toMatchObject({ error: 'slow_down', wait: '15' });
    one!.clock.time += 16_000;
    expect(await poll(one!, code)).toMatchObject({ error: 'authorization_pending', wait: '15' });
    one!.clock.time += 900_000;
    expect(await poll(one!, code)).toMatchObject({ error: 'expired_token', wait: undefined });
    await tidy(one!.state, one!.clock.time);
    expect((await poll(one!, code)).error).toBe('expired_token');
    expect((await poll(one!, 'nothing')).error).toBe('expired_token');
  });

  it('limits logins of one address, and of all', async () => {
    const [WINDOW_MS, OF_CLIENT, OF_ALL] = [900_000, 20, 2_000];
    const [one] = await servers();
    one!.clock.time = Math.ceil(one!.clock.time / WINDOW_MS) * WINDOW_MS;
    const begin = (address: string) => start(one!, undefined, address);
    for (let i = 0; i < OF_CLIENT; i++) expect((await begin('192.0.2.1')).statusCode).toBe(200);
    const refused = await begin('192.0.2.1');
    expect([refused.statusCode, refused.json().detail.error]).toEqual([429, 'device_logins_limited']);
    expect(refused.headers['retry-after']).toBe('900');
    expect((await begin('192.0.2.2')).statusCode).toBe(200);
    const { attempts } = one!.state;
    for (let i = 0; i < OF_ALL; i++) await throttled(attempts, one!.clock, { 'device login': '' });
    // A crowd that used up what all share keeps nobody out who comes for the first time.
    for (let i = 0; i < LIMITS['device login from a network'].most; i++)
      expect((await begin('192.0.2.3')).statusCode).toBe(200);
    expect((await begin('192.0.2.3')).json().detail.error).toBe('device_login_unavailable');
    expect((await begin('192.0.2.4')).statusCode).toBe(200);
  });
});
