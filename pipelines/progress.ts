import { MultiBar, Presets, type SingleBar } from 'cli-progress';
import type { Terminal } from '../query/command.ts';

/** One layer being built, as the user sees it. */
export interface Task {
  /** @param note on the way, such as how fast it goes. */
  advance(rows: number, note?: string): void;
  done(note: string): void;
}

/** How a run shows what it does: bars on a terminal, plain lines elsewhere, always on stderr. */
export interface Progress {
  /** @param total rows expected, when known. */
  start(name: string, total: number | null): Task;
  close(): void;
}

/** Shows nothing. */
export const SILENT: Progress = { start: () => ({ advance() {}, done() {} }), close() {} };

/** How often a line tells how far long work has come: milliseconds. */
const NOTE_MS = 10_000;

/** One line when a layer is done, and now and then one on the way of work that says more. */
function lines(terminal: Terminal): Progress {
  return {
    start: (name, total) => {
      let told = performance.now();
      return {
        advance(rows, note) {
          if (note === undefined || performance.now() - told < NOTE_MS) return;
          told = performance.now();
          terminal.err(`${name}: ${rows}${total === null ? '' : ` of ${total}`}, ${note}`);
        },
        done: note => terminal.err(`${name}: ${note}`),
      };
    },
    close() {},
  };
}

function bars(): Progress {
  const multi = new MultiBar(
    { format: '{bar} {value}/{total} {name} {note}', clearOnComplete: false, hideCursor: true, stream: process.stderr },
    Presets.rect,
  );
  return {
    start(name, total) {
      const bar: SingleBar = multi.create(total ?? 1, 0, { name, note: '' });
      return {
        advance(rows, note) {
          if (rows > bar.getTotal()) bar.setTotal(rows);
          bar.update(rows, note === undefined ? {} : { note });
        },
        done(note) {
          bar.setTotal(Math.max(1, bar.getTotal()));
          bar.update(bar.getTotal(), { note });
          bar.stop();
        },
      };
    },
    close: () => multi.stop(),
  };
}

/** The progress display that fits a terminal; none with `--json`. */
export function progressOn(terminal: Terminal): Progress {
  if (terminal.json) return SILENT;
  return terminal.interactive ? bars() : lines(terminal);
}
