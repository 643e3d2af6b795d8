import { catalog, layerOf } from '../../../datasets/catalog.ts';
import type { Column } from '../../../datasets/dataset.ts';
import type { Box } from '../../../datasets/geometry.ts';
import { matchColumns } from './column-match.ts';
import { guessGround } from './ground-guess.ts';
import { type Area, type Fields, fromMatch, type GuessedColumn, type GuessedLayer } from './guess.ts';
import { type JoinGuess, joinsTo, withSeveral } from './join-guess.ts';
import { type Kind, LEAST_KIND } from './kind.ts';
import { applyRules } from './layer-rules.ts';
import { fitOf } from './looks.ts';
import { opportunityZones } from './opportunity-zones.ts';
import { osmLayer } from './osm-extract.ts';
import type { Profile } from './profile.ts';
import type { Sample } from './sample.ts';

/** A file with the layers that it may be. */
export interface Judged {
  readonly sample: Sample;
  readonly kinds: readonly Kind[];
  /** lng,lat box; null without a geometry or a CRS. */
  readonly box: Box | null;
}

/** A file wider than this many degrees covers more than one county. */
const NATIONAL_WIDTH = 8;
const ID = (kind: Pick<Kind, 'dataset' | 'layer'>) => `${kind.dataset}:${kind.layer}`;

/** Guesses the columns of a layer from a file and the tables joined to it. */
export function guessColumns(
  dataset: string,
  layer: string,
  sample: Sample,
  joins: readonly JoinGuess[],
  area: Area,
): { columns: Map<string, GuessedColumn>; unused: string[]; profiles: readonly Profile[] } {
  const key = `${dataset}:${layer}`;
  const target = layerOf(catalog.datasets, dataset, layer);
  const columns: Readonly<Record<string, Column>> = target.kind === 'raster' ? {} : target.columns;
  const joined: Profile[] = joins.flatMap(({ join, table }) =>
    table.columns.map(profile => ({ ...profile, name: `${join.prefix}.${profile.name}` })),
  );
  const profiles = [...sample.columns, ...joined];
  const fields: Fields = { key, columns, profiles: profiles.map(profile => ({ ...profile, as: profile.name })), area };
  const guessed = new Map<string, GuessedColumn>();
  for (const [name, match] of matchColumns(key, columns, profiles, sample.kept)) {
    const column = fromMatch(fields, match);
    if (column) guessed.set(name, column);
  }
  // In an extract every tag is a column with the tag's name, even if this extract has no values for it.
  for (const { name } of osmLayer(sample) ? sample.columns : [])
    if (columns[name] && !columns[name].computed)
      guessed.set(name, { target: name, expression: name, score: 1, sources: [name], notes: [], others: [] });
  applyRules(fields, guessed);
  const ordered = new Map(
    Object.keys(columns).flatMap(name => (guessed.has(name) ? [[name, guessed.get(name)!] as const] : [])),
  );
  const used = new Set([...ordered.values()].flatMap(column => column.sources));
  return { columns: ordered, unused: profiles.map(p => p.name).filter(name => !used.has(name)), profiles };
}

/** Whether a file spans states: its box is wide, or its keys begin with several states' codes. */
function isNational({ sample, box }: Judged, columns: ReadonlyMap<string, GuessedColumn>, key: string | null): boolean {
  if (box) return box[2] - box[0] > NATIONAL_WIDTH;
  const sources = key === null ? [] : (columns.get(key)?.sources ?? []);
  const profile = sample.columns.find(p => sources.includes(p.name));
  if (!profile) return false;
  const states = new Set([...profile.values.keys()].map(value => String(value).padStart(5, '0').slice(0, 2)));
  return states.size >= 5;
}

function layerFrom(judged: Judged, kind: Kind, tables: readonly Sample[], area: Area): GuessedLayer {
  const { sample } = judged;
  const isParcels = ID(kind) === 'parcel_store:main';
  const joins = isParcels ? joinsTo(sample, tables) : [];
  const { columns, unused, profiles } = guessColumns(kind.dataset, kind.layer, sample, joins, area);
  const { target } = kind;
  const national = isNational(judged, columns, target.kind === 'table' ? target.key.column : null);
  const summary = sample.columns.find(p => /^sumlev$/i.test(p.name));
  return {
    dataset: kind.dataset,
    layer: kind.layer,
    sample,
    score: kind.score,
    why: kind.why,
    others: judged.kinds
      .filter(k => k !== kind && k.score >= 0.4)
      .slice(0, 3)
      .map(k => `${ID(k)} ${k.score.toFixed(2)}`),
    columns,
    unused,
    ground: isParcels ? guessGround(profiles, columns, area) : [],
    joins: joins.map(guess => withSeveral(guess, columns)),
    rest: {
      ...(national ? { national: true } : {}),
      ...(target.kind === 'vector' && sample.geometry !== null && sample.geometry !== target.geometry
        ? { geometry: sample.geometry }
        : {}),
      // The file also has rows of the nation and of states.
      ...(target.kind === 'table' && target.key.is === 'county_fips' && summary
        ? { where: `${summary.name} = 50` }
        : {}),
    },
  };
}

/** Layers of a dataset that one file fills together, such as map units with their joined tables. */
const TOGETHER: Readonly<Record<string, readonly string[]>> = {
  'usda_ssurgo:mapunit': ['muaggatt', 'component', 'chorizon'],
};

/** Coarser census areas that can be made from finer ones by the beginning of their code. */
const COARSER = [
  { layer: 'bg', digits: 12 },
  { layer: 'tract', digits: 11 },
] as const;

function together(first: GuessedLayer, area: Area): GuessedLayer[] {
  return (TOGETHER[`${first.dataset}:${first.layer}`] ?? []).map(layer => {
    const { columns, unused } = guessColumns(first.dataset, layer, first.sample, [], area);
    const why = 'keyed as the layer before it';
    return { ...first, columns, unused, layer, score: first.score * 0.9, why, others: [] };
  });
}

/** Returns block groups and tracts made from blocks, if they have no file of their own. */
function coarser(layers: readonly GuessedLayer[]): GuessedLayer[] {
  const blocks = layers.find(l => l.dataset === 'census_tiger' && l.layer === 'tabblock20');
  const source = blocks?.columns.get('GEOID20')?.sources[0];
  if (!blocks || source === undefined) return [];
  const state = blocks.sample.columns.find(p => /^statefp/i.test(p.name) && fitOf(p, 'fips2') > 0.9);
  return COARSER.filter(({ layer }) => !layers.some(l => l.dataset === 'census_tiger' && l.layer === layer)).map(
    ({ layer, digits }): GuessedLayer => {
      const guess = (
        target: string,
        expression: GuessedColumn['expression'],
        from: string,
      ): [string, GuessedColumn] => [
        target,
        { target, expression, score: blocks.score * 0.95, sources: [from], notes: [], others: [] },
      ];
      return {
        ...blocks,
        layer,
        score: blocks.score * 0.95,
        why: `the first ${digits} digits of the blocks' codes`,
        others: [],
        columns: new Map([
          guess('GEOID', { from: source, slice: [0, digits] }, source),
          ...(layer === 'tract' && state ? [guess('STATEFP', state.name, state.name)] : []),
        ]),
        unused: [],
        rest: { dissolve: 'GEOID' },
      };
    },
  );
}

/** Whether a guess can be a layer of a place file: a table needs its key column. */
function isUsable({ dataset, layer, columns }: GuessedLayer): boolean {
  const target = layerOf(catalog.datasets, dataset, layer);
  return target.kind !== 'table' || columns.has(target.key.column);
}

/** Returns the layers of the files, in the order of the files, and the files that became no layer. */
export function guessLayers(
  judged: readonly Judged[],
  area: Area,
): { layers: GuessedLayer[]; joined: Set<Sample>; left: Judged[] } {
  const chosen = judged.map(one => ({
    one,
    kind: one.kinds[0] && one.kinds[0].score >= LEAST_KIND ? one.kinds[0] : null,
  }));
  const tables = chosen
    .filter(({ one, kind }) => one.sample.kind === 'table' || (kind === null && one.sample.options.x !== undefined))
    .filter(({ kind }) => kind === null || kind.score < 0.8)
    .map(({ one }) => one.sample);
  const layers: GuessedLayer[] = [];
  const joined = new Set<Sample>();
  const left: Judged[] = [];
  for (const { one, kind } of chosen) {
    const guessed = kind && layerFrom(one, kind, tables, area);
    if (!guessed || !isUsable(guessed)) {
      left.push(one);
      continue;
    }
    layers.push(guessed, ...together(guessed, area));
    for (const { join } of guessed.joins) {
      const table = tables.find(t => t.file === join.file);
      if (table) joined.add(table);
    }
  }
  layers.push(...coarser(layers));
  const zones = opportunityZones(layers, tables);
  for (const zone of zones) for (const { join } of zone.joins) joined.add(tables.find(t => t.file === join.file)!);
  layers.push(...zones);
  // A joined table becomes a layer of its own only if that is nearly certain.
  const kept = layers.filter(layer => !joined.has(layer.sample) || layer.score >= 0.8);
  return { layers: kept, joined, left: left.filter(one => !joined.has(one.sample)) };
}
