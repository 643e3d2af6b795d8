import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Value } from '../../../datasets/dataset.ts';
import type { Feature } from './feature.ts';

/** Writes text (gzipped when the name ends in .gz). */
export async function writeText(path: string, chunks: Iterable<string>): Promise<void> {
  const out = createWriteStream(path);
  const source = Readable.from(chunks);
  if (path.endsWith('.gz')) await pipeline(source, createGzip({ level: 6 }), out);
  else await pipeline(source, out);
}

/** Joins small strings so that the stream below sees chunks, not lines. */
export function* gathered(lines: Iterable<string>): Generator<string> {
  let chunk = '';
  for (const line of lines) {
    chunk += line;
    if (chunk.length > 1 << 16) {
      yield chunk;
      chunk = '';
    }
  }
  if (chunk) yield chunk;
}

const cell = (value: Value | undefined): string => {
  const plain = value === null || value === undefined ? '' : String(value);
  return /[",\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
};

/** Lines of delimited text below an optional header. */
export function* delimitedLines(
  columns: readonly string[],
  rows: Iterable<Readonly<Record<string, Value>>>,
  { header = true, delimiter = ',' } = {},
): Generator<string> {
  if (header) yield `${columns.map(cell).join(delimiter)}\n`;
  for (const row of rows) yield `${columns.map(name => cell(row[name])).join(delimiter)}\n`;
}

/**
 * Writes a CSV (gzipped when the name ends in .gz) row by row.
 * @returns the number of rows below the header.
 */
export async function writeCsv(
  path: string,
  columns: readonly string[],
  rows: Iterable<Readonly<Record<string, Value>>>,
): Promise<number> {
  let count = 0;
  function* counted() {
    for (const row of rows) {
      count++;
      yield row;
    }
  }
  await writeText(path, gathered(delimitedLines(columns, counted())));
  return count;
}

/**
 * Writes a GeoJSON FeatureCollection (gzipped when the name ends in .gz) feature by feature.
 * @returns the number of features.
 */
export async function writeGeojson(path: string, name: string, features: Iterable<Feature>): Promise<number> {
  let count = 0;
  function* lines(): Generator<string> {
    yield `{"type":"FeatureCollection","name":${JSON.stringify(name)},"features":[\n`;
    for (const { properties, geometry } of features)
      yield `${count++ ? ',\n' : ''}${JSON.stringify({ type: 'Feature', properties, geometry })}`;
    yield '\n]}\n';
  }
  await writeText(path, gathered(lines()));
  return count;
}
