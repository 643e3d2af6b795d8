import type { Acquire } from './acquire.ts';
import { citableUrl } from './citable-url.ts';
import { type Expression, parseExpression } from './grammar/expression.ts';
import type { Expectation } from './place/expectation.ts';

/** The seven layers of the fetch catalog, in catalog order. */
export const FIELD_LAYERS = [
  'terrain',
  'land_cover',
  'built_environment',
  'utilities',
  'parcels',
  'climate',
  'hazards',
] as const;
type FieldLayer = (typeof FIELD_LAYERS)[number];

/** Scalar types of columns and fields. Dates are `YYYY-MM-DD`, timestamps UTC ISO 8601. */
export type ScalarType = 'string' | 'number' | 'integer' | 'boolean' | 'date' | 'timestamp';
export type Value = string | number | boolean | null;

/** A column of a layer's normal schema, under the publisher's own name. */
export interface Column {
  readonly type: ScalarType;
  readonly unit?: string;
  readonly description?: string;
  /** Every value that occurs, where the publisher has a closed list of them. */
  readonly values?: readonly Exclude<Value, null>[];
  /** Other spellings that publishers use for the same column, accepted on load. */
  readonly aliases?: readonly string[];
  /** Column of the same row whose value says why this one is empty, such as a rating of Not Applicable. */
  readonly explainedBy?: string;
  /** Published codes that say that the value is not known: a condition on them is neither true nor false. */
  readonly unknown?: readonly (string | number)[];
  /**
   * Condition of the rows of which an empty value says that there is none, where the publisher leaves the column empty
   * because it does not apply. Everywhere else an empty value is unknown.
   */
  readonly emptyIsNone?: string;
  /** Filled by the refresh from the geometry or other layers, never mapped by a place file. */
  readonly computed?: boolean;
}

/**
 * How a layer is cut into files: one for the country, one a state, one a county, or one a state and H3 cell
 * of the given resolution (by the centre of each feature's box).
 */
export type Partitioning = 'national' | 'state' | 'county' | { readonly h3: number };

/** A layer of features, stored as FlatGeobuf with its packed Hilbert R-tree. */
export interface VectorLayer {
  readonly kind: 'vector';
  readonly geometry: 'point' | 'line' | 'polygon';
  /**
   * Stated horizontal accuracy of the geometry: metres within which about nine of ten well-defined places lie. Absent where
   * the publisher states none. A map scale states one by the National Map Accuracy Standards (1947): 1/30 inch on a map
   * larger than 1:20,000, else 1/50 inch, 12 m at 1:24,000.
   */
  readonly accuracyM?: number;
  /**
   * Where the coverage ends nearer than the nearest feature, a nearer one may lie beyond: a distance is an upper bound then, and
   * what is said of that feature has low confidence. With `absent` it is not said at all: of an address another's is wrong.
   * That nothing lies beyond a coverage is said by covering more: `coverage: { everywhere: true }` in a place file.
   */
  readonly pastEdge?: 'absent';
  /** Breaks ties between equally near or equally large features, compared as text. */
  readonly joinKey: string | null;
  readonly columns: Readonly<Record<string, Column>>;
  readonly partition: Partitioning;
  /** Also written as GeoParquet, for layers whose columns are scanned. */
  readonly parquet?: boolean;
  /** What its rows must be like to be published, beside the defaults. */
  readonly expect?: Expectation;
  /** Column that says how a point was placed, and what it says of one that the ingest places inside a joined polygon. */
  readonly placement?: { readonly column: string; readonly inside: string };
}

/** A table without geometry keyed by an area, stored as Parquet. */
export interface TableLayer {
  readonly kind: 'table';
  /** Column that holds the area key, and which of the keys that `area_key_attr` knows it is. */
  readonly key: {
    readonly column: string;
    readonly is:
      | 'county_fips'
      | 'tract_geoid'
      | 'block_geoid'
      | 'huc12'
      | 'zcta_utility'
      | 'utility_eia_id'
      | 'egrid_subregion';
  };
  readonly columns: Readonly<Record<string, Column>>;
  readonly partition: Partitioning;
  readonly expect?: Expectation;
}

/** A grid, kept as the published GeoTIFF/COG. */
export interface RasterLayer {
  readonly kind: 'raster';
  readonly bands: number;
  readonly unit?: string;
  /** Values that mean no data besides the file's own. */
  readonly nodata?: readonly number[];
  /** Only the DEM is bilinear; every other raster answers with the cell that contains the point. */
  readonly sampling: 'nearest' | 'bilinear';
  readonly partition: Partitioning;
  readonly expect?: Expectation;
}

/** Roads that are driven on: all files that a place brings of them make one graph, which is all that is kept of them. */
export interface RoadsLayer {
  readonly kind: 'roads';
  /** Whose tags or classes tell ways, speeds and turns (pipelines/steps/roads). */
  readonly model: 'osm' | 'tiger';
  readonly columns: Readonly<Record<string, Column>>;
  readonly partition: 'national';
  readonly expect?: Expectation;
}

export type Layer = VectorLayer | TableLayer | RasterLayer | RoadsLayer;

/** How confident a value is: docs/operators.md says what each rule means. */
export type ConfidenceRule =
  | { readonly kind: 'const'; readonly level: Confidence }
  | { readonly kind: 'edge_m'; readonly metres: number }
  | { readonly kind: 'station_km'; readonly high: number; readonly medium: number }
  | { readonly kind: 'parcel_match' }
  | { readonly kind: 'min_inputs' };
export type Confidence = 'high' | 'medium' | 'low';

/** A fetch field as a dataset file writes it. */
export interface FieldSource {
  readonly layer: FieldLayer;
  readonly type: ScalarType;
  readonly unit?: string;
  readonly title: string;
  readonly description: string;
  /** Operator expression (docs/operators.md). */
  readonly expression: string;
  /** `const(high)`, `edge_m(30)`, `station_km(25;75)`, `parcel_match` or `min_inputs`. */
  readonly confidence: string;
  /** Step that its numbers are rounded to, in its unit: a power of ten; where it is not told by precision.ts. */
  readonly precision?: number;
  /** Caller-side cache hint. */
  readonly ttlSeconds: number;
  /** Fetch presets that hold the field and its 1-based position in each. */
  readonly presets?: Readonly<Record<string, number>>;
  /** Three to ten everyday words for it: how a buyer, a farmer, an insurer or a Spanish speaker would ask. Questions are matched with them. */
  readonly terms: readonly string[];
  /** What the number means to someone who must act on it; never a restatement of the description. */
  readonly hint: string;
}

/** A public dataset: what it is, where it comes from, how it is stored, which fields it yields. */
interface DatasetSource {
  readonly id: string;
  readonly title: string;
  readonly publisher: string;
  /** Official URL of the publication, or its pattern with `{placeholders}`; records cite what `citableUrl` makes of it. */
  readonly url: string;
  readonly format: string;
  readonly licence: string;
  readonly cadence: string;
  /** How the vintage of a copy is told, in words. */
  readonly vintageRule: string;
  readonly notes?: string;
  /** What of the published form was settled from documents alone, no copy of the publication having been at hand. */
  readonly unconfirmed?: string;
  /** Where its files are downloaded from, and what has to be put there by hand. */
  readonly acquire?: Acquire;
  readonly layers: Readonly<Record<string, Layer>>;
  readonly fields: Readonly<Record<string, FieldSource>>;
}

/** A field with its expression and confidence rule parsed. */
export interface Field extends Omit<FieldSource, 'expression' | 'confidence' | 'unit' | 'precision'> {
  readonly name: string;
  /** Dataset whose file defines the field. */
  readonly dataset: string;
  readonly unit: string | null;
  readonly expression: Expression;
  readonly confidence: ConfidenceRule;
  /** Step that its numbers are rounded to, in its unit; null where it is no number, or a whole one. */
  readonly precision: number | null;
}

export interface Dataset extends Omit<DatasetSource, 'fields' | 'url' | 'acquire'> {
  readonly acquire: Acquire;
  /** Where the publication is, as the dataset file says it: a URL pattern with placeholders, or words. */
  readonly publishedAt: string;
  /** What records cite where nothing was read: the part of `publishedAt` that is a URL; null where none is. */
  readonly url: string | null;
  readonly fields: readonly Field[];
}

function parseConfidence(text: string): ConfidenceRule {
  const match = /^(const|edge_m|station_km|parcel_match|min_inputs)(?:\(([^)]*)\))?$/.exec(text);
  const [, kind, args] = match ?? [];
  if (kind === 'const' && /^(high|medium|low)$/.test(args ?? '')) return { kind, level: args as Confidence };
  if (kind === 'edge_m' && Number(args) > 0) return { kind, metres: Number(args) };
  if (kind === 'station_km') {
    const [high, medium] = (args ?? '').split(';').map(Number);
    if (high! > 0 && medium! > high!) return { kind, high: high!, medium: medium! };
  }
  if ((kind === 'parcel_match' || kind === 'min_inputs') && args === undefined) return { kind };
  throw new SyntaxError(`"${text}" is no confidence rule; see docs/operators.md, Rules of all operators`);
}

/**
 * Checks and parses a dataset definition. Every file in datasets/products has one as its default export.
 * @throws SyntaxError naming the dataset and field when an expression or confidence rule does not parse.
 */
export function defineDataset(source: DatasetSource): Dataset {
  const fields = Object.entries(source.fields).map(([name, field]): Field => {
    try {
      return {
        ...field,
        name,
        dataset: source.id,
        unit: field.unit ?? null,
        expression: parseExpression(field.expression),
        confidence: parseConfidence(field.confidence),
        precision: field.precision ?? null,
      };
    } catch (error) {
      throw new SyntaxError(`${source.id}.${name}: ${(error as Error).message}`);
    }
  });
  for (const [name, layer] of Object.entries(source.layers))
    if (layer.kind === 'vector' && layer.accuracyM !== undefined && !(layer.accuracyM > 0))
      throw new SyntaxError(`${source.id}:${name}: accuracyM is ${layer.accuracyM}, expected metres above 0`);
  const acquire = source.acquire ?? { byHand: 'nothing is declared' };
  return { ...source, acquire, publishedAt: source.url, url: citableUrl(source.url), fields };
}
