import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { type DuckDBConnection, INTEGER, VARCHAR } from '@duckdb/node-api';
import type { Value } from '../../../datasets/dataset.ts';
import { PARCEL_ATTRIBUTES } from '../../../datasets/parcel/parcel-attributes.ts';
import type { StackLine } from '../../../query/changes/stack-line.ts';
import { DamagedFile } from '../../../query/format/damaged-file.ts';
import { FeatureFile } from '../../../query/format/flatgeobuf.ts';
import type { StagedFile } from '../../../query/release/home/store.ts';
import { type HeldRow, type StackRow, stackKeys } from './stack-pairs.ts';

/**
 * Creates and fills the table `stacks`: object ids, and how often only order decided, of the parcels that shared number and shape in the
 * release before.
 * @param paths NDJSON, as `writeStacks` writes it.
 */
export async function loadStacks(db: DuckDBConnection, paths: readonly string[]): Promise<void> {
  await db.run('CREATE TEMP TABLE stacks (key VARCHAR, id VARCHAR, ranked INTEGER)');
  const appender = await db.createAppender('stacks', null, 'temp');
  try {
    for (const path of paths)
      for (const line of readFileSync(path, 'utf8').split('\n')) {
        if (line === '') continue;
        const [key, id, ranked] = JSON.parse(line) as StackLine;
        appender.appendValue(key, VARCHAR);
        appender.appendValue(id, VARCHAR);
        appender.appendValue(ranked, INTEGER);
        appender.endRow();
      }
  } finally {
    appender.closeSync();
  }
}

/** Stacks of either release with members in both, where at least one of the two has several. */
const MEMBERS = `
  WITH held AS (
    SELECT key, number, hash, file, ord, false AS gone FROM previous UNION ALL
    SELECT key, number, hash, NULL, NULL, true FROM ended
  ), stack AS (
    SELECT h.number, h.hash FROM (SELECT number, hash, count(*) AS n FROM held GROUP BY ALL) h
    JOIN (SELECT c2, c1, count(*) AS n FROM rows WHERE c8 IS NULL GROUP BY ALL) r
      ON r.c2 IS NOT DISTINCT FROM h.number AND r.c1 = h.hash
    WHERE h.n > 1 OR r.n > 1
  ), member AS (
    SELECT number, hash, held.key, coalesce(stacks.id, nullif(regexp_extract(held.key, ':o(.+)$', 1), '')) AS id,
      file, ord, gone, NULL::INTEGER AS row, NULL::BIGINT AS place, NULL::BIGINT AS size
    FROM held LEFT JOIN stacks USING (key)
    UNION ALL SELECT c2, c1, NULL, c3, NULL, NULL, false, c0::INTEGER, c6, c7 FROM rows WHERE c8 IS NULL
  )
  SELECT dense_rank() OVER (ORDER BY member.number, member.hash)::INTEGER, key, id, file::INTEGER, ord::INTEGER, gone, row,
    place::DOUBLE, size::INTEGER
  FROM member JOIN stack ON stack.number IS NOT DISTINCT FROM member.number AND stack.hash = member.hash
  ORDER BY 1, row`;

type Member = readonly [
  stack: number,
  key: string | null,
  id: string | null,
  file: number | null,
  ord: number | null,
  gone: boolean,
  row: number | null,
  place: number | null,
  size: number | null,
];

type Properties = Readonly<Record<string, Value>>;

const PUBLISHED = Object.entries(PARCEL_ATTRIBUTES).flatMap(([name, column]) =>
  'computed' in column && column.computed ? [] : [name],
);

function valuesOf(properties: Properties): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const name of PUBLISHED) {
    const value = properties[name] ?? null;
    if (value !== null && value !== '') values.set(name, JSON.stringify(value));
  }
  return values;
}

/** The values that parcels had in the release before. */
class FormerValues {
  readonly #paths: readonly string[];
  readonly #files = new Map<number, FeatureFile | null>();

  constructor(paths: readonly string[]) {
    this.#paths = paths;
  }

  /** Null where the file is damaged: a refresh repairs a damaged release. */
  of(file: number | null, ord: number | null): ReadonlyMap<string, string> | null {
    if (file === null || ord === null) return null;
    try {
      if (!this.#files.has(file)) this.#files.set(file, new FeatureFile(this.#paths[file]!));
      return valuesOf(this.#files.get(file)!.properties(ord));
    } catch (error) {
      if (!(error instanceof DamagedFile)) throw error;
      return null;
    }
  }

  close(): void {
    for (const file of this.#files.values()) file?.close();
  }
}

/**
 * Fills the table `twins` with the rows of stacks that carry a key forward, or of which only order says which one they are, and
 * adds to `stacks` the keys that end where only order said so.
 * @param paths of the files of the release before, FlatGeobuf. @param read returns the properties of a row of this one.
 */
export async function pairStacks(
  db: DuckDBConnection,
  paths: readonly string[],
  read: (slot: { readonly offset: number; readonly size: number }) => Properties,
): Promise<void> {
  await db.run('CREATE TEMP TABLE twins (row INTEGER, key VARCHAR, ranked INTEGER)');
  const members = (await db.runAndReadAll(MEMBERS)).getRowsJS() as unknown as Member[];
  if (members.length === 0) return;
  const former = new FormerValues(paths);
  const twins = await db.createAppender('twins', null, 'temp');
  const ended: string[] = [];
  try {
    for (const stack of Map.groupBy(members, ([number]) => number).values()) {
      const held: HeldRow[] = [];
      const rows: StackRow[] = [];
      const numbers: number[] = [];
      for (const [, key, objectId, file, ord, isGone, row, offset, size] of stack)
        if (key !== null) held.push({ key, objectId, isGone, values: former.of(file, ord) });
        else {
          rows.push({ objectId, values: valuesOf(read({ offset: offset!, size: size! })) });
          numbers.push(row!);
        }
      const { keys, rankedRows, rankedKeys } = stackKeys(held, rows);
      for (const [i, key] of keys.entries()) {
        if (key === null && !rankedRows.has(i)) continue;
        twins.appendValue(numbers[i]!, INTEGER);
        twins.appendValue(key, VARCHAR);
        twins.appendValue(rankedRows.has(i) ? 1 : 0, INTEGER);
        twins.endRow();
      }
      ended.push(...rankedKeys);
    }
  } finally {
    twins.closeSync();
    former.close();
  }
  const stacks = await db.createAppender('stacks', null, 'temp');
  try {
    for (const key of ended) {
      stacks.appendValue(key, VARCHAR);
      stacks.appendNull();
      stacks.appendValue(1, INTEGER);
      stacks.endRow();
    }
  } finally {
    stacks.closeSync();
  }
}

/**
 * Writes what tells the parcels of stacks apart in the next release: one line for each that has an object id, or of which only order
 * ever said which one it is.
 * @returns the file; null if there is no such parcel.
 */
export async function writeStacks(db: DuckDBConnection, path: string): Promise<StagedFile | null> {
  const reader = await db.runAndReadAll(
    `SELECT key, id, ranked FROM ordered WHERE id IS NOT NULL OR ranked > 0 UNION ALL
     SELECT key, NULL, sum(ranked)::INTEGER FROM stacks ANTI JOIN ordered USING (key) GROUP BY key HAVING sum(ranked) > 0
     ORDER BY ALL`,
  );
  const rows = reader.getRows() as unknown as StackLine[];
  if (rows.length === 0) return null;
  await writeFile(path, rows.map(row => `${JSON.stringify(row)}\n`).join(''));
  return { role: 'stacks', path, rows: rows.length };
}
