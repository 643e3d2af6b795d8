import type { Layer } from '../../../datasets/dataset.ts';
import { loosened } from '../../../datasets/place/expectation.ts';
import { joinsOf, type PlaceLayer } from '../../../datasets/place/place.ts';

/** Returns the problems of `expect` of a place's layer, by key: bounds for unknown columns, and looser bounds without a reason. */
export function expectationProblems(
  layer: Pick<PlaceLayer, 'expect' | 'columns' | 'join'>,
  target: Layer,
): { readonly key: string[]; readonly message: string }[] {
  const { expect } = layer;
  if (expect === undefined) return [];
  const problems: { key: string[]; message: string }[] = [];
  const mapped = Object.keys(layer.columns);
  const columnsBy = {
    nulls: mapped,
    hits: [...mapped, ...joinsOf(layer).flatMap(join => join?.prefix ?? [])],
    unlisted: target.kind === 'raster' ? [] : mapped.filter(name => target.columns[name]?.values),
  };
  for (const [table, names] of Object.entries(columnsBy) as [keyof typeof columnsBy, string[]][])
    for (const name of Object.keys(expect[table] ?? {}))
      if (!names.includes(name))
        problems.push({
          key: [table, name],
          message: `"${name}" is none of ${names.join(', ') || 'its columns'}, of which ${table} can be told`,
        });
  const loose = loosened(target.expect, expect);
  if (loose.length > 0 && !expect.because)
    problems.push({
      key: [],
      message: `${loose.join(', ')}: looser than the dataset has it, so say why in "because"`,
    });
  return problems;
}
