import type { ColumnExpression, PlaceLayer } from '../../../datasets/place/place.ts';
import type { Row } from '../../../ingest/reader.ts';
import type { GuessedColumn, GuessedLayer } from './guess.ts';
import { fitOf, share } from './looks.ts';
import { hashOf, keyForm } from './profile.ts';
import type { Sample } from './sample.ts';

/** Most distinct values of a column that can separate ground; a column with more holds row numbers. */
const TOLD_APART = 30;
/** Digits of a tract's code. */
const TRACT = 11;

/** Returns a value as a literal of a condition; null if its text cannot be written as one. */
function literal(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' && !value.includes("'") ? `'${value}'` : null;
}

/**
 * Returns a condition over published columns for the rows that a list covers, if it leaves others out. It uses the column that
 * separates both with the fewest values. Null if no column does.
 */
function spokenOf(rows: readonly Row[], columns: readonly string[], isListed: (row: Row) => boolean): string | null {
  const [listed, left] = [rows.filter(isListed), rows.filter(row => !isListed(row))];
  let best: { column: string; values: readonly string[] } | null = null;
  for (const column of columns) {
    const values = [...new Set(left.map(row => literal(row.properties[column])))];
    if (values.length > TOLD_APART || values.includes(null) || values.length >= (best?.values.length ?? Infinity))
      continue;
    const kept = new Set(listed.map(row => literal(row.properties[column])));
    if (!values.some(value => kept.has(value))) best = { column, values: values as string[] };
  }
  if (!best) return null;
  const name = /^[A-Za-z_]\w*$/.test(best.column) ? best.column : `\`${best.column}\``;
  return best.values.map(value => `${name} != ${value}`).join(' and ');
}

/** Returns the changes to the layer that follow from the rows that the list covers. */
function groundOf(ground: Sample, source: string, list: ReadonlySet<number> | null): Partial<PlaceLayer> | null {
  const { kept, rows, file, options, format } = ground;
  // The list may also leave out rows that were not read.
  if (list === null || kept.length < rows || format !== null) return null;
  const isListed = ({ properties }: Row) =>
    list.has(hashOf(keyForm(String(properties[source] ?? '').slice(0, TRACT) as string)));
  const found = kept.filter(isListed).length / Math.max(1, rows);
  const expect = { hits: { list: Math.floor(found * 1000) / 1000 } };
  if (found === 1) return { expect };
  const names = ground.columns.map(column => column.name);
  const where = found > 0 ? spokenOf(kept, names, isListed) : null;
  if (where === null) return null;
  return { coverage: { file, ...(Object.keys(options).length > 0 ? { options } : {}), where }, expect };
}

/**
 * Makes the layers of opportunity zones: the designated tracts among the areas of a file of blocks or tracts. The coverage leaves
 * out ground that the list does not cover, because it would be a guess that this ground is not designated. If no condition can
 * separate that ground, its rows are rejected.
 */
export function opportunityZones(layers: readonly GuessedLayer[], tables: readonly Sample[]): GuessedLayer[] {
  const list = tables.find(table => /opportunity|\boz\b|qoz/i.test(table.file));
  const key = list?.columns.find(p => p.unique && fitOf(p, 'geoid11') > 0.95);
  const ground =
    layers.find(l => l.dataset === 'census_tiger' && l.layer === 'tract' && !l.rest.dissolve) ??
    layers.find(l => l.dataset === 'census_tiger' && l.layer === 'tabblock20');
  const source = ground?.columns.get(ground.layer === 'tract' ? 'GEOID' : 'GEOID20')?.sources[0];
  if (!list || !key || !ground || source === undefined) return [];
  const flag = list.columns.find(
    p =>
      /oz|designat|qualif/i.test(p.name) &&
      p.listed &&
      p.values.size === 2 &&
      share(p, v => /^[01]$/.test(String(v))) === 1,
  );
  const tract: ColumnExpression = ground.layer === 'tract' ? source : { from: source, slice: [0, TRACT] };
  const code: ColumnExpression = key.lengths[0] < TRACT ? { from: key.name, type: 'string', pad: TRACT } : key.name;
  const guessed: GuessedColumn = {
    target: 'GEOID10',
    expression: tract,
    score: 0.8,
    sources: [source],
    notes: [],
    others: [],
  };
  // A list without a flag names the designated tracts; all tracts that it leaves out are not designated.
  const spoken = flag ? groundOf(ground.sample, source, key.keys) : {};
  const join = { file: list.file, prefix: 'list', key: code, to: tract, ...(spoken ? {} : { required: true }) };
  const where = flag ? `list.${flag.name} = 1` : `list.${key.name} is not null`;
  return [
    {
      ...ground,
      dataset: 'cdfi_opportunity_zones',
      layer: 'main',
      score: 0.8,
      why: `the tracts that ${list.file} lists`,
      others: [],
      columns: new Map([['GEOID10', guessed]]),
      unused: [],
      joins: [{ join, score: 0.8, note: 'by the code of the tract' }],
      rest: { dissolve: 'GEOID10', where, ...spoken },
    },
  ];
}
