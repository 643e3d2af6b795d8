import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { replaceFile } from '../../ingest/acquire/taken.ts';
import { runPathOf } from '../../query/release/home/beside.ts';
import type { Progress, Task } from '../progress.ts';

/** The options of a run, with which `plat ingest resume` begins it again. */
interface RunRequest {
  /** Absent: `plat ingest run`. */
  readonly command?: 'refresh';
  readonly datasets: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
}

/** One step of a run and its state. */
interface Step {
  readonly name: string;
  readonly done: number;
  readonly of: number | null;
  readonly note: string | null;
  readonly ended: boolean;
  /** Seconds since it began; absent in states of earlier builds. */
  readonly seconds?: number;
}

/** The state of a run. */
export interface RunState {
  readonly pid: number;
  readonly begun: RunRequest;
  readonly startedAt: string;
  readonly updatedAt: string;
  readonly state: 'running' | 'done' | 'failed';
  /** The release that it made, or why it failed. */
  readonly outcome: string | null;
  readonly steps: readonly Step[];
  /** What a run that ended well counted apart, as lines for people; absent where it did not. */
  readonly counted?: readonly string[];
}

const pathOf = (home: string) => join(home, 'run.json');
/** Least milliseconds between two writes of the state. */
const EVERY_MS = 250;

function read(path: string): RunState | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as RunState;
  } catch {
    return null;
  }
}

/** Returns the last run of a home; null if there was none. */
export const lastRun = (home: string): RunState | null => read(pathOf(home));

/** Returns the run that made a release; null if it was not kept. */
export const runOf = (home: string, release: string): RunState | null => read(runPathOf(home, release));

/** Whether the process of a run exists, also as another user's. */
export function isAlive({ pid }: RunState): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Writes the state of a run to `PLAT_HOME/run.json`, where other terminals can read it. If it cannot be written, the run goes
 * on.
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

  /** Begins to write the state of this run. Call it when the run holds the lock. */
  begin(): void {
    this.#isStarted = true;
    this.#write('running', null);
  }

  /** Returns a display that also writes the state. */
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

  /**
   * Writes the end of the run.
   * @param outcome the release, or why there is none. @param made whether this run made it. @param counted as in RunState.
   */
  end(state: 'done' | 'failed', outcome: string, made = false, counted: readonly string[] = []): void {
    this.#write(state, outcome, counted);
    const said = made ? lastRun(this.#home) : null;
    if (said) save(runPathOf(this.#home, outcome), said);
  }

  #write(state: RunState['state'], outcome: string | null, counted: readonly string[] = []): void {
    if (!this.#isStarted) return;
    this.#written = performance.now();
    const now = new Date().toISOString();
    const steps = [...this.#steps.values()];
    const told = counted.length > 0 ? { counted } : {};
    const said: RunState = { ...this.#head, updatedAt: now, state, outcome, steps, ...told };
    save(pathOf(this.#home), said);
  }
}

function save(path: string, said: RunState): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    replaceFile(path, JSON.stringify(said));
  } catch {}
}
