import { catalog } from '../../datasets/catalog.ts';
import type { Field } from '../../datasets/dataset.ts';
import type { Box } from '../../datasets/geometry.ts';
import { PARCELS } from '../../query/evaluate/parcel-at-point.ts';
import type { Release } from '../../query/release/open-release.ts';

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

/** The box of all parcels of a release. @throws Error when it holds none. */
export function areaOf(release: Release): Box {
  const boxes = (release.layer(PARCELS.dataset, PARCELS.layer)?.partitions ?? []).flatMap(({ box }) =>
    box ? [box] : [],
  );
  if (boxes.length === 0) throw new Error('The release holds no parcels to take points from');
  const all = (of: (...values: number[]) => number, place: number) => of(...boxes.map(box => box[place]!));
  return [all(Math.min, 0), all(Math.min, 1), all(Math.max, 2), all(Math.max, 3)];
}

/** Seeded numbers from 0 to 1. */
function numbersOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Seeded points of a box, no two alike. */
export function pointsOf([west, south, east, north]: Box, seed: number) {
  const random = numbersOf(seed);
  return () => ({ lng: west + random() * (east - west), lat: south + random() * (north - south) });
}

/** Neighbourhoods a degree, of which a worker keeps what it has found. */
const PER_DEGREE = 128;

/** A seeded point in every neighbourhood that lies in a box, in no order: of ground that nobody visited. */
export function groundOf([west, south, east, north]: Box, seed: number) {
  const random = numbersOf(seed);
  const points: { readonly lng: number; readonly lat: number; readonly rank: number }[] = [];
  for (let x = Math.ceil(west * PER_DEGREE); x + 1 <= east * PER_DEGREE; x++)
    for (let y = Math.ceil(south * PER_DEGREE); y + 1 <= north * PER_DEGREE; y++)
      points.push({ lng: (x + random()) / PER_DEGREE, lat: (y + random()) / PER_DEGREE, rank: random() });
  return points.sort((a, b) => a.rank - b.rank).map(({ lng, lat }) => ({ lng, lat }));
}
