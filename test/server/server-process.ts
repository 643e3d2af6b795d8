// A server as a process of its own, over the fake engine: what it was asked is lost when it is killed, what it
// acknowledged must not be. Arguments: home, state URL, milliseconds an answer takes, milliseconds its clock is ahead.
import { flushCompileCache } from 'node:module';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { openState } from '../../server/state/open.ts';
import { FakeClock } from './fake-clock.ts';
import { openFixture } from './service-fixture.ts';

const [home, url, answerMs, aheadMs] = process.argv.slice(2) as [string, string, string, string];

class AheadClock extends FakeClock {
  override now(): number {
    return Date.now() + Number(aheadMs);
  }
}

const say = ({ err }: { err?: Error }, message: string) => process.stderr.write(`${message}: ${err?.message ?? ''}\n`);
const fixture = await openFixture({
  state: await openState(home, url, { error: say, warn: say }),
  clock: new AheadClock(),
  cache: false,
  plan: 'scale',
});
fixture.engine.before = async () => {
  await sleep(Number(answerMs) * (0.5 + Math.random()));
};
await fixture.app.listen({ host: '127.0.0.1', port: 0 });
// It is killed, and could not leave to the next what it has compiled.
flushCompileCache();
const stranger = await fixture.tokens.issue(await fixture.state.openAccount('new@example.org', 'scale'));
const { port } = fixture.app.server.address() as AddressInfo;
process.stdout.write(`${JSON.stringify({ port, token: fixture.token, stranger, accountId: fixture.account.id })}\n`);
