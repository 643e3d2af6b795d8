// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** The events of a run */
export interface RunEvents {
  readonly input: {
    readonly run_id: string;
  };
  readonly answer: string;
}
