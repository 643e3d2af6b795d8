import type { Catalog } from '../../datasets/catalog.ts';
import type { ScalarType } from '../../datasets/dataset.ts';
import { PARCEL_ATTRIBUTES } from '../../datasets/parcel/parcel-attributes.ts';
import { threadFile } from '../../query/engine/file-checker.ts';
import type { TableSource } from './answer-table.ts';
import type { ColumnKind, Format } from './format.ts';
import { LazyThread } from './lazy-thread.ts';
import type { NameFacts } from './row-table.ts';

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
  readonly #thread: LazyThread<FormatWork, Uint8Array>;

  constructor(catalog: Catalog) {
    this.#thread = new LazyThread({
      ...threadFile('thread', import.meta.url),
      heapMb: HEAP_MB,
      workerData: nameFacts(catalog),
    });
  }

  /** @returns the bytes of the answer. @throws Error when the thread ended. */
  write(work: FormatWork): Promise<Uint8Array> {
    return this.#thread.run(work);
  }

  /** Ends the thread when it is done. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}
