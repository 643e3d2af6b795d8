import { describe, expect, it } from 'vitest';
import { catalog, layerOf } from '../../../../datasets/catalog.ts';
import type { Column, Field, Layer, Value } from '../../../../datasets/dataset.ts';
import { boxOf } from '../../../../datasets/geometry.ts';
import { type Condition, columnsOf, type Literal } from '../../../../datasets/grammar/condition.ts';
import type { Expression, SourceRef } from '../../../../datasets/grammar/expression.ts';
import { metresTo } from '../../../oracle/geometry.ts';
import { type Row3, type Truth3, truth } from '../../../oracle/three-valued.ts';
import { createFixture, type FeatureSpec, line, type PartitionSpec, point, rectangle } from '../../release-fixture.ts';
import { randomOf } from '../../star.ts';
import { bothForms } from './forms.ts';

/** Every call of the catalog whose answer is a truth, a count or a sum, or adds such up; parcels have tests of their own. */
const judged = ({ op, options }: Expression): boolean =>
  op === 'polygon_within' ||
  op === 'count_within' ||
  op === 'agg_within' ||
  (op === 'area_key_attr' && ['any', 'count', 'count_distinct', 'sum'].includes(String(options.agg)));
const calls = ({ inputs }: Expression): Expression[] => Object.values(inputs).filter(input => 'op' in input);
const FIELDS: readonly Field[] = [...catalog.fields.values()].filter(({ expression }) =>
  expression.op === 'derived'
    ? Object.values(expression.inputs).length > 0 &&
      Object.values(expression.inputs).every(input => 'op' in input && judged(input))
    : judged(expression),
);

const KEYS: Readonly<Record<string, { layer: string; column: string; code: string }>> = {
  county_fips: { layer: 'county', column: 'GEOID', code: '08001' },
  tract_geoid: { layer: 'tract', column: 'GEOID', code: '08001000100' },
  block_geoid: { layer: 'tabblock20', column: 'GEOID20', code: '080010001001000' },
};

type Columns = Readonly<Record<string, Column>>;
const columnsIn = (layer: Layer): Columns => (layer.kind === 'raster' ? {} : layer.columns);
const idOf = ({ dataset, layer }: SourceRef) => `${dataset}:${layer}`;

/** What is asked of a layer: the conditions, the columns that count, and how far. */
interface Asked {
  readonly source: SourceRef;
  readonly conditions: Condition[];
  readonly counted: Set<string>;
  radius: number;
  key: string | null;
}

function askedOf(): Map<string, Asked> {
  const asked = new Map<string, Asked>();
  for (const { expression } of FIELDS)
    for (const call of expression.op === 'derived' ? calls(expression) : [expression]) {
      const source = call.sources[0]!;
      const one = asked.get(idOf(source)) ?? { source, conditions: [], counted: new Set(), radius: 0, key: null };
      asked.set(idOf(source), one);
      if (call.where) one.conditions.push(call.where);
      if (call.argument) one.counted.add(call.argument);
      if (call.options.distinct !== undefined) one.counted.add(String(call.options.distinct));
      one.radius = Math.max(one.radius, Number(call.options.radius_m ?? 0));
      if (call.options.key !== undefined) one.key = String(call.options.key);
    }
  return asked;
}

/** Values of a column that conditions tell apart. */
function told(condition: Condition, column: string): Exclude<Value, null>[] {
  const near = (literal: Literal): Exclude<Value, null>[] => {
    if (typeof literal === 'number') return [literal - 1, literal, literal + 1];
    if (typeof literal === 'object') return ['1999-05-05', '2025-05-05'];
    if (/^\d{4}-\d\d-\d\d$/.test(String(literal))) return ['1960-01-01T00:00:00.000Z', '1999-01-01T00:00:00.000Z'];
    return [literal, 'other'];
  };
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.terms.flatMap(term => told(term, column));
    case 'compare':
      return condition.column === column ? near(condition.value) : [];
    case 'in':
      if (condition.column !== column) return [];
      return condition.items.flatMap(item => (typeof item === 'object' && 'low' in item ? [item.low] : near(item)));
    case 'like':
      return condition.column === column ? [condition.pattern.replaceAll('%', ''), 'other'] : [];
    default:
      return [];
  }
}

/** Rows of a layer, a random subset of whose condition columns is empty in some. */
function rowsOf({ source, conditions, counted, key }: Asked, random: () => number, count: number): Row3[] {
  const layer = layerOf(catalog.datasets, source.dataset, source.layer);
  const columns = columnsIn(layer);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const emptied = new Map(Object.keys(columns).map(name => [name, random() < 0.6 ? 0.35 * random() : 0]));
  return Array.from({ length: count }, (_, i) => {
    const row: Record<string, Value> = {};
    for (const [name, column] of Object.entries(columns)) {
      const values = conditions.flatMap(condition => told(condition, name));
      if (values.length) {
        const { unknown = [] } = column;
        row[name] =
          random() < emptied.get(name)! ? (unknown.length && random() < 0.5 ? unknown[0]! : null) : pick(values);
        if (column.type === 'string' && row[name] !== null) row[name] = String(row[name]);
      } else if (counted.has(name)) {
        const number = column.type === 'number' || column.type === 'integer';
        row[name] = random() < 0.2 ? null : number ? Math.floor(random() * 4) : `v${Math.floor(random() * 3)}`;
      } else row[name] = column.type === 'string' ? `${name} ${i}` : null;
    }
    if (layer.kind === 'table' && key) row[layer.key.column] = KEYS[key]!.code;
    return row;
  });
}

const DEGREE = 111_320;

function featureOf(row: Row3, layer: Layer, radius: number, random: () => number): FeatureSpec {
  const reach = radius ? (1.4 * radius) / DEGREE : 0.02;
  const [x, y] = [10 + reach * (2 * random() - 1), reach * (2 * random() - 1)];
  const [wide, high] = [0.2 + random(), 0.2 + random()].map(n => (radius ? (n * radius) / DEGREE / 8 : n * 0.02)) as [
    number,
    number,
  ];
  const kind = layer.kind === 'vector' ? layer.geometry : 'point';
  const geometry =
    kind === 'point'
      ? point(x, y)
      : kind === 'line'
        ? line([x, y], [x + wide, y + high])
        : rectangle([x, y, x + wide, y + high]);
  return { ...row, geometry };
}

/** A sum, count or truth that is known, or `absent`. */
type Known = Value | 'absent';

const holds = (feature: FeatureSpec, lng: number, lat: number): boolean => {
  const [west, south, east, north] = boxOf(feature.geometry);
  return lng >= west && lng <= east && lat >= south && lat <= north;
};

/** What a set of rows says when those that are unknown may be in it or not. */
function settled(rows: readonly Row3[], verdicts: readonly Truth3[], of: (rows: readonly Row3[]) => Value): Known {
  const sure = rows.filter((_, i) => verdicts[i] === true);
  const open = rows.filter((_, i) => verdicts[i] === null);
  const known = of(sure);
  // All of them in, and each alone: sums of one sign, counts, extremes and truths between these do not change either.
  const worlds = [[...sure, ...open], ...open.map(row => [...sure, row])];
  return worlds.every(world => of(world) === known) ? known : 'absent';
}

const present = (value: Value | undefined): boolean => value !== null && value !== undefined && value !== '';

/** What a call answers at a place, by brute force. */
function expected(call: Expression, rows: readonly Row3[], lng: number, lat: number): Known {
  const source = call.sources[0]!;
  const columns = columnsIn(layerOf(catalog.datasets, source.dataset, source.layer));
  const near = rows.filter(row => {
    const feature = row as unknown as FeatureSpec;
    if (call.op === 'polygon_within') return holds(feature, lng, lat);
    return call.op === 'area_key_attr' || metresTo(feature.geometry, lng, lat) <= Number(call.options.radius_m);
  });
  const verdicts = near.map(row => (call.where ? truth(call.where, row, columns) : true));
  const values = (some: readonly Row3[], column: string) => some.map(row => row[column]!).filter(present);
  const numbers = (some: readonly Row3[]) => values(some, call.argument!).map(Number);
  const sum = (some: readonly Row3[]) => numbers(some).reduce((a, b) => a + b, 0);
  if (call.op === 'polygon_within') return settled(near, verdicts, some => some.length > 0);
  if (call.op === 'count_within') {
    const { distinct } = call.options;
    if (distinct === undefined) return settled(near, verdicts, some => some.length);
    return settled(near, verdicts, some => new Set(values(some, String(distinct))).size);
  }
  if (call.op === 'agg_within') {
    if (call.options.agg === 'sum') return settled(near, verdicts, sum);
    return settled(near, verdicts, some => (numbers(some).length ? Math.max(...numbers(some)) : null)) ?? 'absent';
  }
  const column = call.argument!;
  const decides = columnsOf(call.where).includes(column);
  if (call.options.agg === 'sum') return settled(near, verdicts, sum);
  if (call.options.agg === 'any')
    // The value that decides may be any, so a row without it may be one that counts.
    return settled(near, verdicts, some => some.some(row => decides || present(row[column])));
  if (call.options.agg === 'count') return settled(near, verdicts, some => values(some, column).length);
  return settled(near, verdicts, some => new Set(values(some, column)).size);
}

/** What a field answers: of several calls their sum. */
function answerOf({ expression }: Field, rows: ReadonlyMap<string, readonly Row3[]>, lng: number, lat: number): Known {
  const of = (call: Expression) => expected(call, rows.get(idOf(call.sources[0]!))!, lng, lat);
  if (expression.op !== 'derived') return of(expression);
  const parts = calls(expression).map(of);
  return parts.includes('absent') ? 'absent' : parts.reduce<number>((sum, part) => sum + Number(part), 0);
}

describe('booleans, counts and sums of the catalog', () => {
  it('are known to the test, and each that has a condition reads columns that may be empty', () => {
    const names = FIELDS.map(field => field.name);
    expect(names).toEqual(expect.arrayContaining(['within_floodplain_polygon', 'hurricane_track_count_within_100km']));
    expect(names).toEqual(expect.arrayContaining(['broadband_fiber_available', 'county_queue_active_mw']));
    const booleans = [...catalog.fields.values()].filter(({ type }) => type === 'boolean').map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(booleans));
    for (const { expression } of FIELDS)
      if (expression.op === 'derived') expect(expression.text).toMatch(/expr\[\w( \+ \w)+\]/);
  });

  it.each([1, 2, 3, 4])('are absent where an empty column could change them, and only there (%i)', async seed => {
    const random = randomOf(seed);
    const rows = new Map<string, readonly Row3[]>();
    const spec: Record<string, Record<string, PartitionSpec[]>> = {};
    const put = (dataset: string, layer: string, partition: PartitionSpec) => {
      spec[dataset] ??= {};
      spec[dataset][layer] = [partition];
    };
    for (const [id, asked] of askedOf()) {
      const { dataset, layer } = asked.source;
      const definition = layerOf(catalog.datasets, dataset, layer);
      const plain = rowsOf(asked, random, 1 + Math.floor(random() * 8));
      if (definition.kind === 'table') {
        rows.set(id, plain);
        put(dataset, layer, { rows: plain });
      } else {
        const features = plain.map(row => featureOf(row, definition, asked.radius, random));
        rows.set(id, features as unknown as Row3[]);
        put(dataset, layer, { features });
      }
    }
    const everywhere = rectangle([9, -1, 11, 1]);
    put('fema_nfhl', 'S_FIRM_PAN', {
      features: [{ geometry: everywhere, DFIRM_ID: '1', FIRM_PAN: '1', EFF_DATE: null }],
    });
    for (const { layer, column, code } of Object.values(KEYS)) {
      const columns = columnsIn(layerOf(catalog.datasets, 'census_tiger', layer));
      const row = Object.fromEntries(Object.keys(columns).map(name => [name, name === column ? code : null]));
      put('census_tiger', layer, { features: [{ ...row, geometry: everywhere }], vintage: '2020' });
    }
    const fixture = await createFixture([...catalog.datasets.values()], spec);
    try {
      const points = Array.from({ length: 12 }, () => ({
        lng: 10 + 0.03 * (random() - 0.5),
        lat: 0.03 * (random() - 0.5),
      }));
      const answers = await bothForms(
        fixture,
        FIELDS.map(field => field.name),
        points,
        6,
      );
      let open = 0;
      for (const [i, { lng, lat }] of points.entries())
        for (const field of FIELDS) {
          const answer = answers[i]![field.name]!;
          const known = answerOf(field, rows, lng, lat);
          const where = `${field.name} at ${lng},${lat}: ${answer.notes ?? answer.error}`;
          expect(answer.status, where).toBe(known === 'absent' ? 'absent' : 'ok');
          expect(answer.value, where).toBe(known === 'absent' ? null : known);
          if (known === 'absent') open++;
        }
      expect(open).toBeGreaterThan(10);
    } finally {
      fixture.remove();
    }
  });
});
