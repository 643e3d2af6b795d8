import type { Catalog } from '../../datasets/catalog.ts';
import { memo } from '../../datasets/memo.ts';
import { threadFile } from '../../query/engine/file-checker.ts';
import { nameFacts } from '../formats/format-threads.ts';
import { LazyThread } from '../formats/lazy-thread.ts';
import type { ExportFile } from '../state/exports/records.ts';
import type { UploadForm } from './intake/forms.ts';
import type { Intake } from './intake/intake.ts';
import type { SentPolygon } from './place-row.ts';
import type { ExportWriting } from './writers/write-export.ts';

/** Megabytes of its heap: 64 MB of GeoJSON are eight times as much as objects. */
const HEAP_MB = 1_024;

export type ExportTask =
  | { readonly kind: 'intake'; readonly form: UploadForm; readonly bytes: Uint8Array }
  | { readonly kind: 'points'; readonly polygons: readonly SentPolygon[] }
  | { readonly kind: 'write'; readonly writing: ExportWriting };

/** Reads uploads and writes files in a thread that is started when it is first wanted: the serving thread answers everybody. */
export class ExportThreads {
  readonly #thread: LazyThread<ExportTask, unknown>;

  constructor(catalog: Catalog) {
    this.#thread = new LazyThread({
      ...threadFile('thread', import.meta.url),
      heapMb: HEAP_MB,
      workerData: nameFacts(catalog),
    });
  }

  /** Reads an upload. */
  takeIn(form: UploadForm, bytes: Uint8Array): Promise<Intake> {
    return this.#thread.run({ kind: 'intake', form, bytes }) as Promise<Intake>;
  }

  /** The point inside of each polygon that its values are of; null of one that is no valid polygon. */
  points(polygons: readonly SentPolygon[]): Promise<readonly (readonly [number, number] | null)[]> {
    return this.#thread.run({ kind: 'points', polygons }) as Promise<readonly (readonly [number, number] | null)[]>;
  }

  /** Writes the files of an export. @throws Error when the disk is full, or the thread ended. */
  write(writing: ExportWriting): Promise<ExportFile[]> {
    return this.#thread.run({ kind: 'write', writing }) as Promise<ExportFile[]>;
  }

  /** Ends the thread when it is done; who wants it again starts another one. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}

/** The thread of a catalog, the same for all that read or write with it. */
export const exportThreads: (catalog: Catalog) => ExportThreads = memo(catalog => new ExportThreads(catalog));
