import { execFileSync } from 'node:child_process';
import { mkdirSync, rmdirSync, statfsSync } from 'node:fs';

const mount = (folder: string, options: string) =>
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' });

/** Whether this user may mount disks in memory: root, where the machine allows it. @param folder a new one. */
export function mayMount(folder: string): boolean {
  mkdirSync(folder, { recursive: true });
  try {
    mount(folder, 'size=64k');
    execFileSync('umount', [folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(folder);
  }
}

/** A disk in memory whose size changes. */
export class SmallDisk {
  readonly #folder: string;
  readonly #bytes: number;

  /** @param folder where it is mounted. @param bytes its size. */
  constructor(folder: string, bytes: number) {
    mkdirSync(folder, { recursive: true });
    mount(folder, `size=${bytes}`);
    this.#folder = folder;
    this.#bytes = bytes;
  }

  /** Leaves room for so many bytes more, in whole pages. */
  leave(bytes: number): void {
    const { blocks, bfree, bsize } = statfsSync(this.#folder);
    mount(this.#folder, `remount,size=${(blocks - bfree + Math.floor(bytes / bsize)) * bsize}`);
  }

  /** Gives it its size again. */
  free(): void {
    mount(this.#folder, `remount,size=${this.#bytes}`);
  }

  remove(): void {
    execFileSync('umount', [this.#folder]);
    rmdirSync(this.#folder);
  }
}
