import { type ChildProcess, fork } from 'node:child_process';
import { createReadStream, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { watchHost } from '../stolen-time.ts';
import { Connection, type Reply, searchRequest } from './connection.ts';
import { type Load, load, writeRequests } from './load.ts';
import { cpuSeconds, treeMb } from './process.ts';
import type { Listening } from './serving.ts';

/** How often a side is looked at that shall become idle, and processor seconds that it takes then at most. */
const [LOOK_MS, IDLE_SECONDS] = [60, 0.03];

/** Where the files stand in another checkout that stand beside this one. */
const treeUrl = (tree: string): URL => pathToFileURL(join(tree, 'bench/search/side.ts'));

/** Some seconds of requests sent by several clients at once. */
export interface Block extends Load {
  /** Processor seconds of the side's processes. */
  readonly cpu: number;
  /** Percentage of the cores' time that the machine's host took meanwhile. */
  readonly stolen: number;
}

/** What answers on a side: Plat, of another checkout if `tree` says so, or its server over a database. */
export type Kind =
  | { readonly name: 'Plat'; readonly tree?: string }
  | { readonly name: 'PostGIS'; readonly url: string; readonly pid: number }
  | { readonly name: 'SQLite'; readonly file: string };

/** One of those that are compared: a server in a process of its own. */
export class Side {
  readonly #kind: Kind;
  readonly #child: ChildProcess;
  readonly #listening: Listening;
  /** Of its releases; a peer has none. */
  readonly #home: string | null;
  /** Its requests, and a peer's state. */
  readonly #folder: string;
  #client: Connection | null = null;

  private constructor(kind: Kind, child: ChildProcess, listening: Listening, home: string | null, folder: string) {
    this.#kind = kind;
    this.#folder = folder;
    this.#home = home;
    this.#child = child;
    this.#listening = listening;
  }

  /** @param home of the release that is searched. */
  static async start(kind: Kind, home: string): Promise<Side> {
    const script = new URL('./serving.ts', kind.name === 'Plat' && kind.tree ? treeUrl(kind.tree) : import.meta.url);
    const folder = mkdtempSync(join(tmpdir(), 'plat-bench-side-'));
    const source = kind.name === 'PostGIS' ? kind.url : kind.name === 'SQLite' ? kind.file : '';
    // A peer's state lies in a folder of its own, so that all keep theirs in a file alike.
    const state = kind.name === 'Plat' ? home : folder;
    const child = fork(fileURLToPath(script), [home, state, kind.name, source], {
      // As in production: compiled code has no wrappers around its functions, which tsx puts there to keep their names;
      // and young objects are limited as `plat serve` does.
      ...(process.features.typescript ? { execArgv: ['--no-warnings', '--max-semi-space-size=8'] } : {}),
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    const listening = await new Promise<Listening>((resolve, reject) => {
      child.once('message', message => resolve(message as Listening));
      child.once('exit', code => reject(new Error(`A server of the bench ended with ${code}`)));
    });
    return new Side(kind, child, listening, kind.name === 'Plat' ? home : null, folder);
  }

  get name(): Kind['name'] {
    return this.#kind.name;
  }

  get #pids(): number[] {
    return [this.#child.pid!, ...(this.#kind.name === 'PostGIS' ? [this.#kind.pid] : [])];
  }

  /** Megabytes of all its processes. */
  get megabytes(): number {
    return this.#pids.reduce((sum, pid) => sum + treeMb(pid), 0);
  }

  #cpu(): number {
    return this.#pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  }

  /** Sends one request and keeps its answer. */
  async post(body: unknown): Promise<Reply> {
    if (!this.#client?.isOpen) this.#client = await Connection.open(Number(new URL(this.#listening.address).port));
    return this.#client.send(searchRequest(this.#listening.token, body), true);
  }

  /**
   * Sends bodies for some seconds by so many clients, each body once while they last, and waits until nothing works on
   * those that were cut off at the end: it would run beside the next side's.
   * @throws Error when one is refused.
   */
  async block(bodies: Iterable<unknown>, clients: number, seconds = 1): Promise<Block> {
    const file = join(this.#folder, 'requests');
    writeRequests(file, bodies, body => searchRequest(this.#listening.token, body));
    const before = this.#cpu();
    const stolenSince = watchHost();
    const seen = await load(this.#listening.address, file, clients, seconds);
    const cpu = this.#cpu() - before;
    const stolen = stolenSince();
    await this.#idle();
    return { ...seen, cpu, stolen };
  }

  /**
   * Reads the files of the releases through, so that all of them stand in the system's memory as the peer's tables do in
   * its own: systems that take back what was not used lately would have requests wait for a disk.
   */
  async readThrough(): Promise<void> {
    if (this.#home === null) return;
    const files = readdirSync(join(this.#home, 'releases'), { recursive: true, withFileTypes: true });
    for (const file of files.filter(entry => entry.isFile())) {
      const stream = createReadStream(join(file.parentPath, file.name), { highWaterMark: 1 << 20 });
      for await (const _ of stream);
    }
  }

  async #idle(): Promise<void> {
    let [before, now] = [0, this.#cpu()];
    do {
      before = now;
      await new Promise(resolve => setTimeout(resolve, LOOK_MS));
      now = this.#cpu();
    } while (now - before > IDLE_SECONDS);
  }

  async stop(): Promise<void> {
    this.#client?.close();
    const ended = new Promise(resolve => this.#child.once('exit', resolve));
    this.#child.disconnect();
    await ended;
  }
}
