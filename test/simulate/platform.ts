import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { Alarm, partyHere, type Scheduler, WORLD } from './scheduler.ts';

/**
 * Puts the scheduler in the place of the clock, the timers, chance, SQLite files and the threads of this process, for modules that are
 * imported after this one. Without a scheduler everything is as it was.
 */
let scheduler: Scheduler | null = null;

export const simulatedBy = (next: Scheduler | null): void => {
  scheduler = next;
};
export const schedulerHere = (): Scheduler | null => scheduler;

/** Epoch milliseconds at the start of a simulation: a minute before a month ends. */
export const START = Date.UTC(2026, 0, 31, 23, 40);

const require = createRequire(import.meta.url);
const globals = globalThis as unknown as Record<string, unknown>;

/** Puts a function in the place of one of an object, while there is a scheduler. */
function replace(owner: object, name: string, make: (by: Scheduler, ...args: never[]) => unknown): void {
  const before = (owner as Record<string, (...args: unknown[]) => unknown>)[name]!;
  const after = function (this: unknown, ...args: never[]) {
    return scheduler ? make(scheduler, ...args) : before.apply(this, args);
  };
  Object.defineProperty(owner, name, { value: after, writable: true, configurable: true });
}

type Callback = (...args: unknown[]) => void;

/** What a callback does, in the contexts in which it was given away. */
const bound = (callback: Callback, args: readonly unknown[] = []) => {
  const inside = AsyncLocalStorage.snapshot();
  return () => void inside(callback, ...args);
};
const end = (_: Scheduler, alarm: unknown) => {
  if (alarm instanceof Alarm) alarm.ended = true;
};

const timers = require('node:timers');
for (const owner of [globals, timers]) {
  replace(owner, 'setTimeout', (by, callback: Callback, ms = 1, ...args: unknown[]) =>
    by.later(partyHere(), ms, bound(callback, args)),
  );
  replace(owner, 'setInterval', (by, callback: Callback, ms = 1, ...args: unknown[]) =>
    by.later(partyHere(), ms, bound(callback, args), ms),
  );
  replace(owner, 'setImmediate', (by, callback: Callback, ...args: unknown[]) =>
    by.soon(partyHere(), bound(callback, args)),
  );
  replace(owner, 'clearTimeout', end);
  replace(owner, 'clearInterval', end);
}
const promises = require('node:timers/promises');
replace(promises, 'setTimeout', (by, ms: number, value: unknown, { signal }: { signal?: AbortSignal } = {}) => {
  return new Promise((resolve, reject) => {
    const abort = () => reject(new DOMException('The operation was aborted', 'AbortError'));
    if (signal?.aborted) return abort();
    const alarm = by.later(partyHere(), ms, () => {
      signal?.removeEventListener('abort', abort);
      resolve(value);
    });
    signal?.addEventListener('abort', () => {
      alarm.ended = true;
      abort();
    });
  });
});
replace(promises, 'setImmediate', by => by.turn(partyHere()));
replace(AbortSignal, 'timeout', (by, ms: number) => {
  const controller = new AbortController();
  by.later(partyHere(), ms, () => controller.abort(new DOMException('The time is up', 'TimeoutError')));
  return controller.signal;
});
replace(performance, 'now', by => by.now);
/** Moments that nobody names are those of the simulation. */
globals.Date = class extends Date {
  constructor(...args: readonly unknown[]) {
    super(...((args.length > 0 ? args : [SimulatedDate.now()]) as [number]));
  }
};
const SimulatedDate = globals.Date as DateConstructor;
replace(SimulatedDate, 'now', by => START + by.now + partyHere().skewMs);
replace(Math, 'random', by => by.random());

const crypto = require('node:crypto');
const bytesOf = (by: Scheduler, count: number) => Buffer.from(Array.from({ length: count }, () => by.random() * 256));
replace(crypto, 'randomBytes', (by, count: number) => bytesOf(by, count));
replace(crypto, 'randomUUID', by =>
  bytesOf(by, 16)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
);

// Threads end when they like. Here they end at once.
const zlib = require('node:zlib');
replace(zlib, 'gzip', (by, text: string, { level }: { level: number }, done: (error: null, bytes: Buffer) => void) => {
  const bytes = zlib.gzipSync(text, { level });
  by.soon(
    partyHere(),
    bound(() => done(null, bytes)),
  );
});
replace(zlib, 'gunzip', (by, bytes: Uint8Array, done: (error: null, bytes: Buffer) => void) => {
  const text = zlib.gunzipSync(bytes);
  by.soon(
    partyHere(),
    bound(() => done(null, text)),
  );
});

/** Files of SQLite are closed, and what was not committed is undone, when their process is killed. */
const sqlite = require('node:sqlite');
sqlite.DatabaseSync = class extends sqlite.DatabaseSync {
  constructor(path: string, options = {}) {
    super(path, options);
    const party = partyHere();
    if (party !== WORLD) party.released.add(this as unknown as { close(): void });
  }
};
syncBuiltinESMExports();
