import type { Column } from '../../../datasets/dataset.ts';
import type { Row } from '../../../ingest/reader.ts';
import { HINTS } from './hints/hints.ts';
import { fitOf, isTelling, type Look, lookOf, share } from './looks.ts';
import { type ColumnName, columnName, nameScore } from './names.ts';
import { numberIn, type Profile, presentIn } from './profile.ts';
import { translate, VOCABULARY } from './vocabulary.ts';

/** A published column that may be a column of the dataset, with a score (0 to 1). */
interface Candidate {
  readonly target: string;
  readonly source: Profile;
  readonly score: number;
  /** Score of the name alone. */
  readonly name: number;
  readonly look: Look;
}

/** A chosen candidate, with the others. */
export interface ColumnMatch extends Candidate {
  readonly others: readonly Candidate[];
}

/** Least score of a guess. */
const LEAST = 0.45;
/** Weight of a look compared with a name. */
const LOOK_PART = 0.7;
/** Score of a column that fits by its values alone. */
const BY_VALUES = 0.55;
const ADDS_UP = 0.08;

/** Columns that GIS software adds for its own use. They map to nothing unless a dataset has a column of that name. */
const HOUSEKEEPING =
  /^(object_?id(_\d+)?|fid(_\d+)?|ogc_fid|gid|shape[_.]?(_?(st)?(area|len|leng|length)[_()]*\d*)?|st_(area|length|perimeter)\(shape\)|(created|last_edited)_(user|date)|globalid|perimeter|layer|path|oid_?)$/i;

const targetsBy = new Map<string, readonly { name: string; look: Look; names: readonly ColumnName[] }[]>();

/** Returns the columns of a layer that a place file may map, with their known names and looks. */
function targetsOf(layer: string, columns: Readonly<Record<string, Column>>) {
  let targets = targetsBy.get(layer);
  if (!targets) {
    const hints = HINTS[layer]?.columns ?? {};
    targets = Object.entries(columns)
      .filter(([, column]) => !column.computed)
      .map(([name, column]) => {
        const [look, names] = hints[name] ?? [lookOf(column.type, column.unit), ''];
        const all = [name, ...(column.aliases ?? []), ...names.split(/\s+/).filter(Boolean)];
        return { name, look, names: all.map(columnName) };
      });
    targetsBy.set(layer, targets);
  }
  return targets;
}

/** Scores how well values fit a closed list. 1: all are in it. Other words may still be translated by a lookup. */
function listFit(profile: Profile, values: readonly unknown[]): number {
  const list = new Set(values.map(value => String(value).toLowerCase()));
  const inside = share(profile, value => list.has(String(value).toLowerCase()));
  return inside >= 0.5 ? inside : profile.listed && profile.values.size <= 60 ? Math.max(0.35, inside) : 0;
}

function scoreOf(
  key: string,
  profile: Profile,
  look: Look,
  names: readonly ColumnName[],
  column: Column,
): [score: number, name: number] {
  const name = nameScore(profile.name, names);
  if (name < 1 && HOUSEKEEPING.test(profile.name)) return [0, 0];
  const telling = isTelling(look);
  if (name === 0 && !telling) return [0, 0];
  const said = VOCABULARY[key] ? (translate(key, profile, column.values)?.share ?? 0) : 0;
  const looked = fitOf(profile, look);
  const fit = Math.max(said, column.values ? Math.max(listFit(profile, column.values), looked * 0.5) : looked);
  if (fit < 0.12) return [0, name];
  // If two columns have similar names, prefer the fuller one.
  const full = 0.85 + 0.15 * (presentIn(profile) / profile.rows);
  const byName = name * (1 - LOOK_PART + LOOK_PART * fit) * full;
  return [telling && fit >= 0.95 ? Math.max(byName, BY_VALUES) : byName, name];
}

/** Returns every possible pair of a layer's column and a published one, the best first. */
function candidatesFor(
  layer: string,
  columns: Readonly<Record<string, Column>>,
  profiles: readonly Profile[],
): Candidate[] {
  const out: Candidate[] = [];
  for (const { name: target, look, names } of targetsOf(layer, columns))
    for (const source of profiles) {
      if (presentIn(source) === 0) continue;
      const [score, name] = scoreOf(`${layer}.${target}`, source, look, names, columns[target]!);
      if (score >= LEAST * 0.8) out.push({ target, source, score, name, look });
    }
  return out.sort((a, b) => b.score - a.score || b.name - a.name);
}

/** Returns the share of rows in which one column is the sum of two others. Only rows with a sum above zero count. */
function addsUp(rows: readonly Row[], [a, b, total]: readonly [string, string, string]): number {
  let hits = 0;
  let all = 0;
  for (const { properties } of rows) {
    const [x, y, sum] = [a, b, total].map(name => {
      const value = properties[name];
      return value === null || value === undefined || typeof value === 'object' ? Number.NaN : numberIn(value);
    }) as [number, number, number];
    if (!(sum > 0) || Number.isNaN(x) || Number.isNaN(y)) continue;
    all++;
    if (Math.abs(x + y - sum) <= Math.max(1, sum * 1e-6)) hits++;
  }
  return all < 20 ? 0 : hits / all;
}

/** Raises the scores of land, improvement and total values that add up in the rows. This finds the right one of several totals. */
function consistent(candidates: readonly Candidate[], rows: readonly Row[]): Candidate[] {
  const of = (target: string) => candidates.filter(c => c.target === target && c.name >= 0.5).slice(0, 5);
  const raised = new Set<Candidate>();
  for (const land of of('landval'))
    for (const improvement of of('improvval'))
      for (const total of of('parval')) {
        const names = [land.source.name, improvement.source.name, total.source.name] as const;
        if (new Set(names).size === 3 && addsUp(rows, names) > 0.8)
          for (const c of [land, improvement, total]) raised.add(c);
      }
  if (raised.size === 0) return [...candidates];
  return candidates
    .map(c => (raised.has(c) ? { ...c, score: c.score + ADDS_UP } : c))
    .sort((a, b) => b.score - a.score || b.name - a.name);
}

/**
 * Matches published columns to the columns of a layer: the best pair first, each column at most once.
 * @param layer as `dataset:layer`. @param rows a sample of the file's rows, whose values are compared.
 */
export function matchColumns(
  layer: string,
  columns: Readonly<Record<string, Column>>,
  profiles: readonly Profile[],
  rows: readonly Row[],
): Map<string, ColumnMatch> {
  const candidates = consistent(candidatesFor(layer, columns, profiles), rows);
  const matches = new Map<string, ColumnMatch>();
  const used = new Set<string>();
  for (const candidate of candidates) {
    const { target, source, score } = candidate;
    if (score < LEAST || matches.has(target) || used.has(source.name)) continue;
    used.add(source.name);
    const others = candidates.filter(c => c !== candidate && c.target === target && c.score >= LEAST);
    matches.set(target, { ...candidate, score: Math.min(1, score), others: others.slice(0, 3) });
  }
  return matches;
}
