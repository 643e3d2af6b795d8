// OWASP ASVS 5.0, V3.3 and V12: cookies that bind to the host, and connections to others that are encrypted and checked.
import { readdirSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterAll, expect, it } from 'vitest';
import { smtpMailer } from '../../../server/mail/smtp.ts';
import { embeddedProvider } from '../../../server/provider/embedded.ts';
import { openSqlite } from '../../../server/state/sqlite.ts';
import { FakeClock } from '../../server/fake-clock.ts';
import { openFixture, SECRET } from '../../server/service-fixture.ts';

const ROOT = new URL('../../../', import.meta.url);
const sources = ['datasets', 'ingest', 'pipelines', 'query', 'server'].flatMap(room =>
  readdirSync(new URL(`${room}/`, ROOT), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => ({ name: `${room}/${name}`, text: readFileSync(new URL(`${room}/${name}`, ROOT), 'utf8') })),
);

it('cookies are Secure, HttpOnly and SameSite, and named so that browsers take them from this host over https alone', async () => {
  const issuer = 'https://plat.example.org';
  const state = await openSqlite(':memory:');
  const embedded = embeddedProvider({ issuer, audience: '' }, SECRET, state, new FakeClock());
  await using outside = await openFixture({ publicUrl: issuer, state, embedded });
  const begun = await outside.app.inject('/sign-in');
  const asked = await outside.app.inject(new URL(String(begun.headers.location), issuer).href.slice(issuer.length));
  const cookies = [begun, asked].flatMap(({ headers }) => [headers['set-cookie'] ?? []].flat());
  expect(cookies.length).toBeGreaterThan(3);
  for (const cookie of cookies) {
    expect(cookie).toMatch(/^__(?:Host|Secure)-\w+(?:\.sig)?=/);
    expect(cookie).toMatch(/; secure/i);
    expect(cookie).toMatch(/; httponly/i);
    expect(cookie).toMatch(/; samesite=lax/i);
    expect(cookie).not.toMatch(/; domain=/i);
    if (cookie.startsWith('__Host-')) expect(cookie).toMatch(/; path=\/(?:;|$)/i);
    // What is not of the whole host is of the pages of one sign-in.
    else expect(cookie).toMatch(/; path=\/(?:sign-in|authorize)\/[\w-]{20,}(?:;|$)/i);
  }
});

const servers: SMTPServer[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

it('mail leaves over a network only encrypted: a mail server elsewhere that offers no TLS gets none', async () => {
  const server = new SMTPServer({ disabledCommands: ['STARTTLS'], authOptional: true });
  servers.push(server);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  // The same server, by a name that is not of loopback.
  const mailer = smtpMailer(`smtp://127.0.0.1.:${port}`, 'plat@example.org');
  const failure = await mailer.send({ to: 'ann@example.org', subject: 's', text: 't' }).catch(error => error);
  expect(String(failure.cause?.message ?? failure.message)).toMatch(/TLS/i);
  mailer.close();
});

it('nothing turns off the check of certificates or asks for old versions of TLS', () => {
  const careless = /rejectUnauthorized|NODE_TLS_REJECT|checkServerIdentity|secureProtocol|minVersion|TLSv1\b|ciphers:/;
  expect(sources.filter(({ text }) => careless.test(text)).map(({ name }) => name)).toEqual([]);
  expect(sources.length).toBeGreaterThan(500);
});
