import { Presets, SingleBar } from 'cli-progress';
import type { Terminal } from '../query/engine/command.ts';
import type { LogFile } from './log-file.ts';

/** One layer being built, as the user sees it. */
export interface Task {
  /** @param note on the way, such as how fast it goes. */
  advance(rows: number, note?: string): void;
  done(note: string): void;
}

/** Shows the progress of a run on stderr: one bar on a terminal, plain lines elsewhere. */
export interface Progress {
  /** How many tasks are to come: the length of the bar. */
  expect(tasks: number): void;
  /** @param total rows expected, when known. */
  start(name: string, total: number | null): Task;
  close(): void;
}

/** Shows nothing. */
const SILENT: Progress = { expect() {}, start: () => ({ advance() {}, done() {} }), close() {} };

/** Milliseconds until the first line about progress; each later wait is twice as long. */
const FIRST_LINE_MS = 5_000;
/** Number of steps of one task on the bar. */
const PARTS = 1000;

/** The progress of all tasks together. */
class Overall {
  done = 0;
  #expected = 0;
  #started = 0;
  readonly #open = new Map<Task, number>();

  expect(tasks: number): void {
    this.#expected = this.#started + tasks;
  }

  get total(): number {
    return Math.max(this.#expected, this.#started, 1);
  }

  /** Finished tasks and the finished parts of open tasks, in parts. */
  get value(): number {
    let open = 0;
    for (const share of this.#open.values()) open += share;
    return Math.round(PARTS * (this.done + open));
  }

  /** @param changed is called with what the task says, at each step. */
  start(name: string, total: number | null, changed: (text: string, ended: boolean) => void): Task {
    this.#started++;
    const task: Task = {
      advance: (rows, note) => {
        this.#open.set(task, total ? Math.min(1, rows / total) : 0);
        changed(
          `${name}: ${rows}${total === null ? '' : ` of ${total}`}${note === undefined ? '' : `, ${note}`}`,
          false,
        );
      },
      done: note => {
        this.#open.delete(task);
        this.done++;
        changed(`${name}: ${note}`, true);
      },
    };
    this.#open.set(task, 0);
    return task;
  }
}

/** Prints lines at growing intervals: about ten in an hour. Without a log, the end of each task is a line too. */
function lines(terminal: Terminal, log: LogFile | undefined): Progress {
  const overall = new Overall();
  let wait = FIRST_LINE_MS;
  let told = performance.now();
  return {
    expect: tasks => overall.expect(tasks),
    start: (name, total) =>
      overall.start(name, total, (text, ended) => {
        if (ended) log?.add(text);
        if (ended && !log) return terminal.err(text);
        if (performance.now() - told < wait) return;
        told = performance.now();
        wait *= 2;
        terminal.err(`${overall.done} of ${overall.total} done; ${text}`);
      }),
    close() {},
  };
}

function bar(log: LogFile | undefined): Progress {
  const overall = new Overall();
  const bar = new SingleBar(
    {
      format: '{bar} {percentage} % | {done} of {tasks} | {text}',
      hideCursor: true,
      clearOnComplete: true,
      stream: process.stderr,
      // A line that wraps would be repeated below itself.
      linewrap: false,
    },
    Presets.rect,
  );
  const show = (text: string) => {
    const payload = { done: overall.done, tasks: overall.total, text };
    if (!bar.isActive) bar.start(overall.total * PARTS, overall.value, payload);
    bar.setTotal(overall.total * PARTS);
    bar.update(overall.value, payload);
  };
  return {
    expect: tasks => overall.expect(tasks),
    start: (name, total) => {
      const task = overall.start(name, total, (text, ended) => {
        if (ended) log?.add(text);
        show(text);
      });
      show(name);
      return task;
    },
    close: () => bar.stop(),
  };
}

/** Writes only to the log. */
function quiet(log: LogFile): Progress {
  return {
    ...SILENT,
    start: name => ({ advance() {}, done: note => log.add(`${name}: ${note}`) }),
  };
}

/** Returns the progress display for a terminal; with `--json` it shows nothing. @param log gets a line for each task. */
export function progressOn(terminal: Terminal, log?: LogFile): Progress {
  if (terminal.json) return log ? quiet(log) : SILENT;
  return terminal.interactive ? bar(log) : lines(terminal, log);
}
