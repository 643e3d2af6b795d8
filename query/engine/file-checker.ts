import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { ReleaseFile } from '../../datasets/release.ts';
import type { Release } from '../release/open-release.ts';
import type { Judged } from '../release/verified-file.ts';
import type { Damage } from './damage.ts';

/** A file of the release for the checker's thread to keep an eye on. */
export interface Watched extends Pick<ReleaseFile, 'sha256' | 'bytes'> {
  /** Absolute path. */
  readonly path: string;
  /** Whether requests leave hashing it to the checker. */
  readonly isLarge: boolean;
}

/** What the checker's thread tells. */
export interface Found {
  readonly judged: readonly Judged[];
  /** Hash of a file and what is wrong with it. */
  readonly problems: readonly (readonly [sha256: string, problem: string])[];
}

/** What the checker's thread is started with. */
export interface CheckerSetup {
  readonly home: string;
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
  readonly #home: string;
  #thread: Worker | null = null;
  #judged: readonly Judged[] = [];
  #damage: readonly Damage[] = [];
  /** Hashes of large files. */
  #large: ReadonlySet<string> = new Set();
  /** Files of the release by hash: short name, and the layers that need them. */
  #files: ReadonlyMap<string, { readonly name: string; readonly layers: string[] }> = new Map();
  readonly #isLarge: (bytes: number) => boolean;

  /** @param home PLAT_HOME. @param bytes files larger than this are large. */
  constructor(home: string, bytes: number) {
    this.#home = home;
    this.#isLarge = size => size > bytes;
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
    const watched = new Map<string, Watched>();
    const files = new Map<string, { readonly name: string; readonly layers: string[] }>();
    const watch = (file: ReleaseFile, layer: string) => {
      if (file.role === 'rejects') return;
      const { sha256, bytes } = file;
      const cached = files.get(sha256) ?? { name: `${file.role} file ${sha256.slice(0, 12)}`, layers: [] };
      if (!cached.layers.includes(layer)) cached.layers.push(layer);
      files.set(sha256, cached);
      watched.set(sha256, { path: release!.pathOf(file), sha256, bytes, isLarge: this.#isLarge(bytes) });
    };
    for (const [dataset, layers] of Object.entries(release?.manifest.datasets ?? {}))
      for (const [layer, { partitions }] of Object.entries(layers))
        for (const file of partitions.flatMap(partition => partition.files)) watch(file, `${dataset}:${layer}`);
    for (const overlays of Object.values(release?.manifest.overlays ?? {}))
      for (const [name, overlay] of Object.entries(overlays))
        for (const file of overlay.files) watch(file, `calculations of ${name}`);
    for (const [name, { file }] of Object.entries(release?.manifest.tiles ?? {})) watch(file, `map tiles of ${name}`);
    this.#files = files;
    this.#large = new Set([...watched.values()].flatMap(({ isLarge, sha256 }) => (isLarge ? [sha256] : [])));
    this.#damage = [];
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
    thread.on('message', ({ judged, problems }: Found) => {
      this.#judged = judged.filter(({ sha256 }) => this.#large.has(sha256));
      this.#damage = problems.flatMap(([sha256, problem]) => {
        const file = this.#files.get(sha256);
        return file ? [{ file: file.name, layers: file.layers, problem }] : [];
      });
    });
    // Without it, files that were never hashed are judged by their formats' checks alone; serving goes on.
    thread.on('error', () => {
      this.#thread = null;
    });
    thread.unref();
    return thread;
  }
}
