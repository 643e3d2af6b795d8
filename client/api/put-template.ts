// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** Make a template of buildable ground */
export interface PutTemplate {
  readonly input: {
    /** Small letters, digits and `_`, at most 40; none that every account has. */
    readonly template: string;
  } & {
    /** For people; the name without it. */
    readonly title?: string;
    /** Ground to keep clear of. One of a layer of the template takes the place of what that says of it. */
    readonly exclusions?: readonly {
      /** `dataset:layer`, or the dataset for its main layer, as coverage lists them. */
      readonly layer: string;
      /** Features that count: a condition on the publisher's columns, such as `SFHA_TF = 'T'`; of a raster on `value`. */
      readonly where?: string;
      /** Meters about them. */
      readonly setback_m?: number;
      /** Instead: international feet. */
      readonly setback_ft?: number;
    }[];
    readonly boundary_setback_m?: number;
    /** Of the cells of the elevation model. */
    readonly max_slope_percent?: number;
    /** Narrower strips go. */
    readonly min_width_m?: number;
    /** Smaller pieces go. */
    readonly min_piece_acres?: number;
  };
  readonly answer: {
    /** For `template` of POST /v1/buildable. */
    readonly name: string;
    readonly title: string;
    /** False of those that every account has. */
    readonly own: boolean;
    readonly exclusions: readonly {
      readonly layer: string;
      readonly where?: string;
      readonly setback_m: number;
    }[];
    readonly boundary_setback_m: number;
    /** Null: any slope. */
    readonly max_slope_percent: number | null;
    readonly min_width_m: number;
    readonly min_piece_acres: number;
  };
}
