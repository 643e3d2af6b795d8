import { DuckDBInstance } from '@duckdb/node-api';
import type { Box } from '../../datasets/geometry.ts';
import type { Release } from '../../query/release/open-release.ts';
import { calculatedFields } from '../postgis/calculation.ts';
import { partitionsInOrder, rowsPath } from '../postgis/load.ts';
import { CALCULATED } from './calculated.ts';

/** One parcel whose values requests are made of. */
export interface Sample {
  readonly state: string;
  readonly fips: string;
  readonly box: Box;
  readonly lng: number;
  readonly lat: number;
  readonly apn: string;
  readonly code: string;
  readonly text: string;
  readonly number: number;
}

/** What requests need to know of the parcels of a release. */
export interface Profile {
  readonly parcels: number;
  readonly states: readonly string[];
  /** Parcels of each state. */
  readonly perState: ReadonlyMap<string, number>;
  /** Columns: a code with few values, a text with many, a number. */
  readonly code: string;
  readonly text: string;
  readonly number: string;
  /** Calculated columns, null where the release holds no calculations. */
  readonly calculated: { readonly number: string; readonly flag: string; readonly outputs: readonly string[] } | null;
  readonly samples: readonly Sample[];
  /** 101 percentiles of the number. */
  readonly percentiles: readonly number[];
  /** Codes whose greatest number is below the greatest of all, with that number: commonest first. */
  readonly ceilings: readonly { readonly code: string; readonly greatest: number }[];
}

const CODES = ['usecode', 'usedesc', 'property_class', 'zoning'];
const TEXTS = ['saddstr', 'subdivision', 'zoning', 'usedesc'];
/** A text with fewer values than this is a code. */
const MANY = 20;
const NUMBERS = ['parval', 'acreage'];
/** Places that are asked about. */
export const SAMPLES = 200_000;

/** What searches may use of the calculations of a release. */
function ofCalculated(release: Release): Profile['calculated'] {
  const held = calculatedFields(release);
  const fields = CALCULATED.filter(field => held.has(field.name));
  const first = (type: string) => fields.find(field => field.type === type)?.name;
  const [number, flag] = [first('number'), first('boolean')];
  if (!number || !flag) return null;
  return { number, flag, outputs: fields.filter((_, i) => i % 30 === 0).map(field => field.name) };
}

/**
 * Looks at every partition's rows file.
 * @param calculated whether searches shall use calculated columns, where there are such.
 * @throws Error when a release has no column that a class needs.
 */
export async function profileOf(home: string, release: Release, calculated: boolean): Promise<Profile> {
  const db = await (await DuckDBInstance.create(':memory:')).connect();
  const partitions = partitionsInOrder(release);
  const files = partitions.map(partition => `'${rowsPath(home, partition).replaceAll("'", "''")}'`).join(', ');
  const source = `read_parquet([${files}], file_row_number = true, filename = true)`;
  const rows = async (sql: string) => (await db.runAndReadAll(sql)).getRowObjects();
  const known = release.layer('parcel_store', 'main')!.columns;
  const held = async (names: readonly string[]) => {
    const [counts] = await rows(
      `SELECT ${names.map(name => `${known.includes(name) ? `approx_count_distinct("${name}")` : '0'} AS "${name}"`).join(', ')} FROM ${source}`,
    );
    return names.map(name => ({ name, distinct: Number(counts![name]) })).filter(({ distinct }) => distinct > 1);
  };
  const code = (await held(CODES))[0]?.name;
  const texts = await held(TEXTS);
  const text = (texts.find(({ distinct }) => distinct >= MANY) ?? texts[0])?.name;
  const number = (await held(NUMBERS))[0]?.name;
  if (!code || !text || !number) throw new Error('The parcels lack a code, a text or a number to search by');
  const quantiles = Array.from({ length: 101 }, (_, i) => i / 100);
  const [spread] = await rows(`SELECT quantile_disc("${number}", [${quantiles}]) AS q FROM ${source}`);
  const percentiles = (spread!.q as { items: number[] }).items;
  const ceilings = await rows(
    `SELECT "${code}" AS code, max("${number}") AS greatest FROM ${source} WHERE "${code}" IS NOT NULL
     GROUP BY 1 HAVING greatest < ${percentiles[100]} ORDER BY count(*) DESC LIMIT 5`,
  );
  const perState = new Map<string, number>();
  const samples: Sample[] = [];
  for (const [i, partition] of partitions.entries()) {
    const [state, fips] = partition.key.split('/') as [string, string];
    perState.set(state, (perState.get(state) ?? 0) + partition.rows);
    const sampled = await rows(
      `SELECT apn, "${code}" AS code, "${text}" AS text, "${number}" AS number, centroid_lon AS lng, centroid_lat AS lat
       FROM read_parquet(${files.split(', ')[i]}, file_row_number = true)
       WHERE apn IS NOT NULL AND "${code}" IS NOT NULL AND "${text}" IS NOT NULL AND "${number}" IS NOT NULL
       ORDER BY hash(file_row_number), file_row_number LIMIT ${Math.ceil(SAMPLES / partitions.length)}`,
    );
    for (const row of sampled) samples.push({ state, fips, box: partition.box!, ...row } as unknown as Sample);
  }
  db.closeSync();
  return {
    parcels: partitions.reduce((sum, partition) => sum + partition.rows, 0),
    states: [...perState.keys()],
    perState,
    code,
    text,
    number,
    samples: samples.map((_, i) => samples[(i * 7919) % samples.length]!),
    calculated: calculated ? ofCalculated(release) : null,
    percentiles,
    ceilings: ceilings as unknown as Profile['ceilings'],
  };
}
