import type { Catalog } from '../../datasets/catalog.ts';
import { PARCEL_ATTRIBUTES } from '../../datasets/parcel/parcel-attributes.ts';
import type { Partition, ReleaseFile } from '../../datasets/release.ts';
import { Fault } from '../release/fault.ts';
import type { Layers } from '../release/layers.ts';
import { duckdb } from '../release/table.ts';
import { requireUnchanged, verify } from '../release/verified-file.ts';
import { Calculated } from './calculated-values.ts';
import { type AreaQuantiles, type FieldQuantiles, PROBABILITIES, quantilesOf, shortened } from './quantiles.ts';

/** Columns of one statement. */
const COLUMNS = 16;

const isNumeric = (type: string): boolean => type === 'number' || type === 'integer';

/** Names whose quantiles are taken: numbers that are stored or calculated for parcels. */
export const numericNames = (catalog: Catalog): readonly string[] => {
  const attributes = Object.entries(PARCEL_ATTRIBUTES).filter(([, { type }]) => isNumeric(type));
  const fields = [...catalog.fields.values()].filter(({ type }) => isNumeric(type));
  return [...new Set([...fields.map(({ name }) => name), ...attributes.map(([name]) => name)])];
};

/** The rows of a statement over one file of the release. @throws Fault when the file is missing, damaged or no Parquet. */
async function rowsOf(layers: Layers, file: ReleaseFile, statement: string): Promise<readonly unknown[][]> {
  const at = await verify(layers.release, file);
  try {
    const read = await (await duckdb()).runAndReadAll(statement, [at.path]);
    requireUnchanged(file, at);
    return read.getRowsJS();
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault(`columns file ${file.sha256.slice(0, 12)} cannot be read as Parquet`, true);
  }
}

/** The quantiles of some columns of a file, which are identifiers of the catalog. @throws Fault as rowsOf. */
async function columnQuantiles(
  layers: Layers,
  file: ReleaseFile,
  columns: readonly string[],
): Promise<(readonly [string, FieldQuantiles])[]> {
  const shares = PROBABILITIES.join(', ');
  const quantiles: (readonly [string, FieldQuantiles])[] = [];
  for (let i = 0; i < columns.length; i += COLUMNS) {
    const some = columns.slice(i, i + COLUMNS);
    const selected = some.map(name => `count("${name}")::DOUBLE, quantile_disc("${name}"::DOUBLE, [${shares}])`);
    const [row] = await rowsOf(layers, file, `SELECT ${selected.join(', ')} FROM read_parquet(?)`);
    for (const [place, name] of some.entries()) {
      const values = row![2 * place + 1] as number[] | null;
      if (values) quantiles.push([name, { count: Number(row![2 * place]), values: shortened(values) }]);
    }
  }
  return quantiles;
}

/** The columns that a file has. @throws Fault as rowsOf. */
async function columnsIn(layers: Layers, file: ReleaseFile): Promise<ReadonlySet<string>> {
  const rows = await rowsOf(layers, file, 'SELECT DISTINCT path_in_schema FROM parquet_metadata(?)');
  return new Set(rows.map(([name]) => String(name)));
}

/** How many parcels lie in each area of a column `<key>:area`. @throws Fault as rowsOf. */
async function areaCounts(layers: Layers, file: ReleaseFile, column: string): Promise<ReadonlyMap<number, number>> {
  // The column's name is one of AREA_KEY_NAMES.
  const rows = await rowsOf(layers, file, `SELECT "${column}", count(*)::DOUBLE FROM read_parquet(?) GROUP BY 1`);
  return new Map(rows.map(([area, count]) => [Number(area), Number(count)]));
}

/**
 * Takes the quantiles of the numeric fields of a county's parcels from their own columns.
 * @throws Fault or DamagedFile when a file is missing or damaged.
 */
export async function countyQuantiles(layers: Layers, catalog: Catalog, county: Partition): Promise<AreaQuantiles> {
  const calculated = new Calculated(layers, catalog, county);
  const columns = new Map<ReleaseFile, string[]>();
  const found = new Map<string, FieldQuantiles>();
  const counts = new Map<string, ReadonlyMap<number, number>>();
  const rows = layers.file(county, 'rows');
  const published = await columnsIn(layers, rows);
  for (const name of numericNames(catalog)) {
    const at = calculated.locate(name);
    if (at?.kind === 'area_key') {
      const parcels = counts.get(at.column) ?? (await areaCounts(layers, at.file, at.column));
      counts.set(at.column, parcels);
      const quantiles = quantilesOf(
        (await calculated.areas(name)).flatMap(({ area, finding: { status, value } }) =>
          status === 'ok' && typeof value === 'number' ? [{ value, weight: parcels.get(area) ?? 0 }] : [],
        ),
      );
      if (quantiles) found.set(name, quantiles);
    } else if (at || published.has(name)) {
      // A source of the county may publish what was computed for the parcels of another: that column has both.
      const file = at?.file ?? rows;
      columns.set(file, [...(columns.get(file) ?? []), name]);
    }
  }
  for (const [file, names] of columns)
    for (const [name, quantiles] of await columnQuantiles(layers, file, names)) found.set(name, quantiles);
  return { parcels: county.rows, fields: Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1))) };
}
