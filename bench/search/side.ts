import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Connection, type Reply, searchRequest } from './connection.ts';
import { cpuSeconds } from './process.ts';
import type { Listening } from './serving.ts';

/** Latencies of requests sent by several clients at once, and how long all of them took. */
export interface Block {
  /** Milliseconds of each. */
  readonly times: readonly number[];
  readonly seconds: number;
  /** Processor seconds of the side's processes. */
  readonly cpu: number;
}

/** One of the two that are compared: a server in a process of its own. */
export class Side {
  readonly #child: ChildProcess;
  readonly #listening: Listening;
  readonly #connections: Connection[] = [];

  readonly #database: number | null;

  private constructor(child: ChildProcess, listening: Listening, database: number | null) {
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
    // The peer's state lies in a folder of its own, so that both keep theirs in a file alike.
    const folder = url === undefined ? null : mkdtempSync(join(tmpdir(), 'plat-bench-state-'));
    const child = fork(script, [home, folder ?? home, ...(url === undefined ? [] : [url])], {
      // As in production: compiled code has no wrappers around its functions, which tsx puts there to keep their names.
      ...(process.features.typescript ? { execArgv: ['--no-warnings'] } : {}),
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    if (folder) child.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    const listening = await new Promise<Listening>((resolve, reject) => {
      child.once('message', message => resolve(message as Listening));
      child.once('exit', code => reject(new Error(`A server of the bench ended with ${code}`)));
    });
    return new Side(child, listening, database);
  }

  get pid(): number {
    return this.#child.pid!;
  }

  #cpu(): number {
    return cpuSeconds(this.pid) + (this.#database === null ? 0 : cpuSeconds(this.#database));
  }

  /** A body as bytes of a whole request to this side. */
  request(body: unknown): Buffer {
    return searchRequest(this.#listening.token, body);
  }

  async #clients(count: number): Promise<Connection[]> {
    while (this.#connections.length < count)
      this.#connections.push(await Connection.open(Number(new URL(this.#listening.address).port)));
    return this.#connections.slice(0, count);
  }

  async post(body: unknown): Promise<Reply> {
    const [client] = await this.#clients(1);
    return client!.send(this.request(body), true);
  }

  /** Sends every request once, in their order, by so many clients. @throws Error when one is refused. */
  async block(requests: readonly Buffer[], count: number): Promise<Block> {
    const clients = await this.#clients(count);
    const times: number[] = [];
    let next = 0;
    const before = this.#cpu();
    const started = performance.now();
    await Promise.all(
      clients.map(async client => {
        while (next < requests.length) {
          const request = requests[next++]!;
          const start = performance.now();
          const { status, body } = await client.send(request, false);
          times.push(performance.now() - start);
          if (status !== 200) throw new Error(`A search was answered ${status}: ${body.toString('utf8', 0, 500)}`);
        }
      }),
    );
    const seconds = (performance.now() - started) / 1000;
    return { times, seconds, cpu: this.#cpu() - before };
  }

  async stop(): Promise<void> {
    for (const connection of this.#connections) connection.close();
    const ended = new Promise(resolve => this.#child.once('exit', resolve));
    this.#child.disconnect();
    await ended;
  }
}
