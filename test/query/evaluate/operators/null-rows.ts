import { catalog, layerOf } from '../../../../datasets/catalog.ts';
import type { Column, Layer, Value } from '../../../../datasets/dataset.ts';
import type { Condition, Literal } from '../../../../datasets/grammar/condition.ts';
import type { SourceRef } from '../../../../datasets/grammar/expression.ts';
import type { Row3 } from '../../../oracle/three-valued.ts';
import { type FeatureSpec, line, point, rectangle } from '../../release-fixture.ts';

/** Areas that tables have rows of. */
export const KEYS: Readonly<Record<string, { layer: string; column: string; code: string }>> = {
  county_fips: { layer: 'county', column: 'GEOID', code: '08001' },
  tract_geoid: { layer: 'tract', column: 'GEOID', code: '08001000100' },
  block_geoid: { layer: 'tabblock20', column: 'GEOID20', code: '080010001001000' },
};

export type Columns = Readonly<Record<string, Column>>;
export const columnsIn = (layer: Layer): Columns => (layer.kind === 'raster' ? {} : layer.columns);
export const idOf = ({ dataset, layer }: SourceRef) => `${dataset}:${layer}`;

/** What is asked of a layer: the conditions, the columns that count, and how far. */
export interface Asked {
  readonly source: SourceRef;
  readonly conditions: Condition[];
  readonly counted: Set<string>;
  radius: number;
  key: string | null;
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
export function rowsOf({ source, conditions, counted, key }: Asked, random: () => number, count: number): Row3[] {
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

export function featureOf(row: Row3, layer: Layer, radius: number, random: () => number): FeatureSpec {
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
