// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** The templates of buildable ground */
export interface ListTemplates {
  readonly input: object;
  readonly answer: {
    readonly templates: readonly {
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
    }[];
  };
}
