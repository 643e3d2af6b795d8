// What clients say of themselves, and what they are answered by the letter of the OAuth specifications.
import { createHash } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { sourceOf } from '../../../server/provider/pages/page.ts';
import { BACK, callMcp, RESOURCE, sendForm } from '../account/agent.ts';
import { type Fixture, ISSUER } from '../service-fixture.ts';
import { describeDoors } from '../state/state-stores.ts';
import { useTwoServers } from './oauth-servers.ts';

const DOCUMENT = 'https://agent.example/client.json';

describeDoors('OAuth clients', kind => {
  const servers = useTwoServers(kind);
  const { documents, json, register, authorize, refresh, granted } = servers;
  let one: Fixture;
  let two: Fixture;
  beforeEach(() => {
    ({ one, two } = servers);
  });
  const isTaken = async (token: string) => (await callMcp(one, token)) === 200;

  it('have names that are seen as they are, and return to addresses that hold no user', async () => {
    for (const name of [
      '',
      '   ',
      'x'.repeat(65),
      'Plat\u202Etalp',
      'Pl\u200Bat',
      'Plat\u0000',
      'Plat\n',
      'Plat\u2028',
      'Plat\u2066x',
      '\u3164',
      'Plat\u{e0041}',
      7,
      ['Plat'],
    ]) {
      const { status, json: answer } = await register({ client_name: name });
      expect([status, answer.error], JSON.stringify(name)).toEqual([400, 'invalid_client_metadata']);
    }
    for (const name of ['x'.repeat(64), 'Agent 7 (área) 日本', undefined])
      expect((await register({ client_name: name })).status, String(name)).toBe(201);
    for (const uri of [
      'https://plat.example@evil.example/cb',
      'https://user:word@agent.example/cb',
      'https://@agent.example/cb',
      'cursor://user@agent/cb',
      'https://agent.example;sandbox/cb',
      'https://a,b.example/cb',
      "https://'self'.example/cb",
      'https://agent.example\\\\@evil.example/',
      'https://agent.example/a b',
      'https://agent.example/\u202Ebc',
    ]) {
      const { status, json: answer } = await register({ redirect_uris: [uri] });
      expect([status, answer.error], uri).toEqual([400, 'invalid_redirect_uri']);
    }
    expect((await register({ contacts: Array(500).fill('someone@agent.example') })).json.error).toBe(
      'invalid_client_metadata',
    );
    // The same for clients that a document describes.
    const document = { redirect_uris: [BACK], response_types: ['code'], token_endpoint_auth_method: 'none' };
    documents.set(DOCUMENT, { ...document, client_id: DOCUMENT, client_name: 'Plat\u202Etalp' });
    expect((await authorize(DOCUMENT)).visit.status).toBe(400);
  });

  it('are allowed by the host that the answer goes to, which alone stands out', async () => {
    const { client_id } = (await register()).json;
    const { consent } = await authorize(client_id);
    expect(consent.text.match(/<strong>[^<]*<\/strong>/g)).toEqual(['<strong>127.0.0.1:33418</strong>']);
    const scheme = (await register({ redirect_uris: ['cursor://agent/oauth'] })).json.client_id;
    const other = (await authorize(scheme, { redirect_uri: 'cursor://agent/oauth' })).consent;
    expect(other.text.match(/<strong>[^<]*<\/strong>/g)).toEqual(['<strong>agent</strong>']);
    for (const [uri, source] of [
      ['http://127.0.0.1:1/x', 'http://127.0.0.1:1'],
      ['https://agent.example/a;b', 'https://agent.example'],
      ['http://[::1]:1/x', 'http:'],
      ['cursor://agent;x/y', 'cursor:'],
      ['https://agent.example;sandbox/cb', null],
      ["https://a'b.example/", null],
      ['https://a,b.example/', null],
      ['no address', null],
    ])
      expect(sourceOf(uri), String(uri)).toBe(source);
  });

  it('get the same answer for the refresh token just before the present one within ten seconds', async () => {
    const { client_id, refresh_token } = await granted();
    const first = await refresh(client_id, refresh_token);
    expect(first.status).toBe(200);
    one.clock.time += 9_000;
    for (let i = 0; i < 2; i++) expect(await refresh(client_id, refresh_token)).toEqual(first);
    expect(await isTaken(first.json.access_token)).toBe(true);
    // Another client has no use of it.
    const other = (await register()).json.client_id;
    expect((await refresh(other, refresh_token)).json.error).toBe('invalid_grant');
    const next = await refresh(client_id, first.json.refresh_token);
    expect(next.status).toBe(200);
    expect(await isTaken(next.json.access_token)).toBe(true);
    // What was asked for before is kept encrypted, under its digest.
    expect(next.json.refresh_token).not.toBe(first.json.refresh_token);
  });

  it('get it on every server, also at the same moment', async () => {
    const { client_id, refresh_token } = await granted();
    const ask = (fixture: Fixture) =>
      sendForm(fixture, '/token', { grant_type: 'refresh_token', client_id, refresh_token });
    const answers = await Promise.all([one, two, one, two].map(ask));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ json: body }) => JSON.stringify(body))).size).toBe(1);
    expect(await isTaken(answers[0]!.json.access_token)).toBe(true);
    expect((await refresh(client_id, answers[0]!.json.refresh_token)).status).toBe(200);
  });

  it('lose the grant when a refresh token comes back later, or after the one that followed it', async () => {
    const late = await granted();
    const next = (await refresh(late.client_id, late.refresh_token)).json;
    one.clock.time += 10_001;
    expect((await refresh(late.client_id, late.refresh_token)).json.error).toBe('invalid_grant');
    expect((await refresh(late.client_id, next.refresh_token)).json.error).toBe('invalid_grant');
    expect(await isTaken(next.access_token)).toBe(false);
    const older = await granted();
    const second = (await refresh(older.client_id, older.refresh_token)).json;
    const third = (await refresh(older.client_id, second.refresh_token)).json;
    expect((await refresh(older.client_id, older.refresh_token)).json.error).toBe('invalid_grant');
    expect((await refresh(older.client_id, third.refresh_token)).json.error).toBe('invalid_grant');
    for (const { access_token } of [older, second, third]) expect(await isTaken(access_token)).toBe(false);
    // A grant that ended meanwhile ends the answer too.
    const revoked = await granted();
    const last = (await refresh(revoked.client_id, revoked.refresh_token)).json;
    await sendForm(one, '/revoke', { client_id: revoked.client_id, token: last.refresh_token });
    expect((await refresh(revoked.client_id, revoked.refresh_token)).json.error).toBe('invalid_grant');
  });

  it('are answered the codes of RFC 6749, 7009, 7591, 8414 and 9728', async () => {
    const { client_id, refresh_token } = await granted();
    const { client_id: plain } = (await register({ grant_types: ['authorization_code'] })).json;
    const { client_id: secret } = (await register({ token_endpoint_auth_method: 'client_secret_post' })).json;
    const code = { grant_type: 'authorization_code', redirect_uri: BACK, code: 'x', code_verifier: 'v'.repeat(43) };
    for (const [path, fields, status, error] of [
      ['/token', { client_id }, 400, 'invalid_request'],
      ['/token', { client_id, grant_type: 'password' }, 400, 'unsupported_grant_type'],
      ['/token', { client_id: plain, grant_type: 'refresh_token', refresh_token }, 400, 'unauthorized_client'],
      ['/token', { client_id: 'nobody', ...code }, 401, 'invalid_client'],
      ['/token', { client_id: secret, client_secret: 'wrong', ...code }, 401, 'invalid_client'],
      ['/token', { client_id, ...code }, 400, 'invalid_grant'],
      ['/token', { client_id, grant_type: 'refresh_token' }, 400, 'invalid_request'],
      ['/token', { client_id, grant_type: 'refresh_token', refresh_token, scope: 'mcp more' }, 400, 'invalid_scope'],
      ['/token', code, 400, 'invalid_request'],
      ['/revoke', { client_id }, 400, 'invalid_request'],
      ['/revoke', { client_id: 'nobody', token: 'x' }, 401, 'invalid_client'],
      ['/revoke', { client_id, token: 'unknown' }, 200, undefined],
      ['/revoke', { client_id, token: 'x', token_type_hint: 'odd' }, 200, undefined],
    ] as const) {
      const reply = await one.app.inject({
        method: 'POST',
        url: path,
        // A program gets JSON, whatever it would take.
        headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
        payload: new URLSearchParams(fields).toString(),
      });
      const what = `${path} ${JSON.stringify(fields)}`;
      expect([reply.statusCode, reply.body ? reply.json().error : undefined], what).toEqual([status, error]);
      expect(reply.headers['cache-control'], what).toContain('no-store');
    }
    for (const [body, error] of [
      [{}, 'invalid_redirect_uri'],
      [{ redirect_uris: ['https://a.example/#x'] }, 'invalid_redirect_uri'],
      [{ redirect_uris: [BACK], grant_types: ['password'] }, 'invalid_client_metadata'],
      [{ redirect_uris: [BACK], response_types: ['token'] }, 'invalid_client_metadata'],
      [{ redirect_uris: [BACK], response_types: [], grant_types: ['refresh_token'] }, 'invalid_client_metadata'],
    ] as const) {
      const answer = await json(one, '/register', body);
      expect([answer.status, answer.json.error], JSON.stringify(body)).toEqual([400, error]);
    }
    for (const [more, error] of [
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ response_mode: 'odd' }, 'unsupported_response_mode'],
      [{ resource: 'https://other.example' }, 'invalid_target'],
      [{ prompt: 'none' }, 'login_required'],
    ] as const) {
      const { visit } = await authorize(client_id, more);
      // The answer to an implicit request is in the fragment.
      const back = new URLSearchParams(visit.url.search || visit.url.hash.slice(1));
      expect([back.get('error'), back.get('state'), back.get('iss')], JSON.stringify(more)).toEqual([
        error,
        's',
        ISSUER,
      ]);
    }
    const refused = await one.app.inject({ url: '/userinfo', headers: { authorization: 'Bearer x' } });
    expect([refused.statusCode, refused.headers['www-authenticate']]).toEqual([401, expect.stringContaining('Bearer')]);
    const metadata = (await json(one, '/.well-known/oauth-authorization-server')).json;
    for (const required of ['issuer', 'authorization_endpoint', 'token_endpoint', 'response_types_supported'])
      expect(metadata).toHaveProperty(required);
    const { resource } = (await json(one, '/.well-known/oauth-protected-resource/mcp')).json;
    expect(resource).toBe(RESOURCE);
  });

  it('get what they are sent by each response mode that is advertised', async () => {
    const { response_modes_supported: modes } = (await json(one, '/.well-known/oauth-authorization-server')).json;
    expect(modes).toEqual(['form_post', 'fragment', 'query']);
    const { client_id } = (await register()).json;
    const { visit } = await authorize(client_id, { response_mode: 'form_post' });
    const policy = String(visit.headers['content-security-policy']);
    const script = /<script>([^<]*)<\/script>/.exec(visit.text)![1]!;
    const hash = createHash('sha256').update(script).digest('base64');
    expect(policy).toMatch(/form-action 'self' http:\/\/127\.0\.0\.1:33418(;|$)/);
    expect(policy).toContain(`'sha256-${hash}'`);
    expect(visit.text).toContain(`<form method="post" action="${BACK}">`);
    expect(visit.text).toMatch(/name="code" value="[\w-]+"/);
    expect((await authorize(client_id, { response_mode: 'fragment' })).visit.url.hash).toContain('code=');
    // An error too.
    const wrong = await authorize(client_id, { response_mode: 'form_post', resource: 'https://other.example' });
    expect(wrong.visit.text).toContain('value="invalid_target"');
    expect(String(wrong.visit.headers['content-security-policy'])).toContain(
      "form-action 'self' http://127.0.0.1:33418",
    );
  });
});
