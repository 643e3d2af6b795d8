import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../ingest/acquire/taken.ts';
import { waitForTurn } from '../../query/release/home/lock.ts';
import {
  type PlaceState,
  placeStates,
  placeStatesPath,
  type RefreshState,
  UNASKED,
} from '../../query/release/home/place-states.ts';

/** Name of the file that describes a place, among those that the place downloads. */
const PLACE_FILE = 'place file';

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

/** Writes how the places of a home stand. Of each place only who ingests it writes; all of them share one file. */
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

  /** Notes which places have a file that could be read, and why those of others could not. */
  placeFiles(readable: readonly string[], unreadable: ReadonlyMap<string, string>): void {
    const states = placeStates(this.#home);
    for (const place of readable)
      if (states[place]?.files[PLACE_FILE])
        this.#change(place, ({ files: { [PLACE_FILE]: _, ...files }, ...state }) => ({ ...state, files }));
    for (const [place, why] of unreadable) this.file(place, PLACE_FILE, { isNew: false, why });
  }

  forget(place: string): void {
    this.#write(({ [place]: _, ...rest }) => rest);
  }

  #change(place: string, change: (state: PlaceState, now: string) => PlaceState): void {
    this.#write(states => ({
      ...states,
      [place]: change(states[place] ?? { ...UNASKED, files: {} }, this.#now().toISOString()),
    }));
  }

  #write(change: (states: Readonly<Record<string, PlaceState>>) => Readonly<Record<string, PlaceState>>): void {
    mkdirSync(this.#home, { recursive: true });
    // A moment: another process that writes must not lose what this one read.
    const turn = waitForTurn(join(this.#home, 'releases'), 'book');
    try {
      replaceFile(placeStatesPath(this.#home), `${JSON.stringify(change(placeStates(this.#home)), null, 1)}\n`);
    } finally {
      turn.release();
    }
  }
}
