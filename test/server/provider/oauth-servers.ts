import { afterEach, beforeEach } from 'vitest';
import { type SafeClient, SafeClientError } from '../../../server/upstream/safe-client.ts';
import { authorize, codeFields, letIn, listTools, registerAgent, sendForm } from '../account/agent.ts';
import { FakeClock } from '../fake-clock.ts';
import { type Fixture, ISSUER, openFixture } from '../service-fixture.ts';
import type { describeStores } from '../state/state-stores.ts';
import { Browser } from './browser.ts';
import { quickHash } from './quick-hash.ts';

/** Who lets agents in at these servers. */
export const SOMEONE = { email: 'someone@example.org', password: 'correct horse battery' } as const;
const hashed = quickHash(SOMEONE.password);

/** oidc-provider looks at the machine's time. */
class MachineClock extends FakeClock {
  override time = Date.now();
}

type Kind = Parameters<Parameters<typeof describeStores>[1]>[0];

/**
 * Opens two servers of one store before each test: agents register and exchange codes at one, people sign in and tokens are
 * renewed at the other.
 */
export function useTwoServers(kind: Kind) {
  const opened: Fixture[] = [];
  /** What addresses of strangers answer, and which were asked. */
  const documents = new Map<string, object>();
  const asked: string[] = [];
  const client: SafeClient = {
    async send(url) {
      asked.push(url);
      const document = documents.get(url);
      if (!document) throw new SafeClientError('refused', 'it leads to an address that is not public');
      return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(document)) };
    },
    check: async () => {},
  };
  beforeEach(async () => {
    const place = await kind.place();
    const clock = new MachineClock();
    for (let i = 0; i < 2; i++) opened.push(await openFixture({ state: await kind.open(place), clock, client }));
    const { users } = opened[0]!.state;
    const user = await users.open(SOMEONE.email, null);
    await users.setPassword(user.id, hashed);
    await users.verify(user.id, Date.now());
    documents.clear();
    asked.length = 0;
  });
  afterEach(async () => {
    for (const fixture of opened.splice(0)) await fixture.app.close();
  });
  const one = () => opened[0]!;
  const two = () => opened[1]!;
  return {
    documents,
    asked,
    get one() {
      return one();
    },
    get two() {
      return two();
    },
    async json({ app }: Fixture, url: string, payload?: object) {
      const reply = await app.inject({ url, method: payload ? 'POST' : 'GET', ...(payload ? { payload } : {}) });
      return { status: reply.statusCode, json: reply.json(), headers: reply.headers };
    },
    register: (more: object = {}) => registerAgent(one(), more),
    authorize: (clientId: string, more: Record<string, string> = {}, browser = new Browser(two().app, ISSUER)) =>
      authorize(browser, SOMEONE, clientId, more),
    exchange: (clientId: string, code: string, verifier: string, more: Record<string, string> = {}) =>
      sendForm(one(), '/token', { ...codeFields(clientId, code, verifier), ...more }),
    refresh: (client_id: string, refresh_token: string) =>
      sendForm(two(), '/token', { grant_type: 'refresh_token', client_id, refresh_token }),
    listing: (token: string, fixture = one()) => listTools(fixture, token),
    granted: () => letIn(one(), SOMEONE, 'An <agent>', new Browser(two().app, ISSUER)),
  };
}
