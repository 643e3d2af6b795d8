import { AsyncLocalStorage } from 'node:async_hooks';

/** Somebody whose work takes turns: a server, or the world around the servers. */
export interface Party {
  readonly name: string;
  /** False once it was killed: nothing of it goes on. */
  alive: boolean;
  /** Whether the machine has stopped it for a while. */
  paused: boolean;
  /** Milliseconds that its clock is ahead. */
  skewMs: number;
  /** Whether a statement in its hands now may fail, and how. */
  trouble: 'none' | 'breaks';
  /** Ends what the kernel would end with its process. */
  readonly released: Set<{ close(): void }>;
}

export const partyNamed = (name: string): Party => ({
  name,
  alive: true,
  paused: false,
  skewMs: 0,
  trouble: 'none',
  released: new Set(),
});

/** Ends a process as `kill -9` does: nothing of it goes on, and its files are closed. */
export function end(party: Party): void {
  party.alive = false;
  for (const held of party.released)
    try {
      held.close();
    } catch {
      // It was closed before.
    }
}

/** Clients, receivers of callbacks, engines of the world. */
export const WORLD = partyNamed('world');
const within = new AsyncLocalStorage<Party>();

/** Whose code this is. */
export const partyHere = (): Party => within.getStore() ?? WORLD;
export const asParty = <T>(party: Party, work: () => T): T => within.run(party, work);

/** Mixes whole numbers to one of 32 bits: the same for the same. */
export function mixed(...numbers: readonly number[]): number {
  let hash = 0x9e3779b9;
  for (const number of numbers) {
    hash = Math.imul(hash ^ number, 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return hash >>> 0;
}

/** Numbers from 0 to 1 that follow from a seed. */
export function randomOf(seed: number): () => number {
  let state = mixed(seed, 0x51);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Task {
  readonly party: Party;
  readonly run: () => void;
}

/** Something that happens at a moment. */
export class Alarm implements Task {
  readonly party: Party;
  readonly run: () => void;
  at: number;
  /** Milliseconds between its times; null for one time. */
  readonly everyMs: number | null;
  ended = false;

  constructor(task: Task, at: number, everyMs: number | null) {
    this.party = task.party;
    this.run = task.run;
    this.at = at;
    this.everyMs = everyMs;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  hasRef(): boolean {
    return false;
  }
}

/** Resolves when all microtasks have run. */
const settled = (
  (later: typeof setImmediate) => () =>
    new Promise<void>(resolve => later(resolve))
)(setImmediate);

/** The order and the time of everything that happens, which follow from a seed alone. */
export class Scheduler {
  readonly seed: number;
  readonly random: () => number;
  /** Milliseconds since the start, the same for all. */
  now = 0;
  steps = 0;
  /** Of the whole history: two runs are the same when these are. */
  fingerprint = 0;
  /** Whether the disk is full. */
  diskIsFull = false;
  #ready: Task[] = [];
  /** In the order of their moments. */
  #alarms: Alarm[] = [];

  constructor(seed: number) {
    this.seed = seed;
    this.random = randomOf(seed);
  }

  /** Does something in one of the next steps. */
  soon(party: Party, run: () => void): void {
    if (party.alive) this.#ready.push({ party, run });
  }

  /** Does something in so many milliseconds. */
  later(party: Party, ms: number, run: () => void, everyMs: number | null = null): Alarm {
    const alarm = new Alarm({ party, run }, this.now + Math.max(1, ms), everyMs);
    if (party.alive) this.#insert(alarm);
    return alarm;
  }

  #insert(alarm: Alarm): void {
    let [low, high] = [0, this.#alarms.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#alarms[middle]!.at <= alarm.at) low = middle + 1;
      else high = middle;
    }
    this.#alarms.splice(low, 0, alarm);
  }

  /** A number below `most` that follows from the seed and the step. */
  draw(most: number, of = 0): number {
    return mixed(this.seed, this.steps, of) % most;
  }

  /** Waits until one of the next steps. */
  turn(party: Party): Promise<void> {
    return new Promise(resolve => this.soon(party, resolve));
  }

  /** Waits for some milliseconds. */
  wait(party: Party, ms: number): Promise<void> {
    return new Promise(resolve => void this.later(party, ms, resolve));
  }

  /** Lets time pass in which nobody gets to do anything: what was due in it happens after it, once. */
  leap(ms: number): void {
    this.now += ms;
    this.#ring();
  }

  #ring(): void {
    let due = 0;
    while (due < this.#alarms.length && this.#alarms[due]!.at <= this.now) due++;
    for (const alarm of this.#alarms.splice(0, due)) {
      if (alarm.ended || !alarm.party.alive) continue;
      this.#ready.push(alarm);
      if (alarm.everyMs === null) continue;
      alarm.at = this.now + alarm.everyMs;
      this.#insert(alarm);
    }
  }

  #next(): Task | null {
    this.#ready = this.#ready.filter(({ party }) => party.alive);
    const able = this.#ready.some(({ party }) => party.paused)
      ? this.#ready.filter(({ party }) => !party.paused)
      : this.#ready;
    if (able.length === 0) return null;
    // Mostly the one that waits longest, as in a real queue; else any.
    const task = able[this.draw(10, 1) < 5 ? 0 : this.draw(able.length, 2)]!;
    this.#ready.splice(this.#ready.indexOf(task), 1);
    return task;
  }

  /** Whether somebody can go on without that time passes. */
  get isBusy(): boolean {
    return this.#ready.some(({ party }) => party.alive && !party.paused);
  }

  /** Does the next thing. @param patient whether time may pass until there is one. @returns false where there is none. */
  async step(patient = true): Promise<boolean> {
    this.steps++;
    this.now += this.draw(3, 3) / 8;
    this.#ring();
    let task = this.#next();
    while (!task && patient) {
      const next = this.#alarms.find(({ ended, party }) => !ended && party.alive && !party.paused);
      if (!next) break;
      this.now = Math.max(this.now, next.at);
      this.#ring();
      task = this.#next();
    }
    if (!task) return false;
    if (!(task instanceof Alarm && task.ended && task.everyMs === null)) task.run();
    await settled();
    this.fingerprint = mixed(this.fingerprint, this.now, this.#ready.length, this.#alarms.length);
    return true;
  }
}
