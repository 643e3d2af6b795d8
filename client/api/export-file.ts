// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** A file of an export */
export interface ExportFile {
  readonly input: {
    readonly export_id: string;
    readonly name: string;
  };
  readonly answer: string;
}
