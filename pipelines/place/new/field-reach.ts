import { type Catalog, walk } from '../../../datasets/catalog.ts';
import { memo } from '../../../datasets/memo.ts';

/** Kilometres about a county that are kept of every layer: what generalised boxes and the accuracy of publishers take. */
const LEAST_KM = 2;

/** Kilometres as far as which fields look from a place, by `dataset:layer`: the farthest. */
const reachesOf = memo((catalog: Catalog): ReadonlyMap<string, number> => {
  const farthest = new Map<string, number>();
  for (const { expression } of catalog.fields.values())
    walk(expression, ({ sources, options: { max_km: most, radius_m: radius, over } }) => {
      const [, disc = 0] = /^radius:([\d.]+)$/.exec(String(over ?? '')) ?? [];
      const km = Math.max(Number(most ?? 0), Number(radius ?? 0) / 1000, Number(disc) / 1000);
      for (const { dataset, layer } of sources) {
        const name = `${dataset}:${layer}`;
        farthest.set(name, Math.max(farthest.get(name) ?? 0, km));
      }
    });
  return farthest;
});

/** Whole kilometres as far as which the fields of a layer look from their point; 0 where none does. */
export const lookOf = (catalog: Catalog, dataset: string, layer: string): number =>
  Math.ceil(reachesOf(catalog).get(`${dataset}:${layer}`) ?? 0);

/** Kilometres about a county in which features matter to the fields of it. */
export const fieldReach = (catalog: Catalog, dataset: string, layer: string): number =>
  Math.max(LEAST_KM, lookOf(catalog, dataset, layer));
