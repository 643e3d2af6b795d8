import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '../../../../ingest/acquire/client.ts';
import type { Located } from '../../../../ingest/acquire/locate.ts';
import { look, take } from '../../../../ingest/acquire/take.ts';
import { TakenFiles } from '../../../../ingest/acquire/taken.ts';

/** Takes files into a folder of its own, as an ingest does. */
export class Taking {
  readonly sources = mkdtempSync(join(tmpdir(), 'plat-taking-'));
  /** Why requests were tried again. */
  readonly told: string[] = [];

  #options(url: string, file: string, { signal, retries = 3, wait = async () => {}, ...more }: TakingOptions) {
    return {
      sources: this.sources,
      file,
      located: { via: 'http' as const, url, where: '', resource: null, vintage: null, box: null, ...more },
      taken: new TakenFiles(this.sources),
      client: new Client({ wait, retries, told: line => this.told.push(line) }),
      now: () => new Date('2026-11-28T06:00:00Z'),
      signal,
      came: more.came,
    };
  }

  take(url: string, file: string, more: TakingOptions = {}) {
    return take(this.#options(url, file, more));
  }

  look(url: string, file: string, more: TakingOptions = {}) {
    return look(this.#options(url, file, more));
  }

  /** Takes a file, and is ended when some bytes have come. */
  async broken(url: string, file: string, bytes: number, more: TakingOptions = {}): Promise<void> {
    const ended = new AbortController();
    const came = (there: number) => {
      if (there >= bytes) ended.abort();
    };
    await this.take(url, file, { ...more, signal: ended.signal, came }).then(
      () => {
        throw new Error('the file came whole before it was broken off');
      },
      (error: unknown) => {
        if (!ended.signal.aborted) throw error;
      },
    );
  }

  read(file: string): Buffer {
    return readFileSync(join(this.sources, file));
  }
}

type TakingOptions = Partial<Located> & {
  readonly signal?: AbortSignal;
  readonly retries?: number;
  readonly wait?: () => Promise<void>;
  readonly came?: (bytes: number, of: number | null) => void;
};
