import { type ChildProcess, fork } from 'node:child_process';
import { createReadStream, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Connection, type Reply, searchRequest } from './connection.ts';
import { type Load, load, writeRequests } from './load.ts';
import { cpuSeconds } from './process.ts';
import type { Listening } from './serving.ts';

/** How often a side is looked at that shall become idle, and processor seconds that it takes then at most. */
const [LOOK_MS, IDLE_SECONDS] = [60, 0.03];

/** Some seconds of requests sent by several clients at once. */
export interface Block extends Load {
  /** Processor seconds of the side's processes. */
  readonly cpu: number;
}

/** One of the two that are compared: a server in a process of its own. */
export class Side {
  readonly #child: ChildProcess;
  readonly #listening: Listening;
  readonly #database: number | null;
  /** Of its releases; the peer has none. */
  readonly #home: string | null;
  /** Its requests, and the peer's state. */
  readonly #folder: string;
  #client: Connection | null = null;

  private constructor(
    child: ChildProcess,
    listening: Listening,
    database: number | null,
    home: string | null,
    folder: string,
  ) {
    this.#folder = folder;
    this.#home = home;
    this.#database = database;
    this.#child = child;
    this.#listening = listening;
  }

  /**
   * @param url of the peer's database; without it the side is Plat.
   * @param database process id of its server.
   */
  static async start(home: string, url?: string, database: number | null = null): Promise<Side> {
    const script = fileURLToPath(new URL('./serving.ts', import.meta.url));
    const folder = mkdtempSync(join(tmpdir(), 'plat-bench-side-'));
    // The peer's state lies in a folder of its own, so that both keep theirs in a file alike.
    const child = fork(script, url === undefined ? [home, home] : [home, folder, url], {
      // As in production: compiled code has no wrappers around its functions, which tsx puts there to keep their names.
      ...(process.features.typescript ? { execArgv: ['--no-warnings'] } : {}),
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    const listening = await new Promise<Listening>((resolve, reject) => {
      child.once('message', message => resolve(message as Listening));
      child.once('exit', code => reject(new Error(`A server of the bench ended with ${code}`)));
    });
    return new Side(child, listening, database, url === undefined ? home : null, folder);
  }

  get pid(): number {
    return this.#child.pid!;
  }

  #cpu(): number {
    return cpuSeconds(this.pid) + (this.#database === null ? 0 : cpuSeconds(this.#database));
  }

  /** Sends one request and keeps its answer. */
  async post(body: unknown): Promise<Reply> {
    if (!this.#client?.isOpen) this.#client = await Connection.open(Number(new URL(this.#listening.address).port));
    return this.#client.send(searchRequest(this.#listening.token, body), true);
  }

  /**
   * Sends bodies for some seconds by so many clients, each body once while they last, and waits until nothing works on
   * those that were cut off at the end: it would run beside the other side's.
   * @throws Error when one is refused.
   */
  async block(bodies: Iterable<unknown>, clients: number, seconds = 1): Promise<Block> {
    const file = join(this.#folder, 'requests');
    writeRequests(file, bodies, body => searchRequest(this.#listening.token, body));
    const before = this.#cpu();
    const seen = await load(this.#listening.address, file, clients, seconds);
    const cpu = this.#cpu() - before;
    await this.#idle();
    return { ...seen, cpu };
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
