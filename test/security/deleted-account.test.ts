import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { saveState } from '../../server/backup/state-copy.ts';
import { countsOf } from '../../server/backup/tables.ts';
import { Browser } from '../server/provider/browser.ts';
import { ISSUER } from '../server/service-fixture.ts';
import { describeStores } from '../server/state/state-stores.ts';
import { ADDRESS } from './routes.ts';
import { bearer, call, objectFor, openWorld } from './world.ts';

/** Tables that may have rows when nobody is there any more: sums, what was done to accounts, what is of nobody (yet). */
const LEFT = [
  'accounts',
  'attempts',
  'audit',
  'charges',
  'credit_usage',
  'geocode_lookups',
  'probe',
  // Sign-ins and logins of devices that were begun and led to nobody: sealed or digests, and gone within the hour.
  'device_codes',
  'provider_records',
  'signing_keys',
  'receipt_keys',
  // A job names what it works on by its id alone, and finds it gone.
  'jobs',
  'sites',
  'usage_days',
];

describeStores('accounts that are deleted', kind => {
  it('leave sums and nothing personal in any table, whatever they did', async () => {
    const place = await kind.place();
    const world = await openWorld({ state: await kind.open(place), rateLimit: true });
    const { fixture, operations, ann, bob } = world;
    const personal = [
      ann.account.email,
      bob.account.email,
      ADDRESS,
      '73 HARLOW',
      'sewers',
      'nightly',
      'hooks.example.org',
    ];
    // Ann signs in with a password too, and asks for another link that she does not follow.
    const browser = new Browser(fixture.app, ISSUER);
    await browser.open('/password');
    await browser.send({ email: ann.account.email });
    await browser.open('/sign-in');
    await browser.send({ email: ann.account.email, password: 'no password yet' });
    for (const operation of operations)
      for (const { session } of [ann, bob]) {
        const ids = operation.entry.object && !operation.entry.endless ? await objectFor(world, operation, ann) : {};
        await call(world, operation, { ...bearer(session), 'idempotency-key': 'a-key-of-theirs' }, { ids });
      }
    const of = (name: string) => operations.find(operation => operation.name === name)!;
    const batch = { locations: [{ address: ADDRESS }], fields: ['elevation'] };
    await call(
      world,
      of('POST /v1/fetch/batch'),
      { ...bearer(ann.token), 'idempotency-key': 'another-key' },
      { body: batch },
    );
    const filing = of('POST /v1/field-requests');
    const callback = { webhook_url: 'https://hooks.example.org/x', email: ann.account.email };
    await call(world, filing, bearer(ann.token), {
      body: { ...filing.entry.body, example_locations: [{ address: ADDRESS }], callback, context_blob: 'nightly' },
    });
    await fixture.tokens.noteUses();
    const { period } = (await call(world, of('GET /v1/users/me/usage'), bearer(ann.session))).json;
    const spent = (await fixture.state.ledger.usage(ann.account.id, period, fixture.clock.now())).spent;
    expect(spent).toBeGreaterThan(20);

    const folder = mkdtempSync(join(tmpdir(), 'plat-deleted-'));
    const saved = async (name: string) => {
      await saveState(place.home, place.url, join(folder, name));
      const file = new DatabaseSync(join(folder, name));
      const counts = countsOf(file);
      const rows = Object.keys(counts).map(table => [table, file.prepare(`select * from "${table}"`).all()]);
      file.close();
      return { text: JSON.stringify(rows), counts };
    };
    // What is looked for is there before; bodies are packed, so that they are counted.
    const before = await saved('before.sqlite');
    for (const text of [ann.account.email, 'nightly', 'hooks.example.org']) expect(before.text).toContain(text);
    for (const table of [
      'tokens',
      'identities',
      'users',
      'field_requests',
      'site_registrations',
      'idempotency',
      'mail_codes',
    ])
      expect(before.counts[table], table).toBeGreaterThan(0);

    for (const { account } of [ann, bob])
      await fixture.state.accountRecords.remove(account.id, fixture.clock.now(), 'test');
    const after = await saved('after.sqlite');
    for (const text of personal) expect(after.text.includes(text), text).toBe(false);
    const tables = Object.entries(after.counts).flatMap(([table, count]) => (count > 0 ? [table] : []));
    expect(tables.filter(table => !LEFT.includes(table))).toEqual([]);
    expect((await fixture.state.ledger.usage(ann.account.id, period, fixture.clock.now())).spent).toBe(spent);
    rmSync(folder, { recursive: true });
    await fixture.app.close();
  });
});
