import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { Definition } from './definition.ts';

/** What a copy of the directory says of itself, in its first line. */
export interface DirectoryEdition {
  readonly title: string;
  readonly url: string;
  readonly licence: string;
  readonly attribution: string;
  /** Day on which the copy was made. */
  readonly date: string;
}

/** A public directory of where counties, states and cities publish addresses, parcels and buildings. */
export interface SourceDirectory {
  readonly edition: DirectoryEdition;
  readonly definitions: readonly Definition[];
}

/** Name of the copy that an operator takes, below the home. */
export const OWN_COPY = 'directory.ndjson.br';

/** The copy of this build, beside this file, also where it is compiled. */
const BUILT_IN = fileURLToPath(new URL('./openaddresses.ndjson.br', import.meta.url));

/**
 * Reads the directory: the operator's own copy where there is one, else that of this build.
 * @param home folder in which `plat directory update` leaves a copy; null for that of this build.
 * @throws Error when the copy cannot be read, naming it and what to do.
 */
export function readDirectory(home: string | null = null): SourceDirectory {
  const own = home === null ? null : `${home}/${OWN_COPY}`;
  const path = own !== null && existsSync(own) ? own : BUILT_IN;
  if (!existsSync(path)) throw new Error('The directory of sources is not part of this installation; install it anew');
  try {
    const [edition, ...lines] = brotliDecompressSync(readFileSync(path)).toString().trim().split('\n');
    return { edition: JSON.parse(edition!), definitions: lines.map(line => JSON.parse(line)) };
  } catch (error) {
    throw new Error(
      `${path} is no directory of sources (${(error as Error).message}); remove it, or run plat directory update with a checkout of openaddresses`,
    );
  }
}

/** The directory as the bytes of a copy: JSON lines, the edition first, compressed by Brotli. */
export function directoryBytes({ edition, definitions }: SourceDirectory): Buffer {
  const sorted = [...definitions].sort((a, b) => (a.path < b.path ? -1 : 1));
  const text = [edition, ...sorted].map(line => `${JSON.stringify(line)}\n`).join('');
  const { BROTLI_PARAM_QUALITY: quality, BROTLI_PARAM_LGWIN: window, BROTLI_MAX_WINDOW_BITS: bits } = constants;
  return brotliCompressSync(text, { params: { [quality]: 11, [window]: bits } });
}

/** Order in which definitions are preferred: the smaller its ground, the nearer it is to who makes the data. */
const SCOPES: readonly Definition['scope'][] = ['county', 'city', 'state', 'nation'];

/** Definitions that cover a county, those of the county itself first. @param state two letters. @param county five digits. */
export function definitionsOf(directory: SourceDirectory, state: string, county: string): readonly Definition[] {
  return directory.definitions
    .filter(
      definition =>
        definition.scope === 'nation' ||
        (definition.state === state && (definition.scope === 'state' || definition.counties.includes(county))),
    )
    .sort((a, b) => SCOPES.indexOf(a.scope) - SCOPES.indexOf(b.scope) || (a.path < b.path ? -1 : 1));
}
