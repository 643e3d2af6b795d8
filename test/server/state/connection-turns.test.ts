import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openState } from '../../../server/state/open.ts';
import { inNameOf } from '../../../server/state/sqlite/in-name-of.ts';

async function openStore() {
  const home = mkdtempSync(join(tmpdir(), 'plat-turns-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const store = await openState(home, '');
  onTestFinished(() => store.close());
  return store;
}

it('serves accounts in turn: one with much to do delays another by one transaction at each step', async () => {
  const store = await openStore();
  const a = (await store.openAccount('a@plat.invalid', 'free')).id;
  const b = (await store.openAccount('b@plat.invalid', 'free')).id;
  let done = 0;
  const much = Array.from({ length: 300 }, (_, minute) =>
    inNameOf(a, () => store.requests.count(a, minute)).then(() => done++),
  );
  const short = inNameOf(b, async () => {
    for (let step = 0; step < 4; step++) await store.requests.count(b, 1);
    return done;
  });
  expect(await short).toBeLessThan(50);
  await Promise.all(much);
  expect(done).toBe(300);
  expect(await store.requests.count(b, 1)).toBe(5);
});

it('gives the event loop a turn between transactions, though SQLite answers at once', async () => {
  const store = await openStore();
  const { id } = await store.openAccount('a@plat.invalid', 'free');
  const work = Promise.all(Array.from({ length: 2_000 }, () => store.requests.count(id, 1)));
  let turns = 0;
  let isRunning = true;
  const count = () => {
    turns++;
    if (isRunning) setImmediate(count);
  };
  setImmediate(count);
  await work;
  isRunning = false;
  expect(turns).toBeGreaterThan(3);
});

it('lends the connection again after work that failed', async () => {
  const store = await openStore();
  const { id } = await store.openAccount('a@plat.invalid', 'free');
  const failing = Array.from({ length: 3 }, () => store.requests.count('an unknown account', 1));
  for (const { status } of await Promise.allSettled(failing)) expect(status).toBe('rejected');
  expect(await store.requests.count(id, 1)).toBe(1);
});
