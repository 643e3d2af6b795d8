import { MultiBar, Presets, type SingleBar } from 'cli-progress';
import type { Terminal } from '../query/command.ts';

/** One layer being built, as the user sees it. */
export interface Task {
  advance(rows: number): void;
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

/** One line when a layer is done. */
function lines(terminal: Terminal): Progress {
  return {
    start: name => ({
      advance() {},
      done: note => terminal.err(`${name}: ${note}`),
    }),
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
        advance(rows) {
          if (rows > bar.getTotal()) bar.setTotal(rows);
          bar.update(rows);
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
