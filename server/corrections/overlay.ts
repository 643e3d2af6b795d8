import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { type AcceptedCorrection, correctionsPath } from '../../query/release/corrections/correction-list.ts';
import type { StateStore } from '../state/store.ts';

/** Milliseconds between two looks at the state store: until then another server answers without what was accepted elsewhere. */
const EVERY_MS = 10_000;

const textOf = (entries: readonly AcceptedCorrection[]): string =>
  entries.map(entry => `${JSON.stringify(entry)}\n`).join('');

/** The list of a home as it stands; empty where there is none. */
function listedIn(home: string): string {
  try {
    return readFileSync(correctionsPath(home), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

/** Writes the list of a home so that threads read the one before or this one, whole; for its owner only. */
function write(home: string, text: string): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const path = correctionsPath(home);
  // Several processes of a home may write the same at once.
  const partial = `${path}.${process.pid}.partial`;
  const file = openSync(partial, 'w', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(partial, path);
}

/** Makes the list of a home the accepted corrections of the state store, which is where they are kept. */
export async function layCorrections(state: Pick<StateStore, 'corrections'>, home: string): Promise<void> {
  const text = textOf(await state.corrections.accepted());
  if (text !== listedIn(home)) write(home, text);
}

/**
 * Keeps the list of a home as the state store has it, which commands and other servers change.
 * @param failed is told of a failure; the next round tries again.
 * @returns a function that ends it and waits for the running round.
 */
export async function keepCorrections(
  state: Pick<StateStore, 'corrections'>,
  home: string,
  failed: (error: unknown) => void,
): Promise<() => Promise<void>> {
  let seen = await state.corrections.acceptedStamp();
  await layCorrections(state, home);
  const look = async () => {
    const stamp = await state.corrections.acceptedStamp();
    if (stamp === seen) return;
    await layCorrections(state, home);
    seen = stamp;
  };
  let round = Promise.resolve();
  const timer = setInterval(() => {
    round = round.then(look).catch(failed);
  }, EVERY_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    return round;
  };
}
