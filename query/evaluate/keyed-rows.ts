import type { Expression } from '../../datasets/grammar/expression.ts';
import { nameOf } from '../../datasets/layer-words.ts';
import { memo } from '../../datasets/memo.ts';
import type { Partition, ReleaseFile } from '../../datasets/release.ts';
import { Fault } from '../release/fault.ts';
import type { PartitionSet } from '../release/lists/partition-set.ts';
import { rowsOf, type TableRow } from '../release/table.ts';
import { type Context, definitionOf } from './context.ts';
import type { Search } from './vector/vector-search.ts';

/** Rows of one key. */
interface KeyedRowsOf {
  readonly rows: readonly TableRow[];
  /** Partitions that hold the rows; all searched ones when none does. */
  readonly partitions: readonly Partition[];
}

/** Rows of one key over the partitions, in manifest order. @throws Fault when a file lacks a column. */
export async function readKeyed(
  ctx: Context,
  partitions: readonly Partition[],
  keyColumn: string,
  key: string,
  columns: readonly string[],
  name: string,
): Promise<KeyedRowsOf> {
  const rows: TableRow[] = [];
  const holding: Partition[] = [];
  for (const partition of partitions) {
    const file = ctx.layers.file(partition, 'rows');
    const { layers } = ctx;
    const found = await rowsOf(layers.cache, layers.release, file, keyColumn, key, layers.verified(file));
    for (const column of [keyColumn, ...columns])
      if (!found.columns.includes(column) && !partition.unpublished.includes(column))
        throw new Fault(`the file of ${name} has no column ${column}`);
    if (found.rows.length) holding.push(partition);
    rows.push(...found.rows);
  }
  return { rows, partitions: holding.length ? holding : partitions };
}

const rowsFiles = memo((partitions: PartitionSet, { layers }: Context) =>
  partitions.all.map(partition => layers.file(partition, 'rows')),
);

/** The tables' files of a search. @throws Fault when a partition has none. */
export const rowsFilesOf = (ctx: Context, { partitions }: Search): readonly ReleaseFile[] => rowsFiles(partitions, ctx);

/** The table's key column. @throws Fault when the source is no table of the key that the call asks by. */
export function keyColumnOf(ctx: Context, call: Expression): string {
  const source = call.sources[0]!;
  const layer = definitionOf(ctx, source);
  if (layer.kind !== 'table') throw new Fault(`${nameOf(source)} is no table`);
  if (layer.key.is !== call.options.key)
    throw new Fault(`${nameOf(source)} is keyed by ${layer.key.is}, the field asks by ${call.options.key}`);
  return layer.key.column;
}

/** What the table's key column holds for a key: of a ZIP area with its utility the ZIP code. */
export const tableKey = (keyName: string, key: string): string =>
  keyName === 'zcta_utility' ? key.split(' ')[0]! : key;
