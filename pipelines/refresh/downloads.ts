import type { Place } from '../../datasets/place/place.ts';
import type { Client } from '../../ingest/acquire/client.ts';
import { AcquireError } from '../../ingest/acquire/fault.ts';
import { look, take } from '../../ingest/acquire/take.ts';
import { type Taken, TakenFiles } from '../../ingest/acquire/taken.ts';
import type { Progress, Task } from '../progress.ts';
import type { PlaceBook } from './place-book.ts';
import type { PublishedFileOfPlace } from './published-files.ts';
import { hostOf } from './source-check.ts';

/** The files of a place that publishers are asked for. */
export interface Wanted {
  readonly place: Pick<Place, 'name'>;
  readonly sources: string;
  readonly files: readonly PublishedFileOfPlace[];
}

interface DownloadOptions {
  readonly client: Client;
  readonly now: () => Date;
  readonly signal?: AbortSignal | undefined;
  readonly progress: Progress;
  readonly book: PlaceBook;
  /** YYYY-MM-DD: held files that their publisher last changed before this day are kept. */
  readonly since?: string | undefined;
  /** True: the first failure stops all, but for an optional file that is gone. */
  readonly isStrict?: boolean;
}

/** Downloads of one host at once. */
const OF_HOST = 2;
/** Milliseconds without a byte after which a download says whom it waits for. */
const SILENCE_MS = 5_000;

/** Says on the display for whom a download waits and since when, as long as nothing comes. */
class Waiting {
  readonly #task: Task;
  readonly #host: string;
  #since = Date.now();
  #bytes = 0;
  readonly #timer: NodeJS.Timeout;

  constructor(task: Task, host: string) {
    this.#task = task;
    this.#host = host;
    this.#timer = setInterval(() => this.#look(), SILENCE_MS);
    this.#timer.unref();
  }

  came(bytes: number, of: number | null): void {
    if (bytes !== this.#bytes) this.#since = Date.now();
    this.#bytes = bytes;
    this.#task.advance(bytes, of === null ? undefined : `${Math.floor((100 * bytes) / of)} %`);
  }

  #look(): void {
    if (Date.now() - this.#since < SILENCE_MS) return;
    const since = new Date(this.#since).toISOString().slice(0, 19);
    this.#task.advance(this.#bytes, `waits for ${this.#host} since ${since}Z`);
  }

  end(): void {
    clearInterval(this.#timer);
  }
}

/** Rows or columns that a line names. */
const NAMED = 5;

/** What a publisher has and fails to send of a file, in words. */
function missingOf({ unread = [], without = [] }: Taken): string[] {
  const some = Object.entries({ rows: unread, columns: without }).filter(([, names]) => names.length > 0);
  return some.map(([what, names]) => {
    const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
    return `${what} that its publisher fails to send: ${names.slice(0, NAMED).join(', ')}${more}`;
  });
}

/** Downloads the new version of one file, and notes in the book what came of it. @throws AcquireError. */
async function fetched(
  { place, sources }: Wanted,
  { file, located }: PublishedFileOfPlace,
  taken: TakenFiles,
  { client, now, signal, progress, book, since }: DownloadOptions,
): Promise<{ readonly taken: Taken; readonly isNew: boolean }> {
  const options = { sources, file, located, taken, client, now, signal };
  const task = progress.start(`acquire ${file}`, null);
  const waiting = new Waiting(task, hostOf(located));
  try {
    if (since !== undefined) {
      const { held, seen } = await look(options);
      if (held && seen.changedAt !== null && seen.changedAt.slice(0, 10) < since) {
        task.done(`unchanged since ${since}`);
        book.file(place.name, file, { isNew: false, why: null });
        return { taken: held, isNew: false };
      }
    }
    const result = await take({ ...options, came: (bytes, of) => waiting.came(bytes, of) });
    const came = result.isNew ? `${result.taken.bytes} bytes, vintage ${result.taken.vintage}` : 'unchanged';
    task.done([came, ...missingOf(result.taken)].join('; '));
    book.file(place.name, file, { isNew: result.isNew, why: null });
    return result;
  } catch (error) {
    const why = (error as Error).message;
    if (!signal?.aborted) book.file(place.name, file, { isNew: false, why });
    if (error instanceof AcquireError) task.done(`failed: ${why}`);
    throw error;
  } finally {
    waiting.end();
  }
}

/** A place all of whose files were asked for. */
interface Fetched<W extends Wanted> {
  readonly wanted: W;
  /** File → why it could not be had. */
  readonly failures: ReadonlyMap<string, AcquireError>;
}

/**
 * Downloads the new files of several places, those of each host in a line of their own, so that a host which does not answer holds up
 * nobody else. What is left of its line then fails at once.
 * @returns the places in the order in which they are complete.
 * @throws the reason of the signal, and errors that are no fault of a publisher, such as a full disk.
 */
export async function* fetchPlaces<W extends Wanted>(
  places: readonly W[],
  options: DownloadOptions,
): AsyncGenerator<Fetched<W>> {
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const lines = new Map<string, (() => Promise<void>)[]>();
  const silent = new Map<string, string>();
  const done: Fetched<W>[] = [];
  let wake = () => {};
  let failure: { readonly error: unknown } | null = null;
  options.progress.expect(places.reduce((sum, { files }) => sum + files.length, 0));
  for (const wanted of places) {
    const failures = new Map<string, AcquireError>();
    const taken = new TakenFiles(wanted.sources);
    let left = wanted.files.length;
    const finish = () => {
      if (left > 0) return;
      done.push({ wanted, failures });
      wake();
    };
    finish();
    for (const file of wanted.files) {
      const host = hostOf(file.located);
      const work = async () => {
        const other = silent.get(host);
        if (other !== undefined) {
          const why = `${host} was not asked again, it did not answer for ${other}`;
          const error = new AcquireError('unreachable', file.located.url, why);
          failures.set(file.file, error);
          options.book.file(wanted.place.name, file.file, { isNew: false, why: error.message });
        } else
          try {
            await fetched(wanted, file, taken, { ...options, signal });
          } catch (error) {
            if (!(error instanceof AcquireError) || error.kind === 'disk_full') throw error;
            const isNeeded = !(file.isOptional && error.kind === 'gone');
            if (options.isStrict && isNeeded) throw error;
            failures.set(file.file, error);
            if (error.kind === 'unreachable') silent.set(host, file.file);
          }
        left--;
        finish();
      };
      const line = lines.get(host);
      if (line) line.push(work);
      else lines.set(host, [work]);
    }
  }
  const workers = [...lines.values()].flatMap(line =>
    Array.from({ length: Math.min(OF_HOST, line.length) }, async () => {
      try {
        for (let work = line.shift(); work && !signal.aborted; work = line.shift()) await work();
        signal.throwIfAborted();
      } catch (error) {
        failure ??= { error };
        stop.abort(error);
        wake();
      }
    }),
  );
  try {
    for (let told = 0; told < places.length; ) {
      const next = done.shift();
      if (next) {
        told++;
        yield next;
      } else if (failure) throw (failure as { error: unknown }).error;
      else
        await new Promise<void>(resolve => {
          wake = resolve;
        });
    }
  } finally {
    stop.abort(new Error('no more places are asked for'));
    await Promise.all(workers);
  }
}

/**
 * Downloads the new files of one place.
 * @returns why optional files are not there, by file.
 * @throws the first other failure; files that were downloaded before it stay.
 */
export async function fetchFiles(wanted: Wanted, options: DownloadOptions): Promise<ReadonlyMap<string, AcquireError>> {
  for await (const { failures } of fetchPlaces([wanted], { ...options, isStrict: true })) return failures;
  return new Map();
}
