import type { ReleaseFile } from '../../datasets/release.ts';
import { Features } from './features.ts';

/** The key of an opened file in caches. */
export const openKey = ({ role, sha256 }: Pick<ReleaseFile, 'role' | 'sha256'>): string => `open:${role}:${sha256}`;

/** An opened file in the cache, with the stamp of the bytes it was opened on. */
export class OpenFile<T extends object> {
  readonly stamp: string;
  readonly value: T;
  #open = true;
  constructor(stamp: string, value: T) {
    this.stamp = stamp;
    this.value = value;
  }
  /** False once the cache has let go of it. */
  get isOpen(): boolean {
    return this.#open;
  }
  /** Lets go of the file handle. */
  close(): void {
    this.#open = false;
    const { value } = this;
    if (value instanceof Features) value.file.close();
    else if ('close' in value) (value as { close(): void }).close();
  }
}
