import type { Readable } from 'node:stream';
import { parse } from 'csv-parse/sync';
import { readSheet } from 'read-excel-file/node';
import type { FormatOptions } from '../../../datasets/place/place.ts';
import { openBytes } from '../../../ingest/byte-cursor.ts';
import { readerFor } from '../../../ingest/format.ts';
import { memberOf, openArchive } from '../../../ingest/zip.ts';
import { numberIn } from './profile.ts';

/** Number of lines at the beginning of a table that are examined. */
const LINES = 60;
const BYTES = 256 * 1024;
const TEXTS = ['.csv', '.tsv', '.txt', '.dat'];

/** Names of the two columns of a point, x first; the best pairs come first. */
const POINTS: readonly (readonly [RegExp, RegExp])[] = [
  [
    /^(point_?)?(lon|lng|long|longitude)(_?(dd|deg|wgs84|x|83|decimal))?$/i,
    /^(point_?)?(lat|latitude)(_?(dd|deg|wgs84|y|83|decimal))?$/i,
  ],
  [
    /^(x|x_?coord|point_?x|coord_?x|easting|x_?coordinate|gis_?x|centroid_?x)$/i,
    /^(y|y_?coord|point_?y|coord_?y|northing|y_?coordinate|gis_?y|centroid_?y)$/i,
  ],
  [/longitude/i, /latitude/i],
];

async function head(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes >= BYTES) break;
  }
  stream.destroy();
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
}

const cellsOf = (line: string, delimiter: string): string[] =>
  (parse(line, { delimiter, relax_column_count: true, relax_quotes: true, skip_empty_lines: true })[0] ??
    []) as string[];

/** Returns the delimiter by which most lines have the same number of cells, above one; a comma if in doubt. */
function delimiterOf(lines: readonly string[]): string {
  let best = ',';
  let most = 0;
  for (const delimiter of [',', '\t', '|', ';']) {
    const counts = lines.map(line => {
      try {
        return cellsOf(line, delimiter).length;
      } catch {
        return 1;
      }
    });
    const widest = Math.max(...counts, 1);
    const score = widest < 2 ? 0 : counts.filter(n => n === widest).length * Math.log(widest + 1);
    if (score > most) [best, most] = [delimiter, score];
  }
  return best;
}

const filled = (cells: readonly string[]) => cells.filter(cell => cell.trim() !== '');
const isNumber = (cell: string) => !Number.isNaN(numberIn(cell.trim()));

/** Returns the index of the header: the first line that is about as wide as the data and holds only names. */
function headerLine(lines: readonly (readonly string[])[]): number {
  const widths = lines.map(cells => filled(cells).length).sort((a, b) => a - b);
  const width = widths[Math.floor(widths.length * 0.7)] ?? 0;
  const at = lines.findIndex(cells => {
    const names = filled(cells);
    const texts = names.filter(cell => !isNumber(cell));
    return (
      names.length >= width * 0.7 && texts.length >= names.length * 0.9 && new Set(texts).size >= texts.length * 0.9
    );
  });
  return Math.max(0, at);
}

/** Whether the line below the header is a second header (units, labels): it lacks numbers where all later lines have them. */
function hasSecondHeader(lines: readonly (readonly string[])[], header: number): boolean {
  const [second, ...rest] = lines.slice(header + 1, header + 22);
  if (!second || rest.length < 5) return false;
  const numeric = second.map((_, i) => rest.every(cells => isNumber(cells[i] ?? '')));
  const columns = numeric.flatMap((is, i) => (is ? [i] : []));
  return columns.length >= 2 && columns.every(i => !isNumber(second[i]!));
}

/** Returns the columns of a point, if the table has them and the first rows hold numbers there. */
function pointColumns(header: readonly string[], rows: readonly (readonly string[])[]): Pick<FormatOptions, 'x' | 'y'> {
  for (const [xName, yName] of POINTS) {
    const x = header.findIndex(name => xName.test(name.trim()));
    const y = header.findIndex(name => yName.test(name.trim()));
    if (x < 0 || y < 0) continue;
    const numbers = rows.filter(cells => isNumber(cells[x] ?? '') && isNumber(cells[y] ?? ''));
    if (numbers.length * 2 >= rows.length && numbers.some(cells => numberIn(cells[x]!.trim()) !== 0))
      return { x: header[x]!.trim(), y: header[y]!.trim() };
  }
  return {};
}

/** A cell of WKT, or of WKB in hexadecimal digits. */
const SHAPE =
  /^(SRID=\d+;)?\s*(MULTI)?(POINT|LINESTRING|POLYGON)\s*(ZM|Z|M)?\s*\(|^0[01](0[1-7]0{6}|0{6}0[1-7]|[0-9a-f]{6}[a2]0)[0-9a-f]{16,}$/i;

/** Returns the column whose filled cells all hold geometry; none when no column does. */
function geometryColumn(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): Pick<FormatOptions, 'geometry'> {
  const at = header.findIndex((_, i) => {
    const cells = rows.map(row => row[i]?.trim() ?? '').filter(Boolean);
    return cells.length > 0 && cells.every(cell => SHAPE.test(cell));
  });
  return at < 0 ? {} : { geometry: header[at]!.trim() };
}

function optionsOf(lines: readonly (readonly string[])[], options: FormatOptions): FormatOptions {
  const header = headerLine(lines);
  const second = hasSecondHeader(lines, header);
  const rows = lines.slice(header + 1 + (second ? 1 : 0));
  const shape = geometryColumn(lines[header] ?? [], rows);
  return {
    ...options,
    ...(header > 0 ? { skipLines: header } : {}),
    ...(second ? { skipAfterHeader: 1 } : {}),
    ...(shape.geometry ? shape : pointColumns(lines[header] ?? [], rows)),
  };
}

async function textOf(path: string, options: FormatOptions, zipped: boolean): Promise<string> {
  if (!zipped) return head(openBytes(path));
  const archive = await openArchive(path);
  try {
    return await head(await archive.open(memberOf(archive, options.member, TEXTS, path)));
  } finally {
    archive.close();
  }
}

/**
 * Finds the options that the reader of a table needs: position of the header, delimiter, columns of a point. Files of other
 * formats need none.
 * @returns the options with those added; null for a sheet that holds no table.
 */
export async function tableOptions(
  path: string,
  format: string | null,
  options: FormatOptions,
): Promise<FormatOptions | null> {
  const { name } = readerFor(path, format ?? undefined);
  if (name === 'xlsx') {
    const cells = (await readSheet(path, options.sheet)) as unknown as unknown[][];
    const lines = cells.slice(0, LINES).map(row => row.map(cell => (cell === null ? '' : String(cell))));
    return filled(lines.flat()).length < 4 ? null : optionsOf(lines, options);
  }
  if (name !== 'csv' && name !== 'zipped_csv') return options;
  const text = await textOf(path, options, name === 'zipped_csv');
  const all = text.split(/\r\n|\n|\r/);
  const lines = (all.length > 2 ? all.slice(0, -1) : all).slice(0, LINES);
  const delimiter = delimiterOf(lines.filter(line => line.trim() !== ''));
  const found = optionsOf(
    lines.map(line => {
      try {
        return cellsOf(line, delimiter);
      } catch {
        return [line];
      }
    }),
    options,
  );
  const expected = /\.tsv(\.gz)?$/i.test(options.member ?? path) ? '\t' : ',';
  return delimiter === expected ? found : { ...found, delimiter };
}
