import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { replaceFile } from '../../ingest/acquire/taken.ts';
import type { Progress, Task } from '../progress.ts';
import { runPathOf } from '../release/beside.ts';

/** How a run began: what `plat ingest resume` begins again. */
interface RunRequest {
  readonly datasets: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

/** One piece of work of a run as it stands. */
interface Step {
  readonly name: string;
  readonly done: number;
  readonly of: number | null;
  readonly note: string | null;
  readonly ended: boolean;
  /** Since it began; absent in states of earlier builds. */
  readonly seconds?: number;
}

/** What is known of a run. */
export interface RunState {
  readonly pid: number;
  readonly begun: RunRequest;
  readonly startedAt: string;
  readonly updatedAt: string;
  readonly state: 'running' | 'done' | 'failed';
  /** Release it published, or why it failed. */
  readonly outcome: string | null;
  readonly steps: readonly Step[];
}

const pathOf = (home: string) => join(home, 'run.json');
/** No more often is the state written. */
const EVERY_MS = 250;

function read(path: string): RunState | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as RunState;
  } catch {
    return null;
  }
}

/** The last run of a home; null where there was none. */
export const lastRun = (home: string): RunState | null => read(pathOf(home));

/** The run that made a release; null where that was not kept. */
export const runOf = (home: string, release: string): RunState | null => read(runPathOf(home, release));

/** Whether the process of a run is there; another user's counts too. */
export function isAlive({ pid }: RunState): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Writes how far a run has come where other terminals can read it (`PLAT_HOME/run.json`). A state that cannot be written
 * stops nothing.
 */
export class Journal {
  readonly #home: string;
  readonly #steps = new Map<string, Step>();
  readonly #head: Pick<RunState, 'pid' | 'begun' | 'startedAt'>;
  #written = 0;
  #isStarted = false;

  constructor(home: string, begun: RunRequest) {
    this.#home = home;
    this.#head = { pid: process.pid, begun, startedAt: new Date().toISOString() };
  }

  /** From here on the state is that of this run: it holds the lock. */
  begin(): void {
    this.#isStarted = true;
    this.#write('running', null);
  }

  /** A display that also writes the state. */
  over(progress: Progress): Progress {
    const note = (step: Step) => {
      this.#steps.set(step.name, step);
      if (step.ended || performance.now() - this.#written > EVERY_MS) this.#write('running', null);
    };
    return {
      expect: tasks => progress.expect(tasks),
      close: () => progress.close(),
      start: (name, total) => {
        const task: Task = progress.start(name, total);
        let done = 0;
        const began = performance.now();
        const tell = (said: string | null, ended: boolean) =>
          note({ name, done, of: total, note: said, ended, seconds: (performance.now() - began) / 1000 });
        tell(null, false);
        return {
          advance: (rows, said) => {
            done = rows;
            task.advance(rows, said);
            tell(said ?? null, false);
          },
          done: said => {
            task.done(said);
            tell(said, true);
          },
        };
      },
    };
  }

  /** @param outcome the release, or why there is none. @param made whether this run made that release. */
  end(state: 'done' | 'failed', outcome: string, made = false): void {
    this.#write(state, outcome);
    const said = made ? lastRun(this.#home) : null;
    if (said) save(runPathOf(this.#home, outcome), said);
  }

  #write(state: RunState['state'], outcome: string | null): void {
    if (!this.#isStarted) return;
    this.#written = performance.now();
    const now = new Date().toISOString();
    const said: RunState = { ...this.#head, updatedAt: now, state, outcome, steps: [...this.#steps.values()] };
    save(pathOf(this.#home), said);
  }
}

function save(path: string, said: RunState): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    replaceFile(path, JSON.stringify(said));
  } catch {}
}
