import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { ReleaseFile } from '../../datasets/release.ts';
import type { Release } from '../release/opened-release.ts';
import type { Judged } from '../release/verified-file.ts';

/** A file of the release for the checker's thread to keep an eye on. */
export interface Watched extends Pick<ReleaseFile, 'sha256' | 'bytes'> {
  /** Absolute path. */
  readonly path: string;
}

/** What the checker's thread is started with. */
export interface CheckerSetup {
  readonly home: string;
}

/**
 * A thread file beside this module, and what Node needs to run it: sources go through tsx, unless this process itself runs
 * them by Node's own type stripping; compiled files go as they are.
 */
export function threadFile(name: string): { filename: string; execArgv: string[] } {
  if (!import.meta.url.endsWith('.ts'))
    return { filename: fileURLToPath(new URL(`./${name}.js`, import.meta.url)), execArgv: [] };
  const filename = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
  const stripping = Boolean(process.features.typescript) && !process.execArgv.some(arg => arg.includes('tsx'));
  if (stripping) return { filename, execArgv: [] };
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  return { filename, execArgv: ['--import', tsx] };
}

/**
 * Hashes the large files of the current release in a thread of its own: those never hashed under their present stamp,
 * and those that change while the server runs. The thread starts with the first release that has such a file.
 */
export class FileChecker {
  readonly #home: string;
  readonly #bytes: number;
  #thread: Worker | null = null;
  #judged: readonly Judged[] = [];

  /** @param home PLAT_HOME. @param bytes files larger than this are large. */
  constructor(home: string, bytes: number) {
    this.#home = home;
    this.#bytes = bytes;
  }

  /** Large files found damaged, and sound ones that could not be recorded. */
  get judged(): readonly Judged[] {
    return this.#judged;
  }

  /** Keeps an eye on this release from now on instead of the one before. */
  follow(release: Release | null): void {
    const watched = new Map<string, Watched>();
    for (const layers of Object.values(release?.manifest.datasets ?? {}))
      for (const { partitions } of Object.values(layers))
        for (const partition of partitions)
          for (const file of partition.files)
            if (file.bytes > this.#bytes && file.role !== 'rejects')
              watched.set(file.sha256, { path: release!.pathOf(file), sha256: file.sha256, bytes: file.bytes });
    if (watched.size && !this.#thread) this.#thread = this.#start();
    this.#thread?.postMessage([...watched.values()].sort((a, b) => a.bytes - b.bytes));
  }

  async close(): Promise<void> {
    await this.#thread?.terminate();
    this.#thread = null;
  }

  #start(): Worker {
    const { filename, execArgv } = threadFile('file-checker-thread');
    const setup: CheckerSetup = { home: this.#home };
    const thread = new Worker(filename, { workerData: setup, execArgv });
    thread.on('message', (found: readonly Judged[]) => {
      this.#judged = found;
    });
    // Without it, files that were never hashed are judged by their formats' checks alone; serving goes on.
    thread.on('error', () => {
      this.#thread = null;
    });
    thread.unref();
    return thread;
  }
}
