import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Settings } from '../../query/engine/settings.ts';
import type { Clock } from '../clock.ts';
import type { StateStore } from '../state/store.ts';
import { sha256Of, TERMS, type TermsInForce } from './terms.ts';

const MOST_BYTES = 256 * 1024;
const VERSION = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** Reads a file of UTF-8 text up to the maximum length. @throws RangeError when it is not one. */
async function readBounded(path: string): Promise<string> {
  const wrong = (what: string) => new RangeError(`PLAT_TERMS_FILE=${path}: ${what}`);
  const handle = await open(path).catch((error: NodeJS.ErrnoException) => {
    throw wrong(`cannot be read (${error.code})`);
  });
  try {
    const bytes = Buffer.alloc(MOST_BYTES + 1);
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, 0).catch((error: NodeJS.ErrnoException) => {
      throw wrong(`cannot be read (${error.code})`);
    });
    if (bytesRead > MOST_BYTES) throw wrong(`expected at most ${MOST_BYTES} bytes`);
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(0, bytesRead));
    if (/[^\P{Cc}\t\n\r]/u.test(text)) throw wrong('expected text without control characters');
    if (text.trim() === '') throw wrong('expected the text of the terms, found none');
    return text;
  } catch (error) {
    throw error instanceof TypeError ? wrong('expected text in UTF-8') : error;
  } finally {
    await handle.close();
  }
}

/**
 * The terms in force: those of the operator's file, whose name is their version, or those that come with Plat. They are
 * stored, so that everything that was ever accepted can still be read.
 * @throws RangeError when the file cannot be used, or when its version was in force with another text.
 */
export async function configuredTerms(
  { termsFile }: Pick<Settings, 'termsFile'>,
  state: Pick<StateStore, 'terms'>,
  clock: Clock,
): Promise<TermsInForce> {
  if (termsFile === '') {
    const own = TERMS.at(-1)!;
    return { ...own, sha256: sha256Of(own.text) };
  }
  const version = basename(termsFile).replace(/\.[^.]+$/, '');
  if (!VERSION.test(version))
    throw new RangeError(
      `PLAT_TERMS_FILE=${termsFile}: the name of the file is the version of the terms: expected 1 to 64 characters of A-Za-z0-9._- and an ending, such as 2027-01-31.md`,
    );
  const text = await readBounded(termsFile);
  const before =
    TERMS.find(terms => terms.version === version)?.text ?? (await state.terms.file(version, text, clock.now()));
  if (before !== text)
    throw new RangeError(
      `PLAT_TERMS_FILE=${termsFile}: version ${version} was in force with other words (sha256 ${sha256Of(before)}), which somebody may have accepted; give the new ones a file of another name`,
    );
  return { version, text, sha256: sha256Of(text) };
}

/** The text of a version that is or was in force; null when there is none. */
export const termsOfVersion = async (state: Pick<StateStore, 'terms'>, version: string): Promise<string | null> =>
  TERMS.find(terms => terms.version === version)?.text ?? (VERSION.test(version) ? state.terms.text(version) : null);
