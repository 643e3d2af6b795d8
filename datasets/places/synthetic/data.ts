import { existsSync, readdirSync } from 'node:fs';
import type { Value } from '../../dataset.ts';
import type { PlaceLayer } from '../../place/place.ts';
import { synthetic } from './layer.ts';

/** A stream of random numbers: the same seed and name give the same numbers on every machine. */
export interface Stream {
  /** Uniform in [low, high). */
  between(low: number, high: number): number;
  /** A whole number from low to high, both included. */
  integer(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
}

/** lng,lat in WGS84 degrees. */
type Position = readonly [number, number];

/** The ground of the synthetic area, on which data is made up. */
export interface Ground {
  /** Numbers of their own, by the name of what is drawn: no other data may have it. */
  stream(name: string): Stream;
  /**
   * A place of the area.
   * @param along 0 (south-western county line) to 1 (north-eastern). @param inland 0 (coast) to 1.
   */
  at(along: number, inland: number): Position;
  /** Codes of its counties, five digits, and of their tracts. */
  readonly counties: readonly string[];
  readonly tracts: readonly string[];
  /** A closed ring about a place, counter-clockwise. @param radius metres, about. */
  ring(of: Stream, centre: Position, radius: number): readonly Position[];
}

/** A row of a layer, as GeoJSON has it. */
export interface DataFeature {
  readonly properties: Readonly<Record<string, Value>>;
  readonly geometry:
    | { readonly type: 'Point'; readonly coordinates: Position }
    | { readonly type: 'LineString'; readonly coordinates: readonly Position[] }
    | { readonly type: 'Polygon'; readonly coordinates: readonly (readonly Position[])[] };
}

/** A layer of a dataset in the synthetic area. Its columns have the names of the catalog. */
interface DataLayer {
  readonly columns: readonly string[];
  /** Further words of the place about the layer, such as REGION where data reaches beyond the counties. */
  readonly place?: Partial<PlaceLayer>;
  /** Its rows: those of a vector layer. */
  readonly features?: (ground: Ground) => Iterable<DataFeature>;
  /** Its rows: those of a table, by county or tract. */
  readonly rows?: (ground: Ground) => Iterable<Readonly<Record<string, Value>>>;
}

/** The data of one dataset in the synthetic area, by layer: what the place reads and what the generator writes. */
export interface SyntheticData {
  readonly dataset: string;
  readonly layers: Readonly<Record<string, DataLayer>>;
}

/** The published file of a layer: GeoJSON, of a table CSV. */
export const dataFile = (dataset: string, layer: string, { rows }: DataLayer) =>
  `${dataset.replaceAll('_', '-')}/${layer}.${rows ? 'csv' : 'geojson'}`;

/** Imports every file of data/, so that a new one needs no other change. */
async function load(folder: URL): Promise<readonly SyntheticData[]> {
  const names = (existsSync(folder) ? readdirSync(folder) : []).filter(name => /^[a-z0-9-]+\.(?:ts|js)$/.test(name));
  const modules = await Promise.all(names.sort().map(name => import(new URL(name, folder).href)));
  return modules.map(module => (module as { default: SyntheticData }).default);
}

/** The data of every dataset that has a file of its own. */
export const DATA: readonly SyntheticData[] = await load(new URL('./data/', import.meta.url));

/** Their layers as the place reads them. */
export const dataLayers: readonly PlaceLayer[] = DATA.flatMap(({ dataset, layers }) =>
  Object.entries(layers).map(([name, layer]) =>
    synthetic(dataset, name, dataFile(dataset, name, layer), layer.columns, layer.place),
  ),
);
