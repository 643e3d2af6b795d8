import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Release } from '../release/open-release.ts';
import type { Judged } from '../release/verified-file.ts';
import type { Damage } from './damage.ts';

/** What the checker's thread is told to keep an eye on: the files of a release, none without one. */
export interface Watch {
  readonly release: string | null;
}

/** What the checker's thread tells. */
export interface Found {
  /** Of the release that it was told last. */
  readonly release: string | null;
  /** Large files found damaged, and sound ones that could not be recorded. */
  readonly judged: readonly Judged[];
  readonly damage: readonly Damage[];
}

/** What the checker's thread is started with. */
export interface CheckerSetup {
  readonly home: string;
  /** Files larger than this many bytes are large: requests leave hashing them to the checker. */
  readonly largeBytes: number;
}

/**
 * A thread file, and what Node needs to run it: sources go through tsx, unless this process itself runs them by Node's own type
 * stripping; compiled files go as they are.
 * @param beside URL of a module in the folder of that file.
 */
export function threadFile(name: string, beside = import.meta.url): { filename: string; execArgv: string[] } {
  if (!import.meta.url.endsWith('.ts'))
    return { filename: fileURLToPath(new URL(`./${name}.js`, beside)), execArgv: [] };
  const filename = fileURLToPath(new URL(`./${name}.ts`, beside));
  const stripping = Boolean(process.features.typescript) && !process.execArgv.some(arg => arg.includes('tsx'));
  if (stripping) return { filename, execArgv: [] };
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  return { filename, execArgv: ['--import', tsx] };
}

/**
 * Keeps an eye on the files of the current release in a thread of its own. It hashes those never hashed under their
 * present stamp and those that change while the server runs: large ones for the requests that wait for it, all of them
 * so that damage is known before somebody asks. The thread starts with the first release.
 */
export class FileChecker {
  readonly #setup: CheckerSetup;
  #thread: Worker | null = null;
  #release: string | null = null;
  #judged: readonly Judged[] = [];
  #damage: readonly Damage[] = [];

  /** @param home PLAT_HOME. @param largeBytes files larger than this are large. */
  constructor(home: string, largeBytes: number) {
    this.#setup = { home, largeBytes };
  }

  /** Large files found damaged, and sound ones that could not be recorded. */
  get judged(): readonly Judged[] {
    return this.#judged;
  }

  /** Files that cannot be used. */
  get damage(): readonly Damage[] {
    return this.#damage;
  }

  /** Keeps an eye on this release from now on instead of the one before. */
  follow(release: Release | null): void {
    this.#release = release?.id ?? null;
    this.#damage = [];
    if (release && !this.#thread) this.#thread = this.#start();
    this.#thread?.postMessage({ release: this.#release } satisfies Watch);
  }

  async close(): Promise<void> {
    await this.#thread?.terminate();
    this.#thread = null;
  }

  #start(): Worker {
    const { filename, execArgv } = threadFile('file-checker-thread');
    const thread = new Worker(filename, { workerData: this.#setup, execArgv });
    thread.on('message', ({ release, judged, damage }: Found) => {
      if (release !== this.#release) return;
      this.#judged = judged;
      this.#damage = damage;
    });
    // Without it, files that were never hashed are judged by their formats' checks alone; serving goes on.
    thread.on('error', () => {
      this.#thread = null;
    });
    thread.unref();
    return thread;
  }
}
