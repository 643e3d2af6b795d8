// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** This description, OpenAPI 3.1 */
export interface Openapi {
  readonly input: object;
  readonly answer: { readonly [name: string]: unknown };
}
