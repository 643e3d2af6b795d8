// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** The terms in force */
export interface OnboardingTerms {
  readonly input: object;
  readonly answer: {
    readonly version: string;
    /** Of the document at `url`, byte by byte, in hexadecimal. */
    readonly sha256: string;
    readonly url: string;
    readonly privacy_url: string;
    /** What to show beside the button. */
    readonly notice: string;
  };
}
