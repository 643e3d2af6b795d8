// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** The events of an export */
export interface ExportEvents {
  readonly input: {
    readonly export_id: string;
  };
  readonly answer: string;
}
