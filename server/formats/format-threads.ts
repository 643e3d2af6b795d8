import { Piscina } from 'piscina';
import type { Catalog } from '../../datasets/catalog.ts';
import type { ScalarType } from '../../datasets/dataset.ts';
import { PARCEL_ATTRIBUTES } from '../../datasets/parcel/parcel-attributes.ts';
import { threadFile } from '../../query/engine/file-checker.ts';
import type { TableSource } from './answer-table.ts';
import type { ColumnKind, Format } from './format.ts';
import type { NameFacts } from './row-table.ts';

/** Milliseconds that the thread stays when nobody wants it. It takes a third of a second to start. */
const IDLE_MS = 60_000;
const HEAP_MB = 512;

/** An answer to be written in another format. */
export interface FormatWork {
  readonly format: Format;
  readonly source: TableSource;
  /** The answer as JSON in UTF-8. */
  readonly body: Uint8Array;
}

/** Dates stay text, as JSON has them. */
const KINDS: Readonly<Record<ScalarType, ColumnKind>> = {
  string: 'text',
  date: 'text',
  timestamp: 'text',
  number: 'number',
  integer: 'integer',
  boolean: 'boolean',
};

/** Kinds and units of all names that answers have. */
export function nameFacts({ fields }: Catalog): NameFacts {
  const kinds = new Map<string, ColumnKind>();
  const units = new Map<string, string>();
  const facts: [string, { readonly type: ScalarType; readonly unit?: string | null }][] = [
    ...Object.entries(PARCEL_ATTRIBUTES),
    ...fields,
  ];
  for (const [name, { type, unit }] of facts) {
    kinds.set(name, KINDS[type]);
    if (unit) units.set(name, unit);
  }
  return { kinds, units };
}

/** Writes answers in other formats in a thread that is started when it is first wanted: the serving thread answers everybody. */
export class FormatThreads {
  readonly #catalog: Catalog;
  #pool: Piscina<FormatWork | null, Uint8Array> | null = null;
  /** Settles when the thread has loaded its modules. */
  #loaded: Promise<unknown> = Promise.resolve();

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  /** @returns the bytes of the answer. @throws Error when the thread ended. */
  write(work: FormatWork): Promise<Uint8Array> {
    return this.#started().run(work);
  }

  /** Ends the thread when it is done. */
  async close(): Promise<void> {
    // Node ends the process when a thread is ended that still loads its modules (nodejs/node#60755).
    await this.#loaded;
    await this.#pool?.close();
  }

  #started(): Piscina<FormatWork | null, Uint8Array> {
    if (this.#pool) return this.#pool;
    const pool = new Piscina<FormatWork | null, Uint8Array>({
      ...threadFile('thread', import.meta.url),
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: IDLE_MS,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
      recordTiming: false,
      workerData: nameFacts(this.#catalog),
    });
    // A thread that dies is replaced by the pool, and must not take the process with it.
    pool.on('error', () => {});
    this.#loaded = pool.run(null).catch(() => {});
    this.#pool = pool;
    return pool;
  }
}
