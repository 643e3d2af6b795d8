import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import type { AppServices } from '../../../server/app-services.ts';
import type { Limits } from '../../../server/limits.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';
import { describeStores } from '../state/state-stores.ts';

const opened: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one[Symbol.asyncDispose]();
});

const head = (path: string, token: string, length = 0) =>
  `${length > 0 ? 'POST' : 'GET'} ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${
    length > 0 ? `Content-Type: application/json\r\nContent-Length: ${length}\r\n` : ''
  }\r\n`;

/** A server whose clients leave while it looks their tokens up. */
interface Stage {
  readonly fixture: Fixture;
  readonly base: string;
  /** Sends each text on a connection of its own, resets all of them while their tokens are looked up, and lets that end. */
  leave(texts: readonly string[]): Promise<void>;
}

async function stage(state: Fixture['state'], limits: Partial<Limits>): Promise<Stage> {
  let asked = 0;
  let resume: Promise<void> | null = null;
  const between = (services: AppServices): AppServices => ({
    ...services,
    tokens: {
      ...services.tokens,
      verify: async (token, withoutState) => {
        const caller = await services.tokens.verify(token, withoutState);
        asked++;
        await resume;
        return caller;
      },
    },
  });
  const fixture = await openFixture({ state, limits, between });
  opened.push(fixture);
  const base = await fixture.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = fixture.app.server.address() as AddressInfo;
  return {
    fixture,
    base,
    async leave(texts) {
      const { promise, resolve } = Promise.withResolvers<void>();
      resume = promise;
      asked = 0;
      const closed: Promise<unknown>[] = [];
      const follow = (socket: Socket) => closed.push(new Promise(done => socket.once('close', done)));
      fixture.app.server.on('connection', follow);
      const clients = texts.map(text => {
        const client = connect(port, '127.0.0.1', () => client.write(text));
        client.on('error', () => {});
        return client;
      });
      const requests = texts.join('').split(' HTTP/1.1').length - 1;
      while (asked < requests) await new Promise(done => setImmediate(done));
      for (const client of clients) client.resetAndDestroy();
      await Promise.all(closed);
      fixture.app.server.off('connection', follow);
      resume = null;
      resolve();
      await new Promise(done => setImmediate(done));
    },
  };
}

describeStores('a client that leaves while its token is looked up', kind => {
  const open = async (limits: Partial<Limits>) => stage(await kind.open(await kind.place()), limits);

  it('keeps no slot of its account, on connections of its own or one behind the other on one', async () => {
    const { fixture, base, leave } = await open({ accountRequests: 32 });
    const usage = head('/v1/users/me/usage', fixture.token);
    await leave(Array.from({ length: 60 }, () => usage));
    await leave([usage.repeat(40)]);
    const reply = await fetch(`${base}/v1/users/me/usage`, { headers: { authorization: `Bearer ${fixture.token}` } });
    expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('credits')]);
  });

  it('keeps no memory for its body: bodies of others are still read', async () => {
    const [bodyLimit, bodyBytes] = [1_048_576, 14 * 1_048_576];
    const { fixture, base, leave } = await open({ bodyLimit, bodyBytes });
    const { state, tokens } = fixture;
    const tokenOf = async (name: string) => tokens.issue(await state.openAccount(`${name}@example.org`, 'free'));
    const strangers = await Promise.all(Array.from({ length: 14 }, (_, i) => tokenOf(`stranger-${i}`)));
    await leave(strangers.map(token => head('/v1/search', token, bodyLimit)));
    const reply = await fetch(`${base}/v1/search`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await tokenOf('other')}`, 'content-type': 'application/json' },
      body: `{"filters":[]${' '.repeat(16_384)}}`,
    });
    expect([reply.status, await reply.text()]).toEqual([422, expect.stringContaining('search_invalid_request')]);
  });
});
