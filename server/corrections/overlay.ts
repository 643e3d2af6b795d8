import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { type AcceptedCorrection, correctionsPath } from '../../query/release/corrections/correction-list.ts';
import { packedCorrectionsPath } from '../../query/release/pack/pack.ts';
import type { StateStore } from '../state/store.ts';

/** Milliseconds between two looks at the state store: until then another server answers without what was accepted elsewhere. */
const EVERY_MS = 10_000;

const textOf = (entries: readonly AcceptedCorrection[]): string =>
  entries.map(entry => `${JSON.stringify(entry)}\n`).join('');

/** The list of a home as it stands; empty where there is none. */
const listedIn = (home: string): string => textAt(correctionsPath(home));

/** The corrections that a pack brought along, of a home that was made of one. */
const packedIn = (home: string): string => textAt(packedCorrectionsPath(home));

/** The text of a file; empty where there is none. */
function textAt(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** Writes the list of a home so that threads read the one before or this one, whole; for its owner only. */
function write(home: string, text: string): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const path = correctionsPath(home);
  // Several processes of a home may write the same at once; those of two containers have the same number.
  const partial = `${path}.${randomUUID()}.partial`;
  try {
    const file = openSync(partial, 'wx', 0o600);
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

/** Changes when the list of a home is written anew, edited or taken away. */
function fileStamp(home: string): string {
  const found = statSync(correctionsPath(home), { throwIfNoEntry: false });
  return found ? `${found.ino}:${found.size}:${found.mtimeMs}` : '';
}

/** Makes the list of a home the accepted corrections of the state store, which is where they are kept; before them those of a pack. */
export async function layCorrections(state: Pick<StateStore, 'corrections'>, home: string): Promise<void> {
  const text = packedIn(home) + textOf(await state.corrections.accepted());
  if (text !== listedIn(home)) write(home, text);
}

/**
 * Keeps the list of a home as the state store has it, which commands and other servers change.
 * @param failed is told of a failure; the next round tries again. @param everyMs milliseconds between two rounds.
 * @returns a function that ends it and waits for the running round.
 */
export async function keepCorrections(
  state: Pick<StateStore, 'corrections'>,
  home: string,
  failed: (error: unknown) => void,
  everyMs = EVERY_MS,
): Promise<() => Promise<void>> {
  let seen = '';
  const look = async () => {
    const stamp = await state.corrections.acceptedStamp();
    // A command that began earlier may have written an older list meanwhile, and a hand may have damaged it.
    if (`${stamp} ${fileStamp(home)}` === seen) return;
    await layCorrections(state, home);
    seen = `${stamp} ${fileStamp(home)}`;
  };
  await look().catch(failed);
  let round = Promise.resolve();
  const timer = setInterval(() => {
    round = round.then(look).catch(failed);
  }, everyMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    return round;
  };
}
