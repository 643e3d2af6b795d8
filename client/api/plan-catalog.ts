// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** Plans and credit prices */
export interface PlanCatalog {
  readonly input: object;
  readonly answer: {
    readonly plans: readonly {
      readonly plan: string;
      readonly credits_included: number;
      readonly requests_per_minute: number;
      readonly parcel_record_credits: number;
    }[];
    readonly prices: readonly {
      readonly endpoint: string;
      readonly credits: number | null;
      readonly unit: string;
    }[];
    readonly resets: string;
  };
}
