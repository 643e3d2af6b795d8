import type { Partition } from '../../datasets/release.ts';
import type { Release } from '../../query/release/open-release.ts';
import { quoted } from './schema.ts';

/** How the values of a Parquet column are kept; dates are text there too. */
const TYPES: Readonly<Record<string, string>> = {
  VARCHAR: 'text',
  DOUBLE: 'float8',
  BIGINT: 'int8',
  BOOLEAN: 'boolean',
};

/** A file of calculated columns of one partition. */
export interface CalculatedFile {
  /** Below the releases folder. */
  readonly path: string;
  readonly fields: readonly string[];
}

/** The files of calculated columns of a partition's parcels. */
export function calculatedFiles(release: Release, partition: Partition): CalculatedFile[] {
  const features = partition.files.find(file => file.role === 'features');
  const overlays = release.manifest.overlays?.[features?.sha256 ?? ''] ?? {};
  return Object.values(overlays).map(({ fields, files }) => ({
    path: files.find(file => file.role === 'columns')!.path,
    fields,
  }));
}

/** Names of all calculated columns of a release. */
export const calculatedFields = (release: Release): ReadonlySet<string> =>
  new Set(Object.values(release.manifest.overlays ?? {}).flatMap(own => Object.values(own).flatMap(o => o.fields)));

/**
 * The table of calculations beside that of parcels: what is searched by attributes alone does not read past them. State
 * and county stand there too, so that a join of both in stored order begins where they do.
 * @param types of the fields, in the words of DuckDB.
 */
export function calculationTable(types: ReadonlyMap<string, string>): string {
  const columns = [...types].flatMap(([name, type]) => [
    `${quoted(name)} ${TYPES[type]!}`,
    `${quoted(`${name}:code`)} int2`,
  ]);
  return `CREATE UNLOGGED TABLE calculation (calculation_id int8, calculation_state text, calculation_fips text, ${columns.join(', ')})`;
}

/** In stored order of all, of a state and of a county, and on the number that a class filters by. */
export const calculationIndexes = (number: string): string[] => [
  'ALTER TABLE calculation ADD PRIMARY KEY (calculation_id)',
  'CREATE INDEX ON calculation (calculation_state, calculation_id)',
  'CREATE INDEX ON calculation (calculation_fips, calculation_id)',
  `CREATE INDEX ON calculation (${quoted(number)})`,
];
