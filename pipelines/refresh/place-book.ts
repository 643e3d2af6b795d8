import { mkdirSync } from 'node:fs';
import { replaceFile } from '../../ingest/acquire/taken.ts';
import {
  type PlaceState,
  placeStates,
  placeStatesPath,
  type RefreshState,
  UNASKED,
} from '../../query/release/home/place-states.ts';

/** What came of asking. */
interface Outcome {
  readonly isNew: boolean;
  /** Why it failed; null if it did not. */
  readonly why: string | null;
}

function after(before: RefreshState, { isNew, why }: Outcome, now: string): RefreshState {
  return {
    askedAt: now,
    newAt: isNew ? now : before.newAt,
    failedSince: why === null ? null : (before.failedSince ?? now),
    why,
  };
}

/** Writes how the places of a home stand. Only the holder of the lock of the releases writes. */
export class PlaceBook {
  readonly #home: string;
  readonly #now: () => Date;

  constructor(home: string, now: () => Date = () => new Date()) {
    this.#home = home;
    this.#now = now;
  }

  /** Notes what came of one file. */
  file(place: string, file: string, outcome: Outcome): void {
    this.#change(place, (state, now) => ({
      ...state,
      files: { ...state.files, [file]: after(state.files[file] ?? UNASKED, outcome, now) },
    }));
  }

  /** Notes how the ingest of a place ended. @param files that it still downloads; others are forgotten. */
  place(place: string, files: readonly string[], outcome: Outcome): void {
    this.#change(place, (state, now) => ({
      ...after(state, outcome, now),
      files: Object.fromEntries(Object.entries(state.files).filter(([file]) => files.includes(file))),
    }));
  }

  forget(place: string): void {
    const { [place]: gone, ...rest } = placeStates(this.#home);
    if (gone) this.#write(rest);
  }

  #change(place: string, change: (state: PlaceState, now: string) => PlaceState): void {
    const states = placeStates(this.#home);
    this.#write({ ...states, [place]: change(states[place] ?? { ...UNASKED, files: {} }, this.#now().toISOString()) });
  }

  #write(states: Readonly<Record<string, PlaceState>>): void {
    mkdirSync(this.#home, { recursive: true });
    replaceFile(placeStatesPath(this.#home), `${JSON.stringify(states, null, 1)}\n`);
  }
}
