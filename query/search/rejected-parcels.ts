import { type Catalog, layerOf } from '../../datasets/catalog.ts';
import { memo } from '../../datasets/memo.ts';
import type { Partition } from '../../datasets/release.ts';
import { PARCELS } from '../evaluate/parcel-at-point.ts';
import { anyRejected, keepsRejected } from '../evaluate/rejected/rejected.ts';
import { Calculated } from '../parcel/calculated-values.ts';
import type { Feature, Features } from '../release/features.ts';
import type { Layers } from '../release/layers.ts';
import type { County } from './predicate/counties.ts';
import { type PreparedTest, passes, type Test, testsWithin } from './request/filter.ts';

/** Rows between two looks at the deadline. */
const STRIDE = 64;

/** The rejected parcels of a file, decoded once as long as it is open: they are few. */
const rowsOf = memo((features: Features, check: () => void): readonly Feature[] =>
  Array.from({ length: features.file.count }, (_, i) => {
    if (i % STRIDE === 0) check();
    return features.feature(i);
  }),
);

/** Whether a rejected parcel may lie in every area; one that was published without a usable geometry lies in none. */
function mayLieIn(areas: readonly PreparedTest[], { geometry, properties }: Feature): boolean {
  if (properties.rejected_located !== true) return areas.length === 0;
  return areas.every(({ area }) => {
    if (geometry.parts.length) return area.intersects(geometry);
    const { xy } = geometry;
    for (let i = 0; i < xy.length; i += 2)
      if (area.quick([xy[i]!, xy[i + 1]!, xy[i]!, xy[i + 1]!]) !== 'outside') return true;
    return false;
  });
}

/** What a search is asked over. */
interface SearchGround {
  readonly layers: Layers;
  readonly catalog: Catalog;
  readonly counties: readonly County[];
  readonly tests: readonly Test[];
  readonly areas: readonly PreparedTest[];
  readonly check: () => void;
}

/**
 * Whether a parcel that was rejected at ingest may be among those that a search asks for: then no list of matches is
 * whole. What is known of it is compared as of every parcel; what was calculated only for stored ones, and what could not
 * be read, rules nothing out.
 * @throws Fault or DamagedFile when the rejected parcels cannot be read; what `check` throws.
 */
export async function mayMissRejected({
  layers,
  catalog,
  counties,
  tests,
  areas,
  check,
}: SearchGround): Promise<boolean> {
  if (!anyRejected(layers.release.layer(PARCELS.dataset, PARCELS.layer))) return false;
  for (const county of counties) {
    if (!keepsRejected(county.partition)) continue;
    const left = testsWithin(tests, county);
    if (!left) continue;
    const telling = left.filter(tellsOf(layers, catalog, county.partition));
    for (const features of await layers.beside(county.partition, 'rejected'))
      for (const row of rowsOf(features, check)) {
        const { properties } = row;
        const unread = (name: string) => properties.rejected_complete !== true && (properties[name] ?? null) === null;
        if (!telling.every(test => unread(test.name) || passes(test, properties[test.name]))) continue;
        if (mayLieIn(areas, row)) return true;
      }
  }
  return false;
}

/** Whether what a test compares is known of rejected parcels of a county: a column as published. */
function tellsOf(layers: Layers, catalog: Catalog, partition: Partition): (test: Test) => boolean {
  const calculated = new Calculated(layers, catalog, partition);
  const { columns } = layerOf(catalog.datasets, PARCELS.dataset, PARCELS.layer) as {
    readonly columns: Readonly<Record<string, { readonly computed?: boolean }>>;
  };
  return ({ name }) => Object.hasOwn(columns, name) && !columns[name]!.computed && !calculated.locate(name);
}
