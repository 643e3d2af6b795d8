import type { Catalog } from '../../../datasets/catalog.ts';
import { versionOf } from '../../evaluate/version.ts';
import { correctionsOf } from '../../release/corrections/correction-list.ts';
import type { Release } from '../../release/open-release.ts';
import { withheldList } from '../../release/withheld/withheld-list.ts';

/** Versions of what fields read in a release, each calculated once. */
export class FieldVersions {
  readonly #catalog: Catalog;
  readonly #release: Release | null;
  readonly #versions = new Map<string, string>();

  constructor(catalog: Catalog, release: Release | null) {
    this.#catalog = catalog;
    this.#release = release;
  }

  of(field: string): string {
    // What is withheld or corrected changes while a release is served.
    const release = this.#release;
    const key = release
      ? `${field}${withheldList(release.home).stamp}${correctionsOf(release).fields.get(field)?.stamp ?? ''}`
      : field;
    let version = this.#versions.get(key);
    if (version === undefined) {
      version = versionOf(this.#catalog, this.#release, field);
      this.#versions.set(key, version);
    }
    return version;
  }
}
