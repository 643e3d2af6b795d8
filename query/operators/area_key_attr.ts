import { columnsOf } from '../../datasets/condition.ts';
import { countyCounterpart } from '../../datasets/crosswalk.ts';
import type { Partition } from '../../datasets/release.ts';
import { aggregate } from '../aggregate.ts';
import { areaKey, otherCensus } from '../area-key.ts';
import { confidenceOf } from '../confidence.ts';
import { type Context, definitionOf, nameOf, type Operator, testOf } from '../context.ts';
import { Fault } from '../fault.ts';
import { absent, citationsOf, found } from '../finding.ts';
import { published } from '../published.ts';
import { rowsOf, type TableRow } from '../table.ts';
import { requireColumns, searchOf, unpublishedReason } from '../vector.ts';

interface Rows {
  readonly rows: readonly TableRow[];
  /** Partitions that hold the rows; all searched ones when none does. */
  readonly partitions: readonly Partition[];
}

/** Rows of one key over the partitions, in manifest order. @throws Fault when a file lacks a column. */
async function read(
  ctx: Context,
  partitions: readonly Partition[],
  keyColumn: string,
  key: string,
  columns: readonly string[],
  name: string,
): Promise<Rows> {
  const rows: TableRow[] = [];
  const holding: Partition[] = [];
  for (const partition of partitions) {
    const file = ctx.layers.file(partition, 'rows');
    const found = await rowsOf(ctx.layers.cache, ctx.layers.release, file, keyColumn, key);
    for (const column of [keyColumn, ...columns])
      if (!found.columns.includes(column) && !partition.unpublished.includes(column))
        throw new Fault(`the file of ${name} has no column ${column}`);
    if (found.rows.length) holding.push(partition);
    rows.push(...found.rows);
  }
  return { rows, partitions: holding.length ? holding : partitions };
}

/** Column of the table row whose area holds the point, or an aggregate of the rows that share the area. */
export const operator: Operator = {
  name: 'area_key_attr',
  async point(ctx, call, { rule, type }) {
    const source = call.sources[0]!;
    const column = call.argument!;
    const keyName = String(call.options.key);
    const layer = definitionOf(ctx, source);
    if (layer.kind !== 'table') throw new Fault(`${nameOf(source)} is no table`);
    if (layer.key.is !== keyName)
      throw new Fault(`${nameOf(source)} is keyed by ${layer.key.is}, the field asks by ${keyName}`);
    const search = await searchOf(ctx, source, call.where);
    const { covering } = search.at;
    const confidence = confidenceOf(rule);
    if (search.absent) return absent(search.absent, confidence, covering);
    requireColumns(search.at, source, [column]);
    const key = await areaKey(ctx, keyName);
    if ('reason' in key) return absent(key.reason, confidence, key.covering);
    const keyNotes = citationsOf([key.partition]).notes.map(note => `${keyName}: ${note}`);
    const columns = [column, ...columnsOf(call.where)];
    const rowsAt = (text: string) => read(ctx, search.partitions, layer.key.column, text, columns, nameOf(source));

    let { rows, partitions } = await rowsAt(key.key);
    if (!rows.length && keyName === 'county_fips') {
      // A table of another vintage may know the county under its other code.
      const counterpart = countyCounterpart(key.key);
      if (counterpart) {
        ({ rows, partitions } = await rowsAt(counterpart));
        if (rows.length) keyNotes.push(`county ${key.key} is ${counterpart} in this table's vintage`);
      }
      if (!rows.length && counterpart !== undefined)
        return absent(
          `county ${key.key} has no one-to-one counterpart in the vintage of ${nameOf(source)}`,
          confidence,
          partitions,
        );
    }
    for (const partition of partitions) {
      const reason = otherCensus(keyName, key.partition, partition);
      if (reason) return absent(reason, confidence, partitions);
    }
    const silent = partitions.find(p => p.unpublished.includes(column));
    if (silent) return absent(unpublishedReason(silent, column), confidence, partitions);
    const chosen = rows.filter(testOf(ctx, call.where));
    const notes = [...search.notes, ...keyNotes];
    const { agg } = call.options;
    if (!agg && chosen.length > 1)
      throw new Fault(
        `${nameOf(source)} has ${chosen.length} rows for ${keyName} ${key.key} where one was expected: its schema changed`,
      );
    if (!agg && !chosen.length)
      return absent(`${nameOf(source)} has no row for ${keyName} ${key.key}`, confidence, partitions);
    const missing = (value: Parameters<typeof published>[0]) =>
      'reason' in published(value, { ...call, options: {} }, null, column);
    const raw = agg ? aggregate(String(agg), chosen, column, missing) : chosen[0]![column];
    if (agg && (raw === null || raw === undefined))
      return absent(`${nameOf(source)} has no value of ${column} for ${keyName} ${key.key}`, confidence, partitions);
    const result = published(raw, call, type, column);
    return 'reason' in result
      ? absent(result.reason, confidence, partitions)
      : found(result.value, confidence, partitions, notes);
  },
};
