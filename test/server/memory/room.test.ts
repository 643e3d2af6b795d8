import { expect, it } from 'vitest';
import { Room } from '../../../server/memory/room.ts';

const { signal } = new AbortController();
const who = (owner: string, connection: object = {}) => ({ owner, connection });

it('one owner has half, one connection a quarter, and whoever holds nothing is let in however large it is', async () => {
  const room = new Room('body', 100);
  const connection = {};
  expect(await room.enter(who('a', connection), 20, signal, 0)).not.toBeNull();
  expect(await room.enter(who('a', connection), 6, signal, 0)).toBeNull();
  expect(await room.enter(who('a'), 25, signal, 0)).not.toBeNull();
  expect(await room.enter(who('a'), 6, signal, 0)).toBeNull();
  expect(await room.enter(who('b'), 60, signal, 0)).toBeNull();
  expect(await room.enter(who('b'), 55, signal, 0)).not.toBeNull();
  expect(room.used).toBe(100);
});

it('an owner has what the room says, if it says so', async () => {
  const room = new Room('body', 100, { ownerBytes: 10 });
  expect(await room.enter(who('a'), 8, signal, 0)).not.toBeNull();
  expect(room.isFilledBy(who('a'))).toBe(false);
  expect(await room.enter(who('a'), 3, signal, 0)).toBeNull();
  expect(await room.enter(who('a'), 2, signal, 0)).not.toBeNull();
  expect(room.isFilledBy(who('a'))).toBe(true);
  expect(await room.enter(who('b'), 60, signal, 0)).not.toBeNull();
});

it('who fills a share is told apart from who does not, and bytes that are there already are counted', () => {
  const room = new Room('body', 100);
  const [one, two] = [who('a'), who('a')];
  const held = room.hold(one, 30, signal);
  expect([room.isFilledBy(one), room.isFilledBy(two), room.isFilledBy(who('b'))]).toEqual([true, false, false]);
  room.hold(two, 20, signal);
  expect(room.isFilledBy(who('a'))).toBe(true);
  held.release();
  held.release();
  expect([room.isFilledBy(one), room.used]).toEqual([false, 20]);
});

it('owners get room in turn when it is left, not in the order in which they came', async () => {
  const room = new Room('body', 100);
  const first = room.hold(who('a'), 90, signal);
  const order: string[] = [];
  const wait = (name: string, owner: string) =>
    room.enter(who(owner), 40, signal).then(held => {
      order.push(name);
      return held!;
    });
  const waiting = [wait('a1', 'a'), wait('a2', 'a'), wait('b1', 'b')];
  first.release();
  (await waiting[0]!).release();
  (await waiting[2]!).release();
  await waiting[1];
  expect(order).toEqual(['a1', 'b1', 'a2']);
});

it('while it is closed one at a time goes in, and admits the others when that ends', async () => {
  let isClosed = true;
  const room = new Room('body', 100, { isClosed: () => isClosed });
  expect(await room.enter(who('a'), 10, signal, 0)).not.toBeNull();
  const next = room.enter(who('b'), 10, signal);
  expect(await room.enter(who('c'), 10, signal, 0)).toBeNull();
  isClosed = false;
  room.admit();
  expect(await next).not.toBeNull();
});

it('nobody waits any more who has gone', async () => {
  const room = new Room('body', 100);
  room.hold(who('a'), 100, signal);
  const gone = new AbortController();
  const waiting = room.enter(who('b'), 10, gone.signal);
  gone.abort();
  expect(await waiting).toBeNull();
});

it('who has gone before asking gets no room, and does not wait for it', async () => {
  const room = new Room('body', 100);
  await room.enter(who('a'), 50, AbortSignal.abort());
  expect(room.used).toBe(0);
  room.hold(who('a'), 100, signal);
  expect(await room.enter(who('b'), 10, AbortSignal.abort())).toBeNull();
  expect(room.used).toBe(100);
});

it('bytes that were released are not counted again when their real size is known', () => {
  const room = new Room('answer', 100);
  const gone = new AbortController();
  const held = room.hold(who('a'), 30, gone.signal);
  held.resize(40);
  expect(room.used).toBe(40);
  gone.abort();
  held.resize(50);
  expect(room.used).toBe(0);
});
