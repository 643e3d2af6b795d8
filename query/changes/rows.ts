import { createHash, hash } from 'node:crypto';
import type { Geometry } from '../../datasets/geometry.ts';
import type { Partition } from '../../datasets/release.ts';
import { chunks } from '../release/duckdb-scan.ts';
import type { Features } from '../release/features.ts';
import type { Layers } from '../release/layers.ts';
import { PART } from '../release/part.ts';
import { requireUnchanged } from '../release/verified-file.ts';
import { contentOf } from './partition-pair.ts';
import type { Work } from './work.ts';

/** Columns that number the rows of one file and say nothing of a row. */
const OF_FILE = new Set(['ord', PART, 'stack_count']);

/** Rows that are compared at once, on each side: some ten seconds of a busy worker. */
const SHARE_ROWS = 50_000;

/** One of several shares of the rows by their names: what has one name is in one share, in whichever release. */
export interface Share {
  readonly number: number;
  readonly of: number;
}

/** FNV-1a, 32 bits. */
function spread(name: string): number {
  let sum = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) sum = Math.imul(sum ^ name.charCodeAt(i), 0x01000193);
  return sum >>> 0;
}

/** Whether what has a name is of a share. */
export const isIn = ({ number, of }: Share, name: string): boolean => of === 1 || spread(name) % of === number;

/** Shares that rows are compared in. @param counts of each side. */
export const sharesOf = (...counts: readonly number[]): number =>
  Math.max(1, Math.ceil(Math.max(...counts) / SHARE_ROWS));

const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array | Uint32Array) =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** Columns that say something of a row, in an order that is the same for every file, with their places. */
const toldOf = (columns: readonly string[]): readonly (readonly [name: string, place: number])[] =>
  columns
    .map((name, place) => [name, place] as const)
    .filter(([name]) => !OF_FILE.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));

/** A value as text; of each type another one. */
function valueText(value: unknown): string {
  if (typeof value === 'string') return `"${value.length}${value}`;
  if (typeof value !== 'object') return String(value);
  return JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner));
}

/** Values by name without those that are absent: a column that is new and empty changes no row, and empty text is no value. */
function textOf(told: ReturnType<typeof toldOf>, cell: (name: string, place: number) => unknown): string {
  let text = '';
  for (const [name, place] of told) {
    const value = cell(name, place);
    if (value !== null && value !== undefined && value !== '') text += `${name}=${valueText(value)};`;
  }
  return text;
}

function digest(text: string, geometry: Geometry): string {
  const sum = createHash('sha1').update(text).update(geometry.type);
  for (const list of [geometry.xy, geometry.ends, geometry.parts]) sum.update(bytesOf(list));
  return sum.digest('base64');
}

/** Told of a row: what it is known by from release to release (its content where nothing else), and its content. */
type TakeRow = (name: string, content: string) => void;

const nameOf = (value: unknown): string | null => (value === null || value === undefined ? null : `:${String(value)}`);

async function eachFeature(
  { file }: Features,
  key: string | null,
  share: Share,
  work: Work,
  take: TakeRow,
): Promise<void> {
  const pick = key === null ? null : file.columnPick([key]);
  const told = toldOf(file.columns);
  for (let i = 0; i < file.count; i++) {
    if (work.step()) await work.rest();
    const name = pick && nameOf(file.pick(i, pick)[key!]);
    if (name && !isIn(share, name)) continue;
    work.judge();
    const values = file.properties(i);
    const content = digest(
      textOf(told, column => values[column]),
      file.boundary(i),
    );
    if (name ?? isIn(share, content)) take(name || content, content);
  }
}

async function eachTableRow(path: string, key: string | null, share: Share, work: Work, take: TakeRow): Promise<void> {
  const check = () => work.check();
  const read = (text: string) => chunks({ text, values: { path }, types: {} }, check);
  const columns: string[] = [];
  for await (const chunk of read('SELECT column_name FROM (DESCRIBE SELECT * FROM read_parquet($path))'))
    columns.push(...chunk.getColumnValues(0).map(String));
  const at = key === null ? -1 : columns.indexOf(key);
  const told = toldOf(columns);
  for await (const chunk of read('SELECT * FROM read_parquet($path)'))
    for (const row of chunk.getRows()) {
      if (work.step()) await work.rest();
      const name = nameOf(row[at]);
      if (name && !isIn(share, name)) continue;
      work.judge();
      const content = hash(
        'sha1',
        textOf(told, (_, place) => row[place]),
        'base64',
      );
      if (name ?? isIn(share, content)) take(name || content, content);
    }
}

/**
 * Every row of a partition that is of a share.
 * @param key column that tells rows apart; null where nothing does.
 * @throws Fault or DamagedFile when its file cannot be read; TimeUp, Interrupted.
 */
export async function eachRow(
  layers: Layers,
  partition: Partition,
  { key, share, work }: { readonly key: string | null; readonly share: Share; readonly work: Work },
  take: TakeRow,
): Promise<void> {
  const file = contentOf(partition)!;
  if (file.rows === 0) return;
  if (file.role === 'features') return eachFeature(await layers.features(partition), key, share, work, take);
  const at = await layers.verified(file);
  await eachTableRow(at.path, key, share, work, take);
  // DuckDB opens the file by its path: what it read counts only when the file is still what was verified.
  requireUnchanged(file, at);
}
