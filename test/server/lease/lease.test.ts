import { EventEmitter } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { Lease, leasesHeld } from '../../../server/lease/lease.ts';

/** A socket or a response, as far as a lease looks at it. */
class Connection extends EventEmitter {
  destroyed = false;
  close(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

const held = () => leasesHeld().get('gate') ?? 0;

/** A lease that counts how often it was released. */
function counted() {
  const counts = { released: 0 };
  const lease = new Lease('gate', () => {
    counts.released++;
  });
  return { lease, counts };
}

it('is released once: by its holder, or when its end closes or aborts', () => {
  const before = held();
  const connection = new Connection();
  const abort = new AbortController();
  const [freed, closed, aborted] = [counted(), counted(), counted()];
  freed.lease.until(connection).release();
  closed.lease.until(connection);
  aborted.lease.until(connection).until(abort.signal);
  expect(held()).toBe(before + 2);
  abort.abort();
  connection.close();
  connection.close();
  for (const { lease, counts } of [freed, closed, aborted]) {
    lease.release();
    expect([counts.released, lease.isHeld]).toEqual([1, false]);
  }
  expect(held()).toBe(before);
});

it('is released at once when its end is over already', () => {
  const gone = new Connection();
  gone.close();
  // Destroyed, and its event is still to come.
  const going = new Connection();
  going.destroyed = true;
  for (const end of [gone, going, AbortSignal.abort()]) {
    const { lease, counts } = counted();
    expect([lease.until(end).isHeld, counts.released]).toEqual([false, 1]);
  }
  going.close();
});

it('a connection has one listener, however many leases it ends', () => {
  const connection = new Connection();
  const leases = Array.from({ length: 100 }, () => counted());
  for (const { lease } of leases) lease.until(connection);
  expect(connection.listenerCount('close')).toBe(1);
  for (const { lease } of leases.slice(0, 50)) lease.release();
  connection.close();
  expect(leases.map(({ counts }) => counts.released)).toEqual(leases.map(() => 1));
});

it('a response ends with its connection, and has ended where either is over', () => {
  for (const which of ['response', 'connection'] as const) {
    const connection = new Connection();
    const response = new ServerResponse(new IncomingMessage(connection as unknown as Socket));
    const { lease, counts } = counted();
    expect(lease.until(response).isHeld).toBe(true);
    if (which === 'response') response.emit('close');
    else connection.close();
    expect([lease.isHeld, counts.released]).toEqual([false, 1]);
  }
  const gone = new Connection();
  gone.close();
  const response = new ServerResponse(new IncomingMessage(gone as unknown as Socket));
  expect(counted().lease.until(response).isHeld).toBe(false);
});
