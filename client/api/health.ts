// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** Whether the process runs */
export interface Health {
  readonly input: object;
  readonly answer: {
    readonly status: 'ok';
  };
}
