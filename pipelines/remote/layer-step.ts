import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashFile } from '../../query/format/file-hash.ts';
import { AT_ONCE, sideBySide } from '../../query/release/store/side-by-side.ts';
import type { Progress } from '../progress.ts';
import { Workforce } from '../steps/workforce.ts';
import type { Product, TaskStep, Workplace } from '../tasks/task-step.ts';
import { Inputs } from './inputs.ts';
import { jobIn, type LayerTask, withPaths } from './layer-task.ts';

const UNTOLD: Progress = { expect() {}, start: () => ({ advance() {}, done() {} }), close() {} };

/** Builds layers and the parcels of counties with published files that it takes from the store, each in a thread. */
export class LayerStep implements TaskStep {
  readonly atOnce: number;
  readonly #workforce: Workforce;
  readonly #work: string;
  readonly #inputs: Inputs;
  readonly #folders = new WeakMap<Product, string>();

  /** Call it only under the lock of the home. */
  constructor({ home, store, threads }: Workplace) {
    this.atOnce = Math.max(1, threads);
    this.#workforce = new Workforce(this.atOnce);
    const folder = join(home, 'layers');
    this.#work = join(folder, 'work');
    // What a worker left that was killed.
    rmSync(this.#work, { recursive: true, force: true });
    mkdirSync(this.#work, { recursive: true });
    this.#inputs = new Inputs(join(folder, 'inputs'), store);
  }

  async run(data: object, signal: AbortSignal): Promise<Product> {
    const { job, files } = data as LayerTask;
    const folder = mkdtempSync(join(this.#work, 'task-'));
    try {
      await sideBySide(files, AT_ONCE, file => this.#inputs.put(file, folder, signal));
      const own = jobIn(job, folder);
      mkdirSync(own.sources, { recursive: true });
      mkdirSync(own.folder, { recursive: true });
      const [result] = await this.#workforce.build([own], UNTOLD, signal);
      const product = await packed(result!, folder, signal);
      this.#folders.set(product, folder);
      return product;
    } catch (error) {
      this.#clear(folder);
      throw error;
    }
  }

  drop(product: Product): void {
    this.#clear(this.#folders.get(product)!);
  }

  #clear(folder: string): void {
    rmSync(folder, { recursive: true, force: true });
    this.#inputs.tidy();
  }

  async close(): Promise<void> {
    await this.#workforce.close();
  }
}

/** What a job made as files: first what it says, in which a path is the place of a file in the list of the others. */
async function packed(result: Parameters<typeof withPaths>[0], folder: string, signal: AbortSignal): Promise<Product> {
  const places = new Map<string, number>();
  const said = withPaths(result, path => {
    const place = places.get(path) ?? places.size;
    places.set(path, place);
    return String(place);
  });
  const path = join(folder, 'result.json');
  writeFileSync(path, JSON.stringify(said));
  const files = [];
  for (const each of [path, ...places.keys()])
    files.push({ path: each, sha256: await hashFile(each, signal), bytes: statSync(each).size });
  return { files, rows: result.partitions.reduce((sum, { rows }) => sum + rows, 0) };
}
