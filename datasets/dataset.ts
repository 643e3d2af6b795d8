import type { Acquire } from './acquire.ts';
import { citableUrl } from './citable-url.ts';
import { type Expression, parseExpression } from './grammar/expression.ts';
import type { Expectation } from './place/expectation.ts';
import type { VerdictRule } from './verdict.ts';

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
  /** Every value, when the publisher has a closed list. */
  readonly values?: readonly Exclude<Value, null>[];
  /** Other spellings that publishers use for the same column, accepted on load. */
  readonly aliases?: readonly string[];
  /** Column of the same row that says why this one is empty, such as a rating of Not Applicable. */
  readonly explainedBy?: string;
  /** Published codes for an unknown value. A condition on them is neither true nor false. */
  readonly unknown?: readonly (string | number)[];
  /**
   * Condition for rows in which an empty value means "none", because the publisher leaves the column empty when it does
   * not apply. In all other rows an empty value is unknown.
   */
  readonly emptyIsNone?: string;
  /** Column of the same row with its margin of error, in which nine of ten such estimates lie. A place file need not map it. */
  readonly margin?: string;
  /** Computed by the refresh from the geometry or other layers; a place file never maps it. */
  readonly computed?: boolean;
}

/**
 * How a layer is cut into files: one for the country, one a state, one a county, or one a state and H3 cell
 * of the given resolution (by the centre of each feature's box).
 */
export type Partitioning = 'national' | 'state' | 'county' | { readonly h3: number };

/**
 * A comparison of a layer's values with the ground by its publisher or a published study, or else the accuracy that the publisher
 * asks of those who make them. It is told to readers. The values of a grid that nobody assessed have medium confidence at most.
 */
export interface Assessment {
  readonly figure: number;
  readonly unit: string;
  /** What the figure counts, of which edition and where: words that complete "figure unit". */
  readonly means: string;
  /** Page on which it stands. */
  readonly page: string;
}

/** Whether a layer of features or a grid has a stated accuracy. */
export const isAssessed = (layer: VectorLayer | RasterLayer): boolean =>
  (layer.assessed?.length ?? 0) > 0 || (layer.kind === 'vector' && layer.accuracyM !== undefined);

/** A layer of features, stored as FlatGeobuf with its packed Hilbert R-tree. */
export interface VectorLayer {
  readonly kind: 'vector';
  /** The words for it in notes and reasons: a plural without an article, such as "flood hazard areas". */
  readonly title?: string;
  /** What is known of how right its values are. */
  readonly assessed?: readonly Assessment[];
  readonly geometry: 'point' | 'line' | 'polygon';
  /**
   * Stated horizontal accuracy of the geometry: metres within which about nine of ten well-defined places lie. Absent
   * when the publisher states none. A map scale implies one by the National Map Accuracy Standards (1947): 1/30 inch on
   * maps larger than 1:20,000, otherwise 1/50 inch, which is 12 m at 1:24,000.
   */
  readonly accuracyM?: number;
  /** The document that states accuracyM, and what it says there. */
  readonly accuracyIn?: string;
  /**
   * Why it is no proof that nothing of it is mapped at a place, in words that follow "no proof:". Where nothing is found the
   * confidence is then medium at most.
   */
  readonly omission?: string;
  /**
   * What to say when the coverage ends nearer than the nearest feature, so that a nearer one may lie beyond it. By
   * default the distance is an upper bound, and values of that feature have low confidence. With `absent` there is no
   * value, because another feature's would be wrong (addresses). A place file can say that nothing lies beyond:
   * `coverage: { everywhere: true }`.
   */
  readonly pastEdge?: 'absent';
  /** Breaks ties between equally near or equally large features, compared as text. */
  readonly joinKey: string | null;
  readonly columns: Readonly<Record<string, Column>>;
  readonly partition: Partitioning;
  /** Also written as GeoParquet, for layers whose columns are scanned. */
  readonly parquet?: boolean;
  /** Checks that its rows must pass to be published, beside the defaults. */
  readonly expect?: Expectation;
  /**
   * The column that says how a point was placed, and its value for points that the ingest places inside a joined
   * polygon.
   */
  readonly placement?: { readonly column: string; readonly inside: string };
}

/** The columns of a layer that only hold the margins of error of others. */
export const marginColumns = (columns: Readonly<Record<string, Column>>): string[] =>
  Object.values(columns).flatMap(({ margin }) => margin ?? []);

/** A table without geometry keyed by an area, stored as Parquet. */
export interface TableLayer {
  readonly kind: 'table';
  /** As of a vector layer. */
  readonly title?: string;
  /** The column with the area key, and which key of `area_key_attr` it is. */
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

/** A grid, kept in one form whatever the publisher uses (query/format/cog.ts). */
export interface RasterLayer {
  readonly kind: 'raster';
  /** As of a vector layer. */
  readonly title?: string;
  /** As of a vector layer. */
  readonly assessed?: readonly Assessment[];
  readonly bands: number;
  readonly unit?: string;
  /** Root mean square error of its values, in their unit, where one is stated (among `assessed`). */
  readonly rmse?: number;
  /** Stored numbers of the published file that mean no data, besides those that it names. */
  readonly nodata?: readonly number[];
  /** Only the DEM is bilinear. Other rasters answer with the cell that contains the point. */
  readonly sampling: 'nearest' | 'bilinear';
  readonly partition: Partitioning;
  readonly expect?: Expectation;
}

/** Roads for driving. All files of a place make one graph; the release keeps only the graph. */
export interface RoadsLayer {
  readonly kind: 'roads';
  /** As of a vector layer. */
  readonly title?: string;
  /** The tags or classes from which ways, speeds and turns are read (pipelines/steps/roads). */
  readonly model: 'osm' | 'tiger';
  readonly columns: Readonly<Record<string, Column>>;
  readonly partition: 'national';
  readonly expect?: Expectation;
}

export type Layer = VectorLayer | TableLayer | RasterLayer | RoadsLayer;

/** Rules for the confidence of a value; docs/operators.md explains each. */
export type ConfidenceRule =
  | { readonly kind: 'const'; readonly level: Confidence }
  | { readonly kind: 'edge_m'; readonly metres: number }
  | { readonly kind: 'station_km'; readonly high: number; readonly medium: number }
  | { readonly kind: 'cv'; readonly high: number; readonly medium: number }
  | { readonly kind: 'sign'; readonly errors: number }
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
  /** `const(high)`, `edge_m(30)`, `station_km(25;75)`, `cv(12;40)`, `sign(2)`, `parcel_match` or `min_inputs`. */
  readonly confidence: string;
  /**
   * Step that its numbers are rounded to, in its unit: a power of ten. Only for fields without a rule in precision.ts.
   */
  readonly precision?: number;
  /** Seconds for which callers may cache a value. */
  readonly ttlSeconds: number;
  /** Fetch presets with the field, and its 1-based position in each. */
  readonly presets?: Readonly<Record<string, number>>;
  /**
   * Three to thirty everyday words for it: how a buyer, a farmer, an insurer or a Spanish speaker would ask. Questions are
   * matched with them. A phrase whose other words are in every question counts as its one word.
   */
  readonly terms: readonly string[];
  /** What the value means for a decision; never a repetition of the description. */
  readonly hint: string;
  /** The Spanish name in a sentence, with its article: "la distancia al banco público más cercano". */
  readonly spanish?: string;
  /** How the value decides a matter, for fields that decide one. */
  readonly verdict?: VerdictRule;
}

/** A public dataset: its content, source, storage and fields. */
interface DatasetSource {
  readonly id: string;
  readonly title: string;
  readonly publisher: string;
  /** Official URL of the publication, or a pattern with `{placeholders}`. Records cite the result of `citableUrl`. */
  readonly url: string;
  readonly format: string;
  readonly licence: string;
  readonly cadence: string;
  /** How to find the vintage of a copy, in words. */
  readonly vintageRule: string;
  readonly notes?: string;
  /** Details of the published form that were taken from documents, because no copy was available. */
  readonly unconfirmed?: string;
  /** Where its files are downloaded from, and which must be placed by hand. */
  readonly acquire?: Acquire;
  readonly layers: Readonly<Record<string, Layer>>;
  readonly fields: Readonly<Record<string, FieldSource>>;
}

/** A field with its expression and confidence rule parsed. */
export interface Field extends Omit<FieldSource, 'expression' | 'confidence' | 'unit' | 'precision'> {
  readonly name: string;
  /** The dataset that defines the field. */
  readonly dataset: string;
  readonly unit: string | null;
  readonly expression: Expression;
  readonly confidence: ConfidenceRule;
  /** Step that its numbers are rounded to, in its unit; null for integers and for other types. */
  readonly precision: number | null;
}

export interface Dataset extends Omit<DatasetSource, 'fields' | 'url' | 'acquire'> {
  readonly acquire: Acquire;
  /** Place of the publication as the dataset file has it: a URL pattern with placeholders, or words. */
  readonly publishedAt: string;
  /** The URL that records cite when nothing was read: a prefix of `publishedAt`; null when it has no URL. */
  readonly url: string | null;
  readonly fields: readonly Field[];
}

function parseConfidence(text: string): ConfidenceRule {
  const match = /^(const|edge_m|station_km|cv|sign|parcel_match|min_inputs)(?:\(([^)]*)\))?$/.exec(text);
  const [, kind, args] = match ?? [];
  if (kind === 'const' && /^(high|medium|low)$/.test(args ?? '')) return { kind, level: args as Confidence };
  if (kind === 'edge_m' && Number(args) > 0) return { kind, metres: Number(args) };
  if (kind === 'sign' && Number(args) > 0) return { kind, errors: Number(args) };
  if (kind === 'station_km' || kind === 'cv') {
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
