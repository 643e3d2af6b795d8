import { existsSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { UsageError } from '../../query/engine/command.ts';
import type { UploadForm } from '../exports/intake/forms.ts';
import { takeIn } from '../exports/intake/intake.ts';
import type { UploadedRows } from '../operation/operation.ts';

const FORMS: Readonly<Record<string, UploadForm>> = {
  '.csv': 'csv',
  '.ndjson': 'ndjson',
  '.geojsonl': 'ndjson',
  '.geojson': 'geojson',
  '.parquet': 'parquet',
};

/**
 * A file of the one who runs a command, as an upload: uploads belong to accounts, and nobody asks here.
 * @returns null where there is no such file. @throws UsageError when it cannot be read as one.
 */
export async function fileAsUpload(path: string): Promise<UploadedRows | null> {
  const form = FORMS[extname(path).toLowerCase()];
  if (!form || !existsSync(path)) return null;
  const read = await takeIn(form, readFileSync(path));
  if ('tooMany' in read) throw new UsageError(`${path} has too many rows for an upload`);
  if ('problem' in read) throw new UsageError(`${path}, row ${read.row}: ${read.problem}`);
  const { kind, rows, columns, parts } = read;
  async function* texts(): AsyncGenerator<string> {
    for (const part of parts) yield gunzipSync(part).toString('utf8');
  }
  return { kind, rows, columns, parts: texts() };
}
