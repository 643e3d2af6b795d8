import type { Value } from '../../datasets/dataset.ts';
import type { Feature } from './feature.ts';
import type { Grid } from './geotiff.ts';
import type { ShapefileOptions } from './shapefile.ts';

/** One published file of the area: its path, and rows that are made while it is written. */
export type WorldFile =
  | {
      readonly kind: 'shapefile';
      readonly path: string;
      readonly options: ShapefileOptions;
      readonly rows: () => Iterable<Feature>;
    }
  | { readonly kind: 'geojson'; readonly path: string; readonly rows: () => Iterable<Feature> }
  | {
      readonly kind: 'csv';
      readonly path: string;
      readonly columns: readonly string[];
      readonly rows: () => Iterable<Readonly<Record<string, Value>>>;
    }
  | { readonly kind: 'geotiff'; readonly path: string; readonly grid: Grid };
