import { Type } from 'typebox';

/** How an account stands this month. */
export const AllowanceProperties = {
  credits_included: Type.Integer({ description: 'Of the plan, a calendar month.' }),
  credits_used: Type.Integer({ description: 'With what running requests have reserved.' }),
  credits_remaining: Type.Integer({ description: 'Of the included ones.' }),
  self_imposed_limit: Type.Union([Type.Integer(), Type.Null()]),
  effective_limit: Type.Integer({ description: "The tighter of the plan's and the account's own limit." }),
  resets_at: Type.String({ description: 'The 1st of next month, 00:00 UTC.' }),
};

export const UsageResponse = Type.Object(
  { plan: Type.String(), period: Type.String({ description: '`YYYY-MM`, UTC.' }), ...AllowanceProperties },
  { additionalProperties: false },
);
