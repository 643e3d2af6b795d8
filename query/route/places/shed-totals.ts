import { LODES_SECTORS } from '../../../datasets/codes/lodes-sectors.ts';
import type { Value } from '../../../datasets/dataset.ts';
import type { Partition } from '../../../datasets/release.ts';
import type { Layers } from '../../release/layers.ts';
import { type KeyedRows, readAhead, rowsOf } from '../../release/table.ts';

/** A sum over tracts with where it is from; null where nothing in the release says it. */
interface Total {
  readonly value: number | null;
  readonly unit: string;
  readonly source: string | null;
  readonly source_url: string | null;
  readonly dataset_vintage: string | null;
  /** Tracts that the sum has no number of; why there is no value. */
  readonly tracts_without: number;
  readonly note: string | null;
}

/** Sums of one partition's workplaces by tract. */
class Workplaces {
  readonly columns: readonly string[];
  readonly byTract: ReadonlyMap<string, Float64Array>;
  constructor(columns: readonly string[], byTract: ReadonlyMap<string, Float64Array>) {
    this.columns = columns;
    this.byTract = byTract;
  }
}

const WORKPLACES = ['C000', ...Object.keys(LODES_SECTORS)];

async function workplacesOf(layers: Layers, partition: Partition): Promise<Workplaces> {
  const { file } = await layers.features(partition);
  const key = `workplaces of ${layers.idOf(layers.file(partition, 'features'))}`;
  const cached = layers.cache.get(key) as Workplaces | undefined;
  if (cached) return cached;
  const columns = WORKPLACES.filter(name => file.hasColumn(name) && !partition.unpublished.includes(name));
  const byTract = new Map<string, Float64Array>();
  for (let i = 0; i < file.count; i++) {
    const row = file.properties(i);
    const geoid = String(row.w_geocode).slice(0, 11);
    const sums = byTract.get(geoid) ?? new Float64Array(columns.length);
    byTract.set(geoid, sums);
    for (const [at, column] of columns.entries()) sums[at]! += Number(row[column] ?? 0);
  }
  const workplaces = new Workplaces(columns, byTract);
  layers.cache.set(key, workplaces, 100 * byTract.size * (1 + columns.length));
  return workplaces;
}

/** Sources of partitions as one text each. */
function cited(partitions: readonly Partition[]): Pick<Total, 'source' | 'source_url' | 'dataset_vintage'> {
  const joined = (of: (partition: Partition) => string | null) => {
    const texts = [...new Set(partitions.map(of).filter(text => text !== null))];
    return texts.length > 0 ? texts.join('; ') : null;
  };
  return {
    source: joined(p => p.provenance.source),
    source_url: joined(p => p.provenance.url),
    dataset_vintage: joined(p => p.provenance.vintage),
  };
}

const NOTHING = { source: null, source_url: null, dataset_vintage: null } as const;

const absent = (unit: string, tracts: number, note: string): Total => ({
  value: null,
  unit,
  ...NOTHING,
  tracts_without: tracts,
  note,
});

/** Jobs by place of work, and by sector where the files have sectors. */
async function jobs(layers: Layers, geoids: readonly string[]) {
  const version = layers.release.layer('census_lodes', 'main');
  const none = `the release has no workplaces (census_lodes)`;
  const sectors = Object.values(LODES_SECTORS);
  if (!version)
    return {
      jobs: absent('jobs', geoids.length, none),
      workers_by_sector: Object.fromEntries(sectors.map(name => [name, absent('jobs', geoids.length, none)])),
    };
  const counties = new Set(geoids.map(geoid => geoid.slice(0, 5)));
  // A county's file is one partition; others cannot hold its blocks.
  const near = version.partitions.filter(({ key }) => !/\/\d{5}$/.test(key) || counties.has(key.slice(-5)));
  // Of no tract there are no jobs, which any file of the layer with the column can say.
  if (geoids.length === 0 && near.length === 0) near.push(...version.partitions.slice(0, 1));
  const workplaces: { readonly partition: Partition; readonly work: Workplaces }[] = [];
  for (const partition of near) workplaces.push({ partition, work: await workplacesOf(layers, partition) });
  const total = (column: string): Total => {
    const having = workplaces.filter(({ work }) => work.columns.includes(column));
    if (near.length === 0)
      return absent('jobs', geoids.length, 'the release has no workplaces of the counties of these tracts');
    if (having.length === 0)
      return absent('jobs', geoids.length, `the workplaces of the release have no column ${column}`);
    let value = 0;
    for (const { work } of having)
      for (const geoid of geoids) value += work.byTract.get(geoid)?.[work.columns.indexOf(column)] ?? 0;
    // LODES lists blocks with jobs: of a county that is covered, a tract that is missing has none.
    const covered = new Set(having.map(({ partition }) => partition.key.slice(-5)));
    const without = geoids.filter(
      geoid => ![...covered].some(key => !/^\d{5}$/.test(key) || key === geoid.slice(0, 5)),
    );
    const sources = cited(having.map(({ partition }) => partition));
    return { value, unit: 'jobs', ...sources, tracts_without: without.length, note: null };
  };
  return {
    jobs: total('C000'),
    workers_by_sector: Object.fromEntries(Object.entries(LODES_SECTORS).map(([column, name]) => [name, total(column)])),
  };
}

/** No row has it: asked for where no key is, so that the columns are told all the same. */
const NO_KEY = '';

/** Rows of a table by key, over all its partitions. */
async function keyed(layers: Layers, dataset: string, layer: string, column: string, keys: readonly string[]) {
  const version = layers.release.layer(dataset, layer);
  if (!version) return null;
  const { cache, release } = layers;
  const rows = new Map<string, KeyedRows['rows']>();
  const columns = new Set<string>();
  for (const partition of version.partitions) {
    const file = layers.file(partition, 'rows');
    await readAhead(cache, release, file, column, keys);
    for (const key of keys.length > 0 ? keys : [NO_KEY]) {
      const found = await rowsOf(cache, release, file, column, key, layers.verified(file));
      for (const name of found.columns) columns.add(name);
      if (found.rows.length > 0) rows.set(key, [...(rows.get(key) ?? []), ...found.rows]);
    }
  }
  return { rows, columns, sources: cited(version.partitions) };
}

/** Counts of residents by tract (ACS 5-year). */
async function residents(layers: Layers, geoids: readonly string[]) {
  const table = await keyed(layers, 'census_acs', 'tract', 'GEOID', geoids);
  const total = (column: string): Total => {
    if (!table) return absent('people', geoids.length, 'the release has no survey of residents (census_acs:tract)');
    if (!table.columns.has(column))
      return absent(
        'people',
        geoids.length,
        `the survey of residents (census_acs:tract) has no column ${column} in this release`,
      );
    let value = 0;
    let without = 0;
    for (const geoid of geoids) {
      const number = table.rows.get(geoid)?.[0]?.[column] ?? null;
      // Large negative numbers say that the estimate is not published.
      if (number === null || Number(number) < 0) without++;
      else value += Number(number);
    }
    if (without === geoids.length && geoids.length > 0)
      return { ...absent('people', without, 'no tract of the shed is in the survey'), ...table.sources };
    return { value, unit: 'people', ...table.sources, tracts_without: without, note: null };
  };
  return {
    labor_force: total('B23025_003E'),
    employed_residents: total('B23025_004E'),
    unemployed: total('B23025_005E'),
  };
}

const isCountyTotal = (row: Readonly<Record<string, Value>>) =>
  row.own_code === 0 && String(row.industry_code) === '10' && row.agglvl_code === 70;

/** The average weekly wage of the shed's counties, each by its employment: wages are published by county. */
async function wages(layers: Layers, geoids: readonly string[]): Promise<Total> {
  const counties = [...new Set(geoids.map(geoid => geoid.slice(0, 5)))];
  const table = await keyed(layers, 'bls_qcew', 'main', 'area_fips', counties);
  if (!table) return absent('USD', geoids.length, 'the release has no wages (bls_qcew)');
  let [sum, weight] = [0, 0];
  const paid = new Set<string>();
  for (const county of counties) {
    const row = table.rows
      .get(county)
      ?.filter(isCountyTotal)
      .sort((a, b) => Number(b.year) - Number(a.year))[0];
    const [wage, jobs] = [Number(row?.annual_avg_wkly_wage ?? 0), Number(row?.annual_avg_emplvl ?? 0)];
    if (!(wage > 0 && jobs > 0)) continue;
    sum += wage * jobs;
    weight += jobs;
    paid.add(county);
  }
  const without = geoids.filter(geoid => !paid.has(geoid.slice(0, 5))).length;
  if (weight === 0) {
    const none = counties.length === 0 ? 'the shed has no tract' : 'no county of the shed has a published wage';
    return { ...absent('USD', without, none), ...table.sources };
  }
  const note = 'Of the counties that the tracts lie in, weighted by their employment.';
  return {
    value: Math.round((sum / weight) * 100) / 100,
    unit: 'USD',
    ...table.sources,
    tracts_without: without,
    note,
  };
}

/** What is known of the people of some tracts and of those who work there. */
export interface ShedTotals {
  readonly labor_force: Total;
  readonly employed_residents: Total;
  readonly unemployed: Total;
  readonly jobs: Total;
  readonly workers_by_sector: Readonly<Record<string, Total>>;
  readonly average_weekly_wage: Total;
}

/** Sums over tracts, each cited. @throws Fault or DamagedFile for files that cannot be read. */
export async function shedTotals(layers: Layers, geoids: readonly string[]): Promise<ShedTotals> {
  return {
    ...(await residents(layers, geoids)),
    ...(await jobs(layers, geoids)),
    average_weekly_wage: await wages(layers, geoids),
  };
}
