// Generated from the API description (/v1/openapi.json) by `make docs`; do not edit.

/** Set what the account may spend a month */
export interface ChangeSettings {
  readonly input: {
    /** Credits a month that the account allows itself; it tightens the plan's allowance and never widens it. 0 stops all that costs, null takes the limit off. */
    readonly monthly_credit_limit: number | null;
  };
  readonly answer: {
    readonly settings: {
      /** Credits a month that the account allows itself; it tightens the plan's allowance and never widens it. 0 stops all that costs, null takes the limit off. */
      readonly monthly_credit_limit: number | null;
    };
  };
}
