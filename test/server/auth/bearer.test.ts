import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { bearerToken } from '../../../server/auth/bearer.ts';
import { openFixture, SECRET } from '../service-fixture.ts';

const BODY = JSON.stringify({ lat: 44.8, lng: -68.77, fields: ['elevation'] });
const key = new TextEncoder().encode(SECRET);

async function ask(
  app: Awaited<ReturnType<typeof openFixture>>['app'],
  authorization: string | undefined,
  body = BODY,
) {
  return app.inject({
    method: 'POST',
    url: '/v1/fetch',
    headers: { 'content-type': 'application/json', ...(authorization === undefined ? {} : { authorization }) },
    payload: body,
  });
}

describe('bearer tokens', () => {
  it.each([
    ['Bearer'],
    ['Bearer '],
    [''],
    ['Basic dXNlcjpwYXNz'],
    ['Bearer  abc'],
    ['Bearer abc def'],
    ['Bearer abc,def'],
    ['Bearer abc, Bearer def'],
    ['abc'],
    ['Token abc'],
  ])('%j is auth_malformed', async header => {
    await using fixture = await openFixture();
    const reply = await ask(fixture.app, header);
    expect(reply.statusCode).toBe(401);
    expect(reply.json().detail).toMatchObject({ error: 'auth_malformed', retryable: false });
    expect(reply.headers['www-authenticate']).toBe('Bearer');
  });

  it('no header is auth_missing and two headers are auth_malformed', () => {
    expect(() => bearerToken(undefined)).toThrow(expect.objectContaining({ code: 'auth_missing' }));
    expect(() => bearerToken(['Bearer a', 'Bearer b'])).toThrow(expect.objectContaining({ code: 'auth_malformed' }));
    expect(bearerToken(['Bearer a.b-c_d'])).toBe('a.b-c_d');
    for (const scheme of ['bearer', 'BEARER', 'bEaReR']) expect(bearerToken([`${scheme} Abc`])).toBe('Abc');
  });

  it('a valid one is accepted until it expires after 90 days', async () => {
    await using fixture = await openFixture();
    expect((await ask(fixture.app, `Bearer ${fixture.token}`)).statusCode).toBe(200);
    expect((await ask(fixture.app, `bearer ${fixture.token}`)).statusCode).toBe(200);
    fixture.clock.time += 90 * 24 * 3600 * 1000 - 2_000;
    expect((await ask(fixture.app, `Bearer ${fixture.token}`)).statusCode).toBe(200);
    fixture.clock.time += 3_000;
    const late = await ask(fixture.app, `Bearer ${fixture.token}`);
    expect(late.json().detail.error).toBe('auth_invalid');
    expect(late.headers['www-authenticate']).toContain('invalid_token');
  });

  it('carries the agreed claims and nothing about its owner but the id', async () => {
    await using fixture = await openFixture();
    const [header, claims] = fixture.token
      .split('.')
      .slice(0, 2)
      .map(part => JSON.parse(Buffer.from(part, 'base64url').toString()));
    const iat = Math.floor(fixture.clock.time / 1000);
    expect(header).toEqual({ alg: 'HS256', typ: 'JWT' });
    expect(claims).toEqual({
      iss: 'plat',
      aud: 'plat-api',
      sub: fixture.account.id,
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
      plan: 'build',
      iat,
      exp: iat + 90 * 24 * 3600,
    });
  });

  it('a revoked one is auth_invalid at once', async () => {
    await using fixture = await openFixture();
    const [row] = await fixture.state.tokens(fixture.account.id);
    await fixture.state.revokeToken(row!.jti, 1);
    expect((await ask(fixture.app, `Bearer ${fixture.token}`)).json().detail.error).toBe('auth_invalid');
  });

  it('any forgery is auth_invalid', async () => {
    await using fixture = await openFixture();
    const [row] = await fixture.state.tokens(fixture.account.id);
    const now = Math.floor(fixture.clock.time / 1000);
    const sign = (change: (jwt: SignJWT) => SignJWT, secret = key, alg = 'HS256') =>
      change(
        new SignJWT({ plan: 'scale' })
          .setProtectedHeader({ alg })
          .setIssuer('plat')
          .setAudience('plat-api')
          .setSubject(fixture.account.id)
          .setJti(row!.jti)
          .setIssuedAt(now)
          .setExpirationTime(now + 60),
      ).sign(secret);
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${fixture.token.split('.')[1]}.`;
    const forged = [
      'abc',
      'a.b.c',
      none,
      `${fixture.token}x`,
      `${fixture.token.slice(0, -4)}AAAA`,
      await sign(jwt => jwt, new TextEncoder().encode('another secret of the same length!!')),
      await sign(jwt => jwt, key, 'HS512'),
      await sign(jwt => jwt.setIssuer('other')),
      await sign(jwt => jwt.setAudience('other')),
      await sign(jwt => jwt.setJti('never issued')),
      await sign(jwt => jwt.setSubject('someone else')),
      await sign(jwt => jwt.setNotBefore(now + 30)),
    ];
    for (const token of forged) {
      const reply = await ask(fixture.app, `Bearer ${token}`);
      expect(reply.statusCode, token).toBe(401);
      expect(reply.json().detail.error, token).toBe('auth_invalid');
    }
    // The same token without a change is good: the refusals above are not for another reason.
    expect((await ask(fixture.app, `Bearer ${await sign(jwt => jwt)}`)).statusCode).toBe(200);
  });

  it('is judged before content type, size and JSON of the body', async () => {
    await using fixture = await openFixture({ limits: { bodyLimit: 1024 } });
    for (const [type, payload] of [
      ['text/plain', 'x'],
      ['application/json', '{'],
      ['application/json', `"${'x'.repeat(5000)}"`],
    ] as const) {
      const reply = await fixture.app.inject({
        method: 'POST',
        url: '/v1/fetch',
        headers: { 'content-type': type },
        payload,
      });
      expect(reply.json().detail.error).toBe('auth_missing');
    }
  });

  it('is not asked for on public routes, nor judged there', async () => {
    await using fixture = await openFixture();
    for (const url of ['/healthz', '/readyz', '/v1/meta/fields', '/v1/meta/plans', '/v1/openapi.json', '/v1/docs'])
      for (const headers of [{}, { authorization: 'nonsense' }])
        expect((await fixture.app.inject({ url, headers })).statusCode, url).toBe(200);
  });

  it('follows the account, not the claim, for the plan', async () => {
    await using fixture = await openFixture();
    await fixture.state.setPlan(fixture.account.id, 'market');
    expect((await fixture.tokens.verify(fixture.token)).account.plan).toBe('market');
  });
});
