import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { afterAll, expect, it } from 'vitest';
import { UsageError } from '../../../query/engine/command.ts';
import { readSettings } from '../../../query/engine/settings.ts';
import { keptSecret } from '../../../server/auth/secret.ts';
import { configuredSessions } from '../../../server/provider/configured-sessions.ts';
import { openState } from '../../../server/state/open.ts';
import { plat } from '../../contract/plat.ts';
import { inThisProcess } from '../../in-this-process.ts';
import { openFixture } from '../service-fixture.ts';

const home = mkdtempSync(join(tmpdir(), 'plat-session-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

it('plat session create prints an ID token of the embedded provider that a server on the same state accepts', async () => {
  const made = plat(home, 'session', 'create', '--account', 'Ann@example.org');
  expect(made).toMatchObject({ status: 0, stderr: expect.stringContaining('http://127.0.0.1') });
  const session = made.stdout.trim();
  expect(decodeJwt(session)).toMatchObject({
    iss: 'http://127.0.0.1:0',
    aud: 'plat',
    email: 'ann@example.org',
    email_verified: true,
    sign_in_provider: 'password',
  });
  const ann = { account: 'ann@example.org' };
  const json = JSON.parse((await inThisProcess(home, 'session create', { ...ann, json: true })).stdout);
  expect(json).toEqual({
    session: expect.any(String),
    account: 'ann@example.org',
    server: 'http://127.0.0.1:0',
    expires_in_seconds: 3600,
  });
  expect(decodeJwt(json.session).sub).toBe(decodeJwt(session).sub);

  const token = (await inThisProcess(home, 'token create', { ...ann, plan: 'growth' })).stdout.trim();
  const state = await openState(home, '');
  const settings = readSettings({ PORT: '0' });
  const secret = keptSecret(home, 'token');
  const { sessions } = configuredSessions(settings, { state, secret, clock: Date, log: () => {} });
  await using fixture = await openFixture({ state, sessions });
  for (const bearer of [session, json.session]) {
    const { account, credential } = await sessions.verify(bearer);
    expect({ account, credential }).toMatchObject({
      account: { email: 'ann@example.org', plan: 'growth' },
      credential: { kind: 'session' },
    });
    const reply = await fixture.app.inject({
      url: '/v1/users/me/tokens',
      headers: { authorization: `Bearer ${bearer}` },
    });
    expect(reply.statusCode).toBe(200);
    expect(reply.json().tokens).toHaveLength(1);
  }
  expect(token).toMatch(/^eyJ/);
});

it('is refused without an address and with an external issuer', async () => {
  await expect(inThisProcess(home, 'session create')).rejects.toThrow(UsageError);
  const external = plat(home, 'session', 'create', '--account', 'a@b.org', '--oidc-issuer', 'https://issuer.example');
  expect(external).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('PLAT_OIDC_ISSUER') });
});
