/** A field of GET /v1/meta/fields, with the parts that the explorer shows. */
export interface FieldMeta {
  readonly name: string;
  readonly layer: string;
  readonly type: string;
  readonly unit: string | null;
  readonly title: string;
  readonly description: string;
  readonly hint: string;
  readonly terms: readonly string[];
  readonly publisher: string;
  readonly installed: boolean;
  readonly surfaces: readonly string[];
  readonly filter_operators: readonly string[];
  readonly enum_values: readonly (string | number | boolean)[] | null;
}
