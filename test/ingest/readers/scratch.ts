import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll } from 'vitest';
import type { FormatOptions } from '../../../datasets/place/place.ts';
import { openSource } from '../../../ingest/format.ts';
import type { ReadError, Row } from '../../../ingest/reader.ts';

/** A folder of small hand-made files that goes away after the test file. */
export function scratch(): (name: string, content: string | Uint8Array) => string {
  const folder = mkdtempSync(join(tmpdir(), 'plat-read-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  return (name, content) => {
    const path = join(folder, name);
    const bytes = Buffer.from(content as Uint8Array);
    writeFileSync(path, name.endsWith('.gz') && typeof content === 'string' ? gzipSync(bytes) : bytes);
    return path;
  };
}

/** All rows of a file. */
export async function readRows(path: string, options: FormatOptions = {}, format?: string): Promise<Row[]> {
  const source = await openSource(path, { options, format });
  try {
    const rows: Row[] = [];
    for await (const batch of source.rows()) rows.push(...batch);
    return rows;
  } finally {
    await source.close();
  }
}

/** What reading a file fails with. */
export async function failureOf(path: string, options: FormatOptions = {}): Promise<ReadError> {
  try {
    await readRows(path, options);
  } catch (error) {
    return error as ReadError;
  }
  throw new Error(`${path} was read without an error`);
}
