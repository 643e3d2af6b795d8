import type { ColumnExpression, Join, PlaceLayer } from '../../place/place.ts';

type Columns = readonly string[] | Readonly<Record<string, ColumnExpression>>;

/** Columns published under the catalog's own names need no expression. */
const named = (columns: readonly string[]) => Object.fromEntries(columns.map(name => [name, name]));

/**
 * One file of the synthetic area. Its provenance says in every field that the data is made up.
 * @param columns names that stand in the file as in the catalog, or expressions where they differ
 */
export function synthetic(
  dataset: string,
  layer: string,
  file: string,
  columns: Columns,
  rest: Partial<PlaceLayer> = {},
): PlaceLayer {
  return {
    dataset,
    layer,
    file,
    columns: Array.isArray(columns) ? named(columns) : (columns as Record<string, ColumnExpression>),
    provenance: {
      source: `synthetic:${dataset}`,
      title: `Synthetic area, ${dataset}${layer === 'main' ? '' : `:${layer}`}`,
      publisher: 'Plat synthetic data',
      url: null,
      licence: 'CC0-1.0',
      vintage: 'synthetic',
      note: 'Synthetic data: made up by Plat, describes no real place.',
    },
    ...rest,
  };
}

/**
 * A layer of a zipped file geodatabase, whose name need not tell what it is.
 * @param name of the feature class in it
 */
export function fromGeodatabase(
  dataset: string,
  layer: string,
  file: string,
  name: string,
  columns: Columns,
  rest: Partial<PlaceLayer> = {},
): PlaceLayer {
  return synthetic(dataset, layer, file, columns, { format: 'filegdb', options: { layer: name }, ...rest });
}

/** A table of a zipped file geodatabase that is joined to one of its layers. */
export function tableIn(
  file: string,
  name: string,
  prefix: string,
  rest: Pick<Join, 'key' | 'to'> & Partial<Join>,
): Join {
  return { file, format: 'filegdb', options: { layer: name }, prefix, ...rest };
}

/** Events and sites made up for the region around the counties too, so that counts over wide discs are complete. */
export const REGION: Partial<PlaceLayer> = { coverage: { file: 'coverage/region.geojson' } };

/**
 * A raster of the area: it covers what its cells cover.
 * @param year that its file is named after, where it is of one.
 */
export function raster(dataset: string, layer: string, file: string, year: number | null = null): PlaceLayer {
  const definition = synthetic(dataset, layer, file, [], { coverage: { extent: true } });
  if (year === null) return definition;
  return { ...definition, provenance: { ...definition.provenance, vintage: `synthetic, ${year}` } };
}

/** Codes of a state of the area and of its one county. */
export interface State {
  readonly code: string;
  readonly fips: string;
  readonly county: string;
  readonly countyName: string;
}

/** The states of the area: real ones, whose counties here are made up. */
const STATES: readonly State[] = [
  { code: 'ME', fips: '23', county: '23999', countyName: 'Synthetic' },
  { code: 'NH', fips: '33', county: '33999', countyName: 'Synthetic South' },
];

/** One layer a state, for what publishers file by state or county: each covers its own side of the state line. */
export function byState(make: (state: State) => PlaceLayer): PlaceLayer[] {
  return STATES.map(state => ({
    coverage: { file: `coverage/${state.code}.geojson` },
    ...make(state),
    state: state.code,
    county: state.county,
  }));
}
