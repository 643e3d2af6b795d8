// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** Delete a template of buildable ground */
export interface DeleteTemplate {
  readonly input: {
    /** Small letters, digits and `_`, at most 40; none that every account has. */
    readonly template: string;
  };
  readonly answer: never;
}
