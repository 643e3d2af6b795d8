// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** The sets of vector tiles */
export interface OgcTileSets {
  readonly input: object;
  readonly answer: {
    readonly links?: readonly ({
      readonly href: string;
      readonly rel: string;
      readonly type?: string;
      readonly title?: string;
    } & { readonly [name: string]: unknown })[];
  } & { readonly [name: string]: unknown };
}
