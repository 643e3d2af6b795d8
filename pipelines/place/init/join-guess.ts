import type { ColumnExpression, Join } from '../../../datasets/place/place.ts';
import type { GuessedColumn } from './guess.ts';
import { HINTS } from './hints/hints.ts';
import { fitOf, variety } from './looks.ts';
import { columnName, compact, nameScore } from './names.ts';
import { keyForm, type Profile, presentIn } from './profile.ts';
import type { Sample } from './sample.ts';

/** A join of a table to a layer's file, with its score. */
export interface JoinGuess {
  readonly join: Join;
  readonly table: Sample;
  /** Share of the layer's keys that the table has. */
  readonly hits: number;
  /** Some keys have several rows, and nothing tells which row is right. */
  readonly several: boolean;
  readonly score: number;
  readonly note: string;
}

/** Least number of distinct keys in a column of either side. */
const FEWEST = 20;
/** Least share of the layer's keys that the table must have. */
const HITS = 0.5;
/** Least number of pairs of equal keys to judge whether both are written alike, and the share that must be. */
const PAIRS = 10;
const ALIKE = 0.99;

const KEY_NAMES = ['apn', 'alt_apn1', 'account_number', 'tax_id', 'state_apn'].map(name =>
  [name, ...HINTS['parcel_store:main']!.columns[name]![1].split(/\s+/)].map(columnName),
);

/** Scores how well a column's name says that it is a key of parcels. */
const keyName = (profile: Profile) => Math.max(...KEY_NAMES.map(names => nameScore(profile.name, names)));

/** Whether a column may be a key: text, or numbers with gaps. Row numbers are not keys. */
function isKey(profile: Profile): boolean {
  if (!profile.keys || profile.keys.size < FEWEST || variety(profile) < 0.3) return false;
  if (/^(object_?id|fid|oid|gid|ogc_fid|row_?(id|num)|shape_?(area|len\w*))$/i.test(profile.name)) return false;
  const running = profile.numeric && profile.max - profile.min < profile.keys.size * 1.5;
  return !running && profile.lengths[1] <= 40 && (!profile.numeric || profile.integers === presentIn(profile));
}

const overlap = (a: ReadonlySet<number>, b: ReadonlySet<number>): number => {
  let hits = 0;
  for (const key of a) if (b.has(key)) hits++;
  return hits / a.size;
};

/** Whether both columns write equal keys alike, by the counted values; false if in doubt. */
function writtenAlike(a: Profile, b: Profile): boolean {
  const forms = new Map([...a.values.keys()].map(value => [keyForm(value), String(value)]));
  let pairs = 0;
  let alike = 0;
  for (const value of b.values.keys()) {
    const other = forms.get(keyForm(value));
    if (other === undefined) continue;
    pairs++;
    if (other === String(value)) alike++;
  }
  return pairs >= PAIRS && alike >= pairs * ALIKE;
}

const bare = (from: string): ColumnExpression => ({ from, type: 'string', strip: '[^A-Za-z0-9]|^0+', case: 'upper' });

function prefixOf(table: Sample, taken: ReadonlySet<string>): string {
  const base = table.file.slice(table.file.lastIndexOf('/') + 1).replace(/\..*$/, '');
  const stem = compact(table.options.layer ?? table.options.sheet ?? base).slice(0, 12) || 'joined';
  const start = /^[a-z]/.test(stem) ? stem : `t${stem}`;
  let prefix = start;
  for (let n = 2; taken.has(prefix); n++) prefix = `${start}${n}`;
  return prefix;
}

/** Returns the column of the year, whose greatest value selects one of several rows with one key; null if there is none. */
function newestBy(table: Sample): string | null {
  const year = table.columns.find(p => /(tax|roll|assess|val)\w*_?(year|yr)$/i.test(p.name) && fitOf(p, 'year') > 0.9);
  return year?.name ?? null;
}

/** Returns the best join of a table to a file; null if no keys overlap enough. */
function joinTo(sample: Sample, table: Sample, taken: ReadonlySet<string>): JoinGuess | null {
  let best: { to: Profile; key: Profile; hits: number; score: number } | null = null;
  for (const to of sample.columns.filter(isKey))
    for (const key of table.columns.filter(isKey)) {
      const hits = overlap(to.keys!, key.keys!);
      const back = overlap(key.keys!, to.keys!);
      if (Math.max(hits, back) < HITS || hits < 0.05) continue;
      const named = Math.max(keyName(to), keyName(key), compact(to.name) === compact(key.name) ? 0.8 : 0);
      if (named < 0.4) continue;
      // Prefer a join of most rows of the layer, by a key with few repeats and the name of a key.
      const score = (0.6 * hits + 0.15 * back + 0.25 * named) * (0.7 + 0.3 * Math.min(1, variety(key)));
      if (score > (best?.score ?? 0)) best = { to, key, hits, score };
    }
  if (!best) return null;
  const { to, key, hits } = best;
  const alike = writtenAlike(to, key);
  const of = key.unique ? null : newestBy(table);
  const { x: _x, y: _y, crs: _crs, ...options } = table.options;
  return {
    table,
    hits,
    several: !key.unique && of === null,
    score: best.score,
    note: `${Math.round(hits * 100)} % of the values of ${to.name} are in ${key.name}${key.unique ? '' : '; some keys have several rows'}`,
    join: {
      file: table.file,
      ...(table.format === null ? {} : { format: table.format }),
      ...(Object.keys(options).length > 0 ? { options } : {}),
      prefix: prefixOf(table, taken),
      key: alike ? key.name : bare(key.name),
      to: alike ? to.name : bare(to.name),
      ...(of === null ? {} : { greatest: { of, ties: of } }),
    },
  };
}

/**
 * Returns a join with a rule for several rows of one key. Text is listed. Numbers become null, because the rows do not tell
 * whether they are parts of a sum, repetitions or values of other years.
 */
export function withSeveral(
  { join, table, several, score, note }: JoinGuess,
  columns: ReadonlyMap<string, GuessedColumn>,
): { join: Join; score: number; note: string } {
  if (!several) return { join, score, note };
  const begins = `${join.prefix}.`;
  const read = new Set(
    [...columns.values()].flatMap(({ sources }) =>
      sources.flatMap(name => (name.startsWith(begins) ? name.slice(begins.length) : [])),
    ),
  );
  const words = table.columns.flatMap(profile => {
    if (!read.has(profile.name)) return [];
    return [[profile.name, profile.numbers > 0.5 * presentIn(profile) ? null : 'list'] as const];
  });
  const said = 'text is listed and numbers are none: say sum or first where you know it to be right';
  return { join: { ...join, several: Object.fromEntries(words) }, score, note: `${note}: ${said}` };
}

/** Returns the tables among samples that join to a file, the best first. */
export function joinsTo(sample: Sample, tables: readonly Sample[]): JoinGuess[] {
  const taken = new Set<string>();
  const found: JoinGuess[] = [];
  for (const table of tables) {
    const join = table === sample ? null : joinTo(sample, table, taken);
    if (!join) continue;
    taken.add(join.join.prefix);
    found.push(join);
  }
  return found.sort((a, b) => b.score - a.score).slice(0, 4);
}
