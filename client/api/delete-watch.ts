// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** Delete a watch */
export interface DeleteWatch {
  readonly input: {
    readonly watch_id: string;
  };
  readonly answer: never;
}
