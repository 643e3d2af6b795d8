import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';

/** A server says so often what it serves. */
const EVERY_MS = 15_000;
/** One of another machine that has not said so for this long is gone. */
const GONE_MS = 90_000;
/** A request that came before another release did may still read the old one: longer than any request takes. */
const AFTERWARDS_MS = 5 * 60_000;

const folderOf = (home: string) => join(resolve(home), 'releases', 'serving');

interface Said {
  readonly host: string;
  readonly pid: number;
  readonly releases: readonly string[];
}

/**
 * Says in a file of its own which releases this process answers from, so that `plat release prune` leaves them alone.
 * Where the folder cannot be written it says nothing.
 */
export class ServingLease {
  readonly #folder: string;
  readonly #file: string;
  readonly #timer: NodeJS.Timeout;
  #current: string | null = null;
  /** Releases that were current before or that callers named, and until when they are still read, of `performance.now()`. */
  readonly #before = new Map<string, number>();

  /** @param home PLAT_HOME. */
  constructor(home: string) {
    this.#folder = folderOf(home);
    this.#file = join(this.#folder, `${randomUUID()}.json`);
    this.#timer = setInterval(() => this.#say(), EVERY_MS).unref();
  }

  /** This release is answered from, from now on; null for none. */
  hold(id: string | null): void {
    if (this.#current !== null) this.#before.set(this.#current, performance.now() + AFTERWARDS_MS);
    this.#current = id;
    this.#say();
  }

  /** This release, which is not the current one, is read too. */
  use(id: string): void {
    const isNew = !this.#before.has(id);
    this.#before.set(id, performance.now() + AFTERWARDS_MS);
    if (isNew) this.#say();
  }

  close(): void {
    clearInterval(this.#timer);
    rmSync(this.#file, { force: true });
  }

  #say(): void {
    for (const [id, until] of this.#before) if (performance.now() >= until) this.#before.delete(id);
    const releases = [...new Set([...(this.#current === null ? [] : [this.#current]), ...this.#before.keys()])];
    if (releases.length === 0) return;
    const said: Said = { host: hostname(), pid: process.pid, releases };
    try {
      mkdirSync(this.#folder, { recursive: true });
      writeFileSync(this.#file, JSON.stringify(said));
    } catch {
      // A home that is only read.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Releases that running servers answer from. What servers that died left is removed. @param home PLAT_HOME. */
export function servedReleases(home: string): Set<string> {
  const folder = folderOf(home);
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return new Set();
  }
  const served = new Set<string>();
  for (const name of names) {
    const path = join(folder, name);
    const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: 0 };
    const recent = Date.now() - mtimeMs < GONE_MS;
    let said: Said | null = null;
    try {
      said = JSON.parse(readFileSync(path, 'utf8')) as Said;
    } catch {
      // Being written this moment, or cut off by a full disk.
    }
    // Of this machine the process itself tells, also one that was stopped for a while.
    const running = said?.host === hostname() ? isAlive(said.pid) : recent;
    if (running) for (const id of said?.releases ?? []) served.add(id);
    else if (!recent) rmSync(path, { force: true });
  }
  return served;
}
