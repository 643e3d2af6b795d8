import type { Catalog } from '../../datasets/catalog.ts';
import { PARCEL_ATTRIBUTES } from '../../datasets/parcel/parcel-attributes.ts';
import type { Partition, ReleaseFile } from '../../datasets/release.ts';
import { kindOfReason } from '../evaluate/rejected/columns.ts';
import { Fault } from '../release/fault.ts';
import type { Layers } from '../release/layers.ts';
import { duckdb } from '../release/table.ts';
import { requireUnchanged, verify } from '../release/verified-file.ts';
import { Calculated } from './calculated-values.ts';

/** Why parcels were left out at ingest, numbers left out of the reason, and how many. */
export interface RejectedCount {
  readonly reason: string;
  readonly parcels: number;
}

/** How many parcels of a county have a value, by name; and what is said where none has one. */
export interface ParcelCounts {
  readonly parcels: number;
  /** Of stored attributes and of calculations that are stored for parcels. */
  readonly values: Readonly<Record<string, number>>;
  /** Of names without any value: the reason that stands with most of them, as the first was told. */
  readonly reasons: Readonly<Record<string, string>>;
}

/** Reads the result of a statement over one file of the release. @throws Fault when the file is missing, damaged or no Parquet. */
async function rowsOf(layers: Layers, file: ReleaseFile, statement: string): Promise<readonly unknown[][]> {
  const at = await verify(layers.release, file);
  try {
    const read = await (await duckdb()).runAndReadAll(statement, [at.path]);
    requireUnchanged(file, at);
    return read.getRows();
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault(`columns file ${file.sha256.slice(0, 12)} cannot be read as Parquet`, true);
  }
}

/** Rows with a value by column, from what Parquet says of its column chunks: no value is read. */
async function filledIn(layers: Layers, file: ReleaseFile): Promise<ReadonlyMap<string, number>> {
  const rows = await rowsOf(
    layers,
    file,
    `SELECT path_in_schema, sum(num_values - stats_null_count)::DOUBLE FROM parquet_metadata(?) GROUP BY 1`,
  );
  return new Map(rows.map(([column, filled]) => [String(column), Number(filled)]));
}

/**
 * Counts the values of a county's parcels.
 * @param check throws when nobody waits any more.
 * @throws Fault or DamagedFile when a file is missing or damaged; what `check` throws.
 */
export async function parcelCounts(
  layers: Layers,
  catalog: Catalog,
  county: Partition,
  check: () => void,
): Promise<ParcelCounts> {
  const calculated = new Calculated(layers, catalog, county);
  const values: Record<string, number> = {};
  const reasons: Record<string, string> = {};
  const files = new Map<ReleaseFile, ReadonlyMap<string, number>>();
  const filled = async (file: ReleaseFile, column: string) => {
    check();
    const counts = files.get(file) ?? (await filledIn(layers, file));
    files.set(file, counts);
    return counts.get(column) ?? 0;
  };
  const rows = layers.file(county, 'rows');
  for (const name of Object.keys(PARCEL_ATTRIBUTES))
    values[name] = name === 'state2' || name === 'geoid' ? county.rows : await filled(rows, name);
  const areas = new Map<string, ReadonlyMap<number, number>>();
  for (const name of calculated.fields()) {
    const at = calculated.locate(name);
    if (!at) continue;
    if (at.kind === 'column') {
      // A source of the county may publish what was computed for the parcels of another.
      values[name] = Math.max(values[name] ?? 0, await filled(at.file, at.column));
      if (values[name] === 0) reasons[name] = textOf((await calculated.reasons(name)).find(r => r.status !== 'ok'));
      continue;
    }
    check();
    const ofKey = `SELECT "${at.column}", count(*)::DOUBLE FROM read_parquet(?) GROUP BY 1`;
    const counts =
      areas.get(at.column) ??
      new Map((await rowsOf(layers, at.file, ofKey)).map(([area, count]) => [Number(area), Number(count)]));
    areas.set(at.column, counts);
    const findings = await calculated.areas(name);
    const told = findings.filter(({ finding }) => finding.status === 'ok');
    values[name] = told.reduce((sum, { area }) => sum + (counts.get(area) ?? 0), 0);
    if (!told.length) reasons[name] = textOf(findings[0]?.finding);
  }
  return { parcels: county.rows, values, reasons };
}

const textOf = (said: { readonly notes: readonly string[]; readonly error?: string } | undefined): string =>
  said?.error ?? said?.notes[0] ?? '';

/** Counts the parcels of a county that were left out at ingest, by why. @throws Fault or DamagedFile as Layers.beside. */
export async function rejectedCounts(layers: Layers, county: Partition): Promise<RejectedCount[]> {
  const counts = new Map<string, number>();
  for (const rejected of await layers.beside(county, 'rejected'))
    for (let i = 0; i < rejected.file.count; i++) {
      const reason = kindOfReason(String(rejected.feature(i).properties.rejected_reason));
      counts.set(reason, (counts.get(reason) ?? 0) + 1);
    }
  return [...counts].map(([reason, parcels]) => ({ reason, parcels })).sort((a, b) => b.parcels - a.parcels);
}
