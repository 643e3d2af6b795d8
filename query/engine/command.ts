/** A flag of a command, in commander's notation: `--place <name>`; values of `--accept <key...>` are joined by commas. */
export interface Option {
  readonly flags: string;
  readonly description: string;
  readonly fallback?: string;
}

/** How a command talks to its user: results on stdout, progress and errors on stderr. */
export interface Terminal {
  readonly json: boolean;
  /** True when stderr is a terminal: progress bars instead of plain lines. */
  readonly interactive: boolean;
  out(line: string): void;
  err(line: string): void;
}

/** One command of `plat`. The registry in plat.ts lists all; help, docs and tests are made from it. */
export interface Command {
  /** Words after `plat`, for example `ingest run`. */
  readonly name: string;
  readonly summary: string;
  /** A call as somebody would type it, for help and docs. */
  readonly example: string;
  /** Positional arguments in commander's notation: `[release]`. */
  readonly args?: readonly string[];
  readonly options: readonly Option[];
  /** @returns the exit code: 0 done, 1 failed, 2 wrong usage, 3 a check found damage. */
  run(
    args: readonly string[],
    options: Readonly<Record<string, string | boolean | undefined>>,
    terminal: Terminal,
  ): Promise<number>;
}

/** Wrong usage: printed as one line, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
