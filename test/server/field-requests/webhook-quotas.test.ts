import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { deliveryJob } from '../../../server/field-requests/callbacks/delivery-job.ts';
import { screeningCompleted } from '../../../server/field-requests/callbacks/news.ts';
import { useCall } from '../../../server/field-requests/callbacks/quotas.ts';
import { createSafeClient } from '../../../server/upstream/safe-client.ts';
import { type NameServer, openNameServer } from '../http/name-server.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';
import { describeDoors } from '../state/state-stores.ts';
import { doNext, filingOf, servicesOf } from './working.ts';

/** As docs/field-requests.md says. */
const CALLS_OF_ACCOUNT_TO_HOST = 200;

/** A host under attack, and the names that somebody gives it. */
const heard: string[] = [];
const host = createServer((request, response) => {
  heard.push(String(request.headers.host));
  response.writeHead(204).end();
});
let names: NameServer;
beforeAll(async () => {
  await new Promise<void>(done => host.listen(0, '127.0.0.1', done));
  names = await openNameServer();
  names.names.set('one.example', { A: [['127.0.0.1']] });
  names.names.set('two.example', { A: [['127.0.0.1']] });
});
afterAll(async () => {
  host.close();
  await names[Symbol.asyncDispose]();
});

describeDoors('webhooks of one host', kind => {
  const open: Fixture[] = [];
  afterEach(async () => {
    heard.length = 0;
    await Promise.all(open.splice(0).map(fixture => fixture[Symbol.asyncDispose]()));
  });

  it('are called so often a day for one account, by whatever name; the rest waits, and others are called', async () => {
    const fixture = await openFixture({ state: await kind.open(await kind.place()) });
    open.push(fixture);
    const { fieldRequests } = fixture.state;
    const client = createSafeClient({ networks: ['127.0.0.1'], nameServers: [names.address] });
    const { port } = host.address() as AddressInfo;
    const told = async (webhook_url: string, accountId: string) => {
      const filing = filingOf(fixture, { accountId, callback: { webhook_url } });
      await fieldRequests.file(filing);
      const step = { id: filing.id, by: 'test', reason: '', now: fixture.clock.now() };
      await fieldRequests.move({ ...step, from: ['received'], to: 'screening' });
      await fieldRequests.move({ ...step, from: ['screening'], to: 'rejected', news: screeningCompleted });
      return (await doNext(servicesOf(fixture, { client }), deliveryJob))!;
    };
    const { id } = fixture.account;
    // All but one of the day's calls, by a name that is not used again.
    for (let i = 1; i < CALLS_OF_ACCOUNT_TO_HOST; i++)
      expect(await useCall(fixture, id, 'https://three.example/', ['127.0.0.1'])).toBeNull();
    expect((await told(`http://ONE.example:${port}/a`, id)).status).toBe('done');
    for (const url of ['one.example', 'two.example', 'TWO.example.', '127.0.0.1', '2130706433', '0x7f.1'])
      expect(await told(`http://${url}:${port}/b`, id)).toMatchObject({
        status: 'waiting',
        error: expect.stringContaining("the day's calls of an account to a host are used up"),
      });
    expect(heard).toHaveLength(1);
    const stranger = await fixture.state.openAccount('stranger@example.org', 'build');
    expect((await told(`http://two.example:${port}/`, stranger.id)).status).toBe('done');
    // A refused call counts for nobody, so tomorrow begins anew.
    fixture.clock.time += 86_400_000;
    expect((await told(`http://two.example:${port}/`, id)).status).toBe('done');
    expect(heard).toHaveLength(3);
  });
});
