import { spawnSync } from 'node:child_process';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { Browser, sessionOn } from '../server/provider/browser.ts';
import { ISSUER } from '../server/service-fixture.ts';
import { credentials } from './credentials.ts';
import { hear } from './heard-logger.ts';
import { heard, secret, secretsIn, takeHeard } from './logged.ts';
import { bearer, call, objectFor, openWorld } from './world.ts';

/** What the watch would find at the end of this file, which is to find nothing else. */
const found = () => secretsIn(takeHeard());
afterEach(() => expect(found()).toEqual([]));

it('the watch hears what servers, loggers and processes write, and finds what was made and what looks like it', () => {
  const made = secret('a secret of this test');
  for (const [write, wanted] of [
    [() => heard(`token ${made}`), ['one that begins with a se']],
    [() => hear(pino({ level: 'info' }, { write: () => {} })).info({ made }, 'x'), ['one that begins with a se']],
    [() => spawnSync('sh', ['-c', `echo "${made}" >&2`]), ['one that begins with a se']],
    [() => heard('eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.x'), ['a token']],
    [() => heard('Authorization: Bearer abcdefghijklmnop'), ['a credential']],
    [() => heard('postgres://plat:password@127.0.0.1/plat'), ['a URL with a password']],
    [() => heard('http://127.0.0.1:8080/password/new?code=abcdefghijklmnopqrst'), ['a code of a link']],
    [() => heard('$scrypt$ln=15,r=8,p=3$salt$key'), ['a password as it is kept']],
    [() => heard('{"msg":"request","status":200}'), []],
  ] as const) {
    write();
    expect(found()).toEqual(wanted);
  }
});

it('nothing that somebody proves themselves with is in any log line, whatever is asked and however it fails', async () => {
  const links: string[] = [];
  const mailer = {
    leaves: false,
    send: async ({ text }: { readonly text: string }) => {
      links.push(/http\S+/.exec(text)![0]);
      secret(/code=(\S+)/.exec(text)![1]!);
    },
    close: () => {},
  };
  await using world = await openWorld({ mailer });
  const { fixture, operations, ann } = world;
  const browser = new Browser(fixture.app, ISSUER);
  await browser.open('/password');
  await browser.send({ email: 'new@example.org' });
  await browser.open(links[0]!);
  await browser.send({ password: 'correct horse battery' });
  // Choosing it has signed in.
  browser.forget('_session');
  await browser.open('/sign-in');
  await browser.send({ email: 'new@example.org', password: 'not the right one' });
  const session = sessionOn(await browser.send({ email: 'new@example.org', password: 'correct horse battery' }));
  const kinds = await credentials(world);
  for (const operation of operations) {
    const ids = operation.entry.object && !operation.entry.endless ? await objectFor(world, operation, ann) : {};
    for (const { headers } of kinds) await call(world, operation, headers, { ids });
    await call(world, operation, bearer(session), { ids, body: `{"token":"${ann.token}"` });
  }
  fixture.engine.before = async () => {
    throw new Error('a fault');
  };
  for (const operation of operations) await call(world, operation, bearer(ann.token));
  const text = takeHeard();
  const lines = text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(lines.filter(({ msg }) => msg === 'request').length).toBeGreaterThan(500);
  expect(lines.some(({ msg }) => msg === 'unhandled fault')).toBe(true);
  expect(secretsIn(text)).toEqual([]);
});
