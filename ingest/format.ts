import type { FormatOptions } from '../datasets/place/place.ts';
import { ReadError, type Reader, type Source } from './reader.ts';
import { READERS } from './readers.ts';

/** Returns names and endings of all formats as one text, for error messages and help. */
function formats(): string {
  return READERS.map(r => `${r.name} (${r.endings.join(', ')})`).join('; ');
}

/**
 * Returns the reader of a file: the one named `format`, else the one with the longest ending that matches the file name.
 * @throws ReadError format_unknown listing the known formats.
 */
export function readerFor(path: string, format?: string): Reader {
  if (format !== undefined) {
    const named = READERS.find(r => r.name === format);
    if (named) return named;
    throw new ReadError('format_unknown', path, null, `no format "${format}"; known: ${formats()}`);
  }
  const name = path.toLowerCase();
  let best: Reader | null = null;
  let length = 0;
  for (const reader of READERS)
    for (const ending of reader.endings)
      if (name.endsWith(ending) && ending.length > length) {
        best = reader;
        length = ending.length;
      }
  if (best) return best;
  throw new ReadError('format_unknown', path, null, `the name tells no known format; known: ${formats()}`);
}

/**
 * Opens a published file for reading.
 * @param how `format` names a reader if the file name does not tell the format; `options` tell what the file does not say.
 * @throws ReadError naming the file and what to do.
 */
export async function openSource(
  path: string,
  how: { readonly format?: string; readonly options?: FormatOptions } = {},
): Promise<Source> {
  return readerFor(path, how.format).open(path, how.options ?? {});
}
