import { execFile, spawnSync } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const script = fileURLToPath(new URL('./load.lua', import.meta.url));
/** Digits that say how long a request is, as the script expects them. */
const DIGITS = 10;
/** Bytes of what it prints at most: a line for each microsecond that an answer took would be a few megabytes. */
const MOST_PRINTED = 1 << 26;

/** What so many clients saw who sent one request after the other. */
export interface Load {
  readonly requests: number;
  readonly seconds: number;
  /** Milliseconds, as wrk counts them: where one answer took long, those that should have been asked for meanwhile too. */
  readonly times: readonly number[];
  /** How often all requests had been sent and were begun anew. */
  readonly repeated: number;
}

/** Ends the bench with what to install where wrk is missing. */
export function requireWrk(bench: string): void {
  if (!spawnSync('wrk', ['-v']).error) return;
  process.stderr.write(
    `${bench} sends its requests with wrk, which is not installed. On Debian: apt-get install wrk\n`,
  );
  process.exit(1);
}

/** Writes the requests of some bodies where `load` reads them, one at a time: together they may take a gigabyte. */
export function writeRequests(file: string, bodies: Iterable<unknown>, requestOf: (body: unknown) => Buffer): void {
  const to = openSync(file, 'w');
  try {
    for (const body of bodies) {
      const request = requestOf(body);
      writeSync(to, Buffer.from(String(request.length).padStart(DIGITS, '0'), 'latin1'));
      writeSync(to, request);
    }
  } finally {
    closeSync(to);
  }
}

/**
 * Sends requests to an address by so many clients for some seconds, with wrk: the client that others measure HTTP
 * servers with, too.
 * @param file of `writeRequests`. @param seconds whole ones. @throws Error when one was refused or lost.
 */
export async function load(address: string, file: string, clients: number, seconds: number): Promise<Load> {
  const { stdout } = await run(
    'wrk',
    ['-t1', `-c${clients}`, `-d${seconds}s`, '--timeout', '60s', '-s', script, address, '--', file],
    {
      maxBuffer: MOST_PRINTED,
    },
  );
  const said = JSON.parse(stdout.slice(stdout.lastIndexOf('\n{'))) as {
    readonly repeated: number;
    readonly failed: number;
    readonly requests: number;
    readonly microseconds: number;
    readonly times: readonly (readonly [microseconds: number, count: number])[];
  };
  if (said.failed > 0) throw new Error(`${said.failed} of ${said.requests} searches were refused or lost`);
  const times = said.times.flatMap(([microseconds, count]) => new Array<number>(count).fill(microseconds / 1000));
  return { requests: said.requests, seconds: said.microseconds / 1e6, times, repeated: said.repeated };
}
