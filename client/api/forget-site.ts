// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** Forget a site */
export interface ForgetSite {
  readonly input: {
    readonly site_id: string;
  };
  readonly answer: never;
}
