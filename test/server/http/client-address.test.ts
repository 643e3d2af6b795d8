import { pino } from 'pino';
import { expect, it } from 'vitest';
import { readSettings } from '../../../query/engine/settings.ts';
import { openFixture } from '../service-fixture.ts';

/** The client's address in the log of one request. */
async function logged(trustedProxies: readonly string[], from: string, forwarded?: string): Promise<unknown> {
  const lines: { client?: unknown }[] = [];
  const logger = pino({ level: 'info' }, { write: text => lines.push(JSON.parse(text)) });
  await using fixture = await openFixture({ trustedProxies, logger });
  await fixture.app.inject({
    url: '/healthz',
    remoteAddress: from,
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  });
  return lines.at(-1)?.client;
}

it.each([
  ['nobody is trusted', [], '10.1.2.3', '203.0.113.9', '10.1.2.3'],
  ['a trusted proxy says so', ['10.0.0.0/8'], '10.1.2.3', '203.0.113.9', '203.0.113.9'],
  ['a stranger says so', ['10.0.0.0/8'], '198.51.100.7', '203.0.113.9', '198.51.100.7'],
  ['the client made up the first of two', ['10.0.0.0/8'], '10.1.2.3', '1.1.1.1, 203.0.113.9', '203.0.113.9'],
  ['two trusted proxies stand in a row', ['10.0.0.0/8'], '10.1.2.3', '203.0.113.9, 10.9.9.9', '203.0.113.9'],
  ['a trusted proxy says nothing', ['10.1.2.3'], '10.1.2.3', undefined, '10.1.2.3'],
  ['of version 6', ['fd00::/8'], 'fd00::1', '2001:db8::1', '2001:db8::1'],
])("the client's address in the log where %s", async (_, trusted, from, forwarded, client) => {
  expect(await logged(trusted, from, forwarded)).toBe(client);
});

it.each(['proxy', '10.0.0.0/33', '10.0.0.0/x', '10.0.0.0/8/8', '::/129'])(
  'PLAT_TRUSTED_PROXIES=%s is refused',
  text => {
    expect(() => readSettings({ PLAT_TRUSTED_PROXIES: `10.0.0.1,${text}` })).toThrow(/PLAT_TRUSTED_PROXIES: expected/);
  },
);

it('PLAT_TRUSTED_PROXIES is a list', () => {
  expect(readSettings({ PLAT_TRUSTED_PROXIES: ' 10.0.0.0/8, fd00::/8 ,127.0.0.1' }).trustedProxies).toEqual([
    '10.0.0.0/8',
    'fd00::/8',
    '127.0.0.1',
  ]);
});
