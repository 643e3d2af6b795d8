import { describe, expect, it } from 'vitest';
import { catalog, layerOf } from '../../../../datasets/catalog.ts';
import type { Field } from '../../../../datasets/dataset.ts';
import { metresTo } from '../../../oracle/geometry.ts';
import { truth } from '../../../oracle/three-valued.ts';
import { createFixture, type FeatureSpec, type PartitionSpec } from '../../release-fixture.ts';
import { randomOf } from '../../star.ts';
import { bothForms } from './forms.ts';
import { type Asked, columnsIn, featureOf, idOf, rowsOf } from './null-rows.ts';

/** Fields of the nearest feature that meets a condition. */
const FIELDS: readonly Field[] = [...catalog.fields.values()].filter(
  ({ expression: { op, where } }) => (op === 'nearest_distance' || op === 'nearest_attr') && where,
);

const sourceOf = ({ expression }: Field) => expression.sources[0]!;
const definitionOf = (field: Field) => layerOf(catalog.datasets, sourceOf(field).dataset, sourceOf(field).layer);

function askedOf(): Map<string, Asked> {
  const asked = new Map<string, Asked>();
  for (const field of FIELDS) {
    const { where, argument } = field.expression;
    const source = sourceOf(field);
    const one = asked.get(idOf(source)) ?? { source, conditions: [], counted: new Set(), radius: 2_000, key: null };
    asked.set(idOf(source), one);
    one.conditions.push(where!);
    if (argument && !one.conditions.some(condition => JSON.stringify(condition).includes(`"${argument}"`)))
      one.counted.add(argument);
  }
  return asked;
}

describe('the nearest feature that meets a condition', () => {
  it('is asked for by many fields', () => {
    const names = FIELDS.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['nearest_sfha_distance_m', 'nearest_road_name']));
    expect(names.length).toBeGreaterThan(40);
  });

  it.each([11, 12, 13])('says where a nearer one may meet it too, and only there (%i)', async seed => {
    const random = randomOf(seed);
    const rows = new Map<string, readonly FeatureSpec[]>();
    const spec: Record<string, Record<string, PartitionSpec[]>> = {};
    for (const [id, asked] of askedOf()) {
      const { dataset, layer } = asked.source;
      const definition = layerOf(catalog.datasets, dataset, layer);
      const features = rowsOf(asked, random, 2 + Math.floor(random() * 8)).map(row =>
        featureOf(row, definition, asked.radius, random),
      );
      rows.set(id, features);
      spec[dataset] ??= {};
      spec[dataset][layer] = [{ features }];
    }
    const fixture = await createFixture([...catalog.datasets.values()], spec);
    try {
      const points = Array.from({ length: 10 }, () => ({
        lng: 10 + 0.03 * (random() - 0.5),
        lat: 0.03 * (random() - 0.5),
      }));
      const names = FIELDS.map(({ name }) => name);
      const answers = await bothForms(fixture, names, points, 5);
      const seen = { said: 0, silent: 0, none: 0 };
      for (const [i, { lng, lat }] of points.entries())
        for (const field of FIELDS) {
          const { op, where } = field.expression;
          const columns = columnsIn(definitionOf(field));
          const near = rows.get(idOf(sourceOf(field)))!.map(({ geometry, ...row }) => ({
            metres: metresTo(geometry, lng, lat),
            verdict: truth(where!, row as never, columns),
          }));
          const least = (verdict: boolean | null) =>
            Math.min(...near.filter(one => one.verdict === verdict).map(one => one.metres));
          const [sure, open] = [least(true), least(null)];
          const { status, value, confidence, notes } = answers[i]![field.name]!;
          const at = `${field.name} at ${lng},${lat}: ${notes}`;
          const said = /may or may not count/.test(notes ?? '');
          if (sure === Infinity) {
            expect([status, said, said ? confidence : null], at).toEqual([
              'absent',
              open < Infinity,
              said ? 'low' : null,
            ]);
            seen.none++;
            continue;
          }
          const step = op === 'nearest_distance' ? (field.precision ?? 0.1) : 0;
          if (step) expect(Math.abs((value as number) - sure), at).toBeLessThan(step / 2 + 0.05);
          // Of two in the same step neither is nearer; the oracle's distances are good to a few centimetres.
          if (Math.abs(open - sure) < step + 0.1) continue;
          expect(said, at).toBe(open <= sure);
          if (said) expect(confidence, at).toBe('low');
          seen[said ? 'said' : 'silent']++;
        }
      for (const times of Object.values(seen)) expect(times).toBeGreaterThan(5);
    } finally {
      fixture.remove();
    }
  });
});
