import { describe, expect, it } from 'vitest';
import { catalog, layerOf } from '../../../../datasets/catalog.ts';
import type { Field, Value } from '../../../../datasets/dataset.ts';
import { boxOf } from '../../../../datasets/geometry.ts';
import { columnsOf } from '../../../../datasets/grammar/condition.ts';
import type { Expression } from '../../../../datasets/grammar/expression.ts';
import { metresTo } from '../../../oracle/geometry.ts';
import { type Row3, type Truth3, truth } from '../../../oracle/three-valued.ts';
import { createFixture, type FeatureSpec, type PartitionSpec, rectangle } from '../../release-fixture.ts';
import { randomOf } from '../../star.ts';
import { bothForms } from './forms.ts';
import { type Asked, columnsIn, featureOf, idOf, KEYS, rowsOf } from './null-rows.ts';

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
