import { catalog } from '../../datasets/catalog.ts';
import type { Field } from '../../datasets/dataset.ts';

/** So many fields, of every operator in turn, so that the list is a mix of all of them. */
export function mixedFields(count: number, fields: Iterable<Field> = catalog.fields.values()): string[] {
  const byOperator = new Map<string, string[]>();
  for (const field of fields) {
    const list = byOperator.get(field.expression.op) ?? [];
    list.push(field.name);
    byOperator.set(field.expression.op, list);
  }
  const groups = [...byOperator.values()];
  const rounds = Math.max(0, ...groups.map(group => group.length));
  const mix: string[] = [];
  for (let round = 0; mix.length < count && round < rounds; round++)
    for (const group of groups) if (group[round] && mix.length < count) mix.push(group[round]!);
  return mix;
}

/** `5 polygon_attr, 3 nearest_distance, …` of a list of fields. */
export function operatorsOf(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) {
    const op = catalog.fields.get(name)!.expression.op;
    counts.set(op, (counts.get(op) ?? 0) + 1);
  }
  return [...counts].map(([op, n]) => `${n} ${op}`).join(', ');
}

/** Seeded points of a box, no two alike. */
export function pointsOf([west, south, east, north]: readonly [number, number, number, number], seed: number) {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return () => ({ lng: west + random() * (east - west), lat: south + random() * (north - south) });
}
