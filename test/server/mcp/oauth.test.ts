import { createHash } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { tidy } from '../../../server/state/housekeeping.ts';
import { BACK, RESOURCE, sendForm } from '../account/agent.ts';
import { useTwoServers } from '../provider/oauth-servers.ts';
import { type Fixture, ISSUER } from '../service-fixture.ts';
import { describeDoors } from '../state/state-stores.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const DOCUMENT = 'https://agent.example/client.json';

describeDoors('OAuth for /mcp', kind => {
  const servers = useTwoServers(kind);
  const { documents, asked, json, register, authorize, exchange, refresh, listing, granted } = servers;
  let one: Fixture;
  let two: Fixture;
  beforeEach(() => {
    ({ one, two } = servers);
  });

  it('leads from a 401 to a token for its tools, with nothing but addresses that it names', async () => {
    const refused = await one.app.inject({ method: 'POST', url: '/mcp', payload: {} });
    expect(refused.statusCode).toBe(401);
    const challenge = String(refused.headers['www-authenticate']);
    const metadata = /resource_metadata="([^"]+)"/.exec(challenge)![1]!;
    expect(challenge).toContain('scope="mcp"');
    const resource = await json(one, metadata.slice(ISSUER.length));
    expect(resource.json).toMatchObject({
      resource: RESOURCE,
      authorization_servers: [ISSUER],
      scopes_supported: ['mcp', 'write'],
    });
    expect(resource.headers['access-control-allow-origin']).toBe('*');
    expect((await json(one, '/.well-known/oauth-protected-resource')).json).toEqual(resource.json);
    const server = (await json(one, '/.well-known/oauth-authorization-server')).json;
    expect(server).toMatchObject({
      issuer: ISSUER,
      authorization_endpoint: `${ISSUER}/authorize`,
      token_endpoint: `${ISSUER}/token`,
      registration_endpoint: `${ISSUER}/register`,
      revocation_endpoint: `${ISSUER}/revoke`,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    });
    const { status, json: registered } = await register();
    expect([status, registered.client_id]).toEqual([201, expect.any(String)]);
    expect(registered).not.toHaveProperty('registration_access_token');
    const { consent, back, verifier } = await authorize(registered.client_id);
    expect(consent.text).toContain('An &lt;agent&gt;');
    expect(consent.text).toContain('to call the tools of this service in your name');
    expect(consent.text).toContain(BACK);
    expect([back.get('iss'), back.get('state')]).toEqual([ISSUER, 's']);
    const { json: tokens } = await exchange(registered.client_id, back.get('code')!, verifier);
    expect(tokens).toMatchObject({ token_type: 'Bearer', scope: 'mcp', expires_in: 3600 });
    for (const fixture of [one, two]) expect((await listing(tokens.access_token, fixture)).statusCode).toBe(200);
    // It acts for the account of whoever signed in.
    const call = await one.app.inject({
      method: 'POST',
      url: '/mcp',
      headers: { authorization: `Bearer ${tokens.access_token}`, accept: 'application/json, text/event-stream' },
      payload: {
        jsonrpc: '2.0',
        id: 2,
        method: 'tools/call',
        params: { name: 'service_fetch', arguments: { req: { lat: 44.8, lng: -68.7, fields: ['elevation'] } } },
      },
    });
    expect(call.body).toContain('12.5');
    const usage = await one.app.inject({
      url: '/v1/users/me/usage',
      headers: { authorization: `Bearer ${one.token}` },
    });
    expect(usage.json().credits_used).toBe(1);
  });

  it('says what a client may do each time that it asks, also while what was granted lives', async () => {
    const { client_id } = (await register()).json;
    const { consent, browser } = await authorize(client_id);
    const again = await authorize(client_id, {}, browser);
    for (const { text } of [consent, again.consent]) {
      expect(text).toContain('name="allow"');
      expect(text.match(/<li>/g)).toHaveLength(1);
      expect(text).toContain('to call the tools of this service in your name');
    }
    const more = await authorize(client_id, { scope: 'mcp openid email' }, browser);
    for (const words of ['to call the tools', 'to know that it is you', 'your e-mail address'])
      expect(more.consent.text).toContain(words);
  });

  it('keeps tokens for /mcp apart from /v1, and those of others from /mcp', async () => {
    const { access_token } = await granted();
    for (const url of ['/v1/users/me/usage', '/v1/users/me/tokens']) {
      const reply = await one.app.inject({ url, headers: { authorization: `Bearer ${access_token}` } });
      expect([reply.statusCode, reply.json().detail.error]).toEqual([401, 'auth_invalid']);
    }
    const fetching = await one.app.inject({
      method: 'POST',
      url: '/v1/fetch',
      headers: { authorization: `Bearer ${access_token}` },
      payload: {},
    });
    expect(fetching.statusCode).toBe(401);
    // One that was granted no tools: it signs in, and no more.
    const { client_id } = (await register()).json;
    const { back, verifier } = await authorize(client_id, { scope: 'openid email', resource: '' });
    const { json: tokens } = await exchange(client_id, back.get('code')!, verifier, { resource: '' });
    for (const token of [tokens?.access_token, tokens?.id_token, 'x'.repeat(43)])
      expect((await listing(String(token))).statusCode, String(token)).toBe(401);
    expect((await listing(one.token)).statusCode).toBe(200);
    expect((await listing(await one.session())).statusCode).toBe(200);
    const elsewhere = await authorize(client_id, { resource: 'https://other.example/mcp' });
    expect(elsewhere.back.get('error')).toBe('invalid_target');
  });

  it('takes clients that name neither scope nor resource', async () => {
    const { client_id } = (await register()).json;
    const { back, verifier } = await authorize(client_id, { scope: '', resource: '' });
    const fields = { grant_type: 'authorization_code', client_id, redirect_uri: BACK, code_verifier: verifier };
    const { json: tokens } = await sendForm(one, '/token', { ...fields, code: back.get('code')! });
    expect((await listing(tokens.access_token)).statusCode).toBe(200);
  });

  // Within ten seconds it is a retry: test/server/provider/oauth-clients.test.ts.
  it('rotates refresh tokens, and ends all of them when an old one comes back', async () => {
    const { client_id, refresh_token, access_token } = await granted();
    const next = (await refresh(client_id, refresh_token)).json;
    expect(next.refresh_token).not.toBe(refresh_token);
    expect((await listing(next.access_token)).statusCode).toBe(200);
    one.clock.time += 10_000;
    expect((await refresh(client_id, refresh_token)).json.error).toBe('invalid_grant');
    expect((await refresh(client_id, next.refresh_token)).json.error).toBe('invalid_grant');
    for (const token of [access_token, next.access_token]) expect((await listing(token)).statusCode).toBe(401);
  });

  it('revokes at once, on every server', async () => {
    const { client_id, refresh_token, access_token } = await granted();
    expect((await sendForm(two, '/revoke', { client_id, token: access_token })).status).toBe(200);
    expect((await listing(access_token)).statusCode).toBe(401);
    expect((await refresh(client_id, refresh_token)).json.error).toBe('invalid_grant');
    const other = await granted();
    const { client_id: otherId, refresh_token: token } = other;
    expect((await sendForm(one, '/revoke', { client_id, token })).status).toBeLessThan(500);
    expect((await listing(other.access_token)).statusCode).toBe(200);
    expect((await sendForm(one, '/revoke', { client_id: otherId, token })).status).toBe(200);
    expect((await listing(other.access_token)).statusCode).toBe(401);
    expect((await refresh(otherId, token)).json.error).toBe('invalid_grant');
    // Sessions that were ended, and accounts that were disabled, end tokens too.
    const another = await granted();
    await one.state.accountRecords.disable(one.account.id, Date.now(), 'test');
    expect((await listing(another.access_token)).statusCode).toBe(401);
  });

  it('goes on when the browser signs out', async () => {
    const { client_id } = (await register()).json;
    const { back, verifier, browser } = await authorize(client_id);
    const { json: tokens } = await exchange(client_id, back.get('code')!, verifier);
    await browser.open('/sign-out?client_id=plat');
    await browser.send({ logout: 'yes' });
    expect((await listing(tokens.access_token)).statusCode).toBe(200);
    expect((await refresh(client_id, tokens.refresh_token)).status).toBe(200);
  });

  it('knows a client by the document at its id, read as addresses of strangers are', async () => {
    documents.set(DOCUMENT, {
      client_id: DOCUMENT,
      client_name: 'Documented agent',
      redirect_uris: [BACK],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
    const { consent, back, verifier } = await authorize(DOCUMENT);
    expect(consent.text).toContain('Documented agent');
    expect(consent.text).toContain(`<code>${DOCUMENT}</code>`);
    const { json: tokens } = await exchange(DOCUMENT, back.get('code')!, verifier);
    expect((await listing(tokens.access_token)).statusCode).toBe(200);
    expect(new Set(asked)).toEqual(new Set([DOCUMENT]));
    // One that names another id, and one that may not be asked.
    documents.set('https://evil.example/c.json', { ...documents.get(DOCUMENT) });
    for (const id of ['https://evil.example/c.json', 'https://169.254.169.254/latest'])
      expect((await authorize(id)).visit.status, id).toBe(400);
  });

  it('needs PKCE with S256', async () => {
    const { client_id } = (await register()).json;
    for (const more of [{ code_challenge: '', code_challenge_method: '' }, { code_challenge_method: 'plain' }])
      expect((await authorize(client_id, more as never)).back.get('error')).toBe('invalid_request');
  });

  it('lets agents of any make register, and refuses what leads astray', async () => {
    for (const uri of [
      'cursor://anysphere.cursor-retrieval/oauth',
      'https://vscode.dev/redirect',
      'http://localhost:1/cb',
    ])
      expect((await register({ redirect_uris: [uri] })).status, uri).toBe(201);
    for (const uri of ['http://agent.example/back', 'javascript:alert(1)', 'https://a.example/#x', 'x'])
      expect((await register({ redirect_uris: [uri] })).status, uri).toBe(400);
    // Loopback on any port is its own.
    const { client_id } = (await register()).json;
    expect((await authorize(client_id, { redirect_uri: 'http://127.0.0.1:1/callback' })).consent.status).toBe(200);
    expect((await authorize(client_id, { redirect_uri: 'http://127.0.0.1:1/other' })).visit.status).toBe(400);
  });

  it('lets so many clients of one address register', async () => {
    const from = async (remoteAddress: string) => {
      const payload = { redirect_uris: [BACK], token_endpoint_auth_method: 'none' };
      return (await one.app.inject({ method: 'POST', url: '/register', remoteAddress, payload })).statusCode;
    };
    const statuses = [];
    for (let i = 0; i < 31; i++) statuses.push(await from('192.0.2.1'));
    expect(statuses).toEqual([...Array<number>(30).fill(201), 429]);
    expect(await from('192.0.2.2')).toBe(201);
  });

  it('forgets clients that nobody used', async () => {
    const unused = (await register()).json.client_id;
    const { client_id: used } = await granted();
    const known = async (id: string) => (await authorize(id)).visit.status !== 400;
    await tidy(one.state, one.clock.time);
    expect([await known(unused), await known(used)]).toEqual([true, true]);
    one.clock.time += 2 * DAY_MS;
    await tidy(one.state, one.clock.time);
    expect(await one.state.providerRecords.find('Client', 'id', digest(unused), one.clock.time)).toBeNull();
    expect(await one.state.providerRecords.find('Client', 'id', digest(used), one.clock.time)).not.toBeNull();
  });
});

const digest = (text: string) => createHash('sha256').update(text).digest('base64url');
