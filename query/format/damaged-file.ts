import { basename } from 'node:path';

/** A file of the release that is not what it should be. Fields that need it are `failed`; others are untouched. */
export class DamagedFile extends Error {
  override readonly name = 'DamagedFile';
  /** Name of the file without its folders, fit to be shown to callers. */
  readonly path: string;

  /** @param path of the file; only its last part is kept. @param cause what contradicts what, in words. */
  constructor(path: string, cause: string, options?: ErrorOptions) {
    super(`${basename(path)} is damaged: ${cause}`, options);
    this.path = basename(path);
  }
}
