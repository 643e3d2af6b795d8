import type { Part } from './place-definition.ts';

/** One column made of a row in several steps; what its keys mean stands in place-definition.ts. */
interface ExpressionObject extends Omit<Part<'expressionObject'>, 'from'> {
  readonly from?: string | readonly ColumnExpression[];
}

/**
 * How one target column is filled from a row of a published file. A bare string is the source column's name.
 * Steps apply in the order of the keys: when, read, trim, null sentinels, strip, replace, patterns or lookup, slice, pad, case,
 * type, scale. Text that is empty or blank after trimming is null, and null passes through every later step unchanged.
 */
export type ColumnExpression = string | ExpressionObject;

/** What a reader needs to be told because the file does not say it. */
export type FormatOptions = Part<'options'>;

/** Where a file of the place is published: `files` of a place file. */
export type PublishedAt = Part<'published'>;

/** What stands behind the values of a layer: printed in every record's source, vintage and notes. */
export type Provenance = Part<'provenance'>;

/** What becomes of a column where several joined rows share a key: see `several` in place-definition.ts. */
export type SeveralWord = Part<'severalWord'>;

/** A second file, or another layer of the same; its columns are named `prefix.column` in expressions. */
export interface Join extends Omit<Part<'join'>, 'key' | 'to'> {
  readonly key: ColumnExpression;
  readonly to: ColumnExpression;
}

/** The joins of a layer in their order. */
export function joinsOf({ join }: Pick<PlaceLayer, 'join'>): readonly Join[] {
  if (join === undefined) return [];
  return Array.isArray(join) ? (join as readonly Join[]) : [join as Join];
}

/** A layer as a place file writes it, once what it inherits is filled in. */
export interface WrittenLayer extends Omit<Part<'layer'>, 'join' | 'columns'> {
  readonly join?: Join | readonly Join[];
  readonly columns: Readonly<Record<string, ColumnExpression>>;
}

/** A place file as it is written, once what it inherits is filled in: defaults and `rest` still stand for what they mean. */
export interface PlaceFile extends Omit<Part<'place'>, 'layers'> {
  readonly layers: readonly WrittenLayer[];
}

/** One local file mapped onto one layer of a dataset; several may fill the same layer, each with rows of its own. */
export interface PlaceLayer extends Omit<WrittenLayer, 'provenance' | 'unpublished'> {
  /**
   * What this source does not publish: columns of the layer, or conditions over them (`Own_Type = 'FED'`) whose rows it
   * is known to lack. Operators that read such a column or ask by such a condition answer absent, with that reason.
   */
  readonly unpublished?: readonly string[];
  readonly provenance: Provenance;
}

/**
 * Where a layer is known to be mapped: a polygon file, everywhere, or (`extent`) the grid of a raster or the box of the
 * features of a vector layer.
 */
export type Coverage = Part<'coverage'>;

/** Maps the published files of one place onto the national datasets, as OpenAddresses' conform files do. */
export interface Place extends Omit<Part<'place'>, 'extends' | 'abstract' | 'provenance' | 'layers'> {
  readonly layers: readonly PlaceLayer[];
}
