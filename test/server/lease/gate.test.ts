import { expect, it } from 'vitest';
import { accountGate, batchGate, Gate } from '../../../server/lease/gate.ts';
import { type Lease, leasesHeld } from '../../../server/lease/lease.ts';

const looped = () => new Promise(resolve => setImmediate(resolve));
const here = () => new AbortController().signal;

/** A gate whose visits are named, by the order in which they began. */
function visits(gate: Gate) {
  const began: string[] = [];
  const refused: string[] = [];
  const leases = new Map<string, Lease>();
  return {
    began,
    refused,
    end: (name: string) => leases.get(name)!.release(),
    async enter(owner: string, name = owner, signal = here()) {
      const lease = await gate.enter(owner, signal);
      if (!lease) {
        refused.push(name);
        return;
      }
      leases.set(name, lease);
      began.push(name);
    },
  };
}

it('so many batches of an account go on at once, the others in the order they came; those who go away lose their place', async () => {
  const { began, end, enter } = visits(batchGate(2));
  const gone = new AbortController();
  const [a, b] = [enter('noisy', 'a'), enter('noisy', 'b')];
  const left = enter('noisy', 'left', gone.signal);
  const [c, d] = [enter('noisy', 'c'), enter('noisy', 'd')];
  const quiet = enter('quiet');
  await looped();
  expect(began).toEqual(['a', 'b', 'quiet']);
  gone.abort();
  await expect(left).rejects.toThrow(/aborted/);
  end('a');
  await looped();
  expect(began).toEqual(['a', 'b', 'quiet', 'c']);
  end('b');
  end('c');
  end('quiet');
  await Promise.all([a, b, c, d, quiet]);
  expect(began).toEqual(['a', 'b', 'quiet', 'c', 'd']);
  end('d');
  // All have left: two may begin again, and one who has gone may not.
  await Promise.all([enter('noisy', 'e'), enter('noisy', 'f')]);
  await expect(enter('other', 'other', gone.signal)).rejects.toThrow(/aborted/);
});

it('an account has all places of a gate but one; who waits gives way to who has less waiting, and enters in turn', async () => {
  const { began, refused, end, enter } = visits(accountGate(3));
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) void enter('noisy', name);
  await looped();
  expect([began, refused]).toEqual([['a', 'b'], ['f']]);
  void enter('quiet', 'q1');
  void enter('quiet', 'q2');
  void enter('third');
  await looped();
  // The line held c, d and e: the last of them gave way to q2, and then d to the third account.
  expect([began, refused]).toEqual([
    ['a', 'b', 'q1'],
    ['f', 'e', 'd'],
  ]);
  void enter('fourth');
  await looped();
  expect(refused).toEqual(['f', 'e', 'd', 'fourth']);
  for (const name of ['a', 'q1', 'b', 'c', 'q2', 'third']) {
    end(name);
    await looped();
  }
  expect(began).toEqual(['a', 'b', 'q1', 'c', 'q2', 'third']);
});

it('who waits too long is refused, and nothing is left of the wait', async () => {
  const before = leasesHeld().get('line') ?? 0;
  const gate = new Gate(1, { line: 1, patienceMs: 5 });
  const inside = leasesHeld().get('gate') ?? 0;
  const visit = await gate.enter('one', here());
  const waiting = gate.enter('other', here());
  expect([leasesHeld().get('line'), leasesHeld().get('gate')]).toEqual([before + 1, inside + 1]);
  expect(await waiting).toBeNull();
  visit!.release();
  expect(leasesHeld().get('line') ?? 0).toBe(before);
  expect((await gate.enter('other', here()))!.isHeld).toBe(true);
});

it('a newcomer goes before a crowd that was let in before, which goes on meanwhile', async () => {
  const crowd = Array.from({ length: 50 }, (_, i) => `crowd ${i}`);
  const { began, refused, end, enter } = visits(new Gate(1, { line: 32, patienceMs: null, remembered: 100 }));
  for (const one of crowd) {
    await enter(one, `${one} first`);
    end(`${one} first`);
  }
  for (const one of crowd) void enter(one);
  await looped();
  // One is inside, 32 wait, and the line is full.
  expect(refused).toHaveLength(17);
  void enter('newcomer');
  await looped();
  expect(refused).toHaveLength(18);
  let next = began.at(-1)!;
  let turns = 0;
  while (next !== 'newcomer') {
    end(next);
    await looped();
    turns++;
    next = began.at(-1)!;
  }
  expect(turns).toBeLessThanOrEqual(2);
  // Newcomers in turn do not keep those of before out.
  began.length = 0;
  for (let i = 0; i < 30; i++) {
    void enter(`new ${i}`);
    await looped();
    end(next);
    await looped();
    next = began.at(-1)!;
  }
  expect(began.filter(name => name.startsWith('crowd'))).toHaveLength(10);
});

it('knows a crowd once each of it came, though the work is so slow that hardly anybody was let in', async () => {
  const crowd = Array.from({ length: 50 }, (_, i) => `crowd ${i}`);
  const { began, refused, end, enter } = visits(new Gate(1, { line: 32, patienceMs: null, remembered: 100 }));
  const tired = new AbortController();
  const first = crowd.map(one => enter(one, `${one} first`, tired.signal));
  await looped();
  expect([began, refused.length]).toEqual([['crowd 0 first'], 17]);
  tired.abort();
  await Promise.allSettled(first);
  for (const one of crowd) void enter(one);
  void enter('newcomer');
  await looped();
  for (let i = 0; i < 2; i++) {
    end(began.at(-1)!);
    await looped();
  }
  expect(began).toContain('newcomer');
});

it('lets who came in vain in soon, while every other one of a crowd is new or comes again as often', async () => {
  for (const isNew of [true, false]) {
    const { began, refused, end, enter } = visits(new Gate(1, { line: 32, patienceMs: null, remembered: 10_000 }));
    let crowd = 0;
    const come = async (count: number) => {
      for (let i = 0; i < count; i++, crowd++) void enter(`crowd ${isNew ? crowd : crowd % 100}`, `crowd ${crowd}`);
      await looped();
    };
    /** Five come for each that is let in. */
    const goOn = async (rounds: number) => {
      for (let i = 0; i < rounds; i++) {
        await come(5);
        end(began.at(-1)!);
        await looped();
      }
    };
    await come(40);
    const left = new AbortController();
    const vain = enter('somebody', 'in vain', left.signal);
    left.abort();
    await expect(vain).rejects.toThrow(/aborted/);
    await goOn(100);
    let tries = 0;
    while (!began.includes('somebody') && tries < 40) {
      // At any moment between two that are let in.
      void enter('somebody');
      await come(tries++ % 5);
      const before = refused.filter(name => name === 'somebody').length;
      while (!began.includes('somebody') && refused.filter(name => name === 'somebody').length === before)
        await goOn(1);
    }
    expect(tries, isNew ? 'new' : 'again').toBeLessThanOrEqual(isNew ? 1 : 5);
  }
});
