import { Piscina } from 'piscina';
import type { Catalog } from '../../datasets/catalog.ts';
import { memo } from '../../datasets/memo.ts';
import { threadFile } from '../../query/engine/file-checker.ts';
import { nameFacts } from '../formats/format-threads.ts';
import type { ExportFile } from '../state/exports/records.ts';
import type { UploadForm } from './intake/forms.ts';
import type { Intake } from './intake/intake.ts';
import type { SentPolygon } from './place-row.ts';
import type { ExportWriting } from './writers/write-export.ts';

/** Milliseconds that the thread stays when nobody wants it. */
const IDLE_MS = 60_000;
/** Megabytes of its heap: 64 MB of GeoJSON are eight times as much as objects. */
const HEAP_MB = 1_024;

export type ExportTask =
  | { readonly kind: 'intake'; readonly form: UploadForm; readonly bytes: Uint8Array }
  | { readonly kind: 'points'; readonly polygons: readonly SentPolygon[] }
  | { readonly kind: 'write'; readonly writing: ExportWriting };

/** Reads uploads and writes files in a thread that is started when it is first wanted: the serving thread answers everybody. */
export class ExportThreads {
  readonly #catalog: Catalog;
  #pool: Piscina<ExportTask | null, unknown> | null = null;
  /** Settles when the thread has loaded its modules. */
  #loaded: Promise<unknown> = Promise.resolve();

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  /** Reads an upload. */
  takeIn(form: UploadForm, bytes: Uint8Array): Promise<Intake> {
    return this.#started().run({ kind: 'intake', form, bytes }) as Promise<Intake>;
  }

  /** The point inside of each polygon that its values are of; null of one that is no valid polygon. */
  points(polygons: readonly SentPolygon[]): Promise<readonly (readonly [number, number] | null)[]> {
    return this.#started().run({ kind: 'points', polygons }) as Promise<readonly (readonly [number, number] | null)[]>;
  }

  /** Writes the files of an export. @throws Error when the disk is full, or the thread ended. */
  write(writing: ExportWriting): Promise<ExportFile[]> {
    return this.#started().run({ kind: 'write', writing }) as Promise<ExportFile[]>;
  }

  /** Ends the thread when it is done; who wants it again starts another one. */
  async close(): Promise<void> {
    // Node ends the process when a thread is ended that still loads its modules (nodejs/node#60755).
    await this.#loaded;
    const pool = this.#pool;
    this.#pool = null;
    await pool?.close();
  }

  #started(): Piscina<ExportTask | null, unknown> {
    if (this.#pool) return this.#pool;
    const pool = new Piscina<ExportTask | null, unknown>({
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

/** The thread of a catalog, the same for all that read or write with it. */
export const exportThreads: (catalog: Catalog) => ExportThreads = memo(catalog => new ExportThreads(catalog));
